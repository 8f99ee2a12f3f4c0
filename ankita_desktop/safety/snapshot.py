"""The state of paths on disk as plain values: taken, compared, written as JSON."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from ankita_desktop.toolkit import disk

LARGEST_FILE = 64 * 1024 * 1024  # bytes; larger files are known by size and time, and not kept
MOST_ENTRIES = 20_000
MOST_BYTES = 128 * 1024 * 1024  # read and kept per change

Kind = Literal["absent", "file", "folder", "link", "other"]


@dataclass(frozen=True, slots=True)
class State:
    """What stands at one path. ``mark`` is a file's SHA-256 or a link's target; ``kept``: its bytes are in the
    store. ``place`` is "device:inode", by which a renamed folder is recognised."""

    kind: Kind = "absent"
    mode: int = 0
    mark: str = ""
    kept: bool = False
    place: str = ""

    @property
    def quick(self) -> bool:
        """Known by size and time only."""
        return ":" in self.mark and self.kind == "file"

    def same(self, other: State) -> bool:
        """Equal for a person: kind, content and mode."""
        return (self.kind, self.mode, self.mark) == (other.kind, other.mode, other.mark)


ABSENT = State()


def scan(roots: Iterable[Path], before: Mapping[Path, State] | None = None) -> Iterator[tuple[Path, State]]:
    """Each root and all below it, links not followed: at most ``MOST_ENTRIES``, of which at most ``MOST_BYTES``
    are read. ``before`` is an earlier scan to compare with: what it knew by size and time still is."""
    room = MOST_BYTES
    for path in islice(_below(roots), MOST_ENTRIES):
        state = at(path, quick=room <= 0 or (before or {}).get(path, ABSENT).quick)
        if state.kind == "file" and not state.quick:
            room -= path.lstat().st_size
        yield path, state


def _below(roots: Iterable[Path]) -> Iterator[Path]:
    for root in roots:
        yield root
        if root.is_dir() and not root.is_symlink():
            yield from disk.walk(root)


def at(path: Path, *, quick: bool = False) -> State:
    """The state of one path; ``quick``: without reading a file. Raises ``OSError``."""
    try:
        info = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    mode, place = stat.S_IMODE(info.st_mode), f"{info.st_dev}:{info.st_ino}"
    if stat.S_ISLNK(info.st_mode):
        return State("link", 0, str(path.readlink()), place=place)
    if stat.S_ISDIR(info.st_mode):
        return State("folder", mode, place=place)
    if not stat.S_ISREG(info.st_mode):
        return State("other", mode, place=place)
    if not quick and info.st_size <= LARGEST_FILE and os.access(path, os.R_OK):
        with path.open("rb") as file:
            return State("file", mode, hashlib.file_digest(file, "sha256").hexdigest(), place=place)
    return State("file", mode, f"{info.st_size}:{info.st_mtime_ns}", place=place)


def missing_parents(path: Path) -> list[Path]:
    """The folders above ``path`` that don't exist, outermost first."""
    return [parent for parent in reversed(path.parents) if not os.path.lexists(parent)]
