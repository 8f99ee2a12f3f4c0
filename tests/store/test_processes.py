"""Several processes share the file; any of them may be killed at any moment."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from ankita_desktop.errors import SessionBusy
from ankita_desktop.protocol import ApprovalRequest, Preview, ToolCall
from ankita_desktop.store.database import Store

WRITER = """
import sys
from ankita_desktop.protocol import Message
from ankita_desktop.store.database import Store
store, session, count = Store(), sys.argv[1], int(sys.argv[2])
for number in range(count):
    store.add_message(session, Message("user", f"{sys.argv[3]} {number} " + "word " * 40))
    print(number, flush=True)
store.close()
"""

HOLDER = """
import os, sys, time
from ankita_desktop.store.database import Store
store = Store()
store.lease(sys.argv[1], f"{os.getpid()} window")
print("held", flush=True)
sys.stdin.read()
"""


def run(code: str, *words: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", code, *words], stdin=pipe, stdout=pipe, text=True)


@contextmanager
def running(code: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    with run(code, *words) as process:
        try:
            yield process
        finally:
            process.kill()


def test_two_processes_write_at_once_and_both_are_kept(store: Store) -> None:
    sessions = [store.create_session(cwd="/", mode="ask", model="").id for _ in range(2)]
    writers = [run(WRITER, session, "60", name) for session, name in zip(sessions, "ab", strict=True)]
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    for session, name in zip(sessions, "ab", strict=True):
        said = [message.text.split()[:2] for message in store.messages(session)]
        assert said == [[name, str(number)] for number in range(60)]


def test_a_writer_killed_in_a_loop_loses_nothing_it_had_stored(store: Store) -> None:
    for round_ in range(6):
        session = store.create_session(cwd="/", mode="ask", model="").id
        with running(WRITER, session, "100000", "x") as writer:
            assert writer.stdout is not None
            seen = -1
            for _ in range(10 + 15 * round_):
                seen = int(writer.stdout.readline())
            writer.send_signal(signal.SIGKILL)
            writer.wait()
        kept = len(store.messages(session))
        assert kept >= seen + 1, "a message that was stored is gone"
    with closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 0)")
        messages = connection.execute("SELECT count(*) FROM messages").fetchone()
        assert messages == connection.execute("SELECT count(*) FROM search").fetchone()


def test_a_session_runs_in_one_process_and_the_second_is_told_who_has_it(store: Store, session: str) -> None:
    mine = f"{os.getpid()} terminal"
    with running(HOLDER, session) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(SessionBusy, match=rf"window \(process {holder.pid}\)"):
            store.lease(session, mine)
        assert store.leased_by(session) == f"{holder.pid} window"
    store.lease(session, mine)
    assert store.leased_by(session) == mine


def test_a_killed_process_frees_its_session(store: Store, session: str) -> None:
    with running(HOLDER, session) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        holder.send_signal(signal.SIGKILL)
        # Not waited for: a process that is dead but not yet collected is dead.
        deadline = time.monotonic() + 10
        while store.leased_by(session):
            assert time.monotonic() < deadline
        store.lease(session, f"{os.getpid()} terminal")


def test_a_lease_can_be_renewed_and_given_back(store: Store, session: str) -> None:
    mine = f"{os.getpid()} terminal"
    store.lease(session, mine)
    store.lease(session, mine)
    with pytest.raises(SessionBusy):
        store.lease(session, f"{os.getpid()} window")
    store.release(session, f"{os.getpid()} window")
    assert store.leased_by(session) == mine
    store.release(session, mine)
    assert store.leased_by(session) == ""


def test_a_lease_that_ran_out_is_free(store: Store, session: str) -> None:
    store.lease(session, f"{os.getpid()} window", seconds=-1.0)
    store.lease(session, f"{os.getpid()} terminal")


def test_a_process_number_used_again_is_not_the_old_process(store: Store, session: str) -> None:
    store.lease(session, f"{os.getpid()} window")
    with store.write() as connection:
        connection.execute("UPDATE leases SET started = started - 100")
    store.lease(session, f"{os.getpid()} terminal")


def test_what_a_killed_process_left_running_is_not_running(store: Store, session: str) -> None:
    store.update_session(session, state="running")
    with running(HOLDER, session) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert store.session(session).state == "running"
        holder.kill()
        holder.wait()
        assert store.session(session).state == "idle"
        request = ApprovalRequest("r", session, ToolCall("c", "t"), "ask", Preview("text", "?"))
        store.add_approval(request)
        assert [info.state for info in store.sessions()] == ["waiting"]
