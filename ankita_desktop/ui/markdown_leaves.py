"""What markdown's lines may be by themselves, and the leaves they grow: paragraphs, code and tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ankita_desktop.ui.markdown import Cell, spans_text

LONGEST = 4_000  # characters of a paragraph; a longer one goes on in the next, so that its end stays cheap
ROWS = 30  # rows of a table; a longer one goes on in the next, as it would be laid out again for each row
_WIDEST = 60  # characters of a cell that count for the width of its column
_TAB = 4
HEADING = re.compile(r"(#{1,6})(?=[ \t]|$)")
UNDERLINE = re.compile(r"(=+|-+)[ \t]*$")
RULE = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}$")
FENCE = re.compile(r"(`{3,})([^`]*)$|(~{3,})(.*)$")
ITEM = re.compile(r"(?:([-+*])|(\d{1,9})([.)]))(?=[ \t]|$)")
_DELIMITER = re.compile(r"(?!-[ \t])[-:|][-:| \t]+$")


class Line:
    """What is left of a line, and the column it begins in: as far as tabs go, a line is columns."""

    def __init__(self, text: str) -> None:
        self.text, self._column = text, 0

    @property
    def blank(self) -> bool:
        return not self.text.strip(" \t")

    @property
    def indent(self) -> int:
        """Columns of white space it begins with."""
        column = self._column
        for character in self.text:
            if character not in " \t":
                break
            column += 1 if character == " " else _TAB - column % _TAB
        return column - self._column

    @property
    def words(self) -> str:
        return self.text.lstrip(" \t")

    def skip(self, columns: int) -> None:
        """Leave out up to so many columns of white space; of a tab that reaches further, spaces remain."""
        while columns > 0 and self.text[:1] in (" ", "\t"):
            width = 1 if self.text[0] == " " else _TAB - self._column % _TAB
            self.text = " " * max(width - columns, 0) + self.text[1:]
            self._column += min(width, columns)
            columns -= width

    def drop(self, characters: int) -> None:
        """Leave out the white space and so many characters after it."""
        self.skip(self.indent)
        self.text = self.text[characters:]
        self._column += characters


@dataclass(frozen=True, slots=True)
class Place:
    """Where a leaf stands."""

    indent: int
    quote: int
    marker: str


@dataclass(slots=True)
class Paragraph:
    """``lazy``: its last line stood outside of the containers around it."""

    place: Place
    text: str = ""
    lazy: bool = False
    goes_on: bool = False

    def add(self, text: str) -> None:
        self.text += text
        if self.goes_on:
            self.text = self.text.lstrip(" \t\n")

    def cut(self) -> str:
        """The first part of a long text; the rest stays."""
        at = _break(self.text)
        head, self.text = self.text[:at], self.text[at:].lstrip(" \t\n")
        self.goes_on = True
        return head


@dataclass(slots=True)
class Code:
    """``fence`` is the mark a fenced one begins with, ``offset`` how far that is indented."""

    place: Place
    fence: str = ""
    info: str = ""
    offset: int = 0
    lines: list[str] = field(default_factory=list)

    def takes(self, line: Line) -> bool:
        """Add the line, if it goes on with it."""
        if not self.fence and not line.blank and line.indent < 4:
            return False
        line.skip(self.offset if self.fence else 4)
        self.lines.append(line.text)
        return True

    def ends(self, line: Line) -> bool:
        """The line is its closing fence."""
        words = line.words.rstrip(" \t")
        return (
            bool(self.fence)
            and line.indent < 4
            and len(words) >= len(self.fence)
            and words == self.fence[0] * len(words)
        )

    def text(self) -> str:
        lines = self.lines
        while not self.fence and lines and not lines[-1].strip(" \t"):
            lines = lines[:-1]
        return "\n".join(lines)


@dataclass(slots=True)
class Table:
    place: Place
    align: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    goes_on: bool = False
    shares: tuple[int, ...] = ()

    def cut(self) -> list[tuple[Cell, ...]]:
        """The rows so far; the next begin another piece, whose columns are as wide."""
        self.shares = self.shares or _shares(self.rows)
        rows, self.rows = self.rows, []
        return rows


def title(text: str) -> str:
    """What a heading says, without the marks that may close it."""
    words = text.strip(" \t")
    bare = words.rstrip("#")
    return bare if bare[-1:] in ("", " ", "\t") else words


def columns(header: str, delimiter: Line) -> tuple[str, ...]:
    """How the columns of a table are aligned; () when the two lines don't begin one."""
    words = delimiter.words.rstrip(" \t")
    if delimiter.indent >= 4 or not _DELIMITER.match(words) or "|" not in header or Line(header).indent >= 4:
        return ()
    parts = [part.strip() for part in words.split("|")]
    parts = parts[not parts[0] :]
    parts = parts[: len(parts) - (not parts[-1])] if parts else []
    if not all(re.fullmatch(r":?-+:?", part) for part in parts) or len(cells(header)) != len(parts):
        return ()
    return tuple(_side(part) for part in parts)


def cells(line: str) -> list[str]:
    """The cells of a table's row."""
    found = re.split(r"(?<!\\)\|", line.strip())
    found = found[not found[0] :]
    found = found[: len(found) - (not found[-1])] if found else []
    return [cell.replace("\\|", "|").strip() for cell in found]


def _side(part: str) -> str:
    if part.endswith(":"):
        return "center" if part.startswith(":") else "right"
    return "left" if part.startswith(":") else ""


def _shares(rows: Sequence[Sequence[Cell]]) -> tuple[int, ...]:
    """How wide columns are, in per cent, from what the first rows say."""
    widths = [
        max(min(len(spans_text(cell)), _WIDEST) + 2 for cell in column) for column in zip(*rows, strict=True)
    ]
    return tuple(max(100 * width // sum(widths), 1) for width in widths)


def _break(text: str) -> int:
    """Where a long paragraph is cut: after a line, a sentence, a word, or where it has to be."""
    places = (text.rfind("\n", 1, LONGEST), text.rfind(". ", 0, LONGEST) + 1, text.rfind(" ", 1, LONGEST))
    return next((place for place in places if place > 0), LONGEST)
