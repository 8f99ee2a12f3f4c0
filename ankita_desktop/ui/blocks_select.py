"""Selecting text across the widgets of a conversation, as if it were one page."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from shiboken6 import isValid


class Selection(QObject):
    """One selection over many text widgets, in the order in which they stand in ``root``."""

    changed = Signal()

    def __init__(self, root: QWidget) -> None:
        super().__init__(root)
        self._root = root
        self._anchor: tuple[Selectable, int] | None = None
        self._pressed = QPoint()
        self._chosen: list[Selectable] = []

    def press(self, widget: Selectable, point: QPoint) -> None:
        self.clear()
        self._anchor = (widget, widget.hit(point))
        self._pressed = widget.mapToGlobal(point)

    def move(self, global_point: QPoint) -> None:
        """Extend from where the mouse went down to here."""
        if self._anchor is None or not isValid(self._anchor[0]) or self._still(global_point):
            return
        self._keep_in_sight(global_point)
        here = self._at(global_point)
        if here is not None:
            self._span(self._anchor, here)

    def _keep_in_sight(self, global_point: QPoint) -> None:
        """Scroll when the mouse leaves the page at its upper or lower edge."""
        above = self._root.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        if isinstance(above, QScrollArea):
            y = above.viewport().mapFromGlobal(global_point).y()
            beyond = min(y, 0) + max(y - above.viewport().height(), 0)
            above.verticalScrollBar().setValue(above.verticalScrollBar().value() + beyond)

    def release(self, widget: Selectable, point: QPoint) -> None:
        if self._anchor is not None and self._still(widget.mapToGlobal(point)) and not self._chosen:
            widget.clicked_at(point)
        self._anchor = None

    def only(self, widget: Selectable, start: int, end: int) -> None:
        """Select inside one widget, such as a word."""
        self.clear()
        widget.select(start, end)
        self._chosen = [widget]
        self.changed.emit()

    def everything(self) -> None:
        widgets = self._widgets()
        if widgets:
            self._span((widgets[0], 0), (widgets[-1], widgets[-1].length()))

    def clear(self) -> None:
        for widget in self._alive():
            widget.select(0, 0)
        self._chosen = []

    def text(self) -> str:
        return "\n".join(widget.selected_text() for widget in self._alive())

    def copy(self) -> None:
        if self.text():
            QGuiApplication.clipboard().setText(self.text())

    def _alive(self) -> list[Selectable]:
        """What is selected and hasn't gone from the page meanwhile."""
        return [widget for widget in self._chosen if isValid(widget)]

    def _still(self, global_point: QPoint) -> bool:
        moved = (global_point - self._pressed).manhattanLength()
        return not self._chosen and moved < QApplication.startDragDistance()

    def _widgets(self) -> list[Selectable]:
        found = [widget for widget in self._root.findChildren(Selectable) if widget.isVisibleTo(self._root)]
        return sorted(found, key=lambda widget: widget.mapTo(self._root, QPoint()).y())

    def _at(self, global_point: QPoint) -> tuple[Selectable, int] | None:
        """The place nearest to the point: inside a widget, or at the edge of the next one above."""
        y = self._root.mapFromGlobal(global_point).y()
        best: Selectable | None = None
        for widget in self._widgets():
            if widget.mapTo(self._root, QPoint()).y() <= y or best is None:
                best = widget
        return None if best is None else (best, best.hit(best.mapFromGlobal(global_point)))

    def _span(self, start: tuple[Selectable, int], end: tuple[Selectable, int]) -> None:
        widgets = self._widgets()
        first, last = widgets.index(start[0]), widgets.index(end[0])
        if (first, start[1]) > (last, end[1]):
            start, end, first, last = end, start, last, first
        inside = widgets[first : last + 1]
        for widget in self._alive():
            if widget not in inside:
                widget.select(0, 0)
        for widget in inside:
            low = start[1] if widget is start[0] else 0
            widget.select(low, end[1] if widget is end[0] else widget.length())
        self._chosen = inside
        self.changed.emit()


class Selectable(QWidget):
    """Text that takes part in a selection. Positions are characters from its start."""

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = selection

    def hit(self, point: QPoint) -> int:
        raise NotImplementedError

    def length(self) -> int:
        raise NotImplementedError

    def select(self, start: int, end: int) -> None:
        raise NotImplementedError

    def selected_text(self) -> str:
        raise NotImplementedError

    def word_at(self, position: int) -> tuple[int, int]:
        raise NotImplementedError

    def clicked_at(self, point: QPoint) -> None:
        """A click that selected nothing."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._selection.press(self, event.position().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._selection.move(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._selection.release(self, event.position().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        position = self.hit(event.position().toPoint())
        self._selection.only(self, *self.word_at(position))
