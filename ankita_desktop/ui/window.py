"""The main window: conversations left, the open one in the middle, its panel right. Main thread only."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QSettings, Qt, Signal
from PySide6.QtGui import QCloseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMainWindow, QWidget

from ankita_desktop import paths
from ankita_desktop.assembly import Assembly
from ankita_desktop.events import Event, SessionChanged
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.centre import Centre
from ankita_desktop.ui.conversation import Conversation
from ankita_desktop.ui.inbox import Inbox
from ankita_desktop.ui.keys import bind
from ankita_desktop.ui.panels import SidePanel
from ankita_desktop.ui.parts import margins, name, rule
from ankita_desktop.ui.questions import Questions
from ankita_desktop.ui.sending import Sending
from ankita_desktop.ui.session_rows import title
from ankita_desktop.ui.sessions import SessionPane
from ankita_desktop.ui.usage import Schemas

SIZE = (1280, 820)
SMALLEST = (480, 420)
PANEL_FROM, PANE_FROM = 1040, 760
"""Widths of the window from which there is room for the side panel and for the conversations."""


class MainWindow(QMainWindow):
    """Owns the parts and wires them. ``closeAsked``: the application decides what that means."""

    closeAsked = Signal()
    quitAsked = Signal()
    settingsAsked = Signal()

    def __init__(self, assembly: Assembly, bridge: Bridge) -> None:
        super().__init__()
        name(self, "mainWindow", "Ankita")
        self.setWindowTitle("Ankita")
        self.resize(*SIZE)
        self.setMinimumSize(*SMALLEST)
        self._assembly, self._bridge = assembly, bridge
        self._leaving = False
        self._wants = self._room = (True, True)
        self.pane = SessionPane()
        self.centre = Centre()
        self.panel = SidePanel(_everything(assembly))
        self.conversation = Conversation(assembly, bridge, self.centre, self.panel)
        self.sending = Sending(assembly, bridge, self.centre, self.conversation)
        self.questions = Questions(assembly, bridge, self.centre)
        self.inbox = Inbox(self, self.title_of)
        self._settings = QSettings(str(paths.state() / "window.ini"), QSettings.Format.IniFormat)
        self._place()
        self._wire()
        self._remember()

    # --- what the application does with it

    def start(self) -> None:
        """Read what is stored and open an empty chat."""
        self.refresh()
        self.conversation.new()
        self.centre.composer.editor.setFocus()
        for text in self._assembly.notices:
            self.centre.notice.tell(text)

    def refresh(self) -> None:
        """What another process may have changed: conversations, and questions that wait."""
        since = time.time()
        self._bridge.do(self._assembly.store.sessions, lambda found: self.pane.show_sessions(found, since))
        self.questions.load()

    def raise_up(self) -> None:
        """In front, whatever it was before."""
        self.show()
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    def leave(self) -> None:
        """The next close is for good."""
        self._leaving = True
        self._settings.setValue("geometry", self.saveGeometry())
        self._settings.setValue("pane", self._wants[0])
        self._settings.setValue("panel", self._wants[1])
        self.questions.close()
        self.inbox.close()
        self.close()

    # --- building

    def _place(self) -> None:
        inside = QWidget()
        row = QHBoxLayout(inside)
        margins(row, 0)
        self._lines = (rule(vertical=True), rule(vertical=True))
        row.addWidget(self.pane)
        row.addWidget(self._lines[0])
        row.addWidget(self.centre, 1)
        row.addWidget(self._lines[1])
        row.addWidget(self.panel)
        self.setCentralWidget(inside)

    def _remember(self) -> None:
        geometry = self._settings.value("geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)
        self._wants = (self._stored("pane"), self._stored("panel"))
        self._show_pane(self._wants[0])
        self._show_panel(self._wants[1])

    def _stored(self, key: str) -> bool:
        return bool(self._settings.value(key, True, bool))

    def _wire(self) -> None:
        pane, bar, panel = self.pane, self.centre.bar, self.panel
        pane.opened.connect(self.conversation.open)
        pane.entered.connect(self.centre.composer.editor.setFocus)
        pane.newAsked.connect(self.new)
        pane.newInFolderAsked.connect(self._new_in_folder)
        pane.renamed.connect(self._rename)
        pane.deleted.connect(self._delete)
        pane.searched.connect(self._search)
        pane.approvalsAsked.connect(self.show_inbox)
        pane.settingsAsked.connect(self.settingsAsked)
        bar.panelAsked.connect(self._toggle_panel)
        bar.paneAsked.connect(self._toggle_pane)
        bar.usageAsked.connect(self._show_usage)
        panel.jobs.outputAsked.connect(self._job_output)
        panel.jobs.stopAsked.connect(self.sending.stop_job)
        self.centre.welcome.connectAsked.connect(self.settingsAsked)
        self.conversation.connectAsked.connect(self.settingsAsked)
        self.conversation.changed.connect(self._opened)
        self.questions.openAsked.connect(self.open)
        self.questions.counted.connect(self._count)
        self.inbox.reviewAsked.connect(self._review)
        self._bridge.arrived.connect(self._handle)
        self._bridge.failed.connect(self.centre.notice.tell)
        bind(self, self._acts())

    def _acts(self) -> dict[str, Callable[[], None]]:
        return {
            "new": self.new,
            "composer": self.centre.composer.editor.setFocus,
            "search": self.pane.search.setFocus,
            "settings": self.settingsAsked.emit,
            "stop": self.sending.stop,
            "pane": self._toggle_pane,
            "panel": self._toggle_panel,
            "approvals": self.show_inbox,
            "quit": self.quitAsked.emit,
        }

    # --- opening

    def new(self) -> None:
        """An empty chat in the folder of new chats."""
        self.conversation.new()
        self.centre.composer.editor.setFocus()

    def open(self, session: str) -> None:
        """A stored conversation."""
        self.conversation.open(session)
        self.centre.composer.editor.setFocus()

    def show_inbox(self) -> None:
        self.inbox.show_requests(self.questions.pending)
        self.inbox.show()
        self.inbox.raise_()
        self.inbox.activateWindow()

    def _opened(self, session: str) -> None:
        self.pane.select(session)
        self._show_title()
        self.questions.show_session(session)

    def _new_in_folder(self) -> None:
        dialog = QFileDialog(self, "Working folder of the new chat", self.conversation.folder)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.conversation.new)
        dialog.open()

    def _review(self, request: str) -> None:
        self.inbox.hide()
        self.questions.review(request)

    # --- following

    def _handle(self, event: Event) -> None:
        if isinstance(event, SessionChanged):
            self.pane.update_session(event.session, event.info)
        self.conversation.handle(event)
        if isinstance(event, SessionChanged):
            self._show_title()
        self.questions.handle(event)

    def _count(self, waiting: int) -> None:
        self.pane.show_waiting(waiting)
        if self.inbox.isVisible():
            self.inbox.show_requests(self.questions.pending)

    def _show_title(self) -> None:
        self.setWindowTitle(self.title_of(self.conversation.current) or "New chat")

    def title_of(self, session: str) -> str:
        info = self.pane.session(session)
        return title(info) if info else ""

    # --- on the worker

    def _rename(self, session: str, text: str) -> None:
        if text:
            self._bridge.do(lambda: self._assembly.engine.update_session(session, title=text))

    def _delete(self, session: str) -> None:
        self._bridge.do(lambda: self._assembly.engine.delete_session(session))

    def _search(self, query: str) -> None:
        if query.strip():
            store = self._assembly.store
            self._bridge.do(
                lambda: frozenset(hit.session for hit in store.search(query)),
                lambda found: self.pane.show_found(query, found),
            )

    def _job_output(self, job: str, cursor: int) -> None:
        session = self.conversation.current
        self._bridge.do(
            lambda: self._assembly.engine.job_output(session, job, cursor),
            lambda chunk: self.panel.jobs.add_output(job, chunk),
        )

    # --- panels

    def _show_usage(self) -> None:
        self._show_panel(True)
        self.panel.open(self.panel.usage)

    def _toggle_panel(self) -> None:
        self._show_panel(self.panel.isHidden())
        self._wants = (self._wants[0], not self.panel.isHidden())

    def _toggle_pane(self) -> None:
        self._show_pane(self.pane.isHidden())
        self._wants = (not self.pane.isHidden(), self._wants[1])

    def _show_panel(self, shown: bool) -> None:
        self.panel.setVisible(shown)
        self._lines[1].setVisible(shown)

    def _show_pane(self, shown: bool) -> None:
        self.pane.setVisible(shown)
        self._lines[0].setVisible(shown)

    # --- Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What has no room any more goes, and comes back with the room if the person wants it."""
        super().resizeEvent(event)
        room = (self.width() >= PANE_FROM, self.width() >= PANEL_FROM)
        before, self._room = self._room, room
        if before[0] != room[0]:
            self._show_pane(room[0] and self._wants[0])
        if before[1] != room[1]:
            self._show_panel(room[1] and self._wants[1])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.refresh()
            self.conversation.mark_read()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.questions.seek()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._leaving:
            event.accept()
        else:
            event.ignore()
            self.closeAsked.emit()


def _everything(assembly: Assembly) -> Schemas:
    specs = assembly.catalogue.specs()
    return Schemas(len(specs), sum(spec.schema_bytes() for spec in specs))
