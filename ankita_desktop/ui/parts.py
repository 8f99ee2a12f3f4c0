"""Small building blocks that more than one part of the window uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import shiboken6
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ankita_desktop.ui.icons import SIZE, icon
from ankita_desktop.ui.theme import Kind, theme


def name(widget: QWidget, object_name: str, words: str) -> None:
    """Scripts find a widget by ``object_name``; people who can't see it by ``words``."""
    widget.setObjectName(object_name)
    widget.setAccessibleName(words)


def label(text: str = "", kind: Kind = "body", *, tone: str = "", weight: int = 400) -> QLabel:
    """A line of text. ``tone``: dim, accent, attention, danger or nothing."""
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setFont(theme().font(kind, weight))
    if tone:
        widget.setProperty("tone", tone)
    return widget


def button(text: str, look: str = "", *, kind: Kind = "body", weight: int = 400) -> QPushButton:
    """A push button. ``look``: primary, danger, quiet, link, row, offer or nothing."""
    widget = QPushButton(text)
    widget.setFont(theme().font(kind, weight))
    widget.setAutoDefault(False)
    if look:
        widget.setProperty("look", look)
    return widget


def frame(look: str, layout: QLayout | None = None) -> QFrame:
    """A plain area. ``look``: pane, background, card, composer, notice, queued, chip."""
    widget = QFrame()
    widget.setProperty("look", look)
    if layout is not None:
        widget.setLayout(layout)
    return widget


def rule(vertical: bool = False) -> QFrame:
    """A line of one pixel between two areas."""
    widget = frame("rule")
    if vertical:
        widget.setFixedWidth(1)
    else:
        widget.setFixedHeight(1)
    return widget


def restyle(widget: QWidget) -> None:
    """Let the sheet look at the widget again, after a property it selects by has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def discard(widget: QWidget) -> None:
    """Take the widget out of sight and out of its parent now, and delete it as soon as no code of it runs."""
    widget.hide()
    widget.setParent(None)
    QTimer.singleShot(0, lambda: shiboken6.delete(widget) if shiboken6.isValid(widget) else None)


def margins(layout: QLayout, *sides: int, gap: int = 0) -> None:
    """Margins as in CSS (one, two or four numbers) and the gap between items."""
    top, right, bottom, left = {1: sides * 4, 2: sides * 2, 4: sides}[len(sides)]
    layout.setContentsMargins(left, top, right, bottom)
    layout.setSpacing(gap)


def scrolling(whole: QWidget, inside: QWidget, foot: QLayout | None = None) -> None:
    """Fill ``whole`` with what scrolls, above a foot that stays."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(inside)
    outside = QVBoxLayout(whole)
    margins(outside, 0)
    outside.addWidget(area, 1)
    if foot is not None:
        outside.addWidget(rule())
        outside.addLayout(foot)


class ElidedLabel(QLabel):
    """A line that shortens itself with an ellipsis; the whole text stays as its tool tip and its ``text()``."""

    def __init__(self, kind: Kind = "body", *, tone: str = "", weight: int = 400) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(theme().font(kind, weight))
        if tone:
            self.setProperty("tone", tone)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.mode = Qt.TextElideMode.ElideRight

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 2, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        cut = self.fontMetrics().horizontalAdvance(self.text()) > self.width()
        self.setToolTip(self.text() if cut else "")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = self.fontMetrics().elidedText(self.text(), self.mode, self.width())
        painter.drawText(self.rect(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, text)


class Choice(QPushButton):
    """A quiet button that shows the chosen one of a few and opens the rest as a menu."""

    def __init__(self, kind: Kind = "meta") -> None:
        super().__init__()
        self.setProperty("look", "quiet")
        self.setFont(theme().font(kind))
        self.setAutoDefault(False)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.setIconSize(QSize(SIZE - 4, SIZE - 4))
        menu = QMenu(self)
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setMenu(menu)
        self._tint()
        theme().changed.connect(self._tint)

    def offer(self, entries: Sequence[tuple[str, str]], chosen: str, pick: Callable[[str], None]) -> None:
        """``entries`` are (value, words); ``pick`` gets the value the person takes."""
        menu = self.menu()
        menu.clear()
        group = QActionGroup(menu)
        for value, words in entries:
            action = QAction(words, menu)
            action.setCheckable(True)
            action.setChecked(value == chosen)
            action.triggered.connect(lambda _checked=False, value=value: pick(value))
            group.addAction(action)
            menu.addAction(action)

    def _tint(self) -> None:
        self.setIcon(icon("chevron-down", "dim"))
