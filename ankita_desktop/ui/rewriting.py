"""Ways back in a conversation: say it differently, have it answered anew, go on from there elsewhere. Main thread
only."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal

from ankita_desktop.assembly import Assembly
from ankita_desktop.errors import AnkitaError
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.centre import Centre
from ankita_desktop.ui.conversation import Conversation
from ankita_desktop.ui.sending import Sending

HELD = "Sending this takes the place of what you said then, and what followed it. Files stay as they are."


class Rewriting(QObject):
    """``opened``: another conversation to show."""

    opened = Signal(str)

    def __init__(
        self, assembly: Assembly, bridge: Bridge, centre: Centre, conversation: Conversation, sending: Sending
    ) -> None:
        super().__init__()
        self._engine, self._bridge = assembly.engine, bridge
        self._centre, self._conversation, self._sending = centre, conversation, sending
        self._draft = ""
        chat = centre.chat
        chat.editRequested.connect(self.edit)
        chat.regenerateRequested.connect(self.regenerate)
        chat.branchRequested.connect(self.branch)
        sending.rewritten.connect(self._send)
        conversation.changed.connect(lambda _session: self._forget())

    def edit(self, message: str, text: str) -> None:
        """Into the composer; what is sent from there takes the message's place."""
        if not self._sending.instead:
            self._draft = self._centre.composer.text()
        self._sending.instead = message
        self._centre.composer.write(text)
        self._centre.composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._centre.notice.tell(HELD, "Don't", self.give_up)

    def give_up(self) -> None:
        """Leave what was said as it is; the draft from before comes back."""
        self._forget()
        self._centre.composer.write(self._draft)

    def regenerate(self) -> None:
        session = self._conversation.current
        self._bridge.do(lambda: self._engine.regenerate(session), lambda _turn: self._reload(session))

    def branch(self, message: str) -> None:
        session = self._conversation.current
        self._bridge.do(lambda: self._engine.branch(session, message), lambda info: self.opened.emit(info.id))

    def _send(self, message: str, text: str) -> None:
        session = self._conversation.current

        def work() -> str:
            try:
                self._engine.edit(session, message, text)
            except AnkitaError as error:
                return str(error)
            return ""

        def then(problem: str) -> None:
            if problem:
                self.edit(message, text)
                self._centre.notice.tell(problem)
            else:
                self._reload(session)

        self._bridge.do(work, then)

    def _reload(self, session: str) -> None:
        if session == self._conversation.current:
            self._conversation.open(session)

    def _forget(self) -> None:
        self._sending.instead = ""
