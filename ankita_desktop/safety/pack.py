"""Old contents of files, one after the other in one file: a thousand are kept as fast as a large one."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from ankita_desktop.errors import AnkitaError
from ankita_desktop.toolkit import disk

Place = tuple[int, int]  # where a content begins, and its bytes


class CheckpointError(AnkitaError):
    """A change can't be undone; the text says why. Nothing was touched."""


class Pack:
    """Contents by their SHA-256. Written once, by one thread; ``places`` is its index, kept by whoever owns it.
    ``folder``: a pack without a name in there, that ends with the process."""

    def __init__(
        self, path: Path | None = None, places: Mapping[str, Place] | None = None, *, folder: Path | None = None
    ) -> None:
        self._path = path
        self.places: dict[str, Place] = dict(places or {})
        self._file: IO[bytes] | None = None
        self.size = 0
        if folder is not None:
            self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  open as long as the pack lives
            weakref.finalize(self, self._file.close)

    def put(self, data: bytes) -> str:
        """Keep ``data``; its mark. Raises ``OSError``."""
        mark = disk.digest(data)
        if mark not in self.places:
            file = self._opened()
            file.seek(self.size)
            file.write(data)
            self.places[mark] = (self.size, len(data))
            self.size += len(data)
        return mark

    def get(self, mark: str) -> bytes:
        """The content. Raises ``CheckpointError`` when it is gone or damaged."""
        try:
            data = self._read(*self.places[mark])
        except (OSError, KeyError) as error:
            raise CheckpointError("The old content is no longer in the undo store.") from error
        if disk.digest(data) != mark:
            raise CheckpointError("The old content in the undo store is damaged.")
        return data

    def close(self) -> None:
        """All is on the disk."""
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None

    def _opened(self) -> IO[bytes]:
        if self._file is None:
            assert self._path is not None
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
            self._file = os.fdopen(handle, "w+b")
        return self._file

    def _read(self, start: int, length: int) -> bytes:
        if self._file is not None:
            self._file.seek(start)
            return self._file.read(length)
        assert self._path is not None
        with self._path.open("rb") as file:
            file.seek(start)
            return file.read(length)
