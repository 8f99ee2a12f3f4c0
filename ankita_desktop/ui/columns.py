"""The three columns of the window, and which of them have room. Main thread only."""

from __future__ import annotations

from PySide6.QtCore import QSettings
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ankita_desktop.ui.parts import margins, rule

PANEL_FROM, PANE_FROM = 1040, 760
"""Widths of the window from which there is room for the side panel and for the conversations."""


class Columns(QWidget):
    """Left, middle, right. The outer two can be hidden by the person, and hide by themselves in a narrow
    window; they come back with the room if the person wants them."""

    def __init__(self, left: QWidget, middle: QWidget, right: QWidget) -> None:
        super().__init__()
        self._sides = (left, right)
        self._rules = (rule(vertical=True), rule(vertical=True))
        self._wanted = [True, True]
        self._room = [True, True]
        row = QHBoxLayout(self)
        margins(row, 0)
        row.addWidget(left)
        row.addWidget(self._rules[0])
        row.addWidget(middle, 1)
        row.addWidget(self._rules[1])
        row.addWidget(right)

    def toggle_left(self) -> None:
        self._choose(0, self._sides[0].isHidden())

    def toggle_right(self) -> None:
        self._choose(1, self._sides[1].isHidden())

    def open_right(self) -> None:
        self._show(1, True)

    def load(self, settings: QSettings) -> None:
        """As the person left it."""
        for side, key in enumerate(("pane", "panel")):
            self._choose(side, bool(settings.value(key, True, bool)))

    def save(self, settings: QSettings) -> None:
        for side, key in enumerate(("pane", "panel")):
            settings.setValue(key, self._wanted[side])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = [self.width() >= PANE_FROM, self.width() >= PANEL_FROM]
        before, self._room = self._room, room
        for side in (0, 1):
            if before[side] != room[side]:
                self._show(side, room[side] and self._wanted[side])

    def _choose(self, side: int, shown: bool) -> None:
        self._wanted[side] = shown
        self._show(side, shown)

    def _show(self, side: int, shown: bool) -> None:
        self._sides[side].setVisible(shown)
        self._rules[side].setVisible(shown)
