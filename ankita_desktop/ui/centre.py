"""The middle column: bar, conversation or welcome, what waits, notice, composer. Main thread only."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from ankita_desktop.ui.chat import ChatView
from ankita_desktop.ui.composer import Composer
from ankita_desktop.ui.mic import VoiceStrip
from ankita_desktop.ui.notices import NoticeBar, QueueStrip, TrustLine
from ankita_desktop.ui.parts import margins, rule
from ankita_desktop.ui.topbar import TopBar
from ankita_desktop.ui.welcome import Welcome

COLUMN = 686
"""The composer's width at most: the text column, and on each side 12 px and the border."""


class Centre(QWidget):
    """Places the parts; knows nothing of sessions."""

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.bar = TopBar()
        self.chat = ChatView(self)
        self.welcome = Welcome()
        self.queue = QueueStrip()
        self.notice = NoticeBar()
        self.trust = TrustLine()
        self.voice = VoiceStrip()
        self.composer = Composer()
        self._pages = QStackedWidget()
        self._pages.addWidget(self.welcome)
        self._pages.addWidget(self.chat)
        column = QVBoxLayout(self)
        margins(column, 0)
        column.addWidget(self.bar)
        column.addWidget(rule())
        column.addWidget(self._pages, 1)
        column.addWidget(rule())
        column.addLayout(self._foot())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere on the conversation, not only on its text field."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.composer.editor.insertFromMimeData(event.mimeData())
        self.composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        event.acceptProposedAction()

    def show_chat(self, shown: bool) -> None:
        """The conversation, or the welcome of an empty one."""
        self._pages.setCurrentWidget(self.chat if shown else self.welcome)

    def _foot(self) -> QHBoxLayout:
        inside = QWidget()
        inside.setMaximumWidth(COLUMN)
        parts = QVBoxLayout(inside)
        margins(parts, 0, gap=8)
        for part in (self.trust, self.notice, self.queue, self.voice, self.composer):
            parts.addWidget(part)
        foot = QHBoxLayout()
        margins(foot, 12, 20, 16, 20)
        foot.addStretch(1)
        foot.addWidget(inside, 1_000)
        foot.addStretch(1)
        return foot
