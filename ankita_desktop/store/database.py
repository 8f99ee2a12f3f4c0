"""The store: everything the product remembers, in one SQLite file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ankita_desktop import paths
from ankita_desktop.protocol import dump
from ankita_desktop.store.approvals import Approvals, Grants
from ankita_desktop.store.automation import Duties, StoredReminders, Tellings
from ankita_desktop.store.branches import Branches
from ankita_desktop.store.exporting import Everything
from ankita_desktop.store.importing import Importing
from ankita_desktop.store.messages import Messages, Rounds, exported
from ankita_desktop.store.migrations import prepare
from ankita_desktop.store.projects import Notes, StoredProjects
from ankita_desktop.store.recall import Recall
from ankita_desktop.store.routines import Runs, StoredRoutines
from ankita_desktop.store.sessions import Leases, Sessions
from ankita_desktop.store.tool_use import ToolUse
from ankita_desktop.store.watches import StoredWatches


class Store(
    Branches,
    Importing,
    Sessions,
    Leases,
    Messages,
    Approvals,
    Grants,
    Rounds,
    StoredReminders,
    StoredRoutines,
    Runs,
    StoredWatches,
    Tellings,
    Duties,
    Recall,
    StoredProjects,
    Notes,
    Everything,
    ToolUse,
):
    """Implements ``core.ports.Store``; thread-safe, stored on return.

    ``notices`` is what the person should know after opening, such as a file that was set aside.
    Raises ``StoreError`` when the file is of a newer version or can't be reached.
    """

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(path or paths.data() / "ankita.db")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.notices = prepare(self.path)
        self.close_overdue()

    def export(self, session: str) -> dict[str, Any]:
        """A whole session as JSON-ready data: its row, messages, approvals and rounds."""
        return {
            "session": dump(self.session(session)),
            "messages": exported(self.messages(session)),
            "approvals": [
                {"request": dump(request), "outcome": outcome, "decision": dump(decision) if decision else None}
                for request, outcome, decision in self.approvals(session=session, outcome=None)
            ],
            "rounds": [
                {"turn": turn, "time": time, **dump(round_)} for _, turn, round_, time in self.rounds(session)
            ],
        }
