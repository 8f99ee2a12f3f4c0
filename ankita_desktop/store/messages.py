"""What was said, as branches: a message knows its parent, a session knows the head of the branch it shows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ankita_desktop.errors import StoreError
from ankita_desktop.protocol import Message, Round, dump, load
from ankita_desktop.store.connection import Database
from ankita_desktop.store.text import fold, to_json

INDEXED = 50_000  # characters of one message that can be searched

BRANCH = """
WITH RECURSIVE branch (seq) AS (
    SELECT head FROM sessions WHERE id = ? AND head IS NOT NULL
    UNION ALL
    SELECT messages.parent FROM branch JOIN messages ON messages.seq = branch.seq WHERE messages.parent IS NOT NULL
)
SELECT messages.body FROM branch JOIN messages ON messages.seq = branch.seq ORDER BY messages.seq
"""
AFTER = """
WITH RECURSIVE after (seq) AS (
    SELECT seq FROM messages WHERE session = :session AND id = :message
    UNION ALL
    SELECT messages.seq FROM after JOIN messages ON messages.parent = after.seq AND messages.session = :session
)
SELECT max(seq) AS last, max(seq = (SELECT head FROM sessions WHERE id = :session)) AS shown FROM after
"""


class Messages(Database):
    """Messages are only ever added; going back means to move the head."""

    def add_message(self, session: str, message: Message) -> None:
        """Add to the end of the branch. Raises ``StoreError`` when there is no such session, or the id is used."""
        with self.write() as connection:
            row = connection.execute("SELECT head FROM sessions WHERE id = ?", (session,)).fetchone()
            if row is None:
                raise StoreError(f"There is no session {session}.")
            added = connection.execute(
                "INSERT INTO messages (session, id, parent, created, body) VALUES (?, ?, ?, ?, ?)",
                (session, message.id, row["head"], message.created, to_json(message)),
            ).lastrowid
            connection.execute(
                "UPDATE sessions SET head = ?, updated = max(updated, ?) WHERE id = ?",
                (added, time.time(), session),
            )
            if message.text and message.source != "note":
                connection.execute(
                    "INSERT INTO search (rowid, body) VALUES (?, ?)", (added, fold(message.text[:INDEXED]))
                )

    def messages(self, session: str) -> Sequence[Message]:
        """The branch that ends at the session's head, oldest first."""
        return [load(Message, row["body"]) for row in self.rows(BRANCH, (session,))]

    def move_head(self, session: str, message: str) -> None:
        """Show the branch that ends at ``message`` (an id; empty: before the first). Nothing is deleted."""
        found = self.row("SELECT seq FROM messages WHERE session = ? AND id = ?", (session, message))
        if message and found is None:
            raise StoreError(f"Session {session} has no message {message}.")
        with self.write() as connection:
            connection.execute(
                "UPDATE sessions SET head = ? WHERE id = ?", (found["seq"] if found else None, session)
            )

    def show_message(self, session: str, message: str) -> None:
        """Show a branch that ``message`` is in: the one that is shown, else the newest."""
        with self.write() as connection:
            found = connection.execute(AFTER, {"session": session, "message": message}).fetchone()
            if found["last"] is not None and not found["shown"]:
                connection.execute("UPDATE sessions SET head = ? WHERE id = ?", (found["last"], session))

    def branch_ends(self, session: str) -> Sequence[str]:
        """The ids of messages that nothing follows, oldest first: one per branch."""
        sql = """SELECT id FROM messages WHERE session = ? AND seq NOT IN
                 (SELECT parent FROM messages WHERE session = ? AND parent IS NOT NULL) ORDER BY seq"""
        return [row["id"] for row in self.rows(sql, (session, session))]


class Rounds(Database):
    """What each request to a model carried and cost."""

    def add_round(self, session: str, turn: str, round_: Round) -> None:
        with self.write() as connection:
            connection.execute(
                "INSERT INTO rounds (session, turn, body, created) VALUES (?, ?, ?, ?)",
                (session, turn, to_json(round_), time.time()),
            )

    def rounds(self, session: str = "") -> Sequence[tuple[str, str, Round, float]]:
        """(session, turn, round, time), oldest first."""
        sql = "SELECT * FROM rounds WHERE ? IN ('', session) ORDER BY seq"
        return [
            (row["session"], row["turn"], load(Round, row["body"]), row["created"])
            for row in self.rows(sql, (session,))
        ]

    def spent(self, since: float) -> float | None:
        """USD of all rounds since a moment (epoch seconds); None when no cost of any is known."""
        sql = "SELECT sum(json_extract(body, '$.usage.cost')) AS usd FROM rounds WHERE created >= ?"
        row = self.row(sql, (since,))
        return None if row is None or row["usd"] is None else float(row["usd"])


def exported(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Messages as JSON-ready data."""
    return [dump(message) for message in messages]
