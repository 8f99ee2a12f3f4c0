"""The state of paths on disk as plain values: taken, compared, written as JSON."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ankita_desktop.toolkit import disk

LARGEST_FILE = 64 * 1024 * 1024  # bytes; larger files are known by size and time, and not kept
MOST_ENTRIES = 5_000

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

    def same(self, other: State) -> bool:
        """Equal for a person: kind, content and mode."""
        return (self.kind, self.mode, self.mark) == (other.kind, other.mode, other.mark)


ABSENT = State()


def scan(roots: Iterable[Path]) -> Iterator[tuple[Path, State]]:
    """Each root and all below it, links not followed, at most ``MOST_ENTRIES``."""
    count = 0
    for root in roots:
        state = at(root)
        yield root, state
        count += 1
        if state.kind == "folder":
            for path in disk.walk(root):
                if count >= MOST_ENTRIES:
                    return
                yield path, at(path)
                count += 1


def at(path: Path) -> State:
    """The state of one path. Raises ``OSError`` when it exists but can't be read."""
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
    if info.st_size > LARGEST_FILE:
        return State("file", mode, f"{info.st_size}:{info.st_mtime_ns}", place=place)
    with path.open("rb") as file:
        return State("file", mode, hashlib.file_digest(file, "sha256").hexdigest(), place=place)


def missing_parents(path: Path) -> list[Path]:
    """The folders above ``path`` that don't exist, outermost first."""
    return [parent for parent in reversed(path.parents) if not os.path.lexists(parent)]
