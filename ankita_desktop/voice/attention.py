"""What hands-free talk is doing, as people see it, and whether it has to be called by name first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ankita_desktop.errors import VoiceError
from ankita_desktop.voice import wake
from ankita_desktop.voice.asking import Question

State = Literal["off", "asleep", "listening", "thinking", "speaking"]
AWAKE = 8.0  # seconds after its name, or after an answer, in which the name isn't needed


def _nothing(_value: object) -> None: ...


@dataclass(frozen=True, slots=True)
class Watcher:
    """What a front end shows. Called on the hands-free thread; must return at once."""

    on_state: Callable[[State], None] = _nothing
    on_partial: Callable[[str], None] = _nothing
    on_heard: Callable[[str], None] = _nothing
    on_notice: Callable[[str], None] = _nothing
    on_problem: Callable[[VoiceError], None] = _nothing


class Attention:
    """The state that is shown. ``question`` is the approval that waits for a yes or no: while it does, and for a
    while after a name or an answer, whatever is said is meant."""

    def __init__(self, wake_word: str, *, on_state: Callable[[State], None], now: Callable[[], float]) -> None:
        self._by_name, self._detector = wake_word == "name", wake.make(wake_word)
        self._on_state, self._now = on_state, now
        self._until = 0.0
        self.question: Question | None = None
        self.state: State = "off"

    @property
    def has_detector(self) -> bool:
        """Whether its word is found in the sound, before anything is recognised."""
        return self._detector is not None

    def is_called(self, frame: bytes) -> bool:
        """Whether a frame ends its word. Every frame has to pass here."""
        return self._detector is not None and self._detector.hear(frame)

    def meant(self, text: str, began: float) -> str | None:
        """What of an utterance is said to us (its name alone: ""); None when it is for somebody else."""
        addressed = wake.after_name(text)
        if addressed is None and self._by_name and not self.is_awake(began):
            return None
        return text if addressed is None else addressed

    def is_awake(self, at: float) -> bool:
        always = not self._by_name and self._detector is None
        return always or at < self._until or self.question is not None

    def stay(self) -> None:
        """Awake from now on, for ``AWAKE`` seconds."""
        self._until = self._now() + AWAKE

    def rest(self) -> None:
        """Nothing is going on."""
        self.show("listening" if self.is_awake(self._now()) else "asleep")

    def show(self, state: State) -> None:
        if state != self.state:
            self.state = state
            self._on_state(state)
