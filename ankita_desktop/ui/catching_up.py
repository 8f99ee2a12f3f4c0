"""A conversation that is open here while another process goes on with it. Main thread only."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from ankita_desktop.assembly import Assembly
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.conversation import Conversation


class CatchingUp(QObject):
    """Opens it anew when the store has messages that nobody told us of. What is being written stays."""

    def __init__(self, assembly: Assembly, bridge: Bridge, conversation: Conversation) -> None:
        super().__init__()
        self._store, self._engine = assembly.store, assembly.engine
        self._bridge, self._conversation = bridge, conversation
        self._seen = ("", 0.0)

    def look(self) -> None:
        session = self._conversation.current
        if session:
            self._bridge.do(lambda: self._read(session), lambda found: self._show(session, found))

    def _read(self, session: str) -> Sequence[str]:
        """The messages of a conversation that somebody spoke in since the last look; on the worker. What runs here
        is told of by events."""
        if self._engine.is_running(session):
            return ()
        seen = (session, self._store.session(session).updated)
        if seen == self._seen:
            return ()
        self._seen = seen
        return [message.id for message in self._store.messages(session)]

    def _show(self, session: str, found: Sequence[str]) -> None:
        if session != self._conversation.current:
            return
        if not self._bridge.settled:  # events that tell of some of them are still on their way
            self._seen = ("", 0.0)
            self.look()
        elif not self._conversation.shown.issuperset(found):
            self._conversation.open(session)
