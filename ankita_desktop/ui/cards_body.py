"""What a card unfolds to: changes, arguments, live output."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from ankita_desktop.ui.blocks import Stack, grown
from ankita_desktop.ui.code_line import CodeFont
from ankita_desktop.ui.diff import DiffView
from ankita_desktop.ui.theme import theme

SHORT_DIFF = 400  # pixels of an edit that are shown without unfolding, and the most a card gives a diff
OUTPUT_HEIGHT = 240
OUTPUT_KEPT = 200_000  # characters of a result that the card shows


class CardBody(Stack):
    """Hidden while the card is closed, but for a short diff."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        super().__init__()
        self._arguments = arguments
        self._text = ""
        self._open = False
        self._line = _Line()
        self._diff: DiffView | None = None
        self._output: QPlainTextEdit | None = None
        self._panes: Stack | None = None

    @property
    def is_open(self) -> bool:
        return self._open

    def unfold(self, on: bool) -> None:
        self._open = on
        if on and self._panes is None:
            self._panes = Stack(gap=8, padding=(4, 12, 12, 12))
            self.add(self._panes)
            self._fill()
        if self._panes is not None:
            self._panes.setVisible(on)
        if self._diff is not None:
            shown = on or self._diff.content_height() <= SHORT_DIFF
            self._diff.setVisible(shown)
            self._line.setVisible(shown)
        self.changed()

    def show_output(self, text: str) -> None:
        """The output as it is now; a live one stays at its end while that is in sight."""
        self._text = text[-OUTPUT_KEPT:]
        if self._output is not None:
            _replace(self._output, self._text)
        elif self._panes is not None:
            self._fill()

    def show_diff(self, text: str) -> None:
        """A unified diff of what was changed, once."""
        if self._diff is not None or not text:
            return
        diff = self._diff = DiffView(headings=text.count("\n+++ ") > 1)
        diff.show_unified(text)
        diff.setFixedHeight(min(diff.content_height(), SHORT_DIFF))
        if diff.content_height() <= SHORT_DIFF:
            diff.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.insert(0, self._line)
        self.insert(1, diff)
        self.unfold(self._open)

    def toPlainText(self) -> str:
        diff = self._diff.toPlainText() if self._diff is not None else ""
        output = self._output.toPlainText() if self._open and self._output is not None else ""
        return "\n".join(filter(None, (diff, output)))

    def _fill(self) -> None:
        assert self._panes is not None
        for item in self._panes.items:
            self._panes.drop(item)
        if self._arguments:
            arguments = json.dumps(self._arguments, indent=2, ensure_ascii=False)
            self._panes.add(Output(arguments[:OUTPUT_KEPT], "Arguments"))
        if self._text and self._diff is None:
            self._output = Output(self._text, "Output")
            self._panes.add(self._output)


class _Line(QWidget):
    """The thin line between a card's head and what is below."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(1)

    def sizeHint(self) -> QSize:
        return QSize(10, 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("line"))


class Output(QPlainTextEdit):
    """Text as a program wrote it, no higher than it needs."""

    def __init__(self, text: str, words: str) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setProperty("look", "output")
        self.setFont(CodeFont().font)
        self.setAccessibleName(words)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setPlainText(text)

    def sizeHint(self) -> QSize:
        lines = max(self.blockCount(), 1)
        return QSize(200, min(lines * self.fontMetrics().lineSpacing() + 32, OUTPUT_HEIGHT))


def _replace(output: QPlainTextEdit, text: str) -> None:
    """Show newer output; stay at the end when the end was in sight."""
    bar = output.verticalScrollBar()
    at_end = bar.value() >= bar.maximum() - 4
    output.setPlainText(text)
    if at_end:
        bar.setValue(bar.maximum())
    grown(output)
