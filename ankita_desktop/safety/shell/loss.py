"""What of a deletion inside the working folder no undo brings back: it is looked at before it is judged."""

from __future__ import annotations

import os
import stat
from itertools import islice
from pathlib import Path

from ankita_desktop.safety.around import LARGEST, MOST_BYTES, UNSEEN

# Of the entries that undo keeps of a whole working folder, as many as surely fit in.
MOST = 5_000
MEGABYTE = 1024 * 1024


def beyond_undo(path: Path, pattern: str = "", *, deep: bool = True) -> str:
    """Why what stands at ``path`` (all that fits ``pattern`` in that folder, when there is one) would be lost for
    good; "" when undo has it, or there is nothing. ``deep``: folders go with all in them."""
    found = [path]
    if pattern:
        try:
            found = list(islice(path.glob(pattern), MOST + 1))
        except (ValueError, NotImplementedError, OSError):
            return ""
    count, size = 0, 0
    while found:
        each = found.pop()
        try:
            info = each.lstat()
        except OSError:
            continue
        count, size = count + 1, size + info.st_size
        if stat.S_ISDIR(info.st_mode):
            found += _inside(each) if deep else []
        if lost := _lost(each, info) or _many(count + len(found), size, path):
            return lost
    return ""


def _inside(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in islice(entries, MOST + 1)]
    except OSError:
        return []


def _lost(path: Path, info: os.stat_result) -> str:
    if path.name in UNSEEN and not stat.S_ISREG(info.st_mode):
        return f"It deletes {path.parent.name}, which has a history of its own; undo can't bring that back."
    if stat.S_ISREG(info.st_mode) and info.st_size > LARGEST:
        return f"It deletes {path.name}, which with {info.st_size // MEGABYTE} MB is too large for undo."
    if stat.S_ISREG(info.st_mode) and not os.access(path, os.R_OK):
        return f"It deletes {path.name}, which can't be read, so undo can't keep it."
    return ""


def _many(count: int, size: int, path: Path) -> str:
    if count > MOST:
        return f"It deletes more than {MOST:,} files in {path.name}, too many for undo to keep all."
    if size > MOST_BYTES:
        return f"It deletes more than {MOST_BYTES // MEGABYTE} MB in {path.name}, too much for undo to keep."
    return ""
