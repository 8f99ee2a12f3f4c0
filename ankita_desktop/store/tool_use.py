"""How tools were used in the stored conversations, and which searches for tools found nothing. It stays here."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from ankita_desktop.store.connection import Database
from ankita_desktop.store.text import clean

LONGEST = 300  # characters of a search that are kept
MISSES = """
CREATE TABLE misses (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    query TEXT NOT NULL,
    created REAL NOT NULL
);
CREATE INDEX misses_of_session ON misses (session);
"""


class ToolUse(Database):
    """Counts of calls, and searches that found nothing; the latter go with their conversation."""

    def add_miss(self, session: str, query: str) -> None:
        """Keep that a search for tools found nothing."""
        with self.write() as connection:
            connection.execute(
                "INSERT INTO misses (session, query, created) VALUES (?, ?, ?)",
                (session, clean(" ".join(query.split())[:LONGEST]), time.time()),
            )

    def misses(self) -> Sequence[tuple[str, int]]:
        """(query, how often) of searches that found nothing, the most frequent and then the newest first."""
        sql = "SELECT query, count(*) AS times FROM misses GROUP BY query ORDER BY times DESC, max(seq) DESC"
        return [(row["query"], row["times"]) for row in self.rows(sql)]

    def clear_misses(self) -> int:
        """Forget them. Returns how many there were."""
        with self.write() as connection:
            return connection.execute("DELETE FROM misses").rowcount

    def calls_per_tool(self) -> Mapping[str, int]:
        """Tool -> its calls in all stored conversations, on every branch."""
        sql = """SELECT json_extract(call.value, '$.name') AS name, count(*) AS times
                 FROM messages, json_each(messages.body, '$.calls') AS call GROUP BY name"""
        return {str(row["name"]): row["times"] for row in self.rows(sql)}
