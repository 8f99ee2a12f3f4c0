"""Fetches a vosk model: with progress, resumed where it broke off, and only used when its checksum is right."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ankita_desktop.errors import VoiceError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.voice.listen_vosk import is_model

PIECE = 1 << 16
SILENCE = 30.0  # seconds without a byte after which the server counts as gone
UNPACKED = 4  # how many times its size a model may have when unpacked

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Download:
    """A model as its maker publishes it; ``size`` in bytes."""

    name: str
    url: str
    sha256: str
    size: int

    @property
    def megabytes(self) -> int:
        return round(self.size / 1_000_000)


ENGLISH = Download(
    "vosk-model-small-en-us-0.15",
    "https://alphacephei.com/vosk/models/vosk-model-small-en-us-0.15.zip",
    "30f26242c4eb449f948e42cb302dd7a686cb29a3423a8367f99ff41780942498",
    41_205_931,
)


def fetch(download: Download, models: Path, *, progress: Progress, cancel: Cancel | None = None) -> Path:
    """Get the model into ``models``; returns its folder. ``progress`` gets (bytes so far, bytes in all).

    What broke off is gone on with at the next call. Raises ``VoiceError`` that says what to do, ``Cancelled``.
    """
    target = models / download.name
    if is_model(target):
        return target
    models.mkdir(parents=True, exist_ok=True)
    _need_space(models, download)
    part = models / f"{download.name}.zip.part"
    _complete(download, part, progress, cancel or Cancel())
    if _sha256(part) != download.sha256:
        part.unlink()
        raise VoiceError(
            f"What came from {download.url} is not the model that was expected; it was thrown away. Try again; "
            "if it happens twice, fetch the model by another way and run: ankita voice setup --folder DIR"
        )
    _unpack(part, target, download.size)
    part.unlink()
    return target


def _need_space(models: Path, download: Download) -> None:
    free = shutil.disk_usage(models).free
    if free < (UNPACKED + 1) * download.size:
        raise VoiceError(
            f"The model needs {(UNPACKED + 1) * download.megabytes} MB for a moment, and {models} has "
            f"{free // 1_000_000} MB left. Free some space and try again."
        )


def _complete(download: Download, part: Path, progress: Progress, cancel: Cancel) -> None:
    """Bring ``part`` to its full size."""
    import httpx

    there = part.stat().st_size if part.exists() else 0
    if there > download.size:
        part.unlink()
        there = 0
    if there == download.size:
        return
    headers = {"Range": f"bytes={there}-"} if there else {}
    try:
        with httpx.stream("GET", download.url, headers=headers, timeout=SILENCE, follow_redirects=True) as answer:
            _receive(answer, part, download, progress, cancel)
    except httpx.HTTPError as error:
        raise VoiceError(
            f"The download broke off ({error or type(error).__name__}). Run ankita voice setup again: it goes on "
            "where it stopped."
        ) from error
    if part.stat().st_size < download.size:
        raise VoiceError("The download broke off. Run ankita voice setup again: it goes on where it stopped.")


def _receive(answer: Any, part: Path, download: Download, progress: Progress, cancel: Cancel) -> None:
    if answer.status_code not in (200, 206):
        raise VoiceError(f"{download.url} answered {answer.status_code}. Try again later.")
    with part.open("ab" if answer.status_code == 206 else "wb") as file:
        for piece in answer.iter_raw(PIECE):
            cancel.check()
            file.write(piece)
            if file.tell() > download.size:
                break  # the checksum will say the rest
            progress(file.tell(), download.size)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unpack(archive: Path, target: Path, size: int) -> None:
    """Unpack beside the target and move it there whole."""
    draft = target.with_name(f".{target.name}.unpacking")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        with zipfile.ZipFile(archive) as file:
            if sum(entry.file_size for entry in file.infolist()) > UNPACKED * size:
                raise VoiceError("The archive of the model is not what it should be; nothing was unpacked.")
            file.extractall(draft)
        found = next((folder for folder in (draft, *draft.iterdir()) if is_model(folder)), None)
        if found is None:
            raise VoiceError("The archive holds no vosk model; nothing was installed.")
        found.rename(target)
    except zipfile.BadZipFile as error:
        raise VoiceError("The archive of the model can't be unpacked. Run ankita voice setup again.") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def use_folder(folder: Path) -> Path:
    """A model that is on this machine already. Raises ``VoiceError`` when the folder holds none."""
    folder = folder.expanduser().resolve()
    if not folder.is_dir():
        raise VoiceError(f"There is no folder {folder}.")
    if not is_model(folder):
        raise VoiceError(f"{folder} holds no vosk model: there is no am/final.mdl in it.")
    return folder
