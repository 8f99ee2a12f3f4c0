"""Killed at the worst moment: nothing is lost, nothing happens twice, nothing happens unasked."""

from __future__ import annotations

import time
from pathlib import Path

from ankita_desktop.store.database import Store
from tests.terminal.shell import ankita, at, terminal
from tests.wire import WireServer, calls, silent

EDIT = calls(("edit_file", {"path": "notes.txt", "old_string": "TODO", "new_string": "DONE"}))


def waiting(folder: Path, server: WireServer) -> str:
    """Kill the terminal while its question waits; returns the question's id."""
    (folder / "notes.txt").write_text("TODO\n")
    with terminal("-p", "do the note", "--cwd", str(folder), *at(server)) as shown:
        shown.expect("Allow?")
        shown.kill()
    (row,) = ankita("approvals", "list", "--json").json
    return str(row["id"])


def test_an_answer_after_kill_9_takes_the_turn_up(tmp_path: Path) -> None:
    with WireServer([EDIT, "Done after all."]) as server:
        request = waiting(tmp_path, server)
        assert (tmp_path / "notes.txt").read_text() == "TODO\n"
        answered = ankita("approvals", "answer", request, "allow", *at(server), "--json")
        assert answered.code == 0 and answered.json["text"] == "Done after all."
        assert (tmp_path / "notes.txt").read_text() == "DONE\n"
        again = ankita("approvals", "answer", request, "allow", *at(server), "--json")
        assert again.code != 0 and len(server.requests) == 2


def test_a_no_after_kill_9_reaches_the_model_with_its_reason(tmp_path: Path) -> None:
    with WireServer([EDIT, "As you wish."]) as server:
        request = waiting(tmp_path, server)
        answered = ankita("approvals", "answer", request, "deny", "keep it", *at(server), "--json")
        assert answered.json["text"] == "As you wish."
        assert (tmp_path / "notes.txt").read_text() == "TODO\n"
        assert "keep it" in server.requests[1]["messages"][-1]["content"]


def test_a_file_changed_between_kill_and_answer_is_not_overwritten(tmp_path: Path) -> None:
    with WireServer([EDIT, "Could not."]) as server:
        request = waiting(tmp_path, server)
        (tmp_path / "notes.txt").write_text("TODO by hand\n")
        answered = ankita("approvals", "answer", request, "allow", *at(server), "--json")
        assert answered.code == 3
        assert (tmp_path / "notes.txt").read_text() == "TODO by hand\n"


def test_what_was_said_before_kill_9_is_still_there(tmp_path: Path) -> None:
    with WireServer([silent(60.0, "thinking")]) as server:
        with terminal("-p", "remember these words", "--cwd", str(tmp_path), *at(server)) as shown:
            until = time.monotonic() + 20
            while not server.requests and time.monotonic() < until:
                time.sleep(0.02)
            assert server.requests
            shown.kill()
        store = Store()
        try:
            said = [m.text for m in store.messages(store.sessions()[0].id) if m.source != "note"]
            assert said == ["remember these words"]
        finally:
            store.close()
