"""What a folder's people wrote for assistants counts only after one question."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.shell import inside as ankita
from tests.terminal.shell import terminal

OFFLINE = ("--provider", "offline")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (place / "AGENTS.md").write_text("Be brief.")
    return place


@pytest.mark.parametrize(("answer", "trusted"), [("y", True), ("n", False), ("", False)])
def test_a_folder_is_asked_about_once_and_the_answer_is_kept(folder: Path, answer: str, trusted: bool) -> None:
    with terminal("chat", *OFFLINE, cwd=folder) as shown:
        shown.expect("AGENTS.md")
        shown.expect("Trust this folder")
        shown.send(f"{answer}\n")
        shown.expect("Trusted." if trusted else "Not trusted.")
        shown.send("/quit\n")
        assert shown.end() == 0
    assert (str(folder) in ankita("config", "get", "folders.trusted").out) is trusted
    with terminal("chat", *OFFLINE, cwd=folder) as shown:
        shown.send("/quit\n")
        shown.end()
        assert "Trust this folder" not in shown.seen


def test_where_nobody_can_answer_it_is_said_and_not_read(folder: Path) -> None:
    done = ankita("chat", *OFFLINE, stdin="hello\n", cwd=folder)
    assert done.code == 0
    assert "is not read" in done.err
    assert ankita("config", "get", "folders.trusted", "--json").json in ([], ())


def test_a_folder_with_nothing_for_assistants_asks_nothing(tmp_path: Path) -> None:
    done = ankita("chat", *OFFLINE, stdin="hello\n", cwd=tmp_path)
    assert "trust" not in done.err.lower()
