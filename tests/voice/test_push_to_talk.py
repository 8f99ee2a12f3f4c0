"""Hold the key, speak, let go: through a virtual microphone, the real recogniser and the real engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ankita_desktop.assembly import Options, assemble
from ankita_desktop.errors import VoiceError
from ankita_desktop.events import Event, TurnEnded
from ankita_desktop.voice.answers import AnswerReader
from ankita_desktop.voice.listen import Recogniser
from ankita_desktop.voice.push_to_talk import Ear, PushToTalk
from ankita_desktop.voice.sound import silence
from tests.voice import rig
from tests.voice.rig import SOUND, SoundServer, wait_until


class Front:
    """A front end with a microphone button."""

    def __init__(self, recogniser: Recogniser, device: str = "") -> None:
        self.texts: list[str] = []
        self.partials: list[str] = []
        self.levels: list[float] = []
        self.notices: list[str] = []
        self.states: list[str] = []
        self.problems: list[VoiceError] = []
        ear = Ear(
            on_text=self.texts.append,
            on_partial=self.partials.append,
            on_level=self.levels.append,
            on_notice=self.notices.append,
            on_state=self.states.append,
            on_problem=self.problems.append,
        )
        self.talk = PushToTalk(lambda: recogniser, ear, device=lambda: device)

    def press(self) -> None:
        self.talk.press()
        wait_until(lambda: self.talk.state == "recording" or self.problems, 10, "it records")

    def speak(self, server: SoundServer, sound: bytes) -> None:
        self.press()
        server.speak(sound)
        self.talk.release()
        wait_until(lambda: self.talk.state == "off", 30, "it is recognised")


@pytest.fixture
def front(sound: SoundServer, recogniser: Recogniser) -> Iterator[Front]:
    made = Front(recogniser)
    yield made
    made.talk.close()


def test_what_is_said_while_the_key_is_down_becomes_text(sound: SoundServer, front: Front) -> None:
    front.speak(sound, rig.said("how much is one hundred divided by four"))
    assert len(front.texts) == 1
    assert "100 divided by 4" in front.texts[0].replace("one hundred", "100").replace("four", "4")
    assert front.states == ["recording", "recognising", "off"]
    assert max(front.levels) > SOUND


def test_text_appears_while_somebody_speaks(sound: SoundServer, front: Front) -> None:
    front.speak(sound, rig.said("show me all files here") + silence(0.4) + rig.said("and read the first one"))
    assert front.partials
    assert front.texts


def test_silence_is_said_and_nothing_is_sent(sound: SoundServer, front: Front) -> None:
    front.speak(sound, silence(0.8))
    assert front.texts == []
    assert len(front.notices) == 1


def test_a_cancelled_press_sends_nothing(sound: SoundServer, front: Front) -> None:
    front.press()
    sound.speak(rig.said("delete everything"))
    front.talk.cancel()
    wait_until(lambda: front.talk.state == "off", 10, "it is over")
    front.speak(sound, rig.said("who are you"))
    assert len(front.texts) == 1
    assert "delete" not in front.texts[0].lower()


def test_the_first_word_is_not_cut_when_speech_begins_with_the_press(sound: SoundServer, front: Front) -> None:
    front.talk.arm()
    wait_until(lambda: front.talk._recorder.before(), 10, "the microphone is open")
    front.speak(sound, rig.said("who are you"))
    assert "who" in front.texts[0].lower()


def test_two_presses_are_two_texts_in_order(sound: SoundServer, front: Front) -> None:
    front.speak(sound, rig.said("who are you"))
    front.speak(sound, rig.said("how are you"))
    assert len(front.texts) == 2
    assert front.texts[1].lower().startswith("how")


def test_two_buttons_of_two_sessions_each_hear_their_own_press(sound: SoundServer, recogniser: Recogniser) -> None:
    one, other = Front(recogniser), Front(recogniser)
    one.speak(sound, rig.said("who are you"))
    other.speak(sound, rig.said("how are you"))
    assert (len(one.texts), len(other.texts)) == (1, 1)
    for front in (one, other):
        front.talk.close()


def test_a_spoken_command_is_carried_out_offline_and_the_answer_is_spoken(
    sound: SoundServer, recogniser: Recogniser, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("milk\n")
    app = assemble(Options(cwd=str(tmp_path), provider="offline", mode="all"))
    ended: list[TurnEnded] = []
    texts: list[str] = []

    def sink(event: Event) -> None:
        if isinstance(event, TurnEnded):
            ended.append(event)

    session = app.new_session().id
    app.engine.subscribe(AnswerReader(app.voice.speaker, session))
    app.engine.subscribe(sink)
    talk = app.voice.push_to_talk(Ear(on_text=texts.append))
    try:
        talk.press()
        wait_until(lambda: talk.state == "recording", 10, "it records")
        sound.speak(rig.said("what is two plus two"))
        talk.release()
        wait_until(lambda: texts, 30, "it is recognised")
        with sound.recording() as recorded:
            app.engine.submit(session, texts[0], source="voice")
            wait_until(lambda: ended, 30, "it is answered")
            app.voice.speaker.wait()
        assert ended[0].text == "2 + 2 = 4"
        heard = recogniser.transcribe(bytes(recorded)).text
        assert rig.words(heard)[-2:] == ["equals", "4"]
    finally:
        talk.close()
        app.close()
