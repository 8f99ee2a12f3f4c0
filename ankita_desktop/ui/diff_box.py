"""The check box before a hunk, in the colours of the theme."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox

from ankita_desktop.ui.theme import theme

SIZE = 15


class HunkBox(QCheckBox):
    """Checked: filled with the accent, so that what will be applied is seen at a glance."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF((self.width() - SIZE) / 2, (self.height() - SIZE) / 2, SIZE, SIZE)
        on = self.isChecked()
        painter.setPen(theme().color("accent" if on or self.hasFocus() else "dim"))
        painter.setBrush(theme().color("accent" if on else "card"))
        painter.drawRoundedRect(box, 4, 4)
        if on:
            painter.setPen(QPen(theme().color("on_accent"), 1.6, c=Qt.PenCapStyle.RoundCap))
            at = box.topLeft()
            mark = [QPointF(3.6, 7.8), QPointF(6.4, 10.4), QPointF(11.2, 4.8)]
            painter.drawPolyline(QPolygonF([at + point for point in mark]))

    def hitButton(self, _point: object) -> bool:
        return True
