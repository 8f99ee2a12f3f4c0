"""The page of a conversation: shows stored messages, follows events, keeps the end in sight while it is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QScrollArea, QVBoxLayout, QWidget

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
from ankita_desktop.ui.blocks import Stack
from ankita_desktop.ui.blocks_select import Selection
from ankita_desktop.ui.chat_live import LivePage
from ankita_desktop.ui.code_colors import background, warm
from ankita_desktop.ui.icons import icon
from ankita_desktop.ui.parts import button, margins, name
from ankita_desktop.ui.theme import theme

TICK = 30  # ms between two paints of arriving text
SOON = 4  # ms until the next paint when one could not show all
WIDTH = 660  # the column, in pixels
EDGE = 24


class ChatView(QWidget):
    """One conversation. ``handle`` takes the events of the session whose messages are shown."""

    undoRequested = Signal(str)
    stopRequested = Signal()
    jobStopRequested = Signal(str)
    continueRequested = Signal()
    linkActivated = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, "chatView", "Conversation")
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._column = Stack(gap=16, padding=(EDGE, 0, EDGE, 0))
        self._sheet = _Sheet(self._column)
        self._area.setWidget(self._sheet)
        self._selection = Selection(self._column)
        self._page = LivePage(self._column, self._selection, self)
        layout = QVBoxLayout(self)
        margins(layout, 0)
        layout.addWidget(self._area)
        self._newer = self._make_newer()
        self._following = True
        self._tick = QTimer(self)
        self._tick.setSingleShot(True)
        self._tick.timeout.connect(self._paint)
        bar = self._area.verticalScrollBar()
        bar.valueChanged.connect(self._scrolled)
        bar.rangeChanged.connect(self._ranged)
        self._column.installEventFilter(self)
        background().ask(self, warm, lambda _nothing: None)
        self._area.viewport().installEventFilter(self)

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
        self._settle()
        self._fill()
        self.go_to_end()

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
        self._following = True
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
                    self._following = True
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
        if not self._following and not self._at_end():
            self._newer.show()
            self._newer.raise_()

    # --- scrolling ---

    def go_to_end(self) -> None:
        """Show the end and stay there."""
        self._following = True
        self._settle()
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.maximum())
        self._newer.hide()

    def _at_end(self) -> bool:
        bar = self._area.verticalScrollBar()
        return bar.value() >= bar.maximum() - 4

    def _scrolled(self) -> None:
        if self._at_end():
            self._following = True
            self._newer.hide()
        elif not self._resizing:
            self._following = False
        if self._area.verticalScrollBar().value() < self._area.viewport().height():
            QTimer.singleShot(0, self, self._fill)

    _resizing = False

    def _ranged(self) -> None:
        if self._following:
            self._area.verticalScrollBar().setValue(self._area.verticalScrollBar().maximum())

    def _fill(self) -> None:
        """Build further up until a screen's height lies above what is shown."""
        bar = self._area.verticalScrollBar()
        while self._page.more and bar.value() < self._area.viewport().height():
            before, value = self._column.height(), bar.value()
            self._page.earlier()
            if self._page.unpainted and not self._tick.isActive():
                self._tick.start(SOON)
            self._settle()
            bar.setValue(value + self._column.height() - before)

    def _settle(self) -> None:
        """Lay out now; the sheet gets the column's height."""
        self._column.relayout()
        self._fit()

    def _fit(self) -> None:
        self._resizing = True
        view = self._area.viewport()
        width = min(WIDTH, view.width() - 2 * EDGE)
        if width > 0:
            height = max(self._column.heightForWidth(width), view.height())
            self._sheet.resize(view.width(), height)
            self._column.setGeometry((view.width() - width) // 2, 0, width, self._column.heightForWidth(width))
        self._resizing = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._column and kind == QEvent.Type.LayoutRequest:
            self._settle()
            return True
        if watched is self._area.viewport() and kind == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

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
        menu.addAction("Select all", self._selection.everything)
        return menu


class _Sheet(QWidget):
    """The whole width of the view, with the column in its middle."""

    def __init__(self, column: Stack) -> None:
        super().__init__()
        column.setParent(self)
