"""What `ankita daemon` shows on the desktop, and what it does when the person answers there."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.store.database import Store
from tests.automation.board import Board, board
from tests.terminal.shell import daemon, has, inside
from tests.tools.calls import until
from tests.ui.screen import missing

pytestmark = pytest.mark.skipif(bool(missing("dbus-daemon")), reason="needs dbus-daemon")


@pytest.fixture
def desktop() -> Iterator[Board]:
    with board() as made:
        yield made


def tool(name: str, /, **arguments: Any) -> dict[str, Any]:
    done = inside("tools", "run", name, "--yes", "--json", "--args", json.dumps(arguments))
    assert done.code == 0, done.err + done.out
    details: dict[str, Any] = done.json["details"]
    return details


def reminders() -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = tool("remind", action="list")["reminders"]
    return listed


def routine(folder: Path, prompt: str) -> str:
    """One that was asked to run now."""
    made = inside("routines", "add", "--when", "every day at 8", "--name", "Morning", prompt, "--json", cwd=folder)
    tool("schedule", action="run", name="Morning")
    return str(made.json["id"])


def history(name: str) -> list[dict[str, Any]]:
    runs: list[dict[str, Any]] = inside("routines", "history", name, "--json").json
    return runs


def test_a_reminder_is_answered_on_the_desktop_and_then_stands_there_no_longer(desktop: Board) -> None:
    with daemon(bus=desktop.address) as (_, said):
        until(lambda: has(said, "Running what is due"), 60)
        tool("remind", action="add", text="stretch", when="in 1 second")
        note = desktop.find("stretch")
        assert note.stays
        assert note.actions == ["default", "done", "snooze10", "snooze60", "tomorrow"]
        desktop.press(note, "snooze60")
        until(lambda: not desktop.shown, 60)
        until(lambda: [one["rang"] for one in reminders()] == [None], 60)
        assert reminders()[0]["due"] > time.time() + 3000


def test_a_reminder_answered_elsewhere_is_taken_from_the_desktop(desktop: Board) -> None:
    with daemon(bus=desktop.address) as (_, said):
        until(lambda: has(said, "Running what is due"), 60)
        tool("remind", action="add", text="stretch", when="in 1 second")
        desktop.find("stretch")
        tool("remind", action="done", text="stretch")
        until(lambda: not desktop.shown, 60)
        assert desktop.titles() == ["stretch"]


def test_a_ring_that_nobody_answered_is_told_again_by_the_next_daemon_after_a_kill(desktop: Board) -> None:
    with daemon(bus=desktop.address) as (process, said):
        until(lambda: has(said, "Running what is due"), 60)
        tool("remind", action="add", text="stretch", when="in 1 second")
        desktop.find("stretch")
        store = Store()
        until(lambda: not store.untold(), 60)  # else it has to be told for the first time
        store.close()
        process.kill()
        process.wait()
    with daemon(bus=desktop.address):
        again = desktop.find("waits for you")
        assert again.title == "stretch"
        desktop.press(again, "done")
        until(lambda: not reminders(), 60)


def test_a_question_of_a_routine_is_allowed_on_the_desktop(desktop: Board, tmp_path: Path) -> None:
    with daemon(bus=desktop.address) as (_, said):
        until(lambda: has(said, "Running what is due"), 60)
        made = routine(tmp_path, "run the command touch hello.txt")
        question = desktop.find("touch hello.txt")
        assert (question.title, question.stays) == ("Morning", True)
        desktop.press(question, "allow")
        until(lambda: [run["status"] for run in history(made)] == ["done"], 60)
        assert (tmp_path / "hello.txt").exists()
        until(lambda: question.id not in desktop.shown, 60)


def test_a_question_answered_elsewhere_is_taken_from_the_desktop(desktop: Board, tmp_path: Path) -> None:
    with daemon(bus=desktop.address) as (_, said):
        until(lambda: has(said, "Running what is due"), 60)
        made = routine(tmp_path, "run the command touch hello.txt")
        question = desktop.find("touch hello.txt")
        waits = [one["id"] for one in inside("approvals", "list", "--json").json if one["state"] == "pending"]
        assert inside("approvals", "answer", waits[0], "deny", "--json").code == 0
        until(lambda: question.id not in desktop.shown, 60)
        assert desktop.find("Not done: run_command touch hello.txt (you said no)").title == "Morning"
        assert [run["status"] for run in history(made)] == ["done"], "a person's no is an answer"
