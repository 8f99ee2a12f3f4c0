"""Watches and what they saw."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict

from ankita_desktop.errors import StoreError
from ankita_desktop.store.automation import KEPT, add_telling, change, insert
from ankita_desktop.store.connection import Database
from ankita_desktop.toolkit.automation import Reading, Telling, Watch

VALUE = 2_000  # characters of one value in the history


class StoredWatches(Database):
    """The rows of watches and their history."""

    def add_watch(self, watch: Watch, reading: Reading) -> tuple[Watch, bool]:
        """Keep it with what it saw first, unless the same look is there (then that one and False). Raises
        ``StoreError`` when another has the name."""
        with self.write() as connection:
            row = connection.execute(
                "SELECT * FROM watches WHERE target = ? AND selector = ? AND regex = ? AND cwd = ?"
                " AND above IS ? AND below IS ?",
                (watch.target, watch.selector, watch.regex, watch.cwd, watch.above, watch.below),
            ).fetchone()
            if row is not None:
                return _watch(row), False
            if connection.execute("SELECT 1 FROM watches WHERE name = ?", (watch.name,)).fetchone():
                raise StoreError(f"A watch is called {watch.name!r} already: choose another name.")
            insert(connection, "watches", asdict(watch))
            _keep(connection, watch.id, reading)
        return watch, True

    def watch(self, watch: str) -> Watch | None:
        row = self.row("SELECT * FROM watches WHERE id = ?", (watch,))
        return _watch(row) if row else None

    def watches(self) -> Sequence[Watch]:
        return [_watch(row) for row in self.rows("SELECT * FROM watches ORDER BY paused, name")]

    def due_watches(self, now: float) -> Sequence[Watch]:
        sql = "SELECT * FROM watches WHERE due <= ? AND due IS NOT NULL AND paused = 0 ORDER BY due"
        return [_watch(row) for row in self.rows(sql, (now,))]

    def claim_watch(self, watch: Watch, then: float) -> bool:
        """Take this look; the next is due ``then``. False when it was taken or changed."""
        with self.write() as connection:
            sql = "UPDATE watches SET due = ? WHERE id = ? AND due = ? AND paused = 0"
            return connection.execute(sql, (then, watch.id, watch.due)).rowcount == 1

    def update_watch(
        self, watch: str, *, reading: Reading | None = None, telling: Telling | None = None, **changed: object
    ) -> bool:
        """Set fields, keep a reading, have something told: all or nothing. False when the watch is gone."""
        with self.write() as connection:
            if not change(connection, "watches", watch, changed):
                return False
            if reading:
                _keep(connection, watch, reading)
            if telling:
                add_telling(connection, telling)
        return True

    def delete_watch(self, watch: str) -> None:
        with self.write() as connection:
            connection.execute("DELETE FROM watches WHERE id = ?", (watch,))
            connection.execute("DELETE FROM tellings WHERE about = ? AND told IS NULL", (f"watch/{watch}",))

    def watch_history(self, watch: str, limit: int = 50) -> Sequence[Reading]:
        """The latest first."""
        sql = "SELECT time, value, number FROM watch_history WHERE watch = ? ORDER BY seq DESC LIMIT ?"
        return [Reading(**dict(row)) for row in self.rows(sql, (watch, limit))]


def _keep(connection: sqlite3.Connection, watch: str, reading: Reading) -> None:
    values = {"watch": watch, "time": reading.time, "value": reading.value[:VALUE], "number": reading.number}
    insert(connection, "watch_history", values)
    connection.execute(
        """DELETE FROM watch_history WHERE watch = ? AND seq <=
           (SELECT seq FROM watch_history WHERE watch = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)""",
        (watch, watch, KEPT),
    )


def _watch(row: sqlite3.Row) -> Watch:
    return Watch(**{**dict(row), "private": bool(row["private"]), "paused": bool(row["paused"])})
