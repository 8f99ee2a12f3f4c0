"""How much room a folder takes, within limits of time and number."""

from __future__ import annotations

import heapq
import os
import stat
import time
from dataclasses import dataclass, field
from pathlib import Path

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.cancel import Cancel

ENTRIES = 2_000_000
SECONDS = 60.0


@dataclass
class Use:
    """Bytes are what files hold (``size``) and what they take on the disk (``blocks``); a file with several names
    counts once. ``parts`` are (bytes, name) of what stands right in the folder, ``largest`` the largest files.
    ``stopped``: a limit was reached, it is more than that."""

    size: int = 0
    blocks: int = 0
    files: int = 0
    folders: int = 0
    unread: int = 0
    parts: dict[str, int] = field(default_factory=dict)
    largest: list[tuple[int, str]] = field(default_factory=list)
    stopped: bool = False


def measure(
    folder: Path, cancel: Cancel, top: int = 10, *, entries: int = ENTRIES, seconds: float = SECONDS
) -> Use:
    """Walk through ``folder``, links not followed, other disks not entered. Raises ``Cancelled``."""
    try:
        device = folder.stat().st_dev
    except OSError as error:
        raise ToolError(f"{folder} can't be read: {error.strerror}.") from error
    walk = _Walk(folder, device, top)
    deadline, stack = time.monotonic() + seconds, [(str(folder), "")]
    while stack:
        cancel.check()
        here, part = stack.pop()
        stack += walk.enter(here, part)
        if walk.use.files + walk.use.folders >= entries or time.monotonic() > deadline:
            walk.use.stopped = bool(stack)
            break
    walk.use.largest.sort(reverse=True)
    return walk.use


class _Walk:
    def __init__(self, folder: Path, device: int, top: int) -> None:
        self.use = Use()
        self._top, self._device, self._keep = str(folder), device, top
        self._seen: set[tuple[int, int]] = set()

    def enter(self, here: str, part: str) -> list[tuple[str, str]]:
        """Count what is right in ``here``; its folders, each with the part of the whole that it belongs to."""
        below = []
        try:
            with os.scandir(here) as rows:
                for row in rows:
                    if self._count(row, part or row.name):
                        below.append((row.path, part or row.name))
        except OSError:
            self.use.unread += 1
        return below

    def _count(self, row: os.DirEntry[str], part: str) -> bool:
        """Whether it is a folder to go into."""
        try:
            info = row.stat(follow_symlinks=False)
        except OSError:
            return False  # gone in the meantime
        use = self.use
        if stat.S_ISDIR(info.st_mode):
            use.folders += 1
            use.parts.setdefault(part, 0)
            return info.st_dev == self._device
        if info.st_nlink > 1 and (info.st_dev, info.st_ino) in self._seen:
            return False
        if info.st_nlink > 1:
            self._seen.add((info.st_dev, info.st_ino))
        size = info.st_size if stat.S_ISREG(info.st_mode) else 0
        use.files += 1
        use.size += size
        use.blocks += getattr(info, "st_blocks", -(-size // 512)) * 512
        use.parts[part] = use.parts.get(part, 0) + size
        self._largest(size, os.path.relpath(row.path, self._top))
        return False

    def _largest(self, size: int, name: str) -> None:
        heap = self.use.largest
        if len(heap) < self._keep:
            heapq.heappush(heap, (size, name))
        elif heap and size > heap[0][0]:
            heapq.heapreplace(heap, (size, name))
