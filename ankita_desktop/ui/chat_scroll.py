"""Scrolling of a page that grows at both ends: it follows its end while that is in sight, and keeps its place
when something is built further up."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from ankita_desktop.ui.blocks import Stack

WIDTH = 660  # the column, in pixels
EDGE = 24


class PageScroll(QScrollArea):
    """Shows ``column``. ``earlier`` builds more above and says whether it did; ``atEnd`` fires when the end comes
    into sight."""

    atEnd = Signal()

    def __init__(self, earlier: Callable[[], bool]) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.column = Stack(gap=16, padding=(EDGE, 0, EDGE, 0))
        self._sheet = QWidget()
        self.column.setParent(self._sheet)
        self.setWidget(self._sheet)
        self.following = True
        self._earlier = earlier
        self._fitting = False
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.verticalScrollBar().rangeChanged.connect(self._ranged)
        self.column.installEventFilter(self)
        self.viewport().installEventFilter(self)

    def go_to_end(self) -> None:
        """Show the end and stay there."""
        self.following = True
        self.settle()
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self.atEnd.emit()

    def is_at_end(self) -> bool:
        return self.verticalScrollBar().value() >= self.verticalScrollBar().maximum() - 4

    def settle(self) -> None:
        """Lay out now; the sheet gets the column's height."""
        self.column.relayout()
        self._fit()

    def fill(self) -> None:
        """Build further up until a screen's height lies above what is shown."""
        bar = self.verticalScrollBar()
        while self._width() > 0 and self._above() < self.viewport().height():
            before, value = self.column.height(), bar.value()
            if not self._earlier():
                return
            self.settle()
            bar.setValue(value + self.column.height() - before)

    def _above(self) -> int:
        """How much lies above what is shown. The bar of a page that isn't in sight yet says nothing of it."""
        bar = self.verticalScrollBar()
        return self._sheet.height() - self.viewport().height() if self.following else bar.value()

    def _width(self) -> int:
        return min(WIDTH, self.viewport().width() - 2 * EDGE)

    def _scrolled(self) -> None:
        if self.is_at_end():
            self.following = True
            self.atEnd.emit()
        elif not self._fitting:
            self.following = False
        if self.verticalScrollBar().value() < self.viewport().height():
            QTimer.singleShot(0, self, self.fill)

    def _ranged(self) -> None:
        if self.following:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _fit(self) -> None:
        self._fitting = True
        view = self.viewport()
        width = self._width()
        if width > 0:
            height = self.column.heightForWidth(width)
            self._sheet.resize(view.width(), max(height, view.height()))
            self.column.setGeometry((view.width() - width) // 2, 0, width, height)
        self._fitting = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.column and event.type() == QEvent.Type.LayoutRequest:
            self.settle()
            return True
        if watched is self.viewport() and event.type() == QEvent.Type.Resize:
            self._fit()
            QTimer.singleShot(0, self, self.fill)
        return super().eventFilter(watched, event)
