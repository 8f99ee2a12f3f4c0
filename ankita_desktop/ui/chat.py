"""The page of a conversation: shows stored messages, follows events, keeps the end in sight while it is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from ankita_desktop.events import (
    ApprovalAsked,
    ApprovalClosed,
    CallEnded,
    CallProgress,
    CallStarted,
    Event,
    JobChanged,
    MessageAdded,
    TextDelta,
    TextReset,
    TurnEnded,
)
from ankita_desktop.protocol import JobInfo, Message
from ankita_desktop.ui.blocks_select import Selection
from ankita_desktop.ui.chat_live import LivePage
from ankita_desktop.ui.chat_scroll import PageScroll
from ankita_desktop.ui.code_colors import background, warm
from ankita_desktop.ui.icons import icon
from ankita_desktop.ui.parts import button, margins, name
from ankita_desktop.ui.theme import theme

TICK = 30  # ms between two paints of arriving text
SOON = 4  # ms until the next paint when one could not show all


class ChatView(QWidget):
    """One conversation. ``handle`` takes the events of the session whose messages are shown."""

    undoRequested = Signal(str)
    undoLookRequested = Signal(str)
    turnUndoRequested = Signal(str)
    stopRequested = Signal()
    jobStopRequested = Signal(str)
    continueRequested = Signal()
    linkActivated = Signal(str)
    editRequested = Signal(str, str)
    regenerateRequested = Signal()
    branchRequested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, "chatView", "Conversation")
        self._area = PageScroll(self._earlier)
        self._selection = Selection(self._area.column)
        self._page = LivePage(self._area.column, self._selection, self)
        layout = QVBoxLayout(self)
        margins(layout, 0)
        layout.addWidget(self._area)
        self._newer = self._make_newer()
        self._area.atEnd.connect(self._newer.hide)
        self._tick = QTimer(self)
        self._tick.setSingleShot(True)
        self._tick.timeout.connect(self._paint)
        background().ask(self, warm, lambda _nothing: None)

    def _make_newer(self) -> QWidget:
        newer = button("New messages", kind="meta")
        name(newer, "newMessagesButton", "Go to the new messages")
        newer.setParent(self)
        newer.setIcon(icon("arrow-down", "accent"))
        newer.clicked.connect(self.go_to_end)
        newer.hide()
        theme().changed.connect(lambda: newer.setIcon(icon("arrow-down", "accent")))
        return newer

    # --- content ---

    def show_messages(self, messages: Sequence[Message]) -> None:
        """Show a conversation from its end; what is further up is built when it is scrolled to."""
        self.clear()
        self._page.show(messages)
        self._area.settle()
        self._area.fill()
        self._area.go_to_end()

    def show_jobs(self, jobs: Sequence[JobInfo]) -> None:
        """The session's jobs as they are now, so that stored cards know which still run."""
        for job in jobs:
            self._page.job(job)

    def mark_undone(self, checkpoint: str, *, undone: bool = True) -> None:
        """Say on its card that a change was taken back (or brought back again)."""
        self._page.mark_undone(checkpoint, undone=undone)

    def clear(self) -> None:
        self._tick.stop()
        self._selection.clear()
        self._page.clear()
        self._area.following = True
        self._newer.hide()

    def toPlainText(self) -> str:
        """The whole conversation as it reads, also what isn't built."""
        return self._page.toPlainText()

    def handle(self, event: Event) -> None:
        """Show what happened. Text that streams is painted on a timer."""
        match event:
            case TextDelta(text=text, reasoning=reasoning):
                self._page.delta(text, reasoning=reasoning)
                if not self._tick.isActive():
                    self._tick.start(TICK)
                return
            case MessageAdded(message=message):
                self._page.message(message)
                if message.role == "user" and message.source != "note":
                    self._area.following = True
            case TextReset():
                self._page.reset()
            case CallStarted(call=call):
                self._page.card(call).start()
            case CallProgress(call_id=call, text=text):
                self._page.progress(call, text)
            case CallEnded(call=call, result=result, seconds=seconds):
                self._page.ended(call, result, seconds)
            case ApprovalAsked(request=request):
                self._page.asked(request)
            case ApprovalClosed(request_id=request, outcome=outcome):
                self._page.answered(request, outcome)
            case JobChanged(job=job):
                self._page.job(job)
            case TurnEnded():
                self._page.turn_ended(event)
            case _:
                return
        if self._page.unpainted:
            self._paint()
        self._note_news()

    def _paint(self) -> None:
        if self._page.paint():
            self._tick.start(SOON)
        self._note_news()

    @property
    def painting(self) -> bool:
        """Text that has arrived is still to be painted."""
        return self._tick.isActive()

    def _note_news(self) -> None:
        if not self._area.following and not self._area.is_at_end():
            self._newer.show()
            self._newer.raise_()

    # --- scrolling ---

    def go_to_end(self) -> None:
        """Show the end and stay there."""
        self._area.go_to_end()

    def _earlier(self) -> bool:
        """Build a little more above what is built. False when all is."""
        if not self._page.more:
            return False
        self._page.earlier()
        if self._page.unpainted and not self._tick.isActive():
            self._tick.start(SOON)
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        size = self._newer.sizeHint()
        self._newer.setGeometry(
            (self.width() - size.width()) // 2, self.height() - size.height() - 12, size.width(), size.height()
        )

    # --- keys and menu ---

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self._area.verticalScrollBar()
        if event.matches(QKeySequence.StandardKey.Copy):
            self._selection.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._selection.everything()
        elif event.key() == Qt.Key.Key_End:
            self.go_to_end()
        elif event.key() == Qt.Key.Key_Home:
            bar.setValue(0)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.menu_at(event.globalPos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def menu_at(self, global_point: QPoint) -> QMenu:
        """What can be done with what is under the mouse."""
        menu = QMenu(self)
        copy = menu.addAction("Copy", self._selection.copy)
        copy.setEnabled(bool(self._selection.text()))
        source = self._page.source_at(global_point)
        if source:
            menu.addAction("Copy message as Markdown", lambda: QGuiApplication.clipboard().setText(source))
        menu.addSeparator()
        self._offer_ways_back(menu, self._page.said_at(global_point))
        self._offer_undo(menu, global_point)
        menu.addAction("Select all", self._selection.everything)
        return menu

    def _offer_ways_back(self, menu: QMenu, message: Message | None) -> None:
        if message is None:
            return
        if message.role == "user":
            menu.addAction("Edit and send again", lambda: self.editRequested.emit(message.id, message.text))
        if message.id == self._page.last_answer():
            menu.addAction("Answer again", self.regenerateRequested.emit)
        menu.addAction("Go on from here in a new conversation", lambda: self.branchRequested.emit(message.id))
        menu.addSeparator()

    def _offer_undo(self, menu: QMenu, global_point: QPoint) -> None:
        checkpoint, message = self._page.change_at(global_point)
        if checkpoint:
            menu.addAction("Show what Undo would do…", lambda: self.undoLookRequested.emit(checkpoint))
        if message:
            menu.addAction("Undo this turn…", lambda: self.turnUndoRequested.emit(message))
        if checkpoint or message:
            menu.addSeparator()
