"""The left pane: new chat, search, conversations in groups, approvals and settings. Main thread only."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QInputDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ankita_desktop.protocol import SessionInfo
from ankita_desktop.ui.icons import IconButton
from ankita_desktop.ui.parts import button, label, margins, name, restyle
from ankita_desktop.ui.session_rows import rows, title
from ankita_desktop.ui.session_view import ROW, ROW_HEIGHT, SessionModel, SessionView
from ankita_desktop.ui.theme import theme

WIDTH = 248
CLOCK_MS = 60_000
NONE_YET = "Your conversations will be listed here."


class SessionPane(QWidget):
    """The whole left pane. It changes nothing itself: it says what the person asked for."""

    opened = Signal(str)
    entered = Signal()
    newAsked = Signal()
    newInFolderAsked = Signal()
    renamed = Signal(str, str)
    deleted = Signal(str)
    searched = Signal(str)
    approvalsAsked = Signal()
    settingsAsked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDTH)
        self._sessions: dict[str, SessionInfo] = {}
        self._told: dict[str, float] = {}
        self._found: frozenset[str] = frozenset()
        self._routines: frozenset[str] = frozenset()
        self._current = ""
        self.model = SessionModel()
        self.view = SessionView()
        self.search = QLineEdit()
        self.empty = label(NONE_YET, "meta", tone="dim")
        self.approvals = BottomRow("Approvals", "approvalsButton")
        self._build()
        self._connect()
        self._clock = QTimer(self)
        self._clock.setInterval(CLOCK_MS)
        self._clock.timeout.connect(self._refresh)
        self._clock.start()

    # --- what the window tells it

    def show_sessions(self, sessions: Sequence[SessionInfo], since: float) -> None:
        """What was stored at some moment after ``since``; what we have been told of since then wins."""
        newer = {key: each for key, each in self._sessions.items() if self._told.get(key, 0.0) >= since}
        gone = {key for key, moment in self._told.items() if moment >= since} - newer.keys()
        self._sessions = {each.id: each for each in sessions if each.id not in gone} | newer
        self._refresh()

    def update_session(self, session: str, info: SessionInfo | None) -> None:
        """A row changed, or (None) went."""
        self._told[session] = time.time()
        if info is None:
            self._sessions.pop(session, None)
        else:
            self._sessions[session] = info
        self._refresh()

    def show_routines(self, sessions: frozenset[str]) -> None:
        """Which conversations are those of routines."""
        if sessions != self._routines:
            self._routines = sessions
            self._refresh()

    def session(self, session: str) -> SessionInfo | None:
        return self._sessions.get(session)

    def known(self) -> tuple[str, ...]:
        """The ids of all conversations."""
        return tuple(self._sessions)

    def select(self, session: str) -> None:
        """Mark the conversation that is open ("": none)."""
        self._current = session
        self._mark()

    def show_found(self, query: str, sessions: frozenset[str]) -> None:
        """Conversations whose messages contain the query; ignored when the query has changed since."""
        if query == self.search.text():
            self._found = sessions
            self._refresh()

    def show_waiting(self, count: int) -> None:
        self.approvals.show_value(f"{count} waiting" if count else "none waiting", attention=count > 0)

    # --- building

    def _build(self) -> None:
        new = button("New chat", "primary", weight=500)
        new.setStyleSheet("text-align: left")
        name(new, "newChatButton", "New chat")
        new.clicked.connect(self.newAsked)
        self.search.setPlaceholderText("Search conversations")
        self.search.setClearButtonEnabled(True)
        name(self.search, "sessionSearch", "Search conversations")
        top = QHBoxLayout()
        margins(top, 0, gap=8)
        top.addWidget(new, 1)
        top.addWidget(self._more())
        self.empty.setWordWrap(True)
        self.empty.setContentsMargins(8, 12, 8, 0)
        settings = BottomRow("Settings", "settingsButton", "Ctrl ,")
        settings.clicked.connect(self.settingsAsked)
        self.approvals.clicked.connect(self.approvalsAsked)
        column = QVBoxLayout(self)
        margins(column, 12, gap=0)
        column.addLayout(top)
        column.addSpacing(10)
        column.addWidget(self.search)
        column.addSpacing(10)
        column.addWidget(self.empty)
        column.addWidget(self.view, 1)
        column.addSpacing(8)
        column.addWidget(self.approvals)
        column.addWidget(settings)
        self.show_waiting(0)

    def _more(self) -> QToolButton:
        more = IconButton("ellipsis", "More ways to start", token="text")
        more.setProperty("look", "field")
        more.setFixedSize(45, 34)
        menu = QMenu(more)
        menu.addAction("New chat", self.newAsked.emit)
        menu.addAction("New chat in a folder…", self.newInFolderAsked.emit)
        more.setMenu(menu)
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return more

    def _connect(self) -> None:
        self.view.setModel(self.model)
        self.view.selectionModel().currentChanged.connect(self._chosen)
        self.view.clicked.connect(self._enter)
        self.view.activated.connect(self._enter)
        self.view.renameAsked.connect(self._rename)
        self.view.deleteAsked.connect(self._delete)
        self.search.textChanged.connect(self._search)
        theme().changed.connect(self.update)

    # --- inside

    def _refresh(self) -> None:
        found = rows(
            self._sessions.values(),
            query=self.search.text(),
            found=self._found,
            now=datetime.now(),
            routines=self._routines,
        )
        scroll = self.view.verticalScrollBar().value()
        blocked = self.view.selectionModel().blockSignals(True)
        if self.model.show(found):
            self.view.verticalScrollBar().setValue(scroll)
        self.view.selectionModel().blockSignals(blocked)
        self._mark()
        self.empty.setVisible(not found)
        query = self.search.text().strip()
        self.empty.setText(
            f"No conversation has “{query}”." if query else "Your conversations will be listed here."
        )

    def _mark(self) -> None:
        selection = self.view.selectionModel()
        blocked = selection.blockSignals(True)
        self.view.setCurrentIndex(self.model.find(self._current))
        selection.blockSignals(blocked)
        self.view.viewport().update()

    def _chosen(self, index: QModelIndex) -> None:
        row = index.data(ROW)
        if row and row.session and row.session.id != self._current:
            self._current = row.session.id
            self.opened.emit(self._current)

    def _enter(self, index: QModelIndex) -> None:
        """A click or Enter: the person wants to write there. Arrow keys only look."""
        self._chosen(index)
        self.entered.emit()

    def _search(self, text: str) -> None:
        self._found = frozenset()
        self._refresh()
        self.searched.emit(text)

    def _rename(self, session: str) -> None:
        info = self._sessions[session]
        ask = QInputDialog(self)
        ask.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        ask.setWindowTitle("Rename conversation")
        ask.setLabelText("Name")
        ask.setTextValue(title(info))
        ask.textValueSelected.connect(lambda text: self.renamed.emit(session, text.strip()))
        ask.open()

    def _delete(self, session: str) -> None:
        info = self._sessions[session]
        text = f"Delete “{title(info)}”?"
        ask = QMessageBox(QMessageBox.Icon.NoIcon, "Delete conversation", text, parent=self)
        ask.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        ask.setInformativeText("Its messages are removed from this computer. Files it changed stay as they are.")
        yes = ask.addButton("Delete", QMessageBox.ButtonRole.DestructiveRole)
        ask.setDefaultButton(ask.addButton("Keep", QMessageBox.ButtonRole.RejectRole))
        yes.clicked.connect(lambda _checked=False: self.deleted.emit(session))
        ask.open()


class BottomRow(QWidget):
    """A row at the pane's foot: words at the left, a value at the right; the whole row is the button."""

    clicked = Signal()

    def __init__(self, text: str, object_name: str, value: str = "") -> None:
        super().__init__()
        self.setFixedHeight(ROW_HEIGHT)
        self._text = text
        self._button = button("", "row")
        self._value = label(value, "small", tone="dim")
        name(self._button, object_name, text)
        self._button.clicked.connect(self.clicked)
        inside = QHBoxLayout(self._button)
        margins(inside, 0, 8)
        for part in (label(text), self._value):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            inside.addWidget(part)
        inside.insertStretch(1)
        around = QVBoxLayout(self)
        margins(around, 1, 0)
        around.addWidget(self._button)

    def show_value(self, value: str, *, attention: bool = False) -> None:
        self._value.setText(value)
        self._value.setProperty("tone", "attention" if attention else "dim")
        restyle(self._value)
        self._button.setAccessibleName(f"{self._text}, {value}")
