"""One line of code as Qt lays it out: colours, tabs, emphasis. Shared by code blocks and the diff view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption

from ankita_desktop.ui.code_colors import Run
from ankita_desktop.ui.theme import theme

LONGEST = 5_000  # characters of a line that are drawn
TAB = 4
Mark = tuple[int, int, QColor]


class CodeFont:
    """The monospaced font with its measures, in pixels."""

    def __init__(self) -> None:
        self.font: QFont = theme().font("mono")
        for ligature in ("liga", "calt"):  # "->" has to be seen as the two characters it is
            self.font.setFeature(QFont.Tag(ligature), 0)
        metrics = QFontMetricsF(self.font)
        self.char = metrics.horizontalAdvance("0")
        self.line = max(round(metrics.height() * 1.35), 12)
        self.top = (self.line - metrics.height()) / 2


def lay_out(text: str, font: CodeFont, runs: Sequence[Run] = (), marked: Iterable[Mark] = ()) -> QTextLayout:
    """The line ready to draw. ``marked`` are (start, end, back colour)."""
    layout = QTextLayout(text[:LONGEST], font.font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setTabStopDistance(TAB * font.char)
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    layout.setTextOption(option)
    layout.setFormats([*map(_coloured, runs), *(_backed(*one) for one in marked)])
    layout.beginLayout()
    layout.createLine().setLineWidth(1e6)
    layout.endLayout()
    return layout


def draw(painter: QPainter, layout: QTextLayout, x: float, y: float) -> None:
    layout.draw(painter, QPointF(x, y))


def _coloured(run: Run) -> QTextLayout.FormatRange:
    style = QTextCharFormat()
    style.setForeground(theme().color(run.token))
    return _range(run.start, run.length, style)


def _backed(start: int, end: int, back: QColor) -> QTextLayout.FormatRange:
    style = QTextCharFormat()
    style.setBackground(back)
    return _range(start, end - start, style)


def _range(start: int, length: int, style: QTextCharFormat) -> QTextLayout.FormatRange:
    result = QTextLayout.FormatRange()
    result.start, result.length, result.format = start, length, style
    return result
