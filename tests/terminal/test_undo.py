"""`ankita undo`, `ankita checkpoints` and /undo: what the assistant changed is taken back, and brought back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.shell import Done, at
from tests.terminal.shell import inside as ankita
from tests.wire import Scripted, WireServer, calls

WRITE = ("write_file", {"path": "a.txt", "content": "agent\n"})
RUN = ("run_command", {"command": "rm b.txt; echo 1 > made"})


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text("mine\n")
    return folder


def said(work: Path, *steps: Scripted) -> Done:
    with WireServer([*steps, "Done."]) as server:
        done = ankita("-p", "do it", *at(server), "--yes", "--json", cwd=work)
    assert done.code == 0, done.err
    return done


def texts(work: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(work.iterdir())}


def test_undo_takes_back_the_last_change_and_redo_brings_it_back(work: Path) -> None:
    before = texts(work)
    said(work, calls(WRITE))
    done = ankita("undo")
    assert done.code == 0 and str(work / "a.txt") in done.out and texts(work) == before
    again = ankita("undo", "--redo")
    assert again.code == 0 and (work / "a.txt").read_text() == "agent\n"


def test_a_whole_turn_is_taken_back_in_one_step(work: Path) -> None:
    before = texts(work)
    said(work, calls(WRITE), calls(RUN), calls(("write_file", {"path": "c/d.txt", "content": "x"})))
    after = sorted(path.name for path in work.rglob("*"))
    assert ankita("undo", "--turn", "--json").json["ok"]
    assert texts(work) == before
    ankita("undo", "--redo")
    assert sorted(path.name for path in work.rglob("*")) == after


def test_another_turn_stays(work: Path) -> None:
    said(work, calls(("write_file", {"path": "first", "content": "1"})))
    said(work, calls(WRITE))
    ankita("undo", "--turn")
    assert (work / "first").exists() and (work / "a.txt").read_text() == "mine\n"


def test_undo_can_be_looked_at_first(work: Path) -> None:
    said(work, calls(WRITE), calls(RUN))
    shown = ankita("undo", "--turn", "--show")
    assert "-agent" in shown.out and "+mine" in shown.out and "delete" in shown.out
    assert (work / "a.txt").read_text() == "agent\n"


def test_what_changed_since_is_named_and_kept(work: Path) -> None:
    said(work, calls(WRITE))
    (work / "a.txt").write_text("edited by hand\n")
    for words in (["undo"], ["undo", "--show"]):
        done = ankita(*words)
        assert done.code == 1 and "a.txt was changed" in done.err
    assert (work / "a.txt").read_text() == "edited by hand\n"


def test_every_change_is_listed_and_can_be_named(work: Path) -> None:
    said(work, calls(WRITE), calls(RUN))
    rows = ankita("checkpoints", "list", "--json").json
    assert [row["label"] for row in rows] == ["Ran rm b.txt; echo 1 > made", "Changed a.txt"]
    assert ankita("undo", rows[1]["id"]).code == 0
    assert texts(work) == {"a.txt": "mine\n", "made": "1\n"}
    assert "undone" in ankita("checkpoints", "list").out
    assert ankita("undo", "nonsense").code == 2


def test_with_nothing_to_undo_that_is_said(work: Path) -> None:
    assert "no change left to undo" in ankita("undo").err
    assert "Nothing was undone" in ankita("undo", "--redo").err
    assert ankita("checkpoints", "list", "--json").json == []


def test_undo_in_a_chat_is_of_that_conversation(work: Path) -> None:
    said(work, calls(("write_file", {"path": "other", "content": "1"})))
    with WireServer([calls(WRITE), "Done."]) as server:
        lines = "do it\n/undo\n/undo\n/undo redo\n/undo what\n"
        done = ankita("chat", *at(server), "--yes", stdin=lines, cwd=work)
    assert "As before" in done.out and "Brought back" in done.out
    assert "no change of this conversation left to undo" in done.err and "/undo redo" in done.err
    assert (work / "a.txt").read_text() == "agent\n" and (work / "other").exists()


def test_a_call_by_hand_can_be_undone(work: Path) -> None:
    args = '{"path": "a.txt", "content": "after"}'
    ankita("tools", "run", "write_file", "--args", args, "--yes", cwd=work)
    assert ankita("undo", "--turn").code == 0
    assert (work / "a.txt").read_text() == "mine\n"
