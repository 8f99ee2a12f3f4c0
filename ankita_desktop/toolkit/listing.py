"""The entries of a folder, bounded."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.changes import size_name
from ankita_desktop.toolkit.text import printable

MOST = 500
LOOKED_AT = 50_000
# Shown, but not opened when listing whole trees: what is in them is made by programs.
CLOSED = {".git", "node_modules", "__pycache__", ".venv", ".mypy_cache", ".ruff_cache", ".tox"}


@dataclass(frozen=True, slots=True)
class Entry:
    """``kind`` is file, folder, link or other; ``name`` is relative to the listed folder, with slashes."""

    name: str
    kind: str
    size: int = 0
    target: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    entries: tuple[Entry, ...]
    total: int
    hidden: int = 0
    counted_all: bool = True

    @property
    def truncated(self) -> bool:
        return len(self.entries) < self.total or not self.counted_all

    def details(self) -> dict[str, Any]:
        rows = [{"name": entry.name, "kind": entry.kind, "size": entry.size} for entry in self.entries]
        return {"entries": rows, "truncated": self.truncated, "total": self.total, "hidden": self.hidden}

    def text(self) -> str:
        rows = [_row(entry) for entry in self.entries] or ["The folder is empty."]
        if self.truncated:
            more = "" if self.counted_all else "more than "
            rows.append(f"[{len(self.entries)} of {more}{self.total} entries; list a subfolder for the rest]")
        if self.hidden:
            rows.append(f"[{self.hidden} hidden not shown]")
        return "\n".join(rows)


def _row(entry: Entry) -> str:
    name = printable(entry.name)
    if entry.kind == "folder":
        return f"{name}/"
    if entry.kind == "link":
        return f"{name} -> {printable(entry.target)}"
    return f"{name}  {size_name(entry.size) if entry.kind == 'file' else entry.kind}"


def listed(folder: Path, *, recursive: bool = False, hidden: bool = False) -> Listing:
    """What is in ``folder``, folders first, by name. Raises ``ToolError`` if it can't be listed."""
    if not folder.exists():
        raise ToolError(f"There is no folder {folder}.")
    if not folder.is_dir():
        if folder.is_file():
            raise ToolError(f"{folder} is a file. Use read_file.")
        raise ToolError(f"{folder} is a device, pipe or socket: there is nothing to list in it.")
    found: list[Entry] = []
    left_out, total, stack = 0, 0, [folder]
    while stack and total < LOOKED_AT:
        here = stack.pop()
        entries = _scan(here, folder)
        shown = [entry for entry in entries if hidden or not Path(entry.name).name.startswith(".")]
        left_out += len(entries) - len(shown)
        total += len(shown)
        found += shown[: MOST - len(found)]
        if recursive:
            below = [folder / entry.name for entry in shown if entry.kind == "folder"]
            stack += [path for path in reversed(below) if path.name not in CLOSED]
    return Listing(tuple(sorted(found, key=_order) if recursive else found), total, left_out, not stack)


def _scan(here: Path, top: Path) -> list[Entry]:
    try:
        with os.scandir(here) as rows:
            entries = [_entry(row, top) for row in rows]
    except OSError as error:
        if here != top:
            return []
        raise ToolError(f"{here} can't be listed: {error.strerror}.") from error
    return sorted(entries, key=_order)


def _order(entry: Entry) -> tuple[Any, ...]:
    parts = entry.name.split("/")
    return (*((0, part.casefold()) for part in parts[:-1]), (entry.kind != "folder", parts[-1].casefold()))


def _entry(row: os.DirEntry[str], top: Path) -> Entry:
    name = Path(row.path).relative_to(top).as_posix().encode(errors="backslashreplace").decode()
    try:
        info = row.stat(follow_symlinks=False)
        if row.is_symlink():
            return Entry(name, "link", target=str(Path(row.path).readlink()))
    except OSError:
        return Entry(name, "other")
    if stat.S_ISDIR(info.st_mode):
        return Entry(name, "folder")
    return Entry(name, "file", info.st_size) if stat.S_ISREG(info.st_mode) else Entry(name, "other", info.st_size)
