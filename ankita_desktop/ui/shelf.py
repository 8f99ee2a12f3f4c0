"""What the person does with the list of conversations, carried to the engine. Main thread only."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject

from ankita_desktop.assembly import Assembly
from ankita_desktop.events import Event, SessionChanged
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.session_rows import title
from ankita_desktop.ui.sessions import SessionPane


class Shelf(QObject):
    """Keeps the pane true to the store: by events, and by reading it when asked."""

    def __init__(self, assembly: Assembly, bridge: Bridge, pane: SessionPane) -> None:
        super().__init__()
        self._assembly, self._bridge, self._pane = assembly, bridge, pane
        pane.renamed.connect(self.rename)
        pane.deleted.connect(self.delete)
        pane.searched.connect(self.search)

    def refresh(self) -> None:
        """Read the list again: another process may have changed it."""
        since = time.time()
        self._bridge.do(self._assembly.store.sessions, lambda found: self._pane.show_sessions(found, since))

    def handle(self, event: Event) -> None:
        if isinstance(event, SessionChanged):
            self._pane.update_session(event.session, event.info)

    def title_of(self, session: str) -> str:
        """What a conversation is called; "" when it isn't known."""
        info = self._pane.session(session)
        return title(info) if info else ""

    @property
    def busy(self) -> bool:
        """Whether an answer is being worked on in this process."""
        return any(map(self._assembly.engine.is_running, self._pane.known()))

    def rename(self, session: str, text: str) -> None:
        if text:
            self._bridge.do(lambda: self._assembly.engine.update_session(session, title=text))

    def delete(self, session: str) -> None:
        self._bridge.do(lambda: self._assembly.engine.delete_session(session))

    def search(self, query: str) -> None:
        """Look into the messages too; titles are searched as one types."""
        if query.strip():
            find = self._assembly.store.search
            self._bridge.do(
                lambda: frozenset(hit.session for hit in find(query)),
                lambda found: self._pane.show_found(query, found),
            )
