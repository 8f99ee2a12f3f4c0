"""Telling our own voice in the microphone from a person's.

Two guards. By loudness, while we speak: what comes back is never much louder than what went out times what the
room makes of it, and that factor is learned; a person on top is. By words, for three seconds after: a text that
is mostly what we just said is our echo.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence

from ankita_desktop.voice.sound import FRAME_SECONDS

MEMORY = 3.0  # seconds after its end in which a sentence can come back
SAME = 0.6  # share of the heard words that were just said
TAIL = 0.7  # seconds that sound needs at most from us through the room to the microphone
LEARN = 12  # frames of our own voice until the room is known (0.4 s)
KEPT = 125  # frames of our own voice that the room is judged by (4 s)
LOUDER = 1.9  # how much louder than our echo a person is
FLOOR = 0.006  # level below which we are silent
SHORT = 2  # words up to which an answer may well repeat ours ("yes")
SHORT_TAIL = 0.2
HEARD = 0.0015  # level below which nothing was heard


class Loudness:
    """The guard by loudness. ``at`` is in seconds on one clock for both directions."""

    def __init__(self) -> None:
        self._out: deque[tuple[float, float]] = deque(maxlen=4000)
        self._ratios: deque[float] = deque(maxlen=KEPT)

    def sounding(self, levels: Sequence[float], at: float) -> None:
        """A sentence begins to sound at that time."""
        self._out.extend((at + number * FRAME_SECONDS, loud) for number, loud in enumerate(levels))

    def stopped(self, at: float) -> None:
        """What would have sounded after that time doesn't."""
        self._out = deque(((when, loud) for when, loud in self._out if when <= at), maxlen=4000)

    def is_person(self, heard: float, at: float) -> bool:
        """Whether a frame of that loudness can't be our own voice. Learns the room on the way."""
        ours = self._loudest(at)
        if heard < HEARD:
            self._learn(heard, ours)
            return False
        if ours < FLOOR:
            return True
        if len(self._ratios) >= LEARN and heard > LOUDER * self._factor() * ours:
            return True
        self._learn(heard, ours)
        return False

    def forget(self) -> None:
        """The room isn't what it was (a headset was taken off): learn it anew."""
        self._ratios.clear()

    def _factor(self) -> float:
        """What the room makes of our voice: nearly the most of the last seconds, so that the first frames of a
        person who isn't much louder don't count as the room."""
        ranked = sorted(self._ratios)
        return max(ranked[int(len(ranked) * 0.9)], 0.02)

    def _learn(self, heard: float, ours: float) -> None:
        """What the room made of our voice in the last seconds; pauses tell nothing."""
        if ours >= 2 * FLOOR:
            self._ratios.append(heard / ours)

    def _loudest(self, at: float) -> float:
        while self._out and self._out[0][0] < at - 10:
            self._out.popleft()
        return max((loud for when, loud in self._out if at - TAIL <= when <= at + 0.1), default=0.0)


class Words:
    """The guard by words."""

    def __init__(self) -> None:
        self._said: deque[tuple[float, list[str]]] = deque(maxlen=40)

    def sounding(self, text: str, at: float, seconds: float) -> None:
        """A sentence sounds from ``at`` for ``seconds``."""
        self._said.append((at + seconds, _words(text)))

    def stopped(self, at: float) -> None:
        """A sentence was cut off then."""
        self._said = deque(((min(end, at), words) for end, words in self._said), maxlen=40)

    def is_echo(self, text: str, began: float) -> bool:
        """Whether a text that began to be heard then is what we said ourselves."""
        heard = _words(text)
        if not heard:
            return False
        tail = SHORT_TAIL if len(heard) <= SHORT else MEMORY
        recent = {word for end, words in self._said if began <= end + tail for word in words}
        return sum(word in recent or _close(word, recent) for word in heard) >= SAME * len(heard)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:'[^\W_]+)?", text.lower())


def _close(word: str, others: set[str]) -> bool:
    """A word misheard by a letter or two is still the same one."""
    if len(word) < 4:
        return False
    from rapidfuzz.distance import Levenshtein

    allowed = len(word) // 4
    return any(Levenshtein.distance(word, other, score_cutoff=allowed) <= allowed for other in others)
