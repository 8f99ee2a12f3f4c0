"""Old contents of files by their SHA-256, a plain file each. Thread-safe; processes may share the folder."""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from pathlib import Path

from ankita_desktop.errors import AnkitaError
from ankita_desktop.toolkit import disk

YOUNG = 3600  # seconds in which an unreferenced object may still be about to be referenced


class CheckpointError(AnkitaError):
    """A change can't be undone; the text says why. Nothing was touched."""


class Objects:
    """Contents below ``root``. A file that a power cut tore is known by its hash and refused."""

    def __init__(self, root: Path) -> None:
        self._root = root
        root.mkdir(parents=True, exist_ok=True, mode=0o700)

    def put(self, data: bytes) -> str:
        """Keep ``data``; its mark. Raises ``OSError``."""
        mark = disk.digest(data)
        place = self._place(mark)
        if _size(place) == len(data):
            os.utime(place)  # young again: no pruning may take it before the manifest is written
        else:
            place.parent.mkdir(exist_ok=True, mode=0o700)
            _write(place, data)
        return mark

    def get(self, mark: str) -> bytes:
        """The content. Raises ``CheckpointError`` when it is gone or damaged."""
        try:
            data = self._place(mark).read_bytes()
        except OSError as error:
            raise CheckpointError("The old content is no longer in the undo store.") from error
        if disk.digest(data) != mark:
            raise CheckpointError("The old content in the undo store is damaged.")
        return data

    def sizes(self) -> dict[str, int]:
        """Bytes of each content by its mark."""
        return {f"{path.parent.name}{path.name}": path.stat().st_size for path in self._root.glob("??/*")}

    def drop(self, marks: Collection[str]) -> None:
        """Delete contents that nothing refers to, but for young ones."""
        for mark in marks:
            place = self._place(mark)
            if time.time() - place.stat().st_mtime > YOUNG:
                place.unlink(missing_ok=True)

    def _place(self, mark: str) -> Path:
        return self._root / mark[:2] / mark[2:]


def _size(place: Path) -> int:
    """-1: there is none."""
    try:
        return place.stat().st_size
    except FileNotFoundError:
        return -1


def _write(place: Path, data: bytes) -> None:
    """Not forced to the disk: a thousand files can't wait for that. What a crash tore has another size or hash."""
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
