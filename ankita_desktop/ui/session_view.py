"""The list of conversations: Qt's model, the painting of a row, the list itself. Main thread only."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from ankita_desktop.protocol import SessionInfo
from ankita_desktop.ui.parts import name
from ankita_desktop.ui.session_rows import Row
from ankita_desktop.ui.theme import theme

ROW_HEIGHT = 35
HEADING_HEIGHT = 35
Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole


class SessionModel(QAbstractListModel):
    """The rows as Qt wants them."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.text}, {describe(row.session)}" if row.session else f"Group {row.text}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{row.text}\n{row.session.cwd}" if row.session else row.text
        return row if role == ROW else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.rows[index.row()].session is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def show(self, new: list[Row]) -> bool:
        """Take new rows; true when rows came, went or moved (the view then loses its selection)."""
        same = [_key(row) for row in new] == [_key(row) for row in self.rows]
        if same:
            self.rows = new
            if new:
                self.dataChanged.emit(self.index(0), self.index(len(new) - 1))
            return False
        self.beginResetModel()
        self.rows = new
        self.endResetModel()
        return True

    def find(self, session: str) -> QModelIndex:
        for number, row in enumerate(self.rows):
            if row.session and row.session.id == session:
                return self.index(number)
        return QModelIndex()


def _key(row: Row) -> str:
    return row.session.id if row.session else f"# {row.text}"


def describe(session: SessionInfo | None) -> str:
    """The state of a conversation in words."""
    if session is None:
        return ""
    states = {"running": "working", "waiting": "waiting for your answer", "idle": "new" if session.unread else ""}
    return states[session.state]


class SessionDelegate(QStyledItemDelegate):
    """Paints a heading, or a conversation with its time or mark."""

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row: Row = index.data(ROW)
        return QSize(0, ROW_HEIGHT if row.session else HEADING_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW)
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.session is None:
            self._heading(painter, rect, row)
        else:
            self._conversation(painter, option, row)
        painter.restore()

    def _heading(self, painter: QPainter, rect: QRect, row: Row) -> None:
        font = theme().font("small")
        painter.setFont(font)
        painter.setPen(theme().color("dim"))
        area = rect.adjusted(8, 10, -8, 0)
        text = QFontMetrics(font).elidedText(row.text, Qt.TextElideMode.ElideMiddle, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)

    def _conversation(self, painter: QPainter, option: QStyleOptionViewItem, row: Row) -> None:
        state: QStyle.StateFlag = option.state
        box: QRect = option.rect.adjusted(0, 1, 0, -1)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        self._back(painter, box, state)
        area = box.adjusted(8, 0, -8, 0)
        right = self._right_end(painter, area, row)
        font = theme().font("body", 500 if chosen or (row.session and row.session.unread) else 400)
        painter.setFont(font)
        painter.setPen(theme().color("text"))
        area.setRight(area.right() - right)
        text = QFontMetrics(font).elidedText(row.text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)

    def _back(self, painter: QPainter, box: QRect, state: QStyle.StateFlag) -> None:
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color("selected" if chosen else "hover"))
            painter.drawRoundedRect(box, 6, 6)
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(theme().color("accent"))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 6, 6)

    def _right_end(self, painter: QPainter, area: QRect, row: Row) -> int:
        """Draw the mark or the time; how much room it takes."""
        session = row.session
        assert session is not None
        mark = {"waiting": "attention", "running": "accent"}.get(
            session.state, "attention" if session.unread else ""
        )
        if mark:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color(mark))
            painter.drawEllipse(QRect(area.right() - 7, area.center().y() - 3, 7, 7))
            return 16
        font = theme().font("small")
        painter.setFont(font)
        painter.setPen(theme().color("dim"))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, row.when)
        return QFontMetrics(font).horizontalAdvance(row.when) + 8


class SessionView(QListView):
    """The list itself. ``renameAsked``/``deleteAsked`` carry a session's id."""

    renameAsked = Signal(str)
    deleteAsked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        name(self, "sessionList", "Conversations")
        self.setItemDelegate(SessionDelegate(self))
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        theme().changed.connect(self.viewport().update)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().data(ROW)
        if row and row.session and event.key() == Qt.Key.Key_F2:
            self.renameAsked.emit(row.session.id)
        elif row and row.session and event.key() == Qt.Key.Key_Delete:
            self.deleteAsked.emit(row.session.id)
        else:
            super().keyPressEvent(event)

    def _menu(self, where: QPoint) -> None:
        row = self.indexAt(where).data(ROW)
        if not row or not row.session:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        session = row.session.id
        menu.addAction("Rename…", lambda: self.renameAsked.emit(session))
        menu.addAction("Delete…", lambda: self.deleteAsked.emit(session))
        menu.popup(self.viewport().mapToGlobal(where))
