"""Files by name anywhere below a root: from the system's own index where it has one, else by a bounded walk."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ankita_desktop.toolkit import places
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.limits import Limits, Program, run_program
from ankita_desktop.toolkit.listing import CLOSED

FOUND = 200
ENTRIES = 500_000
SECONDS = 20.0
_MADE = CLOSED | {".cache"}
_NOT_FILES = frozenset(("/proc", "/sys", "/dev", "/run"))


@dataclass(frozen=True, slots=True)
class Found:
    """The likeliest first. ``by`` is "index" or "walk"; ``stopped``: a limit was reached, there may be more."""

    paths: tuple[Path, ...]
    by: str
    stopped: bool = False


def find(root: Path, name: str, cancel: Cancel, *, seconds: float = SECONDS) -> Found:
    """Files and folders below ``root`` whose name matches: a pattern such as ``*.pdf``, else a part of the name,
    case aside. Raises ``Cancelled``."""
    fits = _test(name)
    if indexed := _indexed(root, name, fits, cancel):
        return Found(_best(indexed, root, name), "index", len(indexed) >= FOUND)
    hits: list[Path] = []
    deadline = time.monotonic() + seconds
    for number, path in enumerate(_walk(root, cancel)):
        if fits(path.name):
            hits.append(path)
        if len(hits) >= FOUND or number >= ENTRIES or (number % 256 == 0 and time.monotonic() > deadline):
            return Found(_best(hits, root, name), "walk", True)
    return Found(_best(hits, root, name), "walk")


def _test(name: str) -> Callable[[str], bool]:
    if any(char in name for char in "*?["):
        pattern = re.compile(fnmatch.translate(name.casefold()))
        return lambda candidate: bool(pattern.match(candidate.casefold()))
    wanted = name.casefold()
    return lambda candidate: wanted in candidate.casefold()


def _indexed(root: Path, name: str, fits: Callable[[str], bool], cancel: Cancel) -> list[Path]:
    """What the index knows and still is there; empty when there is no index, or it knows nothing."""
    program = shutil.which("plocate") or shutil.which("locate")
    if not program:
        return []
    pattern = name if any(char in name for char in "*?[") else f"*{name}*"
    argv = [program, "-i", "-b", "-0", "-l", "20000", "--", pattern]
    outcome = run_program(Program(argv, str(root)), cancel, Limits(seconds=5.0))
    hits = []
    for raw in outcome.out.decode("utf-8", "surrogateescape").split("\0"):
        path = Path(raw) if raw else None
        if path and places.within(path, root) and fits(path.name) and os.path.lexists(path):
            hits.append(path)
        if len(hits) >= FOUND:
            break
    return hits


def _walk(root: Path, cancel: Cancel) -> Iterator[Path]:
    """Broad before deep: what a person looks for is seldom far down."""
    level = [str(root)]
    while level:
        below: list[str] = []
        for here in level:
            cancel.check()
            try:
                with os.scandir(here) as rows:
                    entries = list(rows)
            except OSError:
                continue
            for row in entries:
                yield Path(row.path)
                if _is_open(row):
                    below.append(row.path)
        level = below


def _is_open(row: os.DirEntry[str]) -> bool:
    try:
        folder = row.is_dir(follow_symlinks=False)
    except OSError:
        return False
    return folder and row.name not in _MADE and row.path not in _NOT_FILES


def _best(paths: list[Path], root: Path, name: str) -> tuple[Path, ...]:
    """Those of exactly this name first, what programs keep for themselves last, the newest of each first."""

    def rank(path: Path) -> tuple[bool, bool, float]:
        hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
        try:
            when = path.lstat().st_mtime
        except OSError:
            when = 0.0
        return name.casefold() not in (path.name.casefold(), path.stem.casefold()), hidden, -when

    return tuple(sorted(paths, key=rank))
