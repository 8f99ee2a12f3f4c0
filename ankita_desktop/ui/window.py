"""The main window: conversations left, the open one in the middle, its panel right. Main thread only."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QWidget

from ankita_desktop.assembly import Assembly
from ankita_desktop.events import Event, SessionChanged, TurnEnded
from ankita_desktop.ui.automating import Automating
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.catching_up import CatchingUp
from ankita_desktop.ui.centre import Centre
from ankita_desktop.ui.columns import Columns
from ankita_desktop.ui.conversation import Conversation
from ankita_desktop.ui.inbox import Inbox
from ankita_desktop.ui.keys import bind
from ankita_desktop.ui.knowing import Knowing
from ankita_desktop.ui.panels import SidePanel
from ankita_desktop.ui.parts import name
from ankita_desktop.ui.questions import Questions
from ankita_desktop.ui.remembered import Remembered
from ankita_desktop.ui.rewriting import Rewriting
from ankita_desktop.ui.rules_dialog import show_rules
from ankita_desktop.ui.sending import Sending
from ankita_desktop.ui.sessions import SessionPane
from ankita_desktop.ui.shelf import Shelf
from ankita_desktop.ui.trusting import Trusting
from ankita_desktop.ui.undoing import Undoing
from ankita_desktop.ui.usage import Schemas
from ankita_desktop.ui.voicing import Voicing
from ankita_desktop.ui.waiting import Waiting

SIZE = (1280, 820)
SMALLEST = (480, 420)


class MainWindow(QMainWindow):
    """Owns the parts and wires them. ``closeAsked``: the application decides what that means."""

    closeAsked = Signal()
    quitAsked = Signal()
    settingsAsked = Signal()

    def __init__(self, assembly: Assembly, bridge: Bridge) -> None:
        super().__init__()
        name(self, "mainWindow", "Ankita")
        self.setMinimumSize(*SMALLEST)
        self.resize(*SIZE)
        self._assembly, self._bridge = assembly, bridge
        self._leaving = False
        self.pane, self.centre, self.panel = SessionPane(), Centre(), SidePanel(_everything(assembly))
        self._columns = Columns(self.pane, self.centre, self.panel)
        self.setCentralWidget(self._columns)
        self.shelf = Shelf(assembly, bridge, self.pane)
        self.conversation = Conversation(assembly, bridge, self.centre, self.panel)
        self.sending = Sending(assembly, bridge, self.centre, self.conversation)
        self.catching_up = CatchingUp(assembly, bridge, self.conversation)
        self.undoing = Undoing(assembly, bridge, self.centre, self.conversation)
        self.rewriting = Rewriting(assembly, bridge, self.centre, self.conversation, self.sending)
        self.knowing = Knowing(assembly, bridge, self.panel, self.conversation)
        self.trusting = Trusting(assembly, bridge, self.centre, self.conversation)
        self.voicing = Voicing(assembly, bridge, self.centre, self.conversation, self.sending)
        self.questions = Questions(assembly, bridge, self.centre)
        self.inbox = Inbox(self, self.shelf.title_of)
        self.waiting = Waiting(self.questions, self.pane, self.inbox)
        self.remembered = Remembered()
        self.automating = Automating(assembly, bridge, self.panel.routines, self.remembered.settings)
        self._wire()
        self.remembered.load(self, self._columns)

    # --- what the application does with it

    def start(self) -> None:
        """Read what is stored and open an empty chat."""
        self.refresh()
        self.new()
        self.automating.start()
        for text in self._assembly.notices:
            self.centre.notice.tell(text)

    def refresh(self) -> None:
        """What another process may have changed: conversations, and questions that wait."""
        self.shelf.refresh()
        self.questions.load()
        self.knowing.look()
        self.trusting.look()

    def raise_up(self) -> None:
        """In front, whatever it was before."""
        self.show()
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    def leave(self) -> None:
        """The next close is for good."""
        self._leaving = True
        self.remembered.save(self, self._columns)
        self.questions.close()
        self.undoing.close()
        self.automating.close()
        self.voicing.close()
        self.inbox.close()
        self.close()

    # --- wiring

    def _wire(self) -> None:
        self._wire_pane()
        bar, panel = self.centre.bar, self.panel
        bar.panelAsked.connect(self._columns.toggle_right)
        bar.paneAsked.connect(self._columns.toggle_left)
        bar.usageAsked.connect(lambda: self.show_view(panel.usage))
        panel.jobs.outputAsked.connect(self.sending.read_job)
        panel.jobs.stopAsked.connect(self.sending.stop_job)
        self.sending.jobRead.connect(panel.jobs.add_output)
        self.centre.welcome.connectAsked.connect(self.settingsAsked)
        self.conversation.connectAsked.connect(self.settingsAsked)
        self.conversation.changed.connect(self._opened)
        self.questions.openAsked.connect(self.open)
        self.inbox.rulesAsked.connect(
            lambda: show_rules(self._assembly, self._bridge, self.conversation.folder, self.inbox)
        )
        self._bridge.arrived.connect(self._handle)
        self._bridge.failed.connect(self.centre.notice.tell)
        self.trusting.answered.connect(self.knowing.look)
        self.panel.skills.trustAsked.connect(lambda _folder: self.trusting.look())
        self._wire_automation()
        bind(self, self._acts())
        self.voicing.key.bind(self.findChild(QAction, "talkAction"))

    def _wire_pane(self) -> None:
        self.pane.opened.connect(self.conversation.open)
        self.pane.entered.connect(self.centre.composer.editor.setFocus)
        self.pane.newAsked.connect(self.new)
        self.pane.newInFolderAsked.connect(self.sending.new_in_folder)
        self.pane.approvalsAsked.connect(self.waiting.show)
        self.pane.settingsAsked.connect(self.settingsAsked)

    def _wire_automation(self) -> None:
        self.automating.changed.connect(lambda now: self.panel.count_due(now.ringing))
        self.automating.changed.connect(lambda now: self.pane.show_routines(now.sessions))
        self.automating.stored.connect(self.shelf.refresh)
        self.automating.stored.connect(self.questions.load)
        self.automating.stored.connect(self.catching_up.look)
        self.automating.told.connect(self.centre.notice.tell)
        self.automating.openAsked.connect(self.open)
        self.rewriting.opened.connect(self.open)
        self.voicing.settingsAsked.connect(self.settingsAsked)

    def _acts(self) -> dict[str, Callable[[], None]]:
        return {
            "new": self.new,
            "composer": self.centre.composer.editor.setFocus,
            "search": self.pane.search.setFocus,
            "settings": self.settingsAsked.emit,
            "stop": self._escape,
            "talk": self.voicing.dictation.hold,
            "hands-free": self.voicing.talking.toggle,
            "pane": self._columns.toggle_left,
            "panel": self._columns.toggle_right,
            "approvals": self.waiting.show,
            "quit": self.quitAsked.emit,
        }

    def _escape(self) -> None:
        """Out of the voice first, then out of the turn."""
        if not self.voicing.leave():
            self.sending.stop()

    # --- opening

    def new(self) -> None:
        """An empty chat in the folder of new chats."""
        self.conversation.new()
        self.centre.composer.editor.setFocus()

    def open(self, session: str) -> None:
        """A stored conversation."""
        self.conversation.open(session)
        self.centre.composer.editor.setFocus()

    def _opened(self, session: str) -> None:
        self.pane.select(session)
        self._show_title()
        self.questions.show_session(session)

    def _show_title(self) -> None:
        self.setWindowTitle(self.shelf.title_of(self.conversation.current) or "New chat")

    def show_view(self, page: QWidget) -> None:
        """A page of the side panel, which is opened for it."""
        self._columns.open_right()
        self.panel.open(page)

    # --- following

    def _handle(self, event: Event) -> None:
        self.shelf.handle(event)
        self.conversation.handle(event)
        self.questions.handle(event)
        self.voicing.handle(event)
        if isinstance(event, SessionChanged):
            self._show_title()
        elif isinstance(event, TurnEnded):
            self.automating.look()
            self.knowing.look()

    # --- Qt

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
