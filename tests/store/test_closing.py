"""Closing the database while threads are at work in it."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from ankita_desktop.store.database import Store

# In a process of its own: the fault this guards against ends the whole process.
BUSY = """
import sys, threading
from pathlib import Path
from ankita_desktop.errors import StoreError
from ankita_desktop.store.database import Store

for turn in range(12):
    store = Store(Path(sys.argv[1]))
    begun = threading.Barrier(5)

    def work():
        begun.wait()
        try:
            while True:
                store.create_session(cwd="/", mode="ask", model="")
                store.rows("SELECT * FROM sessions, sessions AS others LIMIT 20000")
        except StoreError:
            pass

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    begun.wait()
    threading.Event().wait(0.02 * turn)
    store.close()
    for thread in threads:
        thread.join()
print("whole")
"""


def test_closing_while_others_read_and_write_harms_nothing(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-c", BUSY, str(tmp_path / "busy.db")], capture_output=True, text=True, timeout=120
    )
    assert (found.returncode, found.stdout.strip()) == (0, "whole"), found.stderr[-2000:]


def test_a_transaction_that_has_begun_is_kept_when_the_database_is_closed_meanwhile(tmp_path: Path) -> None:
    store = Store(tmp_path / "kept.db")
    store.create_session(cwd="/", mode="ask", model="", title="before")
    inside, closing = threading.Event(), threading.Event()

    def work() -> None:
        with store.write() as connection:
            inside.set()
            closing.wait(20)
            connection.execute("UPDATE sessions SET title = 'kept'")

    thread = threading.Thread(target=work)
    thread.start()
    assert inside.wait(20)
    closer = threading.Thread(target=store.close)
    closer.start()
    closing.set()
    thread.join()
    closer.join()
    again = Store(tmp_path / "kept.db")
    assert [session.title for session in again.sessions()] == ["kept"]
    again.close()
