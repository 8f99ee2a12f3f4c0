"""Questions to the person, and what they allowed for longer."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence

from ankita_desktop.errors import StoreError
from ankita_desktop.protocol import ApprovalRequest, Decision, Grant, Outcome, load
from ankita_desktop.store.connection import Database
from ankita_desktop.store.processes import is_held
from ankita_desktop.store.text import clean, to_json

Approval = tuple[ApprovalRequest, Outcome, Decision | None]


def _approval(row: sqlite3.Row) -> Approval:
    decision = load(Decision, row["decision"]) if row["decision"] else None
    return load(ApprovalRequest, row["request"]), row["outcome"], decision


class Approvals(Database):
    """Pending requests are rows: they outlive the process that asked."""

    def add_approval(self, request: ApprovalRequest) -> None:
        with self.write() as connection:
            connection.execute(
                "INSERT INTO approvals (id, session, request, created) VALUES (?, ?, ?, ?)",
                (request.id, request.session, to_json(request), request.created),
            )

    def approval(self, request: str) -> Approval:
        """One request. Raises ``StoreError`` when there is none."""
        row = self.row("SELECT * FROM approvals WHERE id = ?", (request,))
        if row is None:
            raise StoreError(f"There is no approval {request}.")
        return _approval(row)

    def approvals(self, *, session: str = "", outcome: Outcome | None = "pending") -> Sequence[Approval]:
        """Requests in the order they were asked; ``outcome`` None means all."""
        sql = "SELECT * FROM approvals WHERE ? IN ('', session) AND ? IN ('', outcome) ORDER BY created, rowid"
        return [_approval(row) for row in self.rows(sql, (session, outcome or ""))]

    def close_overdue(self) -> None:
        """Questions whose time ran out while nobody waited for an answer count as expired. Where a process still
        waits, its clock decides."""
        late = self.rows(
            """SELECT approvals.id, leases.pid, leases.started, leases.expires FROM approvals
               LEFT JOIN leases ON leases.session = approvals.session
               WHERE outcome = 'pending' AND json_extract(request, '$.expires') < ?""",
            (now := time.time(),),
        )
        for row in late:
            if row["pid"] is None or not is_held(row, now):
                self.close_approval(row["id"], "expired")

    def close_approval(self, request: str, outcome: Outcome, decision: Decision | None = None) -> bool:
        """Answer a pending request. False when it was answered before: at most one answer counts."""
        if outcome == "pending":
            raise ValueError("an approval is closed with an outcome, not as pending")
        stored = to_json(decision) if decision else None
        with self.write() as connection:
            changed = connection.execute(
                "UPDATE approvals SET outcome = ?, decision = ? WHERE id = ? AND outcome = 'pending'",
                (outcome, stored, request),
            ).rowcount
            if changed and outcome in ("expired", "closed"):  # the conversation may be nobody's any more
                connection.execute(
                    """UPDATE sessions SET state = 'idle' WHERE state = 'waiting'
                       AND id = (SELECT session FROM approvals WHERE id = ?)
                       AND id NOT IN (SELECT session FROM approvals WHERE outcome = 'pending')""",
                    (request,),
                )
        if not changed:
            self.approval(request)
        return changed == 1


class Grants(Database):
    """Remembered yeses."""

    def add_grant(self, grant: Grant) -> None:
        """Remember a yes; the same key for the same session is kept once."""
        with self.write() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO grants (id, session, key, label, created) VALUES (?, ?, ?, ?, ?)",
                (grant.id, grant.session or None, clean(grant.key), clean(grant.label), grant.created),
            )

    def grants(self, session: str = "") -> Sequence[Grant]:
        """Grants for always, and the session's own when it is named."""
        rows = self.rows("SELECT * FROM grants WHERE session IS NULL OR session = ? ORDER BY created", (session,))
        return [Grant(row["id"], row["key"], row["label"], row["session"] or "", row["created"]) for row in rows]

    def all_grants(self) -> Sequence[Grant]:
        """Every grant of every session."""
        rows = self.rows("SELECT * FROM grants ORDER BY created")
        return [Grant(row["id"], row["key"], row["label"], row["session"] or "", row["created"]) for row in rows]

    def revoke_grant(self, grant: str) -> bool:
        """Forget a yes. False when there is no such grant."""
        with self.write() as connection:
            return connection.execute("DELETE FROM grants WHERE id = ?", (grant,)).rowcount == 1
