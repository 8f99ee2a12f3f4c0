"""The painted part of a diff view: rows that scroll, of which only those in sight are drawn."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from ankita_desktop.ui.code_line import CodeFont
from ankita_desktop.ui.diff_hidden import columns
from ankita_desktop.ui.diff_paint import DiffPainter, Scene
from ankita_desktop.ui.diff_rows import build
from ankita_desktop.ui.theme import theme

BEFORE = 24  # columns kept before what is scrolled to


class DiffCanvas(QAbstractScrollArea):
    """Shows a scene. ``rebuilt``: its rows are others; ``moved``: they stand elsewhere on the screen."""

    rebuilt = Signal()
    moved = Signal()

    def __init__(self, scene: Scene, parent: QWidget | None = None, *, headings: bool = True) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.scene = scene
        self.comparing = False
        self._headings = headings
        self._font = CodeFont()
        self._widest = 0
        self._ring = False
        self.setCornerWidget(QWidget())
        theme().changed.connect(self._restyle)

    def rebuild(self) -> None:
        scene = self.scene
        scene.rows = build(
            scene.files, side_by_side=scene.side_by_side, line=self._font.line, headings=self._headings
        )
        hunks = [hunk for _, hunk in scene.rows.hunks]
        numbers = [max(each.old_start + each.old_count, each.new_start + each.new_count) for each in hunks]
        scene.digits = max(len(str(max(numbers, default=0))), 2)
        self._widest = max((columns(line.text) for hunk in hunks for line in hunk.lines), default=0)
        self.rebuilt.emit()
        self._scroll_range()
        self.viewport().update()

    def set_side_by_side(self, on: bool) -> None:
        if on != self.scene.side_by_side:
            self.scene.side_by_side = on
            self.rebuild()

    @property
    def side_by_side(self) -> bool:
        return self.scene.side_by_side

    def content_height(self) -> int:
        """Height at which nothing has to be scrolled."""
        return self.scene.rows.height

    def _restyle(self) -> None:
        self._font = CodeFont()
        self.rebuild()

    def sizeHint(self) -> QSize:
        return QSize(600, self.content_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scroll_range()

    def _scroll_range(self) -> None:
        view = self.viewport()
        vertical, horizontal = self.verticalScrollBar(), self.horizontalScrollBar()
        vertical.setRange(0, max(self.scene.rows.height - view.height(), 0))
        vertical.setPageStep(view.height())
        vertical.setSingleStep(self._font.line)
        room = view.width() // (2 if self.scene.side_by_side else 1) - DiffPainter(self.scene, self._font).gutter
        horizontal.setRange(0, max(int((self._widest + 2) * self._font.char) - room, 0))
        horizontal.setPageStep(max(room, 1))
        horizontal.setSingleStep(int(4 * self._font.char))
        self.moved.emit()

    def show_column(self, column: int) -> None:
        """Scroll sideways so that a character is in sight, with some before it."""
        self.horizontalScrollBar().setValue(int(max(column - BEFORE, 0) * self._font.char))

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.moved.emit()
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme().color("background"))
        if self.comparing:
            painter.setPen(theme().color("dim"))
            painter.setFont(theme().font("meta"))
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, "Comparing…")
            return
        rows, top = self.scene.rows, self.verticalScrollBar().value()
        if not rows.rows:
            return
        paint = DiffPainter(self.scene, self._font)
        for index in range(rows.at(top + event.rect().top()), rows.at(top + event.rect().bottom()) + 1):
            area = QRect(
                0, rows.tops[index] - top, self.viewport().width(), rows.tops[index + 1] - rows.tops[index]
            )
            paint.row(painter, index, area, self.horizontalScrollBar().value())
        self._paint_focus(painter)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        super().focusInEvent(event)

    def _paint_focus(self, painter: QPainter) -> None:
        if self.hasFocus() and self._ring:
            painter.setPen(theme().color("accent"))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._scroll_range()
