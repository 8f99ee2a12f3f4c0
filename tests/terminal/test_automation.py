"""`ankita routines` and `ankita daemon`, as scripts and people use them."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

from tests.terminal.shell import COMMAND, ankita, daemon, environ, has, inside
from tests.tools.calls import until
from tests.wire import WireServer


def add(*more: str, cwd: Path | None = None) -> dict[str, Any]:
    done = inside("routines", "add", "--when", "every weekday at 8", *more, "what time is it", "--json", cwd=cwd)
    assert done.code == 0, done.err
    made: dict[str, Any] = done.json
    return made


def test_a_reminder_set_from_the_command_line_fires_in_the_daemon_which_ends_politely(tmp_path: Path) -> None:
    with daemon() as (process, said):
        until(lambda: has(said, "Running what is due"), 30)
        args = json.dumps({"action": "add", "text": "stretch", "when": "in 1 second"})
        assert inside("tools", "run", "remind", "--args", args).code == 0
        until(lambda: has(said, "stretch"), 30)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0


def test_a_second_daemon_waits_until_it_asks_or_the_first_ends() -> None:
    with daemon() as (first, said):
        until(lambda: has(said, "Running what is due"), 30)
        with daemon() as (_, waits):
            until(lambda: has(waits, "this one waits"), 30)
            with daemon("--takeover") as (_, takes):
                until(lambda: has(takes, "Running what is due"), 40)
                until(lambda: has(said, "waiting"), 40)
                assert first.poll() is None


def test_of_daemons_that_start_at_once_one_runs_what_is_due_and_the_other_says_who_does() -> None:
    with daemon() as (first, said), daemon() as (second, heard):
        until(lambda: has(said + heard, "Running what is due"), 60)
        ours = has(said, "Running what is due")
        waits, owner = (heard, first) if ours else (said, second)
        until(lambda: has(waits, f"(process {owner.pid}) runs what is due"), 60)
        assert not has(waits, "Running what is due")


def test_a_routine_is_made_listed_paused_resumed_and_removed(tmp_path: Path) -> None:
    made = add("--name", "Clock", cwd=tmp_path)
    (listed,) = inside("routines", "list", "--json").json
    assert {key: listed[key] for key in ("id", "name", "paused", "last")} == {
        "id": made["id"],
        "name": "Clock",
        "paused": False,
        "last": None,
    }
    assert listed["next"].partition("T")[2].startswith("08:00:00")
    assert inside("routines", "pause", "clock", "--json").json["next"] is None
    assert inside("routines", "resume", "Clock", "--json").json["next"] == listed["next"]
    assert inside("routines", "remove", "Clock", "--json").json == {"removed": made["id"]}
    assert inside("routines", "list", "--json").json == []


def test_the_same_routine_twice_is_one(tmp_path: Path) -> None:
    assert add(cwd=tmp_path)["id"] == add("--name", "Other", cwd=tmp_path)["id"]


def test_run_answers_here_and_history_keeps_it(tmp_path: Path) -> None:
    add("--name", "Clock", cwd=tmp_path)
    with WireServer(["It is nine."]) as server:
        service = ("--base-url", server.base_url, "--api-key", "sk-test", "--model", "scripted")
        done = inside("routines", "run", "Clock", *service)
    assert (done.code, done.out) == (0, "It is nine.\n")
    (run,) = inside("routines", "history", "Clock", "--json").json
    assert (run["status"], run["text"], run["slot"], run["tokens"]) == ("done", "It is nine.", None, 10)
    assert inside("routines", "list", "--json").json[0]["last"]["status"] == "done"


def test_what_can_not_be_read_is_said_and_nothing_is_made(tmp_path: Path) -> None:
    done = inside("routines", "add", "--when", "when pigs fly", "fly")
    assert done.code == 1
    assert "tomorrow at 9" in done.err
    assert (
        inside("routines", "pause", "nothing").err == "ankita: There is no routine 'nothing'. There are: none.\n"
    )


def test_starting_at_login_is_one_file_that_can_be_taken_back(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert inside("daemon", "--autostart", "on").code == 0
    (entry,) = (tmp_path / "autostart").iterdir()
    assert "-m ankita_desktop daemon" in entry.read_text()
    assert inside("daemon", "--autostart", "off").code == 0
    assert not entry.exists()


def test_no_command_of_automation_imports_qt() -> None:
    code = "import ankita_desktop.terminal.daemon, ankita_desktop.terminal.routines, ankita_desktop.assembly, sys"
    check = f"{code}; sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    assert subprocess.run([COMMAND[0], "-c", check], env=environ(), check=False).returncode == 0
    assert ankita("routines", "--help").code == 0
