"""Connections to the database: one per thread, short immediate transactions, one kind of error.

``synchronous=NORMAL`` is chosen on purpose: in WAL mode a commit has reached the operating system when the
call returns, so a process killed at any moment loses nothing it had stored, and the file can't be damaged.
Only a power cut may take the last moments; ``FULL`` would pay a disk flush per message for that alone.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ankita_desktop.errors import StoreError

BUSY_SECONDS = 5.0
CLOSE_SECONDS = 1.0


def connect(path: Path) -> sqlite3.Connection:
    """A configured connection in autocommit; transactions are opened by hand."""
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
    except BaseException:  # whatever it is, it is handed on: a connection that nobody has must not stay open
        connection.close()
        raise
    return connection


class _Held:
    """A thread's connection: closed with the thread, or by ``Database.close``. ``used`` is held while the thread
    is at it: a connection that is closed in the middle of a statement takes the whole process with it."""

    def __init__(self, path: Path) -> None:
        self.connection = connect(path)
        self.used = threading.RLock()

    def close(self, seconds: float) -> None:
        """Wait so long for its thread; one that takes longer is interrupted, and closes it when it ends."""
        if not self.used.acquire(timeout=max(0.0, seconds)):
            self.connection.interrupt()
            return
        try:
            self.connection.close()
        finally:
            self.used.release()

    def __del__(self) -> None:
        if hasattr(self, "connection"):
            self.connection.close()


class Database:
    """The file and its connections. Any thread may call any method of the classes built on this one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._closed = False
        self._lock = threading.Lock()
        self._mine = threading.local()
        self._held: weakref.WeakSet[_Held] = weakref.WeakSet()

    def _mine_held(self) -> _Held:
        held: _Held | None = getattr(self._mine, "held", None)
        if held is None:
            held = self._mine.held = self._hold()
        return held

    def _hold(self) -> _Held:
        with self._lock:
            if self._closed:
                raise StoreError("The database is closed.")
            held = _Held(self.path)
            self._held.add(held)
            return held

    @contextlib.contextmanager
    def _reported(self) -> Iterator[sqlite3.Connection]:
        try:
            held = self._mine_held()
            with held.used:
                yield held.connection
        except sqlite3.Error as error:
            raise StoreError(explained(error, self.path)) from error

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[sqlite3.Row]:
        """Run one reading statement."""
        with self._reported() as connection:
            return connection.execute(sql, values).fetchall()

    def row(self, sql: str, values: tuple[Any, ...] = ()) -> sqlite3.Row | None:
        found = self.rows(sql, values)
        return found[0] if found else None

    @contextlib.contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A transaction that has the write lock from its start. Any exception rolls it back."""
        with self._reported() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:  # handed on: no change is ever left half made, also when the program is ended
                with contextlib.suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the connections of all threads, each after the transaction it is in; what begins later ends with
        ``StoreError``. Takes no longer than ``CLOSE_SECONDS``."""
        with self._lock:
            self._closed = True
            held = list(self._held)
        deadline = time.monotonic() + CLOSE_SECONDS
        for one in held:
            one.close(deadline - time.monotonic())


def explained(error: sqlite3.Error, path: Path) -> str:
    """What SQLite refused, for the person."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return f"The database has been busy for {BUSY_SECONDS:.0f} seconds: another process is writing. Try again."
    if "full" in text:
        return f"The disk is full, nothing could be stored in {path}. Free some space and try again."
    if "disk I/O" in text:
        return f"The database {path} can't be read or written ({text}). See whether its disk is full or failing."
    if "readonly" in text or "unable to open" in text:
        return f"The database {path} can't be written ({text}). Check the rights of its folder."
    if "closed database" in text:
        return "The database is closed."
    return f"The database could not do this: {text} ({path})."
