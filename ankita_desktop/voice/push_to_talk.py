"""Hold a key and speak. The front end calls ``press``, ``release``, ``cancel``; texts come back by callback."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ankita_desktop.errors import VoiceError
from ankita_desktop.voice.listen import NOTHING, Heard, Listening, Recogniser, warm_up
from ankita_desktop.voice.recorder import Recorder
from ankita_desktop.voice.sound import level, seconds

State = Literal["off", "recording", "recognising"]
AFTER = 0.25  # seconds that are still recorded after release: people let go with the last word
LONGEST = 120.0  # seconds of one utterance
READY = 30.0  # seconds that the microphone stays open for the next press
MUTED = 0.0004  # level that even a quiet room has, unless the microphone is switched off


def _nothing(_value: object) -> None: ...


@dataclass(frozen=True, slots=True)
class Ear:
    """What a front end wants to hear of; each is called on the talk's own thread and must return at once.

    ``on_text`` gets what was said, once for a press that was released; it never comes after ``cancel`` or with no
    words: then ``on_notice`` says so. ``on_partial`` is the text so far, ``on_level`` is 0…1.
    """

    on_state: Callable[[State], None] = _nothing
    on_partial: Callable[[str], None] = _nothing
    on_level: Callable[[float], None] = _nothing
    on_text: Callable[[str], None] = _nothing
    on_notice: Callable[[str], None] = _nothing
    on_problem: Callable[[VoiceError], None] = _nothing


class PushToTalk:
    """One microphone button. All methods return at once and may be called from any thread.

    The microphone is open from ``press`` (or ``arm``, such as when the pointer is over the button) until some
    seconds after the last use; what it hears in between is thrown away but for the last 300 ms.
    """

    def __init__(
        self,
        recogniser: Callable[[], Recogniser],
        ear: Ear,
        *,
        device: Callable[[], str] = str,
        hints: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._recogniser, self._ear, self._device, self._hints = recogniser, ear, device, hints
        self._inbox: queue.Queue[tuple[str, Any]] = queue.Queue()
        self._recorder = Recorder(
            lambda frame: self._inbox.put(("frame", frame)),
            on_problem=lambda problem: self._inbox.put(("problem", problem)),
            on_notice=ear.on_notice,
            on_level=lambda loud: self._ear.on_level(loud) if self._state == "recording" else None,
        )
        self._state: State = "off"
        self._listening: Listening | None = None
        self._said = ""
        self._loudest = 0.0
        self._recorded = 0.0
        self._left: float | None = None  # seconds that are still recorded, once the key is up
        self._press = 0  # which press is on its way; a cancelled one is answered by nothing
        self._dropped = 0
        self._thread: threading.Thread | None = None

    @property
    def state(self) -> State:
        return self._state

    def arm(self) -> None:
        """Somebody may press soon: open the microphone and load what recognises."""
        self._do("arm")

    def press(self) -> None:
        """The key is down: record, from 300 ms ago if the microphone was open."""
        self._press += 1
        self._do("press", self._press)

    def release(self) -> None:
        """The key is up: the text comes soon."""
        self._do("release")

    def cancel(self) -> None:
        """Forget this press; nothing comes of it, also when it is being recognised."""
        self._dropped = self._press
        self._do("cancel")

    def toggle(self) -> None:
        """Press or release, for those who can't hold a key."""
        self.release() if self._state == "recording" else self.press()

    def close(self) -> None:
        """Let go of the microphone."""
        self.cancel()
        self._do("close")

    # --- the talk's own thread ---

    def _do(self, what: str, value: Any = None) -> None:
        self._inbox.put((what, value))
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._work, name="push to talk", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        acts: dict[str, Callable[[Any], None]] = {
            "arm": lambda _: self._ready(),
            "press": self._pressed,
            "frame": self._frame,
            "release": lambda _: self._released(),
            "cancel": lambda _: self._cancelled(),
            "problem": self._failed,
        }
        while True:
            try:
                what, value = self._inbox.get(timeout=READY)
            except queue.Empty:
                what, value = "idle", None
            if what == "close":
                self._recorder.close()
                return
            if what in acts:
                acts[what](value)

    def _ready(self) -> None:
        self._recorded = 0.0
        self._open()

    def _open(self) -> bool:
        try:
            recogniser = self._recogniser()
            self._recorder.open(self._device())
        except VoiceError as problem:
            self._failed(problem)
            return False
        warm_up(recogniser)
        return True

    def _pressed(self, number: int) -> None:
        if self._state == "recording" or number <= self._dropped:
            return
        before = self._recorder.before() if self._recorder.is_open else b""
        if not self._open():
            return
        self._listening = self._recogniser().begin(self._hints())
        self._said, self._left, self._loudest, self._recorded = "", None, 0.0, 0.0
        self._set("recording")
        if before:
            self._frame(before)

    def _frame(self, frame: bytes) -> None:
        if self._listening is None or self._state != "recording":
            self._idle(seconds(frame))
            return
        self._recorded += seconds(frame)
        self._loudest = max(self._loudest, level(frame))
        said = self._listening.feed(frame)
        if said and said != self._said:
            self._said = said
            self._ear.on_partial(said)
        if self._left is not None:
            self._left -= seconds(frame)
        if self._left is not None and self._left <= 0:
            self._finish()
        elif self._recorded > LONGEST:
            self._ear.on_notice(f"Recording ended after {LONGEST / 60:.0f} minutes.")
            self._finish()

    def _idle(self, passed: float) -> None:
        """Nothing is wanted: after some time the microphone is let go."""
        self._recorded += passed
        if self._recorded > READY and self._state == "off":
            self._recorder.close()

    def _released(self) -> None:
        if self._state == "recording":
            self._left = AFTER

    def _cancelled(self) -> None:
        if self._listening is not None:
            self._listening.drop()
        self._listening = None
        self._recorded = 0.0
        if self._state != "off":
            self._set("off")

    def _finish(self) -> None:
        listening, self._listening = self._listening, None
        number, muted = self._press, self._loudest < MUTED and self._recorded > 0.5
        self._recorded = 0.0
        self._set("recognising")
        try:
            heard = listening.finish() if listening else Heard()
        except VoiceError as problem:
            self._failed(problem)
            return
        if number <= self._dropped:
            return
        self._set("off")
        if heard.text:
            self._ear.on_text(heard.text)
        else:
            self._ear.on_notice("The microphone gives no sound at all: is it muted?" if muted else NOTHING)

    def _failed(self, problem: VoiceError) -> None:
        self._listening = None
        self._recorder.close()
        self._set("off")
        self._ear.on_problem(problem)

    def _set(self, state: State) -> None:
        self._state = state
        self._ear.on_state(state)
