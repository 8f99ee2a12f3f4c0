"""Questions that nobody answers, attacked from outside with real processes: none stays behind as if somebody
waited, a late yes does nothing, and each declared call ends with exactly one result."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.assembly import Options, assemble
from ankita_desktop.errors import SessionBusy
from ankita_desktop.store.database import Store
from tests.terminal.shell import COMMAND, WAIT, ankita, at, environ, terminal
from tests.wire import WireServer, calls

EDIT = ("edit_file", {"path": "notes.txt", "old_string": "TODO", "new_string": "DONE"})
WRITE = ("write_file", {"path": "other.txt", "content": "x"})
RUN = """
import sys, threading
from ankita_desktop.assembly import Options, assemble
app = assemble(Options(cwd=sys.argv[1], base_url=sys.argv[2], api_key="sk-test", model="scripted"))
session = app.new_session()
app.engine.subscribe(lambda event: type(event).__name__ == "ApprovalAsked" and print("asked", flush=True))
app.engine.submit(session.id, "do the note", patience=3600.0)
threading.Event().wait()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "notes.txt").write_text("TODO\n")
    return tmp_path / "work"


@contextmanager
def asking(folder: Path, server: WireServer) -> Iterator[subprocess.Popen[str]]:
    """A process whose question waits an hour for its answer, as that of a routine does."""
    command = [sys.executable, "-c", RUN, str(folder), server.base_url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ())
    try:
        assert process.stdout and process.stdout.readline() == "asked\n"
        yield process
    finally:
        process.kill()
        process.wait(WAIT)
        assert process.stdout
        process.stdout.close()


def an_hour_later(home: Path) -> None:
    """All questions are over their time."""
    with closing(sqlite3.connect(home / "data" / "ankita.db")) as database, database:
        database.execute("UPDATE approvals SET request = json_set(request, '$.expires', 1000.0)")


def killed_and_late(home: Path, folder: Path, server: WireServer) -> str:
    """A question whose process was killed and whose time is up; returns its id."""
    with asking(folder, server):
        (row,) = ankita("approvals", "list", "--json").json
    an_hour_later(home)
    return str(row["id"])


def one_result_each(server: WireServer) -> list[Any]:
    """The results in the last request, after a look that each declared call has exactly one."""
    messages = server.requests[-1]["messages"]
    declared = Counter(call["id"] for message in messages for call in message.get("tool_calls") or ())
    results = [message for message in messages if message["role"] == "tool"]
    assert Counter(message["tool_call_id"] for message in results) == declared and max(declared.values()) == 1
    return results


def outcomes() -> list[str]:
    store = Store()
    try:
        return [outcome for _, outcome, _ in store.approvals(outcome=None)]
    finally:
        store.close()


def states() -> list[str]:
    return [each["state"] for each in ankita("sessions", "list", "--json").json]


@pytest.mark.parametrize("answer", ["allow", "deny"])
def test_a_late_answer_to_a_question_that_nobody_waits_for_does_nothing(
    folder: Path, ankita_home: Path, answer: str
) -> None:
    with WireServer([calls(EDIT), "never said"]) as server:
        request = killed_and_late(ankita_home, folder, server)
        late = ankita("approvals", "answer", request, answer, *at(server))
        assert late.code != 0 and "expired" in late.err and len(server.requests) == 1
    assert (folder / "notes.txt").read_text() == "TODO\n" and outcomes() == ["expired"]


def test_what_is_over_its_time_is_in_no_list_and_nothing_waits(folder: Path, ankita_home: Path) -> None:
    with WireServer([calls(EDIT)]) as server:
        killed_and_late(ankita_home, folder, server)
    assert ankita("approvals", "list", "--json").json == [] and states() == ["idle"]


def test_the_model_is_told_that_nobody_answered_when_the_conversation_goes_on(
    folder: Path, ankita_home: Path
) -> None:
    with WireServer([calls(EDIT, WRITE), "I see."]) as server:
        killed_and_late(ankita_home, folder, server)
        assert ankita("-p", "and now?", "--continue", *at(server)).code == 0
        first, second = one_result_each(server)
    assert "nobody answered in time" in first["content"] and second["content"].startswith("Interrupted")
    assert not (folder / "other.txt").exists() and (folder / "notes.txt").read_text() == "TODO\n"


def test_a_process_that_still_waits_keeps_its_question_whatever_the_clock_says(
    folder: Path, ankita_home: Path
) -> None:
    with WireServer([calls(EDIT), "Done."]) as server, asking(folder, server):
        an_hour_later(ankita_home)
        assert len(ankita("approvals", "list", "--json").json) == 1 and outcomes() == ["pending"]


def test_a_question_that_has_no_end_waits_over_any_restart(folder: Path) -> None:
    with WireServer([calls(EDIT), "Done."]) as server:
        with terminal("-p", "x", "--cwd", str(folder), *at(server)) as shown:
            shown.expect("Allow?")
            shown.kill()
        for _ in range(2):
            (row,) = ankita("approvals", "list", "--json").json
        assert states() == ["waiting"]
        assert ankita("approvals", "answer", row["id"], "allow", *at(server)).code == 0
    assert (folder / "notes.txt").read_text() == "DONE\n" and states() == ["idle"]


def test_a_stop_closes_the_question_and_gives_each_call_its_result(folder: Path) -> None:
    with WireServer([calls(EDIT, WRITE), "Going on."]) as server:
        with terminal("-p", "x", "--cwd", str(folder), *at(server)) as shown:
            shown.expect("Allow?")
            shown.interrupt()
            shown.end()
        assert outcomes() == ["closed"] and states() == ["idle"]
        assert ankita("-p", "go on", "--continue", *at(server)).code == 0
        assert len(one_result_each(server)) == 2
    assert ankita("approvals", "list", "--json").json == [] and not (folder / "other.txt").exists()


def test_an_end_by_the_system_leaves_the_question_to_be_answered(folder: Path) -> None:
    with WireServer([calls(EDIT, WRITE), calls(WRITE), "Done."]) as server:
        with terminal("-p", "x", "--cwd", str(folder), *at(server)) as shown:
            shown.expect("Allow?")
            shown.process.send_signal(signal.SIGTERM)
            shown.end()
        (row,) = ankita("approvals", "list", "--json").json
        assert ankita("approvals", "answer", row["id"], "deny", "no", *at(server)).code in (0, 3)
        one_result_each(server)
    assert ankita("approvals", "list", "--json").json == [] and (folder / "notes.txt").read_text() == "TODO\n"


def test_a_conversation_that_waits_in_another_process_is_not_deleted_under_it(
    folder: Path, ankita_home: Path
) -> None:
    with (
        WireServer([calls(EDIT), "Done."]) as server,
        terminal("-p", "x", "--cwd", str(folder), *at(server)) as shown,
    ):
        shown.expect("Allow?")
        (row,) = ankita("approvals", "list", "--json").json
        assert ankita("sessions", "delete", row["session"]).code != 0
        window = assemble(Options(base_url=server.base_url, api_key="sk-test", model="scripted"))
        try:
            with pytest.raises(SessionBusy):
                window.engine.delete_session(row["session"])
        finally:
            window.close()
        shown.send("y\n")
        shown.expect("Done.")
        assert shown.end() == 0
    assert (folder / "notes.txt").read_text() == "DONE\n"


def test_a_deleted_conversation_takes_its_question_along(folder: Path, ankita_home: Path) -> None:
    with WireServer([calls(EDIT), "never said"]) as server:
        with terminal("-p", "x", "--cwd", str(folder), *at(server)) as shown:
            shown.expect("Allow?")
            shown.kill()
        (row,) = ankita("approvals", "list", "--json").json
        assert ankita("sessions", "delete", row["session"]).code == 0
        assert ankita("approvals", "list", "--json").json == []
        assert ankita("approvals", "answer", row["id"], "allow", *at(server)).code == 2
    assert (folder / "notes.txt").read_text() == "TODO\n"


def test_questions_of_two_killed_processes_are_answered_each_for_itself(folder: Path, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = []
    with WireServer([calls(EDIT), calls(WRITE), "One.", "Two."]) as server:
        for _ in range(2):
            with terminal("-p", "x", "--cwd", str(folder), *at(server)) as shown:
                shown.expect("Allow?")
                shown.kill()
            known = [row["id"] for row in rows]
            rows += [row for row in ankita("approvals", "list", "--json").json if row["id"] not in known]
        assert len(rows) == 2
        assert ankita("approvals", "answer", rows[1]["id"], "allow", *at(server)).code == 0
        assert [row["id"] for row in ankita("approvals", "list", "--json").json] == [rows[0]["id"]]
        assert ankita("approvals", "answer", rows[0]["id"], "deny", *at(server)).code in (0, 3)
    assert (folder / "other.txt").read_text() == "x" and (folder / "notes.txt").read_text() == "TODO\n"


def test_of_two_processes_that_answer_at_once_one_counts(folder: Path) -> None:
    with WireServer([calls(EDIT), "Done.", "Done."]) as server:
        with terminal("-p", "x", "--cwd", str(folder), *at(server)) as shown:
            shown.expect("Allow?")
            shown.kill()
        (row,) = ankita("approvals", "list", "--json").json
        words = [*COMMAND, "approvals", "answer", row["id"], "allow", *at(server), "--json"]
        both = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environ()) for _ in range(2)]
        said = [process.communicate(timeout=WAIT * 2)[0] for process in both]
        assert sorted(process.returncode == 0 for process in both) == [False, True], said
        assert len(server.requests) == 2
        one_result_each(server)
    assert (folder / "notes.txt").read_text() == "DONE\n" and outcomes() == ["allowed"]
