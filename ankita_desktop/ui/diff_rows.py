"""The rows of a diff view: which line stands where, how high, without painting anything."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ankita_desktop.toolkit.diff import Hunk, intraline, pairs
from ankita_desktop.ui.diff_files import FileDiff, mixed_ends

HEAD = 32  # height of a file's or hunk's heading, in pixels


class Row(NamedTuple):
    """``left``/``right`` are indices into the hunk's lines; unified rows have only ``left``. ``hunk`` counts
    over all files, -1 for a file's heading or note."""

    kind: Literal["file", "note", "hunk", "line"]
    file: int
    hunk: int = -1
    left: int | None = None
    right: int | None = None


@dataclass(slots=True)
class Rows:
    """All rows with the pixel each begins at."""

    rows: list[Row] = field(default_factory=list)
    tops: list[int] = field(default_factory=lambda: [0])
    hunks: list[tuple[int, Hunk]] = field(default_factory=list)  # (file, hunk)
    hunk_rows: list[int] = field(default_factory=list)
    file_rows: list[int] = field(default_factory=list)

    @property
    def height(self) -> int:
        return self.tops[-1]

    def at(self, y: int) -> int:
        """The row a pixel is in, the nearest one beyond the ends."""
        return max(min(bisect_right(self.tops, y) - 1, len(self.rows) - 1), 0)

    def add(self, row: Row, height: int) -> None:
        self.rows.append(row)
        self.tops.append(self.tops[-1] + height)


def build(files: Sequence[FileDiff], *, side_by_side: bool, line: int, headings: bool) -> Rows:
    """Rows for the files. ``line`` is a line's height; ``headings`` shows a file's name and the hunks' titles."""
    found = Rows()
    for number, one in enumerate(files):
        found.file_rows.append(len(found.rows))
        if headings and len(files) > 1:
            found.add(Row("file", number), HEAD)
        if one.note:
            found.add(Row("note", number), HEAD)
        for hunk in one.hunks:
            index = len(found.hunks)
            found.hunks.append((number, hunk))
            found.hunk_rows.append(len(found.rows))
            if headings or index:
                found.add(Row("hunk", number, index), HEAD if headings else line // 2)
            for row in _lines(hunk, number, index, side_by_side):
                found.add(row, line)
    return found


def _lines(hunk: Hunk, file: int, index: int, side_by_side: bool) -> Iterator[Row]:
    if side_by_side:
        for left, right in pairs(hunk):
            yield Row("line", file, index, left, right)
    else:
        for place in range(len(hunk.lines)):
            yield Row("line", file, index, place)


class Emphasis:
    """What stands out in a line, worked out when it is first drawn."""

    def __init__(self) -> None:
        self._partners: dict[int, dict[int, int]] = {}
        self._found: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
        self._ends: dict[int, bool] = {}

    def ends(self, hunk: Hunk, number: int) -> bool:
        """Line ends differ among the hunk's changed lines."""
        if number not in self._ends:
            self._ends[number] = mixed_ends(hunk)
        return self._ends[number]

    def of(self, hunk: Hunk, number: int, index: int) -> tuple[tuple[int, int], ...]:
        """Ranges of the hunk's line ``index``; ``number`` identifies the hunk."""
        if (number, index) not in self._found:
            self._work_out(hunk, number, index)
        return self._found[number, index]

    def _work_out(self, hunk: Hunk, number: int, index: int) -> None:
        if number not in self._partners:
            self._partners[number] = {
                one: other
                for left, right in pairs(hunk)
                if left is not None and right is not None and left != right
                for one, other in ((left, right), (right, left))
            }
        self._found[number, index] = ()
        partner = self._partners[number].get(index)
        if partner is not None:
            left, right = sorted((index, partner))
            ranges = intraline(hunk.lines[left].text, hunk.lines[right].text)
            self._found[number, left], self._found[number, right] = ranges
