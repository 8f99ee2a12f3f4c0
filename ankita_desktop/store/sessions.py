"""Conversations: their rows, and who may run them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from typing import Literal

from ankita_desktop.errors import SessionBusy, StoreError
from ankita_desktop.protocol import Mode, SessionInfo, new_id
from ankita_desktop.store.connection import Database
from ankita_desktop.store.migrations import backups
from ankita_desktop.store.processes import is_held, start_of
from ankita_desktop.store.search import Search
from ankita_desktop.store.text import clean

FIELDS = ("title", "cwd", "mode", "model", "state", "unread")
ROWS = """
SELECT sessions.*, leases.pid, leases.started, leases.expires, EXISTS (
    SELECT 1 FROM approvals WHERE approvals.session = sessions.id AND outcome = 'pending'
) AS asks FROM sessions LEFT JOIN leases ON leases.session = sessions.id
"""


def _info(row: sqlite3.Row) -> SessionInfo:
    return SessionInfo(
        id=row["id"],
        title=row["title"],
        cwd=row["cwd"],
        mode=row["mode"],
        model=row["model"],
        state=_state(row),
        unread=bool(row["unread"]),
        created=row["created"],
        updated=row["updated"],
    )


def _state(row: sqlite3.Row) -> Literal["idle", "running", "waiting"]:
    """The state as it is: a process that was killed left "running" behind, and nobody runs it."""
    state: Literal["idle", "running", "waiting"] = row["state"]
    if state != "running" or (row["pid"] is not None and is_held(row, time.time())):
        return state
    return "waiting" if row["asks"] else "idle"


class Sessions(Search):
    """The rows of conversations."""

    def create_session(self, *, cwd: str, mode: Mode, model: str, title: str = "") -> SessionInfo:
        session, now = new_id(), time.time()
        with self.write() as connection:
            connection.execute(
                """INSERT INTO sessions (id, title, cwd, mode, model, created, updated)
                   VALUES (?, ?, ?, ?, ?, ?, ?)""",
                (session, clean(title), clean(cwd), mode, model, now, now),
            )
        return self.session(session)

    def session(self, session: str) -> SessionInfo:
        """The row. Raises ``StoreError`` when there is none."""
        row = self.row(f"{ROWS} WHERE sessions.id = ?", (session,))
        if row is None:
            raise StoreError(f"There is no session {session}.")
        return _info(row)

    def find_session(self, prefix: str) -> SessionInfo:
        """The one session whose id starts with ``prefix``; an empty prefix means the newest."""
        if not prefix:
            rows = self.rows(f"{ROWS} ORDER BY updated DESC, sessions.rowid DESC LIMIT 1")
            if not rows:
                raise StoreError("There is no session yet.")
        else:
            rows = self.rows(f"{ROWS} WHERE substr(sessions.id, 1, ?) = ?", (len(prefix), prefix))
        if len(rows) > 1:
            raise StoreError(f"{len(rows)} sessions start with {prefix}: give more of the id.")
        return _info(rows[0]) if rows else self.session(prefix)

    def update_session(self, session: str, **fields: object) -> SessionInfo:
        """Set any of title, cwd, mode, model, state, unread. Returns the new row."""
        unknown = set(fields) - set(FIELDS)
        if unknown:
            raise TypeError(f"a session has no {', '.join(sorted(unknown))}; it has {', '.join(FIELDS)}")
        if fields:
            values = [clean(value) if isinstance(value, str) else value for value in fields.values()]
            names = ", ".join(f"{name} = ?" for name in fields)
            with self.write() as connection:
                connection.execute(f"UPDATE sessions SET {names} WHERE id = ?", (*values, session))
        return self.session(session)

    def sessions(self) -> Sequence[SessionInfo]:
        """All rows, the one that was last spoken in first."""
        return [_info(row) for row in self.rows(f"{ROWS} ORDER BY updated DESC, sessions.rowid DESC")]

    def delete_session(self, session: str) -> None:
        """Remove a conversation for good: rows, search index, freed pages, and backups that still hold it. May
        take a second or two in a large database."""
        with self.write() as connection:
            connection.execute(
                "DELETE FROM search WHERE rowid IN (SELECT seq FROM messages WHERE session = ?)", (session,)
            )
            if connection.execute("DELETE FROM sessions WHERE id = ?", (session,)).rowcount == 0:
                raise StoreError(f"There is no session {session}.")
        self.forget_deleted_words()
        for backup in backups(self.path):
            backup.unlink(missing_ok=True)
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")


class Leases(Database):
    """The right to run a session: one process at a time has it."""

    def lease(self, session: str, owner: str, seconds: float = 60.0) -> None:
        """Take or renew the lease for ``owner`` ("PID what"). Raises ``SessionBusy`` when a live other has it."""
        now = time.time()
        with self.write() as connection:
            row = connection.execute("SELECT * FROM leases WHERE session = ?", (session,)).fetchone()
            if row is not None and row["owner"] != owner and is_held(row, now):
                raise SessionBusy(session, row["owner"])
            pid = int(owner.split()[0])
            connection.execute(
                "INSERT OR REPLACE INTO leases (session, owner, pid, started, expires) VALUES (?, ?, ?, ?, ?)",
                (session, owner, pid, start_of(pid), now + seconds),
            )

    def release(self, session: str, owner: str) -> None:
        with self.write() as connection:
            connection.execute("DELETE FROM leases WHERE session = ? AND owner = ?", (session, owner))

    def leased_by(self, session: str) -> str:
        """Who runs the session now ("PID what"), or an empty text."""
        row = self.row("SELECT * FROM leases WHERE session = ?", (session,))
        return str(row["owner"]) if row is not None and is_held(row, time.time()) else ""
