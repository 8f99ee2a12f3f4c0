"""What waits for the person's answer, of all conversations: counted in the pane, listed in the inbox. Main thread
only."""

from __future__ import annotations

from PySide6.QtCore import QObject

from ankita_desktop.ui.inbox import Inbox
from ankita_desktop.ui.questions import Questions
from ankita_desktop.ui.sessions import SessionPane


class Waiting(QObject):
    """Keeps pane and inbox true to the questions."""

    def __init__(self, questions: Questions, pane: SessionPane, inbox: Inbox) -> None:
        super().__init__()
        self._questions, self._pane, self._inbox = questions, pane, inbox
        questions.counted.connect(self._count)
        inbox.reviewAsked.connect(self._review)

    def show(self) -> None:
        self._inbox.show_requests(self._questions.pending)
        self._inbox.show()
        self._inbox.raise_()
        self._inbox.activateWindow()

    def _review(self, request: str) -> None:
        self._inbox.hide()
        self._questions.review(request)

    def _count(self, waiting: int) -> None:
        self._pane.show_waiting(waiting)
        if self._inbox.isVisible():
            self._inbox.show_requests(self._questions.pending)
