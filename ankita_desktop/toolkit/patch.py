"""Reading patches: unified diffs (plain and git's) and the ``*** Begin Patch`` form, into one shape.

Nothing here touches a disk. A patch that can't be followed to the letter is refused with a ``ToolError``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ankita_desktop.errors import ToolError

Verb = Literal["create", "modify", "delete", "move", "copy"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lines without ends that become other lines. ``rows`` are (tag " ", "-" or "+", text).

    ``start`` is the first old line's number from 1 (None: found by content alone); ``under`` are lines to find
    first, outermost first; ``at_end``: the old lines are the file's last. ``old_open`` and ``new_open``: that
    side's last line has no newline (None: not said).
    """

    rows: tuple[tuple[str, str], ...]
    start: int | None = None
    under: tuple[str, ...] = ()
    at_end: bool = False
    old_open: bool | None = None
    new_open: bool | None = None

    @property
    def old(self) -> list[str]:
        return [text for tag, text in self.rows if tag != "+"]

    @property
    def new(self) -> list[str]:
        return [text for tag, text in self.rows if tag != "-"]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """What happens to one file. ``other`` is the new path of a move or copy, or the old name of a plain diff
    whose two names differ. ``overwrite``: a create or move may replace a file. ``mode`` sets permission bits."""

    verb: Verb
    path: str
    chunks: tuple[Chunk, ...] = ()
    other: str = ""
    overwrite: bool = False
    mode: int | None = None
    guess: bool = False  # a plain diff doesn't say whether its empty old side is an absent file


def parse(patch: str) -> tuple[FilePatch, ...]:
    """The files of a patch, in order. Raises ``ToolError`` saying which line is wrong."""
    from ankita_desktop.toolkit.patch_unified import parse_unified

    lines = patch.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    marks = [index for index, line in enumerate(lines) if line.strip() == "*** Begin Patch"]
    files = _Begin(lines[marks[0] + 1 :], marks[0] + 2).parse() if marks else parse_unified(lines)
    if not files:
        raise ToolError(
            "The patch changes nothing. Give a unified diff, or: *** Begin Patch / *** Update File: path / @@ / "
            "lines with ' ', '-' or '+' / *** End Patch."
        )
    return files


_HEADERS = ("Add File:", "Delete File:", "Update File:", "Move to:", "End of File", "End Patch")


class _Begin:
    """The ``*** Begin Patch`` form. ``first`` is the number of ``lines[0]`` in the patch."""

    def __init__(self, lines: Sequence[str], first: int) -> None:
        self._lines = [line.removesuffix("\r") for line in lines]
        self._first = first
        self._at = 0

    def parse(self) -> tuple[FilePatch, ...]:
        files: list[FilePatch] = []
        while True:
            if self._at >= len(self._lines):
                raise ToolError("The patch has no '*** End Patch': it may be cut off.")
            if not self._lines[self._at].strip():
                self._at += 1
                continue
            word, path = self._header()
            self._at += 1
            if word == "End Patch":
                return tuple(files)
            files.append(self._file(word, path))

    def _header(self) -> tuple[str, str]:
        """The header at this line, or ("", "")."""
        line = self._lines[self._at].strip() if self._at < len(self._lines) else ""
        for word in _HEADERS:
            if line.startswith(f"*** {word}"):
                return word, line[len(word) + 4 :].strip()
        return "", ""

    def _file(self, word: str, path: str) -> FilePatch:
        if word not in ("Add File:", "Delete File:", "Update File:"):
            self._at -= 1
            raise self._wrong("Expected '*** Add File: path', '*** Delete File: path' or '*** Update File: path'.")
        if not path:
            raise self._wrong("The path is missing.")
        if word == "Delete File:":
            return FilePatch("delete", path)
        return self._added(path) if word == "Add File:" else self._updated(path)

    def _added(self, path: str) -> FilePatch:
        rows = []
        while self._at < len(self._lines) and not self._header()[0]:
            line = self._lines[self._at]
            if not line.startswith("+"):
                raise self._wrong("Each line of an added file begins with '+'.")
            rows.append(("+", line[1:]))
            self._at += 1
        return FilePatch("create", path, (Chunk(tuple(rows)),), overwrite=True)

    def _updated(self, path: str) -> FilePatch:
        word, other = self._header()
        if word == "Move to:":
            self._at += 1
        else:
            other = ""
        chunks: list[Chunk] = []
        while self._at < len(self._lines) and self._header()[0] in ("", "End of File"):
            if chunks and not self._lines[self._at].strip():
                self._at += 1  # a blank line between chunks or files
                continue
            chunks.append(self._chunk())
        if not chunks and not other:
            raise self._wrong(f"The update of {path} has no lines.")
        return FilePatch("move" if other else "modify", path, tuple(chunks), other, overwrite=bool(other))

    def _chunk(self) -> Chunk:
        under = []
        while self._at < len(self._lines) and self._lines[self._at].startswith("@@"):
            if text := self._lines[self._at][2:].strip().removesuffix("@@").strip():
                under.append(text)
            self._at += 1
        rows: list[tuple[str, str]] = []
        while self._at < len(self._lines) and not self._header()[0] and not self._lines[self._at].startswith("@@"):
            line = self._lines[self._at] or " "
            if line[0] not in " -+":
                raise self._wrong("A line of a change begins with ' ', '-' or '+'.")
            rows.append((line[0], line[1:]))
            self._at += 1
        at_end = self._header()[0] == "End of File"
        blank = self._at - 1
        self._at += at_end
        while rows and not at_end and not self._lines[blank]:
            rows.pop()  # only separates this change from what follows
            blank -= 1
        if not any(tag != " " for tag, _ in rows):
            raise self._wrong("This change has no '-' or '+' line.")
        return Chunk(tuple(rows), under=tuple(under), at_end=at_end)

    def _wrong(self, text: str) -> ToolError:
        shown = self._lines[self._at] if self._at < len(self._lines) else "(end)"
        return ToolError(f"Line {self._first + self._at} of the patch, {shown!r}: {text} Nothing was changed.")
