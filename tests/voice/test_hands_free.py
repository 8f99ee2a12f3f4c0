"""Hands-free talk: one sentence is one turn, it can be interrupted, and it never talks to itself.

The clock is counted in frames, so a minute of talk takes a second; the voice is a mouth that sounds in this
clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from ankita_desktop.errors import VoiceError
from ankita_desktop.events import ApprovalAsked, ApprovalClosed, TextDelta, TurnEnded, TurnStarted
from ankita_desktop.protocol import ApprovalRequest, Decision, Level, Preview, ToolCall
from ankita_desktop.voice.hands_free import Conversation, HandsFree, State, Watcher
from ankita_desktop.voice.listen import Heard, Listening
from ankita_desktop.voice.sound import FRAME_SECONDS, as_bytes, frames, levels, samples, silence
from ankita_desktop.voice.speaker import Mouth, Speaker
from ankita_desktop.voice.synth import Manner
from tests.voice import rig


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class ClockMouth:
    """Sounds real speech, on the test's clock."""

    def __init__(self, on_event: Callable[[Mouth, dict[str, Any]], None], clock: Clock) -> None:
        self._on_event, self._clock = on_event, clock
        self._queue: list[tuple[int, bytes]] = []
        self._playing: tuple[int, list[bytes]] | None = None
        self._alive = True

    def say(self, number: int, text: str, manner: Manner) -> None:
        self._queue.append((number, rig.said(text)))

    def kill(self) -> None:
        self._queue, self._playing, self._alive = [], None, False

    def is_alive(self) -> bool:
        return self._alive

    def frame(self) -> bytes:
        """What the loudspeaker gives now."""
        if self._playing is None and self._queue:
            number, sound = self._queue.pop(0)
            self._playing = (number, list(frames(sound)))
            told = {"event": "sound", "id": number, "levels": levels(sound), "seconds": len(sound) / 32_000}
            self._on_event(self, told)
        if self._playing is None:
            return silence(FRAME_SECONDS)
        number, left = self._playing
        frame = left.pop(0)
        if not left:
            self._playing = None
            self._on_event(self, {"event": "done", "id": number})
        return frame


@dataclass
class Script:
    """A recogniser that hears what the test says was said, in order. Sound alone decides when it is asked."""

    texts: list[str] = field(default_factory=list)
    about: str = "a script"
    sends_to: str = ""
    asked: int = 0

    def begin(self, hints: Sequence[str] = ()) -> Listening:
        return _Scripted(self)

    def transcribe(self, sound: bytes, hints: Sequence[str] = ()) -> Heard:
        return Heard()

    def warm(self) -> None: ...


class _Scripted:
    def __init__(self, script: Script) -> None:
        self._script = script

    def feed(self, sound: bytes) -> str:
        return ""

    def finish(self) -> Heard:
        self._script.asked += 1
        return Heard(self._script.texts.pop(0) if self._script.texts else "")

    def drop(self) -> None: ...


class Room:
    """A person, a microphone and us. ``echo`` is how much of our voice comes back into the microphone."""

    def __init__(
        self, texts: Sequence[str] = (), *, echo: float = 0.0, wake_word: str = "off", session: str = "s"
    ) -> None:
        rig.need_programs()
        self.clock = Clock()
        self.mouths: list[ClockMouth] = []
        self.speaker = Speaker(make_mouth=self._mouth)
        self.script = Script(list(texts))
        self.submitted: list[str] = []
        self.cancelled = 0
        self.answers: list[tuple[str, Decision]] = []
        self.states: list[State] = []
        self.notices: list[str] = []
        self.echo = echo
        self._delayed: list[bytes] = [silence(FRAME_SECONDS)] * 4  # the room takes 128 ms
        self.talk = HandsFree(
            Conversation("s", self.submitted.append, self._cancel, self._answer),
            self.speaker,
            self.script,
            watcher=Watcher(on_state=self.states.append, on_notice=self.notices.append),
            wake_word=wake_word,
            now=self.clock,
        )

    def _mouth(self, on_event: Callable[[Mouth, dict[str, Any]], None]) -> Mouth:
        self.mouths.append(ClockMouth(on_event, self.clock))
        return self.mouths[-1]

    def _cancel(self) -> None:
        self.cancelled += 1

    def _answer(self, request: str, decision: Decision) -> None:
        self.answers.append((request, decision))

    def pass_time(self, sound: bytes) -> None:
        """The person makes this sound, and time passes for as long."""
        for frame in frames(sound):
            ours = self.mouths[-1].frame() if self.mouths else silence(FRAME_SECONDS)
            self._delayed.append(ours)
            self.talk.hear(mixed(frame, self._delayed.pop(0), self.echo))
            self.talk.pump()
            self.clock.now += FRAME_SECONDS

    def say(self, text: str) -> None:
        """The person says something, and is silent for long enough."""
        self.pass_time(rig.said(text) + silence(1.3))

    def until_silent(self, seconds: float = 60.0) -> None:
        for _ in range(round(seconds / FRAME_SECONDS)):
            self.pass_time(silence(FRAME_SECONDS))
            if not self.speaker.is_speaking:
                break
        self.pass_time(silence(1.0))

    def answer(self, text: str, *, ended: bool = True) -> None:
        """The engine answers."""
        self.tell(TurnStarted("s", "t"), TextDelta("s", text))
        if ended:
            self.tell(TurnEnded("s", "t", "done", text))

    def tell(self, *events: Any) -> None:
        for event in events:
            self.talk(event)
        self.talk.pump()

    def ask(self, level_: Level = "ask", danger: str = "") -> None:
        preview = Preview("text", "Delete old notes?", danger=danger)
        self.tell(ApprovalAsked("s", ApprovalRequest("r1", "s", ToolCall("c", "delete_file"), level_, preview)))


def mixed(person: bytes, ours: bytes, echo: float) -> bytes:
    a, b = samples(person), samples(ours)
    for at, other in enumerate(b):
        if at < len(a):
            a[at] = max(-32768, min(32767, a[at] + int(other * echo)))
    return as_bytes(a)


LONG = (
    "The weather today is mostly sunny with a light wind from the west. Later in the afternoon some clouds will "
    "come in from the sea. Tomorrow it will rain in the morning and clear up towards the evening."
)


def test_a_sentence_is_one_turn_and_the_states_follow() -> None:
    room = Room(["list the files"])
    room.say("list the files")
    assert room.submitted == ["list the files"]
    room.answer("There are three files.")
    room.until_silent()
    assert room.states == ["listening", "thinking", "speaking", "listening"]


def test_noise_is_no_turn() -> None:
    room = Room([""])
    room.say("mumble mumble")
    assert room.script.asked == 1
    assert room.submitted == []
    assert room.talk.state == "listening"


def test_speech_while_it_talks_stops_the_voice_within_a_quarter_second_and_is_the_next_turn() -> None:
    room = Room(["what about tomorrow"])
    room.answer(LONG, ended=False)
    room.pass_time(silence(3))
    assert room.speaker.is_speaking
    spoken = rig.said("what about tomorrow")
    begins = next(at for at, loud in enumerate(levels(spoken)) if loud > 0.02)
    took = 0.0
    for count, frame in enumerate(frames(spoken)):
        room.pass_time(frame)
        if not room.speaker.is_speaking and not took:
            took = (count - begins + 1) * FRAME_SECONDS
    assert 0 < took <= 0.25
    room.pass_time(silence(1.3))
    assert room.submitted == ["what about tomorrow"]
    assert room.cancelled == 1, "the answer that was interrupted is not made any further"


def test_an_interruption_that_was_only_noise_lets_it_go_on() -> None:
    room = Room([""])
    room.answer(LONG)
    room.pass_time(silence(3))
    room.say("uh huh there")
    assert room.submitted == []
    assert room.speaker.is_speaking


@pytest.mark.parametrize("echo", [0.1, 0.5, 1.0])
def test_its_own_voice_in_the_microphone_is_never_a_turn(echo: float) -> None:
    room = Room(["the weather today is mostly sunny"] * 20, echo=echo)
    room.answer(LONG)
    room.until_silent(20)
    assert room.submitted == []
    assert room.cancelled == 0


def test_a_person_who_is_louder_than_the_echo_interrupts_it() -> None:
    room = Room(["stop"], echo=0.2)
    room.answer(LONG)
    room.pass_time(silence(2.5))
    room.say("stop please")
    assert not room.speaker.is_speaking
    assert room.submitted == []


def test_what_it_just_said_is_an_echo_by_its_words_even_when_it_is_loud() -> None:
    room = Room(["whether today is mostly sunny with the light wind"])
    room.answer("The weather today is mostly sunny with a light wind.")
    room.until_silent()
    room.say("the weather today is mostly sunny with a light wind")
    assert room.script.asked == 1
    assert room.submitted == []


def test_the_same_words_later_are_the_persons_own() -> None:
    room = Room(["The weather today is mostly sunny."])
    room.answer("The weather today is mostly sunny.")
    room.until_silent()
    room.pass_time(silence(3.5))
    room.say("the weather today is mostly sunny")
    assert len(room.submitted) == 1


def test_stop_repeat_and_exit_steer_and_are_not_sent() -> None:
    room = Room(["Repeat that.", "Slower.", "Exit."])
    room.answer("There are three files.")
    room.until_silent()
    room.say("repeat that")
    assert room.speaker.is_speaking
    room.until_silent()
    room.say("slower")
    assert room.speaker.is_speaking
    room.until_silent()
    room.say("exit")
    assert room.talk.state == "off"
    assert room.submitted == []


def test_asleep_it_waits_for_its_name() -> None:
    room = Room(["buy some milk", "Hey Ankita, list the files.", "and the folders"], wake_word="name")
    room.say("buy some milk")
    assert room.submitted == []
    assert room.talk.state == "asleep"
    room.say("hey ankita list the files")
    assert room.submitted == ["list the files."]
    room.answer("Three files.")
    room.until_silent()
    room.say("and the folders")
    assert room.submitted == ["list the files.", "and the folders"], "right after an answer the name isn't needed"
    room.answer("None.")
    room.until_silent()
    room.pass_time(silence(9))
    assert room.talk.state == "asleep"


def test_a_question_is_read_out_and_a_yes_allows_it() -> None:
    room = Room(["Yes."])
    room.tell(TurnStarted("s", "t"))
    room.ask()
    room.until_silent()
    room.say("yes")
    assert [(request, decision.allow) for request, decision in room.answers] == [("r1", True)]
    assert room.submitted == []


def test_a_yes_before_the_question_was_read_to_its_end_allows_nothing() -> None:
    room = Room(["Yes.", "Yes."])
    room.tell(TurnStarted("s", "t"))
    room.ask()
    room.pass_time(silence(0.8))
    room.say("yes please do")
    assert room.answers == []
    assert room.speaker.is_speaking, "it is read again"
    room.until_silent()
    room.say("yes please do")
    assert len(room.answers) == 1


def test_a_no_carries_its_reason() -> None:
    room = Room(["No, because I still need them."])
    room.ask()
    room.until_silent()
    room.say("no because I still need them")
    assert [(one.allow, one.reason) for _, one in room.answers] == [(False, "I still need them.")]


@pytest.mark.parametrize(("level_", "danger"), [("always", ""), ("ask", "The files would be lost.")])
def test_what_must_always_be_asked_is_never_allowed_by_voice(level_: Level, danger: str) -> None:
    room = Room(["Yes.", "Yes."])
    room.tell(TurnStarted("s", "t"))
    room.ask(level_, danger)
    room.until_silent()
    for _ in range(2):
        room.say("yes")
        room.until_silent()
    assert room.answers == []
    assert (room.submitted, room.cancelled) == ([], 0), "a second yes is no new request"


def test_stop_while_a_question_waits_ends_the_turn() -> None:
    room = Room(["Stop."])
    room.tell(TurnStarted("s", "t"))
    room.ask()
    room.until_silent()
    room.say("stop")
    assert (room.answers, room.cancelled) == ([], 1)


def test_anything_else_said_to_a_question_is_neither_an_answer_nor_a_turn() -> None:
    room = Room(["What time is it?", "I like trains."])
    room.ask()
    room.until_silent()
    room.say("what time is it")
    room.until_silent()
    room.say("I like trains")
    room.until_silent()
    assert room.answers == []
    assert room.submitted == []
    room.tell(ApprovalClosed("s", "r1", "denied"))
    room.script.texts = ["list the files"]
    room.pass_time(silence(3.5))
    room.say("list the files")
    assert room.submitted == ["list the files"]


def test_a_question_that_was_answered_on_the_screen_no_longer_waits() -> None:
    room = Room(["list the files"])
    room.ask()
    room.tell(ApprovalClosed("s", "r1", "allowed"))
    room.until_silent()
    room.pass_time(silence(3.5))
    room.say("list the files")
    assert room.submitted == ["list the files"]


def test_what_happens_in_another_session_is_neither_read_nor_answered() -> None:
    room = Room(["hello"])
    room.tell(TurnStarted("other", "t"), TextDelta("other", "Secret words. "), TurnEnded("other", "t", "done", ""))
    assert not room.speaker.is_speaking
    request = ApprovalRequest("r2", "other", ToolCall("c", "delete_file"), "ask", Preview("text", "Sure?"))
    room.tell(ApprovalAsked("other", request))
    room.say("yes")
    assert room.answers == []


def test_a_recogniser_that_fails_is_told_and_talk_goes_on() -> None:
    room = Room(["later"])

    class Broken(_Scripted):
        def finish(self) -> Heard:
            raise VoiceError("The service can't be reached.")

    begin, problems = room.script.begin, []
    room.script.begin = lambda hints=(): Broken(room.script)  # type: ignore[method-assign]
    room.talk._watch = Watcher(on_problem=problems.append)
    room.say("list the files")
    assert len(problems) == 1
    room.script.begin = begin  # type: ignore[method-assign]
    room.say("later then")
    assert room.submitted == ["later"]


def test_what_still_comes_after_the_end_changes_nothing() -> None:
    room = Room()
    room.pass_time(silence(1.0))
    room.talk.stop()
    room.talk(TurnStarted("s", "t"))
    room.talk.silent(True)
    room.talk.pump()
    room.talk.stop()
    room.talk.pump()
    assert room.states == ["listening", "off"]
    assert room.talk.state == "off"


def test_taking_the_headset_off_in_the_middle_is_not_heard_as_a_person() -> None:
    room = Room(["mostly sunny"] * 5, echo=0.0)
    room.answer(LONG * 3)
    room.pass_time(silence(6))
    room.echo = 0.9
    room.until_silent(30)
    assert room.submitted == []
    assert room.cancelled == 0
