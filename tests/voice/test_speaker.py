"""Speaking: early, in order, and silent at once when told."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import psutil
import pytest

from ankita_desktop.errors import Cancelled, VoiceError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.voice.listen import Recogniser
from ankita_desktop.voice.sound import RATE, as_wav, level, levels, read_wav, silence
from ankita_desktop.voice.speaker import Mouth, Speaker
from ankita_desktop.voice.synth import Command, Manner, Service, System, choose
from tests.voice import rig
from tests.voice.rig import SoundServer, wait_until

TONE = (b"\x00\x30" * 16 + b"\x00\xd0" * 16) * 500  # one second


class Heard:
    """What a speaker tells its listener."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.problems: list[VoiceError] = []
        self.silences = 0

    def sounding(self, text: str, levels: Sequence[float], seconds: float) -> None:
        assert levels and seconds > 0
        self.sentences.append(text)

    def silent(self, finished: bool) -> None:
        self.silences += 1

    def failed(self, problem: VoiceError) -> None:
        self.problems.append(problem)


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def speaker(sound: SoundServer, heard: Heard) -> Iterator[Speaker]:
    made = Speaker(lambda: Manner(rate=250))
    made.listen(heard)
    yield made
    made.close()


def children() -> list[psutil.Process]:
    found = psutil.Process().children(recursive=True)
    return [one for one in found if "ankita_desktop.voice.child" in " ".join(one.cmdline())]


def test_an_answer_sounds_sentence_by_sentence_and_is_understood(
    sound: SoundServer, speaker: Speaker, heard: Heard, recogniser: Recogniser
) -> None:
    with sound.recording() as recorded:
        for delta in ("The folder has ", "three files. ", "The answer ", "is forty ", "two."):
            speaker.feed(delta)
        speaker.flush()
        speaker.wait()
    assert heard.sentences == ["The folder has three files.", "The answer is forty two."]
    assert heard.silences == 1
    text = recogniser.transcribe(bytes(recorded)).text.lower()
    assert "files" in text
    assert "42" in rig.words(text)


def test_the_first_sentence_sounds_while_the_answer_still_streams(
    sound: SoundServer, speaker: Speaker, heard: Heard
) -> None:
    speaker.feed("First things first. And then the rest is not yet")
    wait_until(lambda: heard.sentences, 10, "the first sentence sounds")
    assert heard.sentences == ["First things first."]


def test_stop_kills_the_voice_at_once_and_keeps_the_rest(
    sound: SoundServer, speaker: Speaker, heard: Heard
) -> None:
    speaker.say("This is a rather long sentence that goes on and on and on for some time. And a second one.")
    wait_until(lambda: heard.sentences, 10, "it speaks")
    assert children()
    speaker.stop()
    assert not children()
    assert not speaker.is_speaking
    assert heard.silences == 1
    with sound.recording() as recorded:
        wait_until(lambda: len(recorded) > 24_000, 10, "something is recorded")
    assert max(levels(bytes(recorded[-12_000:]))) < 0.001
    speaker.resume()
    speaker.wait()
    assert heard.sentences[1:] == [heard.sentences[0], "And a second one."]


def test_two_hundred_sentences_never_block_whoever_feeds_them(speaker: Speaker) -> None:
    done = threading.Event()

    def feed() -> None:
        for number in range(200):
            speaker.feed(f"This is sentence number {number} of a very long answer. ")
        done.set()

    threading.Thread(target=feed, daemon=True).start()
    assert done.wait(10)
    speaker.stop()


def test_a_stop_from_the_tool_ends_the_wait(speaker: Speaker, heard: Heard) -> None:
    cancel = Cancel()
    speaker.say("This is a rather long sentence that goes on and on and on for some time, again and again.")
    threading.Thread(target=lambda: (wait_until(lambda: heard.sentences, 10, "it speaks"), cancel.set())).start()
    with pytest.raises(Cancelled):
        speaker.wait(cancel)
    assert not children()


def test_the_last_answer_is_repeated_and_slower_is_slower(
    sound: SoundServer, speaker: Speaker, heard: Heard
) -> None:
    speaker.begin()
    speaker.feed("Only this. ")
    speaker.wait()
    speaker.slower()
    assert speaker.repeat()
    speaker.wait()
    assert heard.sentences == ["Only this."] * 2


def test_a_voice_that_dies_is_said_and_the_next_sentence_has_a_new_one(speaker: Speaker, heard: Heard) -> None:
    speaker.say("This is a rather long sentence that goes on and on and on for some time.")
    wait_until(lambda: heard.sentences, 10, "it speaks")
    for child in children():
        child.kill()
    with pytest.raises(VoiceError):
        speaker.wait()
    assert heard.problems
    speaker.say("Again.")
    speaker.wait()
    assert heard.sentences[-1] == "Again."


def test_without_a_loudspeaker_speaking_says_so(
    ankita_home: object, monkeypatch: pytest.MonkeyPatch, heard: Heard
) -> None:
    rig.need_programs()
    rig.need_modules("sounddevice")
    monkeypatch.setenv("PULSE_SERVER", "unix:/nowhere/at/all")
    speaker = Speaker()
    speaker.listen(heard)
    speaker.say("Nobody hears this.")
    with pytest.raises(VoiceError) as failure:
        speaker.wait()
    speaker.close()
    assert "loudspeaker" in str(failure.value).lower()
    assert "Traceback" not in str(failure.value)


def test_the_systems_voice_makes_sound() -> None:
    rig.need_programs()
    rig.need_modules("pyttsx3")
    made, rate = System().make("Hello there", Manner())
    assert len(made) > rate // 2
    assert level(made) > 0.01


def test_any_program_that_writes_wav_can_be_the_voice() -> None:
    rig.need_programs()
    manner = Manner(command="espeak-ng --stdin --stdout -v de")
    assert isinstance(choose(manner), Command)
    made, rate = choose(manner).make("Guten Tag", manner)
    assert len(made) > rate // 2


def test_a_program_that_fails_is_named() -> None:
    with pytest.raises(VoiceError, match="no-such-voice"):
        Command().make("Hello", Manner(command="no-such-voice -x"))


class Speech:
    """An OpenAI-compatible voice on loopback: it answers with a WAV, or as it is told."""

    def __init__(self, status: int = 200, sound: bytes = b"") -> None:
        self.requests: list[tuple[str, str, dict[str, Any]]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append((self.path, self.headers.get("Authorization", ""), asked))
                self.send_response(status)
                self.send_header("Content-Length", str(len(sound)))
                self.end_headers()
                self.wfile.write(sound)

            def log_message(self, *_: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.manner = Manner(
            "service",
            voice="nova",
            rate=350,
            service={"url": f"http://127.0.0.1:{self._server.server_port}/v1", "key": "secret", "model": "m"},
        )
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Speech:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def test_a_service_is_asked_for_the_sentence_in_the_voice_and_pace_of_the_settings() -> None:
    sound = silence(0.2) + TONE
    with Speech(sound=as_wav(sound)) as there:
        assert isinstance(choose(there.manner), Service)
        assert choose(there.manner).make("Hello there.", there.manner) == (sound, RATE)
    ((path, key, asked),) = there.requests
    assert (path, key) == ("/v1/audio/speech", "Bearer secret")
    wanted = {"model": "m", "voice": "nova", "input": "Hello there.", "response_format": "wav", "speed": 2.0}
    assert asked == wanted


def test_without_a_key_a_service_is_sent_none() -> None:
    with Speech(sound=as_wav(silence(0.1))) as there:
        manner = replace(there.manner, service={"url": there.manner.service["url"]})
        choose(manner).make("Hello.", manner)
    assert there.requests[0][1] == ""


@pytest.mark.parametrize(
    ("status", "sound", "words"),
    [(401, b"", "refused the key"), (500, b"", "answered 500"), (200, b"<html>", "no WAV file")],
)
def test_a_service_without_a_voice_for_us_is_named(status: int, sound: bytes, words: str) -> None:
    with Speech(status, sound) as there, pytest.raises(VoiceError, match=words):
        choose(there.manner).make("Hello.", there.manner)


def test_a_service_that_is_not_there_is_named() -> None:
    with Speech() as there:
        pass
    with pytest.raises(VoiceError, match="can't be reached"):
        choose(there.manner).make("Hello.", there.manner)


def test_a_service_without_an_address_says_what_to_set() -> None:
    with pytest.raises(VoiceError, match=r"voice\.service_url"):
        choose(Manner("service"))


def test_a_services_voice_sounds_on_the_loudspeaker(sound: SoundServer, heard: Heard) -> None:
    with Speech(sound=as_wav(TONE)) as there:
        speaker = Speaker(lambda: there.manner)
        speaker.listen(heard)
        with sound.recording() as recorded:
            speaker.say("Hello there.")
            speaker.wait()
            wait_until(lambda: level(bytes(recorded)) > 0.001, 10, "it sounds")
        speaker.close()
    assert heard.sentences == ["Hello there."]


def test_a_packaged_program_speaks_when_it_is_started_to(sound: SoundServer) -> None:
    """A frozen build has no interpreter to start: it starts itself."""
    order = json.dumps({"id": 7, "text": "Hello.", "manner": {"engine": "espeak"}}) + "\n"
    program = [sys.executable, "-m", "ankita_desktop", "--speak"]
    done = subprocess.run(program, input=order, capture_output=True, text=True, timeout=60)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["event"] for one in told] == ["ready", "sound", "done"], done.stderr
    assert told[-1]["id"] == 7


class Silent:
    """A mouth that is fed and says nothing back."""

    def __init__(self, on_event: Callable[[Mouth, dict[str, Any]], None]) -> None:
        self.on_event = on_event
        self.given: list[tuple[int, str, Manner]] = []

    def say(self, number: int, text: str, manner: Manner) -> None:
        self.given.append((number, text, manner))

    def kill(self) -> None: ...
    def is_alive(self) -> bool:
        return True


def test_words_of_a_silenced_voice_change_nothing() -> None:
    mouths: list[Silent] = []

    def make(on_event: Callable[[Mouth, dict[str, Any]], None]) -> Mouth:
        mouths.append(Silent(on_event))
        return mouths[-1]

    speaker = Speaker(make_mouth=make)
    speaker.say("One. Two.")
    speaker.stop()
    speaker.say("Three.")
    mouths[0].on_event(mouths[0], {"event": "done", "id": mouths[1].given[0][0]})
    assert speaker.is_speaking


def test_a_wav_with_the_length_of_a_stream_is_read() -> None:
    rig.need_programs()
    assert len(rig.said("hello")) > 8000
    with pytest.raises(VoiceError):
        read_wav(b"not a wav file at all")
