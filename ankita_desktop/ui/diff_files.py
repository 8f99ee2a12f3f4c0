"""What a diff view shows, without Qt: files with their hunks, from changes to come or from a unified diff."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from ankita_desktop.protocol import FileChange
from ankita_desktop.toolkit.diff import Hunk, Line, Tag, hunks
from ankita_desktop.ui.code_colors import Lines, colour_lines, language_of

_TAGS = (" ", "-", "+", "\\", "")
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)")


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file. ``note`` stands where there are no lines to show (a move, a folder, not text)."""

    path: str
    hunks: tuple[Hunk, ...]
    before: str | None = None
    after: str | None = None
    facts: str = ""
    note: str = ""
    name: str = ""

    @property
    def shown(self) -> str:
        """The path as a reader wants it."""
        return self.name or self.path

    @property
    def added(self) -> int:
        return sum(hunk.added for hunk in self.hunks)

    @property
    def removed(self) -> int:
        return sum(hunk.removed for hunk in self.hunks)


def from_changes(changes: Sequence[FileChange], root: str = "") -> tuple[FileDiff, ...]:
    """Works out the hunks; may take a second for huge files, so call it off the main thread. Paths under
    ``root`` are shown relative to it."""
    return tuple(
        FileDiff(
            one.path,
            _hunks(one),
            one.before,
            one.after,
            facts=one.facts,
            note=_note(one, root),
            name=below(one.path, root),
        )
        for one in changes
    )


def below(path: str, root: str) -> str:
    """The path relative to the root when it lies in it."""
    inside = root and PurePath(path).is_relative_to(root)
    return str(PurePath(path).relative_to(root)) if inside else path


def _hunks(change: FileChange) -> tuple[Hunk, ...]:
    return hunks(change.before, change.after) if change.before is not None or change.after is not None else ()


def _note(change: FileChange, root: str) -> str:
    if change.action == "move":
        return f"moves to {below(change.destination or '', root)}"
    if change.action == "mkdir":
        return "a new folder"
    if change.before is None and change.after is None:
        return "not text: deleted" if change.action == "delete" else "not text"
    if change.action == "create" and not change.after:
        return "a new, empty file"
    if change.action == "delete":
        return "" if change.before else "deleted"
    return _mode(change.facts)


def _mode(facts: str) -> str:
    """ "mode 644 → mode 755", which no line shows."""
    found = re.search(r"mode \d+ → (?:mode )?\d+", facts)
    return found[0] if found else ""


def from_unified(text: str) -> tuple[FileDiff, ...]:
    """Reads a unified diff of one or more files. Lines that belong to no hunk are passed over."""
    files: list[FileDiff] = []
    path, found = "", list[Hunk]()
    old = ""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            if path:
                files.append(FileDiff(path, tuple(found)))
            old, path, found = line[4:], lines[at + 1][4:], []
            path = _named(old if path == "/dev/null" else path)
            at += 2
        elif header := _HUNK.match(line):
            hunk, at = _read_hunk(header, lines, at + 1, len(found))
            found.append(hunk)
        else:
            at += 1
    return tuple([*files, FileDiff(path, tuple(found))] if path or found else files)


def _named(path: str) -> str:
    return path[2:] if path.startswith(("a/", "b/")) else path


def _read_hunk(header: re.Match[str], lines: list[str], at: int, index: int) -> tuple[Hunk, int]:
    old_start, new_start = int(header[1]), int(header[3])
    old_left, new_left = int(header[2] or 1), int(header[4] or 1)
    rows: list[Line] = []
    old_no, new_no = old_start, new_start
    while at < len(lines) and (old_left > 0 or new_left > 0) and lines[at][:1] in _TAGS:
        tag, text = lines[at][:1] or " ", lines[at][1:]
        at += 1
        if tag == "\\":
            rows[-1] = rows[-1]._replace(end="")
            continue
        old, new = tag != "+", tag != "-"
        rows.append(_line(tag, old_no if old else None, new_no if new else None, text))
        old_no, new_no, old_left, new_left = old_no + old, new_no + new, old_left - old, new_left - new
    if at < len(lines) and lines[at].startswith("\\"):
        rows[-1] = rows[-1]._replace(end="")
        at += 1
    old_count, new_count = int(header[2] or 1), int(header[4] or 1)
    return Hunk(index, old_start, old_count, new_start, new_count, header[5], tuple(rows)), at


def _line(tag: str, old_no: int | None, new_no: int | None, text: str) -> Line:
    known: dict[str, Tag] = {"-": "-", "+": "+"}
    end = "\r\n" if text.endswith("\r") else "\n"
    return Line(known.get(tag, " "), old_no, new_no, text.removesuffix("\r"), end)


Colours = tuple[dict[int, Lines], dict[int, Lines]]


def colours(files: Sequence[FileDiff]) -> Colours:
    """Coloured runs of both sides, per file and line (from 0). Slow for large files: off the main thread."""
    old: dict[int, Lines] = {}
    new: dict[int, Lines] = {}
    for number, one in enumerate(files):
        language = language_of(one.path)
        if language:
            old[number] = colour_lines(_newlines(one.before or ""), language)
            new[number] = colour_lines(_newlines(one.after or ""), language)
    return old, new


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def plain(files: Sequence[FileDiff]) -> str:
    """What a reader sees, one row per line."""
    return "\n".join(_plain(files))


def _plain(files: Sequence[FileDiff]) -> Iterator[str]:
    from ankita_desktop.ui.diff_hidden import reveal

    for one in files:
        yield f"{one.shown}{' · ' if one.note else ''}{one.note}"
        for hunk in one.hunks:
            yield title(hunk, len(one.hunks))
            ends = mixed_ends(hunk)
            for line in hunk.lines:
                yield line.tag + reveal(line, ends=ends).text


def compact(files: Sequence[FileDiff]) -> tuple[FileDiff, ...]:
    """With one line of context around each hunk and no blank one at its edges: for a card in the chat."""
    return tuple(replace(one, hunks=tuple(_compact(hunk) for hunk in one.hunks)) for one in files)


def _compact(hunk: Hunk) -> Hunk:
    changed = [number for number, line in enumerate(hunk.lines) if line.tag != " "]
    if not changed:
        return hunk
    start, end = max(changed[0] - 1, 0), min(changed[-1] + 2, len(hunk.lines))
    lines = hunk.lines[start:end]
    if lines[0].tag == " " and not lines[0].text.strip():
        lines = lines[1:]
    if lines[-1].tag == " " and not lines[-1].text.strip():
        lines = lines[:-1]
    return replace(hunk, lines=lines)


def title(hunk: Hunk, of: int) -> str:
    """ "hunk 1 of 2 · parse(text)" """
    return f"hunk {hunk.index + 1} of {of}" + (f" · {hunk.section}" if hunk.section else "")


def mixed_ends(hunk: Hunk) -> bool:
    """Line ends differ among the changed lines, so they have to be shown."""
    return len({line.end for line in hunk.lines if line.tag != " " and line.end}) > 1
