"""When somebody begins to speak, and when they are done: a pause that ends one person's sentence is another's
breath, so the silence that is waited for follows what was heard."""

from __future__ import annotations

from collections import deque
from typing import Literal

from ankita_desktop.voice.sound import FRAME_SECONDS
from ankita_desktop.voice.vad import SPEECH

SHORTEST, USUAL, LONGEST = 0.5, 0.7, 1.2  # seconds of silence that end a turn
BEGIN = 4  # frames of speech among the last 6 that begin one (128 ms)
WINDOW = 6
HELD = 0.35  # a frame above this goes on counting as speech once somebody speaks
BREATH = 0.12  # seconds of silence that count as a pause inside a sentence
AT_MOST = 60.0  # seconds of one utterance

# A sentence that ends in one of these goes on.
UNFINISHED = frozenset(
    "a an and the to of in on at for with or but because if that than from into by my your his her our their its "
    "is are was were be called named about then so as um uh erm er please which who when where while until".split()
)

Phase = Literal["quiet", "begun", "speaking", "ended"]


class Turns:
    """Told each frame's probability of speech, it says where the utterance stands."""

    def __init__(self) -> None:
        self._recent: deque[bool] = deque(maxlen=WINDOW)
        self.reset()

    def reset(self) -> None:
        self._recent.clear()
        self._speaking = False
        self._quiet = self._long = self._longest_breath = 0.0

    @property
    def is_speaking(self) -> bool:
        return self._speaking

    @property
    def quiet(self) -> float:
        """Seconds since the last speech."""
        return self._quiet

    def hear(self, probability: float, text: str = "") -> Phase:
        """One frame. ``text`` is what was understood so far. "begun" and "ended" come once each."""
        if not self._speaking:
            return self._maybe_begin(probability)
        self._long += FRAME_SECONDS
        if probability >= HELD:
            if self._quiet > BREATH:
                self._longest_breath = max(self._longest_breath, self._quiet)
            self._quiet = 0.0
        else:
            self._quiet += FRAME_SECONDS
        if self._quiet >= self.patience(text) or self._long >= AT_MOST:
            self.reset()
            return "ended"
        return "speaking"

    def patience(self, text: str = "") -> float:
        """Seconds of silence that end the turn now: more for somebody who pauses a lot or broke off in the middle,
        less after a finished sentence."""
        words = text.lower().rstrip(" .…").split()
        if words and words[-1].strip(",;:-") in UNFINISHED:
            return LONGEST
        seconds = max(USUAL, 1.6 * self._longest_breath)
        if text.rstrip().endswith((".", "!", "?")) and self._longest_breath < 0.4:
            seconds = SHORTEST
        return min(LONGEST, seconds)

    def _maybe_begin(self, probability: float) -> Phase:
        self._recent.append(probability >= SPEECH)
        if sum(self._recent) < BEGIN:
            return "quiet"
        self.reset()
        self._speaking = True
        return "begun"
