"""All that is stored about a person: to be taken along, or to be forgotten."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from typing import IO, Any

from ankita_desktop.errors import SessionBusy
from ankita_desktop.store.connection import Database
from ankita_desktop.store.migrations import backups
from ankita_desktop.store.processes import is_held

# Not about the person: which process does what now, and what makes forgotten words unreadable.
OURS = ("leases", "duties", "memory_salt")
INDEXES = ("search", "spoken_words", "facts_words", "notes_words")
_JSON = ("body", "request", "decision", "lists")


class Everything(Database):
    """Every table that holds something of the person, those that later versions add included."""

    def export_everything(self, out: IO[str], clean: Callable[[Any], Any] = lambda row: row) -> int:
        """Write all of it as one JSON document, table by table, each row after ``clean``. Returns the number of
        rows."""
        total = 0
        out.write("{")
        for number, table in enumerate(self._tables()):
            out.write(f"{',' if number else ''}\n{json.dumps(table)}: [")
            for place, row in enumerate(self.rows(f'SELECT * FROM "{table}"')):
                out.write(f"{',' if place else ''}\n  {json.dumps(clean(_readable(row)), ensure_ascii=False)}")
                total += 1
            out.write("]")
        out.write("\n}\n")
        return total

    def forget_everything(self) -> None:
        """Delete every conversation, fact, project, routine and grant for good, from the file and its backups.

        Raises ``SessionBusy`` while another process works with them, before anything is deleted."""
        self._nobody_else()
        with self.write() as connection:
            connection.execute("PRAGMA defer_foreign_keys = ON")
            for index in ("search",):
                connection.execute(f"DELETE FROM {index}")
            for table in self._tables():
                connection.execute(f'DELETE FROM "{table}"')
            connection.execute("UPDATE memory_salt SET salt = randomblob(16)")
            for index in INDEXES:
                connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")
        for backup in backups(self.path):
            backup.unlink(missing_ok=True)
        self.rows("VACUUM")
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")

    def _tables(self) -> list[str]:
        """Ordinary tables: no indexes, nothing of SQLite's own, nothing of ``OURS``."""
        names = [
            str(row["name"]) for row in self.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
        ]
        shadows = tuple(f"{index}_" for index in INDEXES)
        virtual = {
            str(row["name"]) for row in self.rows("SELECT name FROM pragma_table_list WHERE type = 'virtual'")
        }
        hidden = (*shadows, "sqlite_")
        return [name for name in names if name not in virtual and name not in OURS and not name.startswith(hidden)]

    def _nobody_else(self) -> None:
        now = time.time()
        for table in ("leases", "duties"):
            for row in self.rows(f"SELECT * FROM {table}"):
                if is_held(row, now):
                    raise SessionBusy("", str(row["owner"]))


def _readable(row: sqlite3.Row) -> dict[str, Any]:
    """A row with the JSON it holds as data."""
    found = {}
    for name in row.keys():  # noqa: SIM118 - a row iterates over its values
        value = row[name]
        found[name] = json.loads(value) if name in _JSON and isinstance(value, str) and value else value
    return found
