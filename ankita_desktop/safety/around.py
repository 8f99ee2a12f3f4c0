"""What a command did to a working folder: a look before it, a look after it, and the difference.

Nothing is taken for created unless the folder it lies in was seen whole before; nothing can be put back that was
not kept. ``.git`` is left alone: git keeps its own history.
"""

from __future__ import annotations

import math
import os
import stat
import threading
import time
from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ankita_desktop.errors import ToolError
from ankita_desktop.safety.pack import Pack
from ankita_desktop.safety.snapshot import ABSENT, State, at
from ankita_desktop.toolkit import ripgrep
from ankita_desktop.toolkit.cancel import Cancel

LARGEST = 10 * 1024 * 1024  # bytes of a file that is kept
MOST_FILES = 20_000  # entries of a folder; with more, what .gitignore names is left out first
MOST_BYTES = 256 * 1024 * 1024  # kept per command
MOST_READ = 1024**3  # bytes read before all is read anew
MOST_SECONDS = 5.0  # looked and read before a command; what is left then is known by size and time only
UNSEEN = frozenset((".git", ".hg", ".svn"))
SETTLED = 0.1  # seconds after which a file's times tell of every later change

FOLDER = State("folder")

Sign = tuple[int, int, int, int, int]


@dataclass(slots=True)
class Seen:
    """Entries of a folder, and the folders that were read to their end."""

    entries: dict[str, os.stat_result] = field(default_factory=dict)
    listed: set[str] = field(default_factory=set)
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Picture:
    """A folder before a command. ``skip``: folders below it that are left out."""

    folder: Path
    seen: Seen
    states: Mapping[str, State]
    contents: Pack
    skip: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed: recorded paths as they were and as they are; ``unkept`` changed and can't be put back."""

    before: dict[Path, State]
    after: dict[Path, State]
    unkept: tuple[str, ...]


class FolderLook:
    """Takes pictures, in a file of its own in ``room``. What it has read once it reads again only when the file's
    times or size changed. Thread-safe."""

    def __init__(self, room: Path) -> None:
        self._room = room
        self._lock = threading.Lock()
        self._contents: Pack | None = None
        self._known: dict[str, tuple[Sign, str]] = {}

    def before(self, folder: Path, cancel: Cancel) -> Picture:
        """Keep what stands in a folder. Raises ``Cancelled``, ``OSError``."""
        until = time.monotonic() + MOST_SECONDS
        seen, skip = look(folder, frozenset(), cancel, until=until), frozenset[str]()
        if not seen.whole:
            skip = _ignored(folder, seen, cancel, until - time.monotonic())
            seen = look(folder, skip, cancel, until=until)
        with self._lock:
            contents = self._fresh_contents()
            states = self._states(seen, contents, cancel, until=until)
            return Picture(folder, seen, states, contents, skip)

    def _fresh_contents(self) -> Pack:
        if self._contents is None or self._contents.size > MOST_READ:
            self._contents = Pack(folder=self._room)
            self._known.clear()
        return self._contents

    def _states(self, seen: Seen, contents: Pack, cancel: Cancel, *, until: float) -> dict[str, State]:
        room, states = MOST_BYTES, {}
        for path, info in seen.entries.items():
            cancel.check()
            room = room if time.monotonic() < until else -1
            kept = stat.S_ISREG(info.st_mode) and info.st_size <= min(LARGEST, room)
            states[path] = self._kept(path, info, contents) if kept else at(Path(path), quick=True)
            room -= info.st_size if states[path].kept else 0
        return states

    def _kept(self, path: str, info: os.stat_result, contents: Pack) -> State:
        mode, place = stat.S_IMODE(info.st_mode), f"{info.st_dev}:{info.st_ino}"
        known = self._known.get(path)
        if known is None or known[0] != _sign(info):
            try:
                with Path(path).open("rb") as file:  # not to its end: files of /proc have none
                    mark = contents.put(file.read(info.st_size))
            except OSError:  # unreadable, or gone in the meantime
                return at(Path(path), quick=True)
            known = (_sign(info), mark)
            if time.time() - max(info.st_mtime, info.st_ctime) > SETTLED:
                self._known[path] = known
        return State("file", mode, known[1], kept=True, place=place)

    def content(self, picture: Picture, mark: str) -> bytes:
        """What a file of a picture held."""
        with self._lock:
            return picture.contents.get(mark)

    def after(self, picture: Picture, cancel: Cancel) -> Difference:
        """What is different now."""
        now = look(picture.folder, picture.skip, cancel)
        found = Difference({}, {}, ())
        unkept = []
        for path in {**picture.states, **now.entries}:
            info, old = now.entries.get(path), picture.seen.entries.get(path)
            same = info is not None and old is not None and _sign(info) == _sign(old)
            if same or (old is None and not _was_absent(path, picture)):
                continue
            before, after = picture.states.get(path, ABSENT), at(Path(path))
            if before.kind == "file" and not before.kept:
                unkept.append(path)
            elif not before.same(after):
                found.before[Path(path)], found.after[Path(path)] = before, after
        return Difference(found.before, found.after, tuple(unkept))


def look(folder: Path, skip: Collection[str], cancel: Cancel, *, until: float = math.inf) -> Seen:
    """All below a folder on its own disk, links not followed, the nearest first; at most ``MOST_FILES``, in whole
    folders, and until a time of the monotonic clock."""
    seen, waiting, disk = Seen(), deque([str(folder)]), _disk(folder)
    while waiting:
        cancel.check()
        if time.monotonic() > until:
            seen.whole = False
            break
        here = waiting.popleft()
        found = _children(here)
        if found is None:
            continue
        if len(seen.entries) + len(found) > MOST_FILES:
            seen.whole = False
            continue
        seen.listed.add(here)
        for entry, info in found:
            seen.entries[entry.path] = info
            if stat.S_ISDIR(info.st_mode) and info.st_dev == disk and entry.path not in skip:
                waiting.append(entry.path)
    return seen


def _disk(folder: Path) -> int:
    """0: the folder is gone."""
    try:
        return folder.stat().st_dev
    except OSError:
        return 0


def _children(folder: str) -> list[tuple[os.DirEntry[str], os.stat_result]] | None:
    """What a folder holds; None when it can't be read."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                info = _info(entry) if entry.name not in UNSEEN else None
                if info is not None:
                    found.append((entry, info))
                if len(found) > MOST_FILES:
                    break
    except OSError:
        return None
    return found


def _info(entry: os.DirEntry[str]) -> os.stat_result | None:
    """None: it is gone again."""
    try:
        return entry.stat(follow_symlinks=False)
    except OSError:
        return None


def _was_absent(path: str, picture: Picture) -> bool:
    """Whether it is certain that nothing stood there before."""
    parent = _above(path)
    if parent in picture.seen.listed or picture.states.get(parent, FOLDER).kind != "folder":
        return True
    return parent not in picture.states and len(parent) > len(str(picture.folder)) and _was_absent(parent, picture)


def _ignored(folder: Path, seen: Seen, cancel: Cancel, seconds: float) -> frozenset[str]:
    """Folders in which .gitignore leaves nothing: they are too much to be kept."""
    if seconds <= 0:
        return frozenset()
    try:
        found = ripgrep.names(folder, "*", MOST_FILES, cancel, seconds=seconds)
    except ToolError:
        return frozenset()
    used = {parent for path in found.paths for parent in _parents(path, str(folder))}
    folders = (path for path, info in seen.entries.items() if stat.S_ISDIR(info.st_mode))
    return frozenset(path for path in folders if path not in used)


def _parents(path: str, root: str) -> list[str]:
    found = []
    while len(path := _above(path)) > len(root):
        found.append(path)
    return found


def _sign(info: os.stat_result) -> Sign:
    """What can't stay the same when a file is changed."""
    folder = stat.S_ISDIR(info.st_mode)
    times = (0, 0, 0) if folder else (info.st_size, info.st_mtime_ns, info.st_ctime_ns)
    return (info.st_mode, info.st_ino, *times)


def _above(path: str) -> str:
    return path.rpartition(os.sep)[0]
