"""Talking without hands: listening, thinking, speaking, and back, until "exit".

Everything that happens (frames, events of the session, what sounds) is put in one inbox and handled on one
thread, so the states below never overlap. It knows no engine: a ``Conversation`` is three small callables.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ankita_desktop.errors import VoiceError
from ankita_desktop.events import ApprovalAsked, ApprovalClosed, Event, TurnEnded, TurnStarted
from ankita_desktop.protocol import Decision
from ankita_desktop.voice import echo, spoken, wake
from ankita_desktop.voice.answers import AnswerReader
from ankita_desktop.voice.asking import Question
from ankita_desktop.voice.listen import Heard, Listening, Recogniser
from ankita_desktop.voice.sound import level
from ankita_desktop.voice.speaker import Speaker
from ankita_desktop.voice.turns import Turns
from ankita_desktop.voice.vad import SPEECH, Vad, make_vad

State = Literal["off", "asleep", "listening", "thinking", "speaking"]
BEFORE = 14  # frames from before speech was sure that belong to it (0.45 s)
AWAKE = 8.0  # seconds after its name, or after an answer, in which the name isn't needed


def _nothing(_value: object) -> None: ...


@dataclass(frozen=True, slots=True)
class Conversation:
    """Where what is heard goes. Each is called on the hands-free thread and must return soon."""

    session: str
    submit: Callable[[str], object]
    cancel: Callable[[], object]
    answer: Callable[[str, Decision], object]


@dataclass(frozen=True, slots=True)
class Watcher:
    """What a front end shows. Called on the hands-free thread; must return at once."""

    on_state: Callable[[State], None] = _nothing
    on_partial: Callable[[str], None] = _nothing
    on_heard: Callable[[str], None] = _nothing
    on_notice: Callable[[str], None] = _nothing
    on_problem: Callable[[VoiceError], None] = _nothing


class HandsFree:
    """One conversation by voice. ``hear`` takes the microphone's frames, the object itself is a sink for events
    and listens to the speaker. ``start`` runs it on a thread of its own; otherwise ``pump`` handles what came."""

    def __init__(
        self,
        conversation: Conversation,
        speaker: Speaker,
        recogniser: Recogniser,
        *,
        watcher: Watcher | None = None,
        wake_word: str = "off",
        hints: Sequence[str] = (),
        vad: Vad | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._to, self._speaker, self._recogniser = conversation, speaker, recogniser
        self._watch, self._hints, self._now = watcher or Watcher(), tuple(hints), now
        self._inbox: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._by_name, self._detector = wake_word == "name", wake.make(wake_word)
        self._vad, self._turns = vad or make_vad(), Turns()
        self._loudness, self._words = echo.Loudness(), echo.Words()
        self._reader = AnswerReader(speaker, conversation.session)
        self._before: deque[bytes] = deque(maxlen=BEFORE)
        self._listening: Listening | None = None
        self._began = self._spoke = self._awake_until = 0.0
        self._barged = self._busy = self._over = False
        self._partial = ""
        self._question: Question | None = None
        self.state: State = "off"
        self._forget = speaker.listen(self)

    # --- what comes in, from any thread ---

    def hear(self, frame: bytes) -> None:
        """A frame of the microphone, now."""
        at = self._now()
        self._inbox.put(lambda: self._frame(frame, at))

    def __call__(self, event: Event) -> None:
        """An event of the engine; those of other sessions are not ours."""
        if getattr(event, "session", "") == self._to.session:
            self._inbox.put(lambda: self._event(event))

    def sounding(self, text: str, levels: Sequence[float], seconds: float) -> None:
        """The speaker begins a sentence."""
        at = self._now()
        self._inbox.put(lambda: self._sounding(text, levels, seconds, at))

    def silent(self, finished: bool) -> None:
        """The speaker has nothing more to say, or was stopped."""
        self._inbox.put(lambda: self._silent(finished))

    def failed(self, problem: VoiceError) -> None:
        """The speaker can't be heard: talk goes on, answers are on the screen."""
        self._inbox.put(lambda: self._watch.on_problem(problem))
        self._inbox.put(lambda: self._silent(False))

    # --- its thread ---

    def start(self) -> None:
        """Begin to listen."""
        self._speaker.warm()
        self._rest()
        threading.Thread(target=self._work, name="hands-free", daemon=True).start()

    def stop(self) -> None:
        """End the talk; callable from any thread."""
        self._inbox.put(self._end)

    def pump(self) -> None:
        """Handle what has come, here and now (for those who don't ``start``)."""
        while not self._inbox.empty():
            act = self._inbox.get_nowait()
            if act is not None:
                act()

    def _work(self) -> None:
        while (act := self._inbox.get()) is not None:
            act()

    def _end(self) -> None:
        self._over = True
        self._forget()
        self._speaker.stop()
        self._drop()
        self._set("off")
        self._inbox.put(None)

    # --- hearing ---

    def _frame(self, frame: bytes, at: float) -> None:
        if self._over:
            return
        self._before.append(frame)
        probability = self._vad.probability(frame)
        if not self._turns.is_speaking and not self._loudness.is_person(level(frame), at):
            probability = 0.0
        if self._detector is not None and self._detector.hear(frame) and not self._is_awake(at):
            self._woken(at)
            return
        if probability >= SPEECH:
            self._spoke = at
        phase = self._turns.hear(probability, self._partial)
        if phase == "begun":
            self._begin(at)
        elif phase == "speaking" and self._listening is not None:
            self._show(self._listening.feed(frame))
        elif phase == "ended":
            self._finish()
        elif self.state == "off" or (self.state == "listening" and not self._is_awake(at)):
            self._rest()

    def _begin(self, at: float) -> None:
        """Somebody speaks. While we do, that silences us."""
        if self._detector is not None and not self._is_awake(at):
            return
        self._began, self._partial = at, ""
        self._barged = self._speaker.is_speaking
        if self._barged:
            self._speaker.stop()
            self._loudness.stopped(at)
            self._words.stopped(at)
            self._set("listening")
        self._listening = self._recogniser.begin(self._hints)
        self._show(self._listening.feed(b"".join(self._before)))

    def _show(self, partial: str) -> None:
        if partial and partial != self._partial:
            self._partial = partial
            self._watch.on_partial(partial)

    def _finish(self) -> None:
        listening, self._listening, self._partial = self._listening, None, ""
        if listening is None:
            return
        try:
            heard = listening.finish()
        except VoiceError as problem:
            self._watch.on_problem(problem)
            heard = Heard()
        if not heard.text or self._words.is_echo(heard.text, self._began) or self._ended_with_us(heard.text):
            self._misheard()
        else:
            self._heard(heard.text)

    def _ended_with_us(self, text: str) -> bool:
        """Whether what silenced us fell silent as we did: our echo in a room that has changed. A person goes on,
        or says a word that is meant for this."""
        if not self._barged or self._spoke - self._began > echo.TAIL or spoken.command(text) or spoken.reply(text):
            return False
        self._loudness.forget()
        return True

    def _misheard(self) -> None:
        """Noise, or ourselves: what was interrupted goes on."""
        if self._barged:
            self._barged = False
            self._speaker.resume()
        elif not self._busy:
            self._rest()

    def _drop(self) -> None:
        if self._listening is not None:
            self._listening.drop()
        self._listening, self._partial = None, ""
        self._turns.reset()

    # --- what was said ---

    def _heard(self, text: str) -> None:
        addressed = wake.after_name(text)
        if addressed is None and self._by_name and not self._is_awake(self._began):
            self._misheard()
            return
        text = text if addressed is None else addressed
        self._stay_awake()
        if not text:
            self._woken(self._now())
            return
        self._watch.on_heard(text)
        command = spoken.command(text)
        if self._question is not None and command not in ("repeat", "exit"):
            self._answered(text)
        elif command is not None:
            self._obey(command)
        else:
            self._submit(text)

    def _answered(self, text: str) -> None:
        if self._question is not None and self._question.hear(text):
            self._question = None

    def _submit(self, text: str) -> None:
        self._reader.mute()
        if self._busy:
            self._to.cancel()
        self._busy = True
        self._set("thinking")
        self._to.submit(text)

    def _obey(self, command: spoken.Command) -> None:
        if command == "exit":
            self._end()
            return
        if command == "stop":
            self._reader.mute()
            self._speaker.stop()
            if self._busy:
                self._to.cancel()
            self._rest()
            return
        if command in ("slower", "faster"):
            self._speaker.slower(0.8 if command == "slower" else 1.25)
        if self._question is not None:
            self._question.ask()
        elif not self._speaker.repeat():
            self._watch.on_notice("There is nothing to repeat yet.")
            self._rest()

    # --- the conversation ---

    def _event(self, event: Event) -> None:
        if self._over:
            return
        if isinstance(event, TurnStarted):
            self._busy = True
            self._set("thinking")
        self._reader(event)
        if isinstance(event, ApprovalAsked):
            self._question = Question(event.request, self._say, self._to.answer)
            self._question.ask()
        elif isinstance(event, ApprovalClosed) and self._question is not None:
            if self._question.request.id == event.request_id:
                self._question = None
        elif isinstance(event, TurnEnded):
            self._busy = False
            if not self._speaker.is_speaking:
                self._rest()

    def _say(self, text: str) -> None:
        self._speaker.feed(f"\n\n{text}")
        self._speaker.flush()

    def _sounding(self, text: str, levels: Sequence[float], seconds: float, at: float) -> None:
        self._loudness.sounding(levels, at)
        self._words.sounding(text, at, seconds)
        self._set("speaking")

    def _silent(self, finished: bool) -> None:
        if self._speaker.is_speaking:
            return
        if finished and self._question is not None:
            self._question.read_out = True
        self._stay_awake()
        if self._listening is None:
            if self._busy and self._question is None:
                self._set("thinking")
            else:
                self._rest()

    # --- awake and asleep ---

    def _is_awake(self, at: float) -> bool:
        always = not self._by_name and self._detector is None
        return always or at < self._awake_until or self._question is not None

    def _stay_awake(self) -> None:
        self._awake_until = self._now() + AWAKE

    def _woken(self, at: float) -> None:
        self._drop()
        self._awake_until = at + AWAKE
        if self._barged:
            self._barged = False
        self._set("listening")

    def _rest(self) -> None:
        self._set("listening" if self._is_awake(self._now()) else "asleep")

    def _set(self, state: State) -> None:
        if state != self.state:
            self.state = state
            self._watch.on_state(state)
