"""Recognition by vosk: text comes while somebody speaks. Models are folders."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ankita_desktop.errors import VoiceError
from ankita_desktop.voice.listen import Heard, Part
from ankita_desktop.voice.sound import FRAME_BYTES, RATE, silence

if TYPE_CHECKING:
    from ankita_desktop.voice.listen import Wanted

SURE = 0.4  # confidence below which a lone word is noise


def is_model(folder: Path) -> bool:
    """Whether a folder holds what vosk needs, in either of its layouts."""
    return (folder / "am" / "final.mdl").is_file() or (folder / "final.mdl").is_file()


def find_model(wanted: Wanted) -> Path | None:
    """The model the settings name, else the one that was set up for the language."""
    if wanted.vosk_model:
        folder = Path(wanted.vosk_model).expanduser()
        return folder if is_model(folder) else None
    if not wanted.vosk_models.is_dir():
        return None
    found = sorted(folder for folder in wanted.vosk_models.iterdir() if is_model(folder))
    speaks = [folder for folder in found if f"-{wanted.language[:2]}" in folder.name]
    return next(iter(speaks), None)


@cache
def _model(folder: str) -> Any:
    import vosk

    vosk.SetLogLevel(-1)
    try:
        return vosk.Model(folder)
    except Exception as error:  # vosk raises nothing narrower
        raise VoiceError(
            f"The vosk model {folder} can't be read. Run: ankita voice setup", "recogniser"
        ) from error


_loading = threading.Lock()


class VoskRecogniser:
    """Thread-safe. It takes no hints: its models have a fixed vocabulary."""

    sends_to = ""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def about(self) -> str:
        return f"vosk, {self._folder.name}, offline"

    def begin(self, hints: Sequence[str] = ()) -> VoskListening:
        return VoskListening(self._loaded())

    def transcribe(self, sound: bytes, hints: Sequence[str] = ()) -> Heard:
        listening = self.begin(hints)
        for start in range(0, len(sound), 8 * FRAME_BYTES):
            listening.feed(sound[start : start + 8 * FRAME_BYTES])
        return listening.finish()

    def warm(self) -> None:
        self._loaded()

    def _loaded(self) -> Any:
        with _loading:
            return _model(str(self._folder))


class VoskListening:
    def __init__(self, model: Any) -> None:
        from vosk import KaldiRecognizer

        self._engine = KaldiRecognizer(model, RATE)
        self._engine.SetWords(True)
        self._parts: list[Part] = []

    def feed(self, sound: bytes) -> str:
        if self._engine.AcceptWaveform(sound):
            self._keep(self._engine.Result())
            return self._text()
        partial = str(json.loads(self._engine.PartialResult()).get("partial", ""))
        return f"{self._text()} {partial}".strip()

    def finish(self) -> Heard:
        self.feed(silence(0.3))  # the last word is complete only with something after it
        self._keep(self._engine.FinalResult())
        return Heard(self._text(), tuple(self._parts))

    def drop(self) -> None:
        self._engine.Reset()

    def _keep(self, result: str) -> None:
        words = json.loads(result).get("result", [])
        if not words or (len(words) == 1 and words[0]["conf"] < SURE):
            return
        text = " ".join(word["word"] for word in words)
        self._parts.append(Part(float(words[0]["start"]), float(words[-1]["end"]), text))

    def _text(self) -> str:
        return " ".join(part.text for part in self._parts)
