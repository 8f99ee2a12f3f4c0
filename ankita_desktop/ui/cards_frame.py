"""The rounded frame of a card, with the thin moving line of work that runs."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QStyle, QWidget

from ankita_desktop.ui.blocks import Stack
from ankita_desktop.ui.cards_head import CardHead
from ankita_desktop.ui.theme import theme

RADIUS = 8


class Card(Stack):
    """A rounded frame with a line that can be clicked. ``moving`` draws the thin line of running work."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, padding=(0, 1, 1, 1))
        self.setObjectName("toolCard")
        self.head = CardHead()
        self.add(self.head)
        self._frame = _Frame(self)
        self._timer = QTimer(self)
        self._timer.setInterval(40)
        self._timer.timeout.connect(self._step)
        theme().changed.connect(self.update)

    def set_moving(self, on: bool) -> None:
        self._frame.moving = 0.0 if on else None
        still = self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, self) == 0
        if on and not still:
            self._timer.start()
        else:
            self._timer.stop()
        self._frame.update()

    def _step(self) -> None:
        if self._frame.moving is not None and not self.visibleRegion().isEmpty():
            self._frame.moving = (self._frame.moving + 0.02) % 1.0
            self._frame.update()

    def relayout(self) -> None:
        super().relayout()
        self._frame.setGeometry(self.rect())
        self._frame.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("card"))


class _Frame(QWidget):
    """Rounds the card's corners over its content and draws its border and its moving line."""

    def __init__(self, card: Card) -> None:
        super().__init__(card)
        self.moving: float | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        inside, outside = QPainterPath(), QPainterPath()
        inside.addRoundedRect(box, RADIUS, RADIUS)
        outside.addRect(QRectF(self.rect()))
        painter.fillPath(outside - inside, theme().color("background"))
        painter.setPen(theme().color("line"))
        painter.drawPath(inside)
        if self.moving is not None:
            width = self.width() / 4
            left = (self.width() + width) * self.moving - width
            painter.setClipPath(inside)
            painter.fillRect(QRectF(left, self.height() - 2, width, 2), theme().color("accent"))
