"""The one line of a card: state, what was done, to what, and how it went. Painted as one button."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from ankita_desktop.ui.code_line import CodeFont
from ankita_desktop.ui.icons import SIZE, icon
from ankita_desktop.ui.theme import theme

HEIGHT = 35
CHEVRON = 14
PAD = 12
MARKS = {
    "waiting": ("ellipsis", "dim"),
    "asking": ("shield", "attention"),
    "running": ("ellipsis", "accent"),
    "done": ("check", "accent"),
    "failed": ("x", "danger"),
    "denied": ("ban", "danger"),
}


class CardHead(QAbstractButton):
    """Clicked: the card unfolds. Buttons added stand at its right end. ``bare``: a dim line without a card."""

    def __init__(self, parent: QWidget | None = None, *, bare: bool = False) -> None:
        super().__init__(parent)
        self._bare = bare
        self._state, self._verb, self._what = "waiting", "", ""
        self._right = ""
        self._open = False
        self._buttons: list[QWidget] = []
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    def show_line(self, state: str, verb: str, what: str, right: Sequence[str]) -> None:
        self._state, self._verb, self._what, self._right = state, verb, what, " · ".join(right)
        self.setToolTip(what if len(what) > 60 else "")
        self.update()

    def set_open(self, on: bool) -> None:
        self._open = on
        self.update()

    def add_button(self, made: QWidget) -> None:
        made.setParent(self)
        made.setCursor(Qt.CursorShape.ArrowCursor)
        self._buttons.append(made)

    def sizeHint(self) -> QSize:
        return QSize(300, HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.place()
        super().resizeEvent(event)

    def place(self) -> None:
        """Put the visible buttons at the right end."""
        x = self.width() - PAD - CHEVRON - 2
        for made in reversed(self._buttons):
            if not made.isHidden():
                size = made.sizeHint()
                x -= size.width()
                made.setGeometry(x, (HEIGHT - size.height()) // 2, size.width(), size.height())

    def _free(self) -> int:
        """Where the room for words ends."""
        shown = [made.x() for made in self._buttons if not made.isHidden()]
        return min(shown, default=self.width() - PAD - CHEVRON) - 4

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._bare:
            self._paint_bare(painter)
        else:
            self._paint_line(painter)
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(theme().color("accent"))
            painter.drawRoundedRect(self.rect().adjusted(2, 2, -3, -3), 6, 6)

    def _paint_line(self, painter: QPainter) -> None:
        name, token = MARKS[self._state]
        icon(name, token).paint(painter, QRect(QPoint(PAD - 2, (HEIGHT - SIZE) // 2), QSize(SIZE, SIZE)))
        self._paint_chevron(painter, self.width() - PAD - CHEVRON + 4)
        end = self._paint_right(painter)
        left = _word(painter, self._verb, (PAD + SIZE + 6, end), ("meta", "text")) + 10
        _word(painter, self._what, (left, end - 8), ("mono", "dim"))

    def _paint_bare(self, painter: QPainter) -> None:
        end = _word(painter, self._verb, (0, self.width()), ("meta", "dim"))
        self._paint_chevron(painter, end + 4)

    def _paint_chevron(self, painter: QPainter, left: int) -> None:
        chevron = icon("chevron-down" if self._open else "chevron-right", "dim")
        chevron.paint(painter, QRect(left, (HEIGHT - CHEVRON) // 2, CHEVRON, CHEVRON))

    def _paint_right(self, painter: QPainter) -> int:
        """The facts at the right end; where they begin."""
        font = theme().font("meta")
        width = QFontMetrics(font).horizontalAdvance(self._right)
        painter.setFont(font)
        painter.setPen(theme().color("attention_text" if self._state == "asking" else "dim"))
        box = QRect(self._free() - width, 0, width + 1, HEIGHT)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, self._right)
        return box.left()


def _word(painter: QPainter, text: str, between: tuple[int, int], style: tuple[str, str]) -> int:
    """Paint a text between two pixels, shortened if need be; where it ends."""
    (left, end), (kind, token) = between, style
    font = CodeFont().font if kind == "mono" else theme().font("meta")
    metrics = QFontMetrics(font)
    short = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(end - left, 0))
    painter.setFont(font)
    painter.setPen(theme().color(token))
    painter.drawText(QRect(left, 0, max(end - left, 0), HEIGHT), Qt.AlignmentFlag.AlignVCenter, short)
    return left + metrics.horizontalAdvance(short)
