"""The schema, as numbered steps; ``PRAGMA user_version`` says which are done.

A step is rehearsed on a copy, a backup is kept, then it is made in one transaction on the real file, which
other processes may have open. A file that isn't our database is set aside and reported, never overwritten.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from ankita_desktop.errors import StoreError
from ankita_desktop.store.connection import connect, explained
from ankita_desktop.store.disk import exclusive, set_aside
from ankita_desktop.store.memory_schema import MEMORY
from ankita_desktop.store.tool_use import MISSES

FIRST = """
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    cwd TEXT NOT NULL,
    mode TEXT NOT NULL,
    model TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'idle',
    unread INTEGER NOT NULL DEFAULT 0,
    created REAL NOT NULL,
    updated REAL NOT NULL,
    head INTEGER
);
CREATE TABLE messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    parent INTEGER,
    created REAL NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (session, id)
);
CREATE TABLE leases (
    session TEXT PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE,
    owner TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started REAL NOT NULL,
    expires REAL NOT NULL
);
CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    request TEXT NOT NULL,
    outcome TEXT NOT NULL DEFAULT 'pending',
    decision TEXT,
    created REAL NOT NULL
);
CREATE INDEX approvals_of_session ON approvals (session, outcome);
CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    session TEXT REFERENCES sessions(id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    label TEXT NOT NULL,
    created REAL NOT NULL
);
CREATE UNIQUE INDEX grants_once ON grants (key, ifnull(session, ''));
CREATE TABLE rounds (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    turn TEXT NOT NULL,
    body TEXT NOT NULL,
    created REAL NOT NULL
);
CREATE INDEX rounds_of_session ON rounds (session);
CREATE VIRTUAL TABLE search USING fts5 (body, tokenize = 'trigram');
"""

AUTOMATION = """
CREATE TABLE reminders (
    id TEXT PRIMARY KEY, text TEXT NOT NULL, created REAL NOT NULL, "when" TEXT NOT NULL, schedule TEXT NOT NULL,
    due REAL, rang REAL, done REAL
);
CREATE INDEX reminders_due ON reminders (due) WHERE due IS NOT NULL AND done IS NULL;
CREATE TABLE routines (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, prompt TEXT NOT NULL, "when" TEXT NOT NULL,
    schedule TEXT NOT NULL, cwd TEXT NOT NULL, created REAL NOT NULL, model TEXT NOT NULL, late TEXT NOT NULL,
    grace REAL NOT NULL, "limit" REAL NOT NULL, tokens INTEGER NOT NULL, runs INTEGER NOT NULL,
    allowed TEXT NOT NULL, session TEXT NOT NULL, due REAL, paused INTEGER NOT NULL, wanted REAL
);
CREATE INDEX routines_due ON routines (due) WHERE due IS NOT NULL AND paused = 0;
CREATE INDEX routines_wanted ON routines (wanted) WHERE wanted IS NOT NULL;
CREATE TABLE runs (
    id TEXT PRIMARY KEY, routine TEXT NOT NULL REFERENCES routines(id) ON DELETE CASCADE, slot REAL,
    started REAL NOT NULL, owner TEXT NOT NULL, pid INTEGER NOT NULL, born REAL NOT NULL,
    status TEXT NOT NULL, ended REAL, session TEXT NOT NULL DEFAULT '', message TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '', undone TEXT NOT NULL DEFAULT '[]',
    tokens INTEGER NOT NULL DEFAULT 0, cost REAL,
    UNIQUE (routine, slot)
);
CREATE INDEX runs_of_routine ON runs (routine, started);
CREATE INDEX runs_open ON runs (status) WHERE status = 'running';
CREATE TABLE watches (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, kind TEXT NOT NULL, target TEXT NOT NULL,
    created REAL NOT NULL, every REAL NOT NULL, selector TEXT NOT NULL, regex TEXT NOT NULL, cwd TEXT NOT NULL,
    private INTEGER NOT NULL,
    above REAL, below REAL, cooldown REAL NOT NULL, patience INTEGER NOT NULL, paused INTEGER NOT NULL, due REAL,
    value TEXT, told TEXT, told_at REAL NOT NULL, etag TEXT NOT NULL, modified TEXT NOT NULL,
    misses INTEGER NOT NULL, checked REAL, problem TEXT NOT NULL
);
CREATE INDEX watches_due ON watches (due) WHERE due IS NOT NULL AND paused = 0;
CREATE TABLE watch_history (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, watch TEXT NOT NULL REFERENCES watches(id) ON DELETE CASCADE,
    time REAL NOT NULL, value TEXT NOT NULL, number REAL
);
CREATE INDEX history_of_watch ON watch_history (watch, seq);
CREATE TABLE tellings (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, about TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL,
    late INTEGER NOT NULL, created REAL NOT NULL, told REAL
);
CREATE INDEX tellings_open ON tellings (seq) WHERE told IS NULL;
CREATE TABLE duties (
    what TEXT PRIMARY KEY, owner TEXT NOT NULL, pid INTEGER NOT NULL, started REAL NOT NULL,
    expires REAL NOT NULL, asked TEXT NOT NULL DEFAULT ''
);
"""

ROUTINE_PROJECT = "ALTER TABLE routines ADD COLUMN project TEXT NOT NULL DEFAULT '';"

MIGRATIONS: tuple[str, ...] = (FIRST, AUTOMATION, MEMORY, MISSES, ROUTINE_PROJECT)


def prepare(path: Path, steps: tuple[str, ...] = MIGRATIONS) -> tuple[str, ...]:
    """Make the file at ``path`` a database of the newest schema. Returns what the person should know.

    Raises ``StoreError`` when the file was written by a newer version or can't be reached.
    """
    with exclusive(path.with_name(f"{path.name}.lock")):
        try:
            notices = _set_aside_if_foreign(path)
            path.touch(mode=0o600)
            with contextlib.closing(connect(path)) as connection:
                _bring_up(connection, path, steps)
        except sqlite3.Error as error:
            raise StoreError(explained(error, path)) from error
    return notices


def backups(path: Path) -> list[Path]:
    """Copies of the database that earlier migrations kept."""
    return sorted(path.parent.glob(f"{path.name}.backup-*"))


def _set_aside_if_foreign(path: Path) -> tuple[str, ...]:
    """A file that is no database, or another program's, gets another name."""
    if not path.exists() or path.stat().st_size == 0:
        return ()
    reason = _foreign(path)
    if not reason:
        return ()
    aside = set_aside(path)
    for suffix in ("-wal", "-shm"):
        side = path.with_name(path.name + suffix)
        if side.exists():
            side.rename(aside.with_name(aside.name + suffix))
    return (f"The database could not be read ({reason}). It was set aside as {aside}, and a new one was started.",)


def _foreign(path: Path) -> str:
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=5.0)) as connection:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            version = _version(connection)
    except sqlite3.OperationalError:  # it may well be ours, but can't be reached
        raise
    except sqlite3.DatabaseError as error:
        return str(error)
    if tables and (version == 0 or not {"sessions", "messages"} <= tables):
        return "it belongs to another program"
    return ""


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _too_new(path: Path, version: int, known: int) -> str:
    return (
        f"The database {path} was written by a newer version of Ankita Desktop (schema {version}, this one knows "
        f"{known}). Update Ankita Desktop; the file was not touched."
    )


def _bring_up(connection: sqlite3.Connection, path: Path, steps: tuple[str, ...]) -> None:
    version = _version(connection)
    if version > len(steps):
        raise StoreError(_too_new(path, version, len(steps)))
    if version < len(steps):
        if version:
            _rehearse(connection, path, steps)
        _apply(connection, steps)


def _rehearse(connection: sqlite3.Connection, path: Path, steps: tuple[str, ...]) -> None:
    """Keep a backup, and try the steps on a copy first: a step that fails leaves the real file as it was."""
    backup = path.with_name(f"{path.name}.backup-{_version(connection)}")
    trial = path.with_name(f"{path.name}.trial")
    trial.unlink(missing_ok=True)
    _copy(connection, backup)
    _copy(connection, trial)
    try:
        with contextlib.closing(sqlite3.connect(trial, isolation_level=None)) as copy:
            _apply(copy, steps)
            verdict = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if verdict != "ok":
            raise StoreError(f"The database could not be brought up to date: {verdict}. It is unchanged: {path}.")
    except sqlite3.Error as error:
        raise StoreError(
            f"The database could not be brought up to date: {error}. It is unchanged: {path}."
        ) from error
    finally:
        trial.unlink(missing_ok=True)


def _copy(connection: sqlite3.Connection, target: Path) -> None:
    with contextlib.closing(sqlite3.connect(target)) as copy:
        connection.backup(copy)
    target.chmod(0o600)


def _apply(connection: sqlite3.Connection, steps: tuple[str, ...]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number in range(_version(connection), len(steps)):
            for statement in _statements(steps[number]):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute("COMMIT")
    except BaseException:  # handed on: the old version stays whole, also when the program is ended
        if connection.in_transaction:  # a full disk has already ended it
            connection.execute("ROLLBACK")
        raise


def _statements(step: str) -> list[str]:
    """The statements of a step. (``executescript`` would commit between them.)"""
    found, current = [], ""
    for part in step.split(";"):
        current += part + ";"
        if sqlite3.complete_statement(current) and current.strip(" \n;"):
            found.append(current)
            current = ""
    return found
