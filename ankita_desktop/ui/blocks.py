"""Widgets one under the other, each as high as its width asks for, laid out without a layout's overhead."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget


class Stack(QWidget):
    """A column of widgets that answer ``heightForWidth``. After an item changed its height it calls
    ``grown(item)``; the outermost stack then lays out once, in the next round of the event loop."""

    def __init__(
        self, parent: QWidget | None = None, *, gap: int = 0, padding: tuple[int, int, int, int] = (0, 0, 0, 0)
    ) -> None:
        super().__init__(parent)
        self._gap = gap
        self._padding = padding  # top, right, bottom, left
        self._items: list[QWidget] = []
        self._cache: tuple[int, int] | None = None
        self._posted = False
        self._dirty = True
        self._placed: dict[QWidget, tuple[int, int, int, int]] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def items(self) -> Sequence[QWidget]:
        return tuple(self._items)

    def add(self, item: QWidget) -> None:
        self.insert(len(self._items), item)

    def insert(self, index: int, item: QWidget) -> None:
        item.setParent(self)
        self._items.insert(index, item)
        item.show()
        self.changed()

    def place(self, item: QWidget, index: int) -> None:
        """Put the item at the index, from wherever it stands."""
        if index < len(self._items) and self._items[index] is item:
            return
        if item in self._items:
            self._items.remove(item)
        self.insert(index, item)

    def take(self, item: QWidget) -> None:
        """Remove the item without deleting it."""
        self._forget(item)
        item.setParent(None)
        self.changed()

    def drop(self, item: QWidget) -> None:
        """Remove the item for good."""
        self._forget(item)
        item.deleteLater()
        self.changed()

    def _forget(self, item: QWidget) -> None:
        self._items.remove(item)
        self._placed.pop(item, None)
        item.hide()

    def changed(self) -> None:
        """Heights are no longer known, here and in the stacks around."""
        self._cache = None
        self._dirty = True
        outer = _stack_above(self)
        if outer is not None:
            outer.changed()
        elif not self._posted:
            self._posted = True
            QApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))

    def heightForWidth(self, width: int) -> int:
        if self._cache is None or self._cache[0] != width:
            top, right, bottom, left = self._padding
            shown = [item for item in self._items if not item.isHidden()]
            heights = sum(_height(item, width - left - right) for item in shown)
            self._cache = (width, heights + sum(map(self.gap_above, shown[1:])) + top + bottom)
        return self._cache[1]

    def gap_above(self, item: QWidget) -> int:
        """The space between the item and the one above it."""
        return self._gap

    def hasHeightForWidth(self) -> bool:
        return True

    def sizeHint(self) -> QSize:
        return QSize(self.width(), self.heightForWidth(self.width()))

    def relayout(self) -> None:
        """Put every item in its place now; the outermost stack also takes the height it needs."""
        self._posted = False
        if _stack_above(self) is None:
            self.resize(self.width(), max(self.heightForWidth(self.width()), self.minimumHeight()))
        self._dirty = False
        top, right, _bottom, left = self._padding
        width = self.width() - left - right
        for number, item in enumerate(item for item in self._items if not item.isHidden()):
            top += self.gap_above(item) if number else 0
            place = (left, top, width, _height(item, width))
            if self._placed.get(item) != place:
                self._placed[item] = place
                item.setGeometry(*place)
            if isinstance(item, Stack) and item._dirty:
                item.relayout()
            top += place[3]

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.relayout()
        super().resizeEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.relayout()
            return True
        return super().event(event)


def grown(item: QWidget) -> None:
    """Tell the stacks around that the item may need another height."""
    stack = item if isinstance(item, Stack) else _stack_above(item)
    if stack is not None:
        stack.changed()


def _stack_above(item: QWidget) -> Stack | None:
    """The nearest stack this widget stands in, through frames that only wrap one."""
    parent = item.parentWidget()
    while parent is not None and not isinstance(parent, Stack):
        if parent.isWindow():
            return None
        parent = parent.parentWidget()
    return parent


def _height(item: QWidget, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
