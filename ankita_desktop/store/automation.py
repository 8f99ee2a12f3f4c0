"""Reminders, what waits to be told, and who may run what is due."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ankita_desktop.errors import StoreError
from ankita_desktop.store.connection import Database
from ankita_desktop.store.processes import is_held, start_of
from ankita_desktop.store.text import clean
from ankita_desktop.toolkit.automation import Reminder, Telling

KEPT = 500  # tellings, runs of a routine, readings of a watch


def insert(connection: sqlite3.Connection, table: str, fields: dict[str, Any]) -> None:
    """One row; the names of the fields are those of the columns."""
    names = ", ".join(f'"{name}"' for name in fields)
    marks = ", ".join("?" * len(fields))
    values = tuple(clean(value) if isinstance(value, str) else value for value in fields.values())
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", values)


def change(connection: sqlite3.Connection, table: str, key: str, fields: dict[str, Any]) -> bool:
    """Set fields of the row whose id is ``key``. False when there is none."""
    names = ", ".join(f'"{name}" = ?' for name in fields)
    values = tuple(clean(value) if isinstance(value, str) else value for value in fields.values())
    return connection.execute(f"UPDATE {table} SET {names} WHERE id = ?", (*values, key)).rowcount == 1


def add_telling(connection: sqlite3.Connection, telling: Telling) -> None:
    """In the same transaction as what it tells: nothing that happened goes untold."""
    fields = {name: value for name, value in asdict(telling).items() if name not in ("told", "seq")}
    insert(connection, "tellings", {**fields, "created": telling.created or time.time()})


class Tellings(Database):
    """What waits to be told: it survives quiet hours and the process."""

    def tell(self, telling: Telling) -> None:
        with self.write() as connection:
            add_telling(connection, telling)

    def untold(self) -> Sequence[Telling]:
        """In the order it happened."""
        return [_telling(row) for row in self.rows("SELECT * FROM tellings WHERE told IS NULL ORDER BY seq")]

    def tellings(self, limit: int = 50) -> Sequence[Telling]:
        """What was and will be told, the latest first."""
        return [_telling(row) for row in self.rows("SELECT * FROM tellings ORDER BY seq DESC LIMIT ?", (limit,))]

    def mark_told(self, upto: Sequence[int], now: float) -> None:
        with self.write() as connection:
            connection.executemany("UPDATE tellings SET told = ? WHERE seq = ?", [(now, seq) for seq in upto])
            connection.execute(
                """DELETE FROM tellings WHERE told IS NOT NULL
                   AND seq <= (SELECT max(seq) FROM tellings) - ?""",
                (KEPT,),
            )


def _telling(row: sqlite3.Row) -> Telling:
    return Telling(**{**dict(row), "late": bool(row["late"])})


class StoredReminders(Database):
    """Reminders and list items."""

    def add_reminder(self, reminder: Reminder, *, near: float = 60.0) -> Reminder:
        """Keep it, unless an open one of the same text is due within ``near`` seconds: then that one is given."""
        with self.write() as connection:
            rows = connection.execute(
                "SELECT * FROM reminders WHERE done IS NULL AND text = ? COLLATE NOCASE", (clean(reminder.text),)
            )
            for known in map(_reminder, rows.fetchall()):
                if _same_time(known, reminder, near):
                    return known
            insert(connection, "reminders", asdict(reminder))
        return reminder

    def reminder(self, reminder: str) -> Reminder | None:
        row = self.row("SELECT * FROM reminders WHERE id = ?", (reminder,))
        return _reminder(row) if row else None

    def reminders(self, *, done: bool = False) -> Sequence[Reminder]:
        """Ringing first, then by the time they are due, then the list."""
        sql = """SELECT * FROM reminders WHERE done IS NULL OR ?
                 ORDER BY done IS NOT NULL, rang IS NULL, due IS NULL, due, created"""
        return [_reminder(row) for row in self.rows(sql, (done,))]

    def due_reminders(self, now: float) -> Sequence[Reminder]:
        sql = "SELECT * FROM reminders WHERE due <= ? AND due IS NOT NULL AND done IS NULL ORDER BY due"
        return [_reminder(row) for row in self.rows(sql, (now,))]

    def ring(self, reminder: Reminder, *, now: float, then: float | None, telling: Telling) -> bool:
        """Claim this ring and have it told. False when another process was first, or it was changed."""
        with self.write() as connection:
            claimed = connection.execute(
                "UPDATE reminders SET rang = ?, due = ? WHERE id = ? AND due = ? AND done IS NULL",
                (now, then, reminder.id, reminder.due),
            ).rowcount
            if claimed:
                add_telling(connection, telling)
        return bool(claimed)

    def update_reminder(self, reminder: str, **fields: object) -> Reminder:
        """Change it; what was still to be told of it is dropped. Raises ``StoreError`` when there is none."""
        with self.write() as connection:
            if not change(connection, "reminders", reminder, fields):
                raise StoreError(f"There is no reminder {reminder}.")
            _drop_untold(connection, f"reminder/{reminder}")
        found = self.reminder(reminder)
        assert found
        return found

    def delete_reminder(self, reminder: str) -> None:
        with self.write() as connection:
            connection.execute("DELETE FROM reminders WHERE id = ?", (reminder,))
            _drop_untold(connection, f"reminder/{reminder}")


def _same_time(known: Reminder, new: Reminder, near: float) -> bool:
    if known.due is None or new.due is None:
        return known.due is None and new.due is None and known.rang is None
    return abs(known.due - new.due) <= near and bool(known.schedule) == bool(new.schedule)


def _drop_untold(connection: sqlite3.Connection, about: str) -> None:
    connection.execute("DELETE FROM tellings WHERE about = ? AND told IS NULL", (about,))


def _reminder(row: sqlite3.Row) -> Reminder:
    return Reminder(**dict(row))


class Duties(Database):
    """Which process does what only one may do. ``owner`` is "PID what"; a dead owner's right is free at once,
    a hung one's after its time."""

    def take_duty(self, what: str, owner: str, *, now: float, seconds: float) -> str:
        """Take or renew it. Returns who has it: ``owner``, or the other. One who was asked to hand over does,
        by not renewing; the right is then kept for who asked."""
        pid = int(owner.split()[0])
        with self.write() as connection:
            row = connection.execute("SELECT * FROM duties WHERE what = ?", (what,)).fetchone()
            if row is not None and row["owner"] != owner and is_held(row, now):
                return str(row["owner"])
            asked = row["asked"] if row is not None else ""
            if asked and asked != owner and start_of(int(asked.split()[0])):
                connection.execute("UPDATE duties SET expires = 0 WHERE what = ?", (what,))
                return str(asked)
            connection.execute(
                "INSERT OR REPLACE INTO duties (what, owner, pid, started, expires) VALUES (?, ?, ?, ?, ?)",
                (what, owner, pid, start_of(pid), now + seconds),
            )
        return owner

    def ask_for_duty(self, what: str, owner: str) -> None:
        """Have whoever has it hand it over at its next look."""
        with self.write() as connection:
            connection.execute("UPDATE duties SET asked = ? WHERE what = ? AND owner != ?", (owner, what, owner))

    def leave_duty(self, what: str, owner: str) -> None:
        with self.write() as connection:
            connection.execute("DELETE FROM duties WHERE what = ? AND owner = ? AND asked = ''", (what, owner))
            connection.execute("UPDATE duties SET expires = 0 WHERE what = ? AND owner = ?", (what, owner))

    def duty_of(self, what: str, now: float) -> str:
        """Who has it now, or an empty text."""
        row = self.row("SELECT * FROM duties WHERE what = ?", (what,))
        return str(row["owner"]) if row is not None and is_held(row, now) else ""

    def next_due(self) -> float | None:
        """When the next of all reminders, routines and watches is due; 0.0 when a run is wanted now."""
        row = self.row(
            """SELECT min(at) FROM (
                SELECT min(due) AS at FROM reminders WHERE due IS NOT NULL AND done IS NULL
                UNION ALL SELECT min(due) FROM routines WHERE due IS NOT NULL AND paused = 0
                UNION ALL SELECT min(due) FROM watches WHERE due IS NOT NULL AND paused = 0
                UNION ALL SELECT 0.0 FROM routines WHERE wanted IS NOT NULL)"""
        )
        return float(row[0]) if row and row[0] is not None else None

    def changes(self) -> int:
        """Grows when another connection has written: a cheap look for news."""
        row = self.row("PRAGMA data_version")
        return int(row[0]) if row else 0
