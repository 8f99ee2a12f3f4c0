"""Questions in a terminal: the whole change is shown, and the answer counts as given."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from ankita_desktop.protocol import ApprovalRequest, Decision, FileChange, Preview, ToolCall
from ankita_desktop.store.database import Store
from ankita_desktop.terminal.asking import drawn, understood
from tests.terminal.shell import ankita, at, terminal
from tests.wire import WireServer, calls

EDIT = ("edit_file", {"path": "notes.txt", "old_string": "TODO", "new_string": "DONE"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes.txt").write_text("one TODO\nmore\n")
    return tmp_path


def test_yes_changes_the_file_after_the_diff_was_shown(folder: Path) -> None:
    with WireServer([calls(EDIT), "Changed."]) as server, terminal("-p", "x", *at(server), cwd=folder) as shown:
        asked = shown.expect("Allow?")
        assert "-one TODO" in asked
        assert "+one DONE" in asked
        assert "\x1b[3" in asked, "colours on a terminal"
        assert (folder / "notes.txt").read_text() == "one TODO\nmore\n"
        shown.expect(":")
        shown.send("y\n")
        shown.expect("Changed.")
        assert shown.end() == 0
    assert (folder / "notes.txt").read_text() == "one DONE\nmore\n"


def test_no_leaves_the_file_and_the_model_reads_the_reason(folder: Path) -> None:
    with WireServer([calls(EDIT), "I won't."]) as server, terminal("-p", "x", *at(server), cwd=folder) as shown:
        shown.expect("Allow?")
        shown.send("maybe\n")
        shown.expect("Please answer")
        shown.send("n keep it open\n")
        shown.expect("I won't.")
        assert shown.end() == 0, "a person said no: nobody was missing"
        assert "keep it open" in server.requests[1]["messages"][-1]["content"]
    assert (folder / "notes.txt").read_text() == "one TODO\nmore\n"


def test_a_reason_is_asked_for_after_a_plain_no(folder: Path) -> None:
    with WireServer([calls(EDIT), "Fine."]) as server, terminal("-p", "x", *at(server), cwd=folder) as shown:
        shown.expect("Allow?")
        shown.send("n\n")
        shown.expect("Why not?")
        shown.send("not today\n")
        shown.expect("Fine.")
        assert "not today" in server.requests[1]["messages"][-1]["content"]


def test_for_this_session_is_not_asked_again(folder: Path) -> None:
    again = ("edit_file", {"path": "notes.txt", "old_string": "more", "new_string": "less"})
    script = [calls(EDIT), calls(again), "Both."]
    with WireServer(script) as server, terminal("-p", "x", *at(server), cwd=folder) as shown:
        shown.expect("Allow?")
        shown.send("s\n")
        shown.expect("Both.")
        assert shown.end() == 0
    assert (folder / "notes.txt").read_text() == "one DONE\nless\n"


def test_ctrl_c_at_a_question_stops_the_turn_and_closes_the_question(folder: Path) -> None:
    with WireServer([calls(EDIT)]) as server, terminal("-p", "x", *at(server), cwd=folder) as shown:
        shown.expect("Allow?")
        shown.interrupt()
        assert shown.end() == 130
    assert ankita("approvals", "list", "--json").json == []
    assert (folder / "notes.txt").read_text() == "one TODO\nmore\n"


def test_a_question_of_a_killed_process_is_answered_later_and_its_turn_goes_on(folder: Path) -> None:
    script = [calls(EDIT), "Changed after all."]
    with WireServer(script) as server:
        with terminal("-p", "replace it", *at(server), cwd=folder) as shown:
            shown.expect("Allow?")
            shown.kill()
        (waiting,) = ankita("approvals", "list", "--json").json
        assert (waiting["state"], waiting["tool"]) == ("pending", "edit_file")
        assert "+one DONE" in waiting["preview"]
        assert (folder / "notes.txt").read_text() == "one TODO\nmore\n"
        done = ankita("approvals", "answer", waiting["id"][:8], "allow", "--json", *at(server))
        assert done.code == 0
        assert (done.json["status"], done.json["text"]) == ("done", "Changed after all.")
        assert [(call["name"], call["ok"]) for call in done.json["calls"]] == [("edit_file", True)]
        assert len(done.json["rounds"]) == 2, "the rounds before the kill belong to the turn"
        assert (folder / "notes.txt").read_text() == "one DONE\nmore\n"
        again = ankita("approvals", "answer", waiting["id"], "deny")
        assert again.code == 1
        assert "allowed" in again.err


def test_a_late_no_carries_its_reason(folder: Path) -> None:
    with WireServer([calls(EDIT), "Understood."]) as server:
        with terminal("-p", "replace it", *at(server), cwd=folder) as shown:
            shown.expect("Allow?")
            shown.kill()
        (waiting,) = ankita("approvals", "list", "--json").json
        done = ankita("approvals", "answer", waiting["id"], "deny", "not", "this", "one", *at(server))
        assert (done.code, done.out) == (0, "Understood.\n")
        assert "not this one" in server.requests[1]["messages"][-1]["content"]
    assert (folder / "notes.txt").read_text() == "one TODO\nmore\n"


@pytest.mark.parametrize(("answer", "text"), [("allow", "one DONE\nmore\n"), ("deny", "one TODO\nmore\n")])
def test_a_question_of_a_live_process_can_be_answered_from_another(folder: Path, answer: str, text: str) -> None:
    with WireServer([calls(EDIT), "Done."]) as server, terminal("-p", "x", *at(server), cwd=folder) as shown:
        shown.expect("Allow?")
        (waiting,) = ankita("approvals", "list", "--json").json
        elsewhere = ankita("approvals", "answer", waiting["id"], answer, "--json")
        assert elsewhere.code == 0
        assert elsewhere.json["by"] == f"{shown.process.pid} terminal"
        shown.expect("(answered elsewhere)")
        shown.expect("Done.")
        assert shown.end() == 0
    assert (folder / "notes.txt").read_text() == text


def test_a_second_question_says_that_the_file_changed_meanwhile(folder: Path) -> None:
    with WireServer([calls(EDIT), "Done."]) as server, terminal("-p", "x", *at(server), cwd=folder) as shown:
        shown.expect("Allow?")
        notes = folder / "notes.txt"
        notes.write_text(notes.read_text() + "a line more\n")
        shown.send("y\n")
        shown.expect("The file changed since you were asked; this is what would happen now.")
        assert "a line more" in notes.read_text()
        shown.expect("Allow?")
        shown.send("y\n")
        shown.expect("Done.")
        assert shown.end() == 0
    assert notes.read_text().endswith("a line more\n")


def test_an_unknown_question_is_a_usage_error() -> None:
    assert ankita("approvals", "answer", "nosuch", "allow").code == 2
    assert ankita("approvals", "answer", "nosuch", "perhaps").code == 2


def test_always_is_listed_and_can_be_taken_back(folder: Path) -> None:
    with WireServer([calls(EDIT), "Done."]) as server, terminal("-p", "x", *at(server), cwd=folder) as shown:
        shown.expect("Allow?")
        shown.send("a\n")
        shown.expect("Done.")
        assert shown.end() == 0
    (granted,) = ankita("approvals", "list", "--json").json
    assert (granted["state"], granted["session"]) == ("granted", "")
    assert ankita("approvals", "revoke", granted["id"][:6], "--json").json == {"revoked": granted["id"]}
    assert ankita("approvals", "list", "--json").json == []
    assert ankita("approvals", "revoke", granted["id"]).code == 2


def request(**preview: object) -> ApprovalRequest:
    fields = {"kind": "command", "question": "Run this command?", "grant_key": "run:ls", **preview}
    return ApprovalRequest("r", "s", ToolCall("c", "t"), "ask", Preview(**fields))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("y", Decision(True)),
        ("YES", Decision(True)),
        ("n", Decision(False)),
        ("no, use tabs", Decision(False, reason="use tabs")),
        ("s", Decision(True, scope="session")),
        ("always", Decision(True, scope="always")),
        ("yes please also do the other thing", None),
        ("", None),
        ("x", None),
    ],
)
def test_only_a_clear_answer_counts(line: str, decision: Decision | None) -> None:
    assert understood(line + "\n", request()) == decision


def test_what_cannot_be_remembered_cannot_be_allowed_for_longer() -> None:
    assert understood("s", request(grant_key="")) is None
    always = ApprovalRequest("r", "s", ToolCall("c", "t"), "always", Preview("text", "?", grant_key="k"))
    assert understood("a", always) is None


def test_hidden_characters_of_a_command_are_drawn_not_obeyed() -> None:
    shown = drawn(request(text="rm -rf /\x1b[2K\rls \u202egnp.exe", danger="Files could be lost."))
    assert "rm -rf /<1B>[2K<0D>ls <202E>gnp.exe" in shown
    assert "! Files could be lost." in shown


def test_every_change_is_shown_whole() -> None:
    changes = (
        FileChange("/a", "create", None, "new\n"),
        FileChange("/b", "delete", "old\n", None, "0" * 64),
        FileChange("/c", "move", destination="/d"),
    )
    shown = drawn(request(kind="diff", question="Change 3 files?", changes=changes))
    for expected in ("create /a", "+new", "delete /b", "-old", "move /c -> /d"):
        assert expected in shown


def test_nothing_waits_in_an_empty_home() -> None:
    store = Store()
    store.close()
    done = ankita("approvals", "list")
    assert (done.code, done.out) == (0, "")
    assert "Nothing waits" in done.err
    assert os.environ["ANKITA_HOME"]


def test_b_runs_a_command_in_a_closed_box_where_that_is_offered() -> None:
    free = Preview("command", "Run this command?", effect="run", text="make", boxable=True)
    offered = ApprovalRequest("q", "s", ToolCall("1", "run_command"), "always", free)
    assert understood("b", offered) == Decision(True, boxed=True)
    assert understood("b", replace(offered, preview=replace(free, boxable=False))) is None
