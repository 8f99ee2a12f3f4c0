"""Paints the rows of a diff view."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter

from ankita_desktop.toolkit.diff import Hunk, Line
from ankita_desktop.ui.code_colors import Lines, Run
from ankita_desktop.ui.code_line import CodeFont, draw, lay_out
from ankita_desktop.ui.diff_files import Colours, FileDiff, title
from ankita_desktop.ui.diff_hidden import WHOLE, Shown, reveal
from ankita_desktop.ui.diff_rows import Emphasis, Row, Rows
from ankita_desktop.ui.theme import theme

PAD = 12
BOX = 30  # room for a hunk's check box
Where = tuple[int, int, Hunk, int | None]  # file, hunk over all files, the hunk, index of its line
_TINTS = {"-": "removed", "+": "added"}


@dataclass(slots=True)
class Scene:
    """What there is to paint."""

    files: Sequence[FileDiff] = ()
    rows: Rows = field(default_factory=Rows)
    colours: Colours = field(default_factory=lambda: ({}, {}))
    emphasis: Emphasis = field(default_factory=Emphasis)
    side_by_side: bool = False
    checkable: bool = False
    editable: bool = False
    current: int = -1
    selected: range = range(0)
    digits: int = 3
    refused: frozenset[int] = frozenset()


class DiffPainter:
    """Paints rows of a scene into an area. ``shift`` is how far the text is scrolled sideways."""

    def __init__(self, scene: Scene, font: CodeFont) -> None:
        self._scene = scene
        self._font = font

    def row(self, painter: QPainter, index: int, area: QRect, shift: int) -> None:
        row = self._scene.rows.rows[index]
        if row.kind == "line":
            self._line(painter, row, area, shift)
            if index in self._scene.selected:
                tint = theme().color("accent")
                tint.setAlpha(60)
                painter.fillRect(area, tint)
        elif row.kind == "hunk":
            self._hunk(painter, row, area)
        else:
            self._file(painter, row, area)

    @property
    def gutter(self) -> int:
        """Room for the line's number, and its sign in the unified view."""
        signs = 0 if self._scene.side_by_side else 2
        return int((self._scene.digits + signs + 2) * self._font.char) + PAD

    # --- headings ---

    def _hunk(self, painter: QPainter, row: Row, area: QRect) -> None:
        _, hunk = self._scene.rows.hunks[row.hunk]
        current = row.hunk == self._scene.current
        painter.fillRect(area, theme().color("selected" if current else "pane"))
        self._edges(painter, area)
        if area.height() < 20:
            return
        if current:
            painter.fillRect(QRect(area.left(), area.top(), 3, area.height()), theme().color("accent"))
        painter.setFont(theme().font("meta"))
        left = area.left() + (BOX + 9 if self._scene.checkable else PAD)
        right = 56 if self._scene.editable else PAD
        words = title(hunk, len(self._scene.files[row.file].hunks))
        box = QRect(left, area.top(), area.right() - left - right, area.height())
        _text(painter, box, words, "dim")
        if self._scene.editable:
            _text(painter, area.adjusted(0, 0, -14, 0), "edit", "accent", align=Qt.AlignmentFlag.AlignRight)

    def _file(self, painter: QPainter, row: Row, area: QRect) -> None:
        one = self._scene.files[row.file]
        painter.fillRect(area, theme().color("background"))
        inside = area.adjusted(PAD, 0, -PAD, 0)
        if row.kind == "note":
            painter.setFont(theme().font("meta"))
            _text(painter, inside, one.note, "dim")
            return
        painter.setFont(theme().font("meta", 600))
        _text(painter, inside, one.shown, "text", elide=Qt.TextElideMode.ElideMiddle)

    def _edges(self, painter: QPainter, area: QRect) -> None:
        painter.fillRect(QRect(area.left(), area.top(), area.width(), 1), theme().color("line"))
        painter.fillRect(QRect(area.left(), area.bottom(), area.width(), 1), theme().color("line"))

    # --- lines ---

    def _line(self, painter: QPainter, row: Row, area: QRect, shift: int) -> None:
        file, hunk = self._scene.rows.hunks[row.hunk]
        if not self._scene.side_by_side:
            self._cell(painter, (file, row.hunk, hunk, row.left), area, shift, right=False)
            return
        half = area.width() // 2
        left = QRect(area.left(), area.top(), half, area.height())
        right = QRect(area.left() + half, area.top(), area.width() - half, area.height())
        self._cell(painter, (file, row.hunk, hunk, row.left), left, shift, right=False)
        self._cell(painter, (file, row.hunk, hunk, row.right), right, shift, right=True)

    def _cell(self, painter: QPainter, where: Where, area: QRect, shift: int, *, right: bool) -> None:
        file, number, hunk, index = where
        if index is None:
            painter.fillRect(area, theme().color("pane"))
            return
        line = hunk.lines[index]
        tint = _TINTS.get(line.tag, "")
        refused = number in self._scene.refused
        painter.fillRect(area, theme().color(f"{tint}_back" if tint and not refused else "background"))
        ink = f"{tint}_text" if tint and not refused else "dim"
        self._number(painter, line, area, ink, right=right)
        first = min(int(shift / self._font.char), len(line.text)) if len(line.text) > WHOLE else 0
        part = _part(line, first, int(area.width() / self._font.char) + 1)
        shown = reveal(part, ends=self._scene.emphasis.ends(hunk, number) and part.end == line.end)
        ranges = self._scene.emphasis.of(hunk, number, index) if tint and not refused else ()
        marked = _marks(ranges, first, shown, theme().color(f"{tint}_strong") if tint else QColor())
        painter.save()
        painter.setClipRect(area.adjusted(self.gutter, 0, 0, 0), Qt.ClipOperation.IntersectClip)
        painter.setPen(theme().color(ink if tint or not self._coloured(file) else "text"))
        layout = lay_out(shown.text, self._font, self._runs(file, line, shown, first), marked)
        left = area.left() + self.gutter - shift + first * self._font.char
        draw(painter, layout, left, area.top() + self._font.top)
        if len(line.text) > WHOLE and ranges and not marked:
            self._elsewhere(painter, area, ranges[0][0], f"{tint}_strong")
        painter.restore()

    def _elsewhere(self, painter: QPainter, area: QRect, column: int, back: str) -> None:
        """Say where a line changes that shows only what did not."""
        painter.setFont(theme().font("meta"))
        words = f"changes at character {column + 1:,}"
        room = QFontMetrics(painter.font()).horizontalAdvance(words) + 2 * PAD
        box = QRect(area.right() - room, area.top(), room + 1, area.height())
        painter.fillRect(box, theme().color(back))
        _text(painter, box.adjusted(PAD, 0, 0, 0), words, "text")

    def _number(self, painter: QPainter, line: Line, area: QRect, ink: str, *, right: bool) -> None:
        painter.setFont(self._font.font)
        unified = not self._scene.side_by_side
        number = line.new_no if right or (unified and line.tag != "-") else line.old_no
        sign = "" if self._scene.side_by_side or line.tag == " " else line.tag.replace("-", "−")
        left = area.left() + PAD
        signs = 0 if self._scene.side_by_side else int(2 * self._font.char)
        _text(painter, QRect(left, area.top(), signs or 1, area.height()), sign, ink)
        width = int(self._scene.digits * self._font.char) + 2
        box = QRect(left + signs, area.top(), width, area.height())
        _text(painter, box, str(number or ""), ink, align=Qt.AlignmentFlag.AlignRight)

    def _coloured(self, file: int) -> bool:
        return bool(self._scene.colours[0].get(file) or self._scene.colours[1].get(file))

    def _runs(self, file: int, line: Line, shown: Shown, first: int) -> list[Run]:
        """Syntax colours at the places where the characters are drawn, the ``first`` of them at 0, then the signs
        for hidden ones."""
        old, new = self._scene.colours
        lines: Lines = (old if line.tag == "-" else new).get(file, [])
        number = line.old_no if line.tag == "-" else line.new_no
        runs = lines[number - 1] if number and number <= len(lines) else []
        last = len(shown.places) - 1
        moved = []
        for run in runs[max(bisect_right(runs, first, key=lambda run: run.start) - 1, 0) :]:
            if run.start - first > last:
                break
            start, end = (
                shown.places[max(min(at - first, last), 0)] for at in (run.start, run.start + run.length)
            )
            moved.append(Run(start, end - start, run.token))
        signs = [Run(start, end - start, "dim") for start, end in shown.quiet]
        return [*moved, *signs, *(Run(start, end - start, "attention_text") for start, end in shown.loud)]


def _part(line: Line, first: int, columns: int) -> Line:
    """What is in sight of a long line, from its character ``first`` on; the whole of another."""
    last = first + columns
    if not first and len(line.text) <= WHOLE:
        return line
    return line._replace(text=line.text[first:last], end=line.end if last >= len(line.text) else "\n")


def _marks(
    ranges: Iterable[tuple[int, int]], first: int, shown: Shown, back: QColor
) -> list[tuple[int, int, QColor]]:
    """The parts of ranges of a line that are among what is shown of it, which begins with character ``first``."""
    last = len(shown.places) - 1
    inside = ((max(start - first, 0), min(end - first, last)) for start, end in ranges)
    return [(shown.places[start], shown.places[end], back) for start, end in inside if start < end]


def _text(
    painter: QPainter,
    box: QRect,
    text: str,
    token: str,
    *,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    painter.setPen(theme().color(token))
    short = QFontMetrics(painter.font()).elidedText(text, elide, box.width()) if len(text) > 12 else text
    painter.drawText(box, align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, short)
