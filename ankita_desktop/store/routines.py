"""Routines and their runs. A row of ``runs`` is the claim of a time: it is there before anything runs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from ankita_desktop.errors import StoreError
from ankita_desktop.store.automation import KEPT, add_telling, change, insert
from ankita_desktop.store.connection import Database
from ankita_desktop.store.processes import start_of
from ankita_desktop.toolkit.automation import Allowed, Routine, Run, Telling

_RUN = tuple(field.name for field in fields(Run))


class StoredRoutines(Database):
    """The rows of routines."""

    def add_routine(self, routine: Routine) -> tuple[Routine, bool]:
        """Keep it, unless one of the same prompt, times, folder and project is there (then that one and
        False). Raises ``StoreError`` when another has the name."""
        with self.write() as connection:
            row = connection.execute(
                """SELECT * FROM routines WHERE trim(prompt) = trim(?) COLLATE NOCASE
                   AND trim("when") = trim(?) COLLATE NOCASE AND cwd = ? AND project = ?""",
                (routine.prompt, routine.when, routine.cwd, routine.project),
            ).fetchone()
            if row is not None:
                return _routine(row), False
            taken = connection.execute("SELECT 1 FROM routines WHERE name = ?", (routine.name,)).fetchone()
            if taken:
                raise StoreError(
                    f"A routine is called {routine.name!r} already: update it, or choose another name."
                )
            insert(connection, "routines", _columns(asdict(routine)))
        return routine, True

    def routine(self, routine: str) -> Routine | None:
        row = self.row("SELECT * FROM routines WHERE id = ?", (routine,))
        return _routine(row) if row else None

    def routines(self) -> Sequence[Routine]:
        """By the time they are due; paused and finished ones last."""
        sql = "SELECT * FROM routines ORDER BY paused, due IS NULL, due, name"
        return [_routine(row) for row in self.rows(sql)]

    def due_routines(self, now: float) -> Sequence[Routine]:
        """What is due or wanted now, the longest overdue first."""
        # Two indexes answer at once what one condition with OR would look through all rows for.
        sql = """SELECT * FROM routines WHERE id IN (
                     SELECT id FROM routines WHERE wanted IS NOT NULL
                     UNION ALL SELECT id FROM routines WHERE due <= ? AND due IS NOT NULL AND paused = 0)
                 ORDER BY wanted IS NULL, due"""
        return [_routine(row) for row in self.rows(sql, (now,))]

    def update_routine(self, routine: str, **changed: object) -> Routine:
        """Set fields. Raises ``StoreError`` when it is gone or its new name is taken."""
        try:
            with self.write() as connection:
                if not change(connection, "routines", routine, _columns(changed)):
                    raise StoreError(f"There is no routine {routine}.")
        except StoreError as error:
            if "UNIQUE" in str(error):
                raise StoreError(f"A routine is called {changed.get('name')!r} already.") from error
            raise
        found = self.routine(routine)
        assert found
        return found

    def delete_routine(self, routine: str) -> None:
        with self.write() as connection:
            connection.execute("DELETE FROM routines WHERE id = ?", (routine,))


class Runs(Database):
    """Runs: claimed, ended, looked up."""

    def claim_run(self, run: Run, *, then: float | None = None, telling: Telling | None = None) -> bool:
        """Claim the run's slot and set the time after it. False when the slot has been claimed before: whatever
        happens afterwards, it is never claimed again. A run by hand (no slot) takes back the wish for it."""
        pid = int(run.owner.split()[0])
        row = {**_columns(asdict(run)), "pid": pid, "born": start_of(pid)}
        with self.write() as connection:
            if run.slot is None:
                connection.execute("UPDATE routines SET wanted = NULL WHERE id = ?", (run.routine,))
            else:
                connection.execute("UPDATE routines SET due = ? WHERE id = ?", (then, run.routine))
                known = connection.execute(
                    "SELECT 1 FROM runs WHERE routine = ? AND slot = ?", (run.routine, run.slot)
                ).fetchone()
                if known:
                    return False
            insert(connection, "runs", row)
            if telling:
                add_telling(connection, telling)
        return True

    def end_run(self, run: Run, telling: Telling | None = None) -> bool:
        """Store how it ended. False when that was stored before."""
        changed = {name: value for name, value in asdict(run).items() if name not in ("id", "routine", "slot")}
        with self.write() as connection:
            open_ = connection.execute(
                "SELECT 1 FROM runs WHERE id = ? AND status = 'running'", (run.id,)
            ).fetchone()
            if not open_:
                return False
            change(connection, "runs", run.id, _columns(changed))
            if telling:
                add_telling(connection, telling)
            connection.execute(
                """DELETE FROM runs WHERE routine = ? AND status != 'running' AND id NOT IN
                   (SELECT id FROM runs WHERE routine = ? ORDER BY started DESC LIMIT ?)""",
                (run.routine, run.routine, KEPT),
            )
        return True

    def note_run(self, run: str, **changed: object) -> None:
        """Set fields of a run that goes on."""
        with self.write() as connection:
            change(connection, "runs", run, changed)

    def run(self, run: str) -> Run | None:
        row = self.row("SELECT * FROM runs WHERE id = ?", (run,))
        return _run(row) if row else None

    def runs(self, routine: str, limit: int = 20) -> Sequence[Run]:
        """The latest first."""
        sql = "SELECT * FROM runs WHERE routine = ? ORDER BY started DESC, rowid DESC LIMIT ?"
        return [_run(row) for row in self.rows(sql, (routine, limit))]

    def open_runs(self) -> Sequence[Run]:
        """Runs that go on, as far as their processes are alive."""
        return [_run(row) for row in self._open() if _lives(row)]

    def cut_off_runs(self) -> Sequence[Run]:
        """Runs that no process follows any more: it was killed."""
        return [_run(row) for row in self._open() if not _lives(row)]

    def used_since(self, routine: str, since: float) -> tuple[int, int]:
        """How many runs began since then, and the tokens they took."""
        row = self.row(
            """SELECT count(*), ifnull(sum(tokens), 0) FROM runs
               WHERE routine = ? AND started >= ? AND status != 'missed'""",
            (routine, since),
        )
        return (int(row[0]), int(row[1])) if row else (0, 0)

    def _open(self) -> list[sqlite3.Row]:
        return self.rows("SELECT * FROM runs WHERE status = 'running' ORDER BY started")


def _lives(row: sqlite3.Row) -> bool:
    started = start_of(row["pid"])
    return bool(started) and abs(started - row["born"]) < 1.0


def _columns(changed: dict[str, Any]) -> dict[str, Any]:
    """Values as columns hold them: sequences are JSON."""
    plain = {}
    for name, value in changed.items():
        if name == "allowed":
            value = json.dumps([one if isinstance(one, dict) else asdict(one) for one in value])
        elif name == "undone":
            value = json.dumps(list(value))
        plain[name] = value
    return plain


def _routine(row: sqlite3.Row) -> Routine:
    allowed = tuple(Allowed(**one) for one in json.loads(row["allowed"]))
    return Routine(**{**dict(row), "allowed": allowed, "paused": bool(row["paused"])})


def _run(row: sqlite3.Row) -> Run:
    values: dict[str, Any] = {name: row[name] for name in _RUN}
    return Run(**{**values, "undone": tuple(json.loads(row["undone"]))})
