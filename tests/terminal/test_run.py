"""`ankita -p`: one turn, for people and for scripts."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from ankita_desktop.store.database import Store
from tests.terminal.shell import COMMAND, ankita, at, environ, inside, terminal
from tests.wire import WireServer, calls, silent, status, text

KEYS = {"ok", "status", "session", "text", "error", "groups", "calls", "rounds", "usage"}


def test_the_answer_is_on_standard_output_and_progress_on_standard_error(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with WireServer([calls(("read_file", {"path": "notes.txt"})), "It says **hello**."]) as server:
        done = ankita("-p", "what is in notes.txt", *at(server), cwd=tmp_path)
    assert (done.code, done.out) == (0, "It says **hello**.\n")
    assert done.err == "· read_file notes.txt\n"


def test_json_is_one_document_of_the_documented_shape(tmp_path: Path) -> None:
    odd = "  an *odd* answer\n\n日本 \x1b[31m\n"
    script = [calls(("read_file", {"path": "gone"}), ("no_such_tool", {"a": 1}), ("list_dir", {"path": "."})), odd]
    with WireServer(script) as server:
        done = ankita("-p", "look", "--json", *at(server), cwd=tmp_path)
    document = done.json
    assert done.code == 0
    assert set(document) >= KEYS
    assert document["text"] == odd, "the last text exactly as it came"
    assert (document["ok"], document["status"], document["error"]) == (True, "done", None)
    assert [(call["name"], call["ok"]) for call in document["calls"]] == [
        ("read_file", False),
        ("no_such_tool", False),
        ("list_dir", True),
    ]
    assert all(set(call) == {"id", "name", "arguments", "ok", "text"} for call in document["calls"])
    assert document["calls"][1]["arguments"] == {"a": 1}
    assert [set(one) for one in document["rounds"]] == [
        {"tools", "schema_bytes", "input", "cached", "output", "dropped_groups"}
    ] * 2
    assert document["usage"] == {"input": 14, "cached": 0, "output": 6, "cost": None}


def test_names_and_questions_that_are_not_text_end_no_turn(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/bad\xff.txt", "w") as file:  # noqa: PTH123  Path takes no bytes
        file.write("needle")
    script = [calls(("glob", {"pattern": "*"}), ("search_files", {"pattern": "needle"}), ("list_dir", {})), "Odd."]
    with WireServer(script) as server:
        done = ankita("-p", "look at \udcff", "--json", *at(server), cwd=tmp_path)
    assert (done.code, done.json["text"]) == (0, "Odd.")
    assert [call["ok"] for call in done.json["calls"]] == [True, True, True]


def test_groups_are_the_deferred_ones_that_were_found() -> None:
    with WireServer([calls(("find_tools", {"query": "what holds port 3000"})), "Found."]) as server:
        document = ankita("-p", "port 3000?", "--json", *at(server)).json
        assert document["groups"] == ["process"]
        sent = [tool["function"]["name"] for tool in server.requests[1]["tools"]]
    assert "port_status" in sent
    assert document["rounds"][1]["tools"] == len(sent)


def test_with_deferral_off_all_groups_are_active() -> None:
    with WireServer(["Hi."]) as server:
        document = ankita("-p", "hello", "--json", "--deferral", "off", *at(server)).json
        sent = [tool["function"]["name"] for tool in server.requests[0]["tools"]]
    assert "process" in document["groups"]
    assert "port_status" in sent


def test_what_nobody_can_allow_is_denied_and_the_turn_goes_on_with_exit_code_3(tmp_path: Path) -> None:
    with WireServer([calls(("write_file", {"path": "a.txt", "content": "x"})), "I could not."]) as server:
        done = ankita("-p", "write", "--json", *at(server), cwd=tmp_path)
        told = server.requests[1]["messages"][-1]
    assert done.code == 3
    assert (done.json["ok"], done.json["status"], done.json["text"]) == (False, "denied", "I could not.")
    assert told["role"] == "tool"
    assert "denied" in told["content"].lower()
    assert not (tmp_path / "a.txt").exists()


@pytest.mark.parametrize(
    ("options", "code", "written"),
    [(["--yes"], 0, True), (["--approve", "edits"], 0, True), (["--approve", "reads"], 3, False)],
)
def test_the_mode_decides_what_passes(tmp_path: Path, options: list[str], code: int, written: bool) -> None:
    with WireServer([calls(("write_file", {"path": "a.txt", "content": "x"})), "Done."]) as server:
        done = ankita("-p", "write", *options, *at(server), cwd=tmp_path)
    assert done.code == code
    assert (tmp_path / "a.txt").exists() is written


def test_a_yes_on_the_command_line_is_for_this_turn_only(tmp_path: Path) -> None:
    with WireServer(["Hi."]) as server:
        session = ankita("-p", "hello", "--yes", "--json", *at(server), cwd=tmp_path).json["session"]
    store = Store()
    assert store.session(session).mode == "ask"
    assert not store.session(session).unread
    store.close()


def test_a_model_that_cannot_be_reached_is_a_failure_that_says_why() -> None:
    with WireServer([status(401, "bad key")]) as server:
        done = ankita("-p", "hello", "--json", *at(server))
    assert done.code == 1
    assert done.json["status"] == "error"
    assert not done.json["ok"]
    assert done.json["error"]
    assert done.json["error"] in done.err


def test_a_conversation_goes_on(tmp_path: Path) -> None:
    with WireServer(["One.", "Two.", "Three."]) as server:
        session = ankita("-p", "first", "--json", *at(server)).json["session"]
        other = ankita("-p", "second", "--json", "--continue", *at(server)).json["session"]
        third = ankita("-p", "third", "--json", "--continue", session[:8], *at(server)).json["session"]
        said = [message["content"] for message in server.requests[2]["messages"] if message["role"] != "system"]
    assert session == other == third
    assert said == ["first", "One.", "second", "Two.", "third"]


def test_a_session_that_another_process_runs_is_left_alone() -> None:
    store = Store()
    session = store.create_session(cwd="/", mode="ask", model="").id
    store.lease(session, f"{os.getpid()} window")
    with WireServer(["never"]) as server:
        done = ankita("-p", "hello", "--continue", session, "--json", *at(server))
        assert server.requests == []
    store.close()
    assert done.code == 1
    assert set(done.json) >= KEYS
    assert f"window (process {os.getpid()})" in done.json["error"]


def test_a_file_goes_with_the_question(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("the attached words")
    with WireServer(["Read."]) as server:
        assert ankita("-p", "read this", "--attach", "notes.txt", "--json", *at(server), cwd=tmp_path).code == 0
        assert "notes.txt" in str(server.requests[0]["messages"][-1])


@pytest.mark.parametrize("spelt", ["{}", "'{}'", '"{}"'])
def test_what_is_no_file_to_attach_is_called_what_it_is(tmp_path: Path, spelt: str) -> None:
    folder, pipe = tmp_path / "folder", tmp_path / "pipe"
    folder.mkdir()
    os.mkfifo(pipe)
    for path, said in ((folder, "is a folder. Attach the files in it"), (pipe, "pipe or socket")):
        done = inside("-p", "read it", "--attach", spelt.format(path))
        assert (done.code, done.out) == (2, "") and said in done.err
    assert "There is no file" in inside("-p", "read it", "--attach", str(tmp_path / "gone")).err


def test_rounds_can_be_limited(tmp_path: Path) -> None:
    script = [calls(("list_dir", {"path": "."})), calls(("glob", {"pattern": "*"})), "So far this."]
    with WireServer(script) as server:
        done = ankita("-p", "look", "--max-rounds", "2", "--json", *at(server), cwd=tmp_path)
    assert (done.code, done.json["status"], done.json["text"]) == (1, "limit", "So far this.")


@pytest.mark.parametrize(
    "words",
    [
        ["-p"],
        ["-p", " "],
        ["-p", "hi", "--jsno"],
        ["-p", "hi", "--approve", "some"],
        ["-p", "hi", "--yes", "--approve", "all"],
        ["-p", "hi", "--max-rounds", "0"],
        ["-p", "hi", "--attach", "gone.txt"],
        ["-p", "hi", "--cwd", "/no/such/folder"],
        ["-p", "hi", "--provider", "nobody"],
        ["tols", "list"],
    ],
)
def test_a_wrong_command_line_ends_with_2_and_says_what_is_wrong(words: list[str]) -> None:
    done = ankita(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("ankita: ")


def test_an_unknown_command_is_answered_with_the_nearest() -> None:
    assert "Did you mean tools?" in ankita("tols", "list").err
    assert "There are:" in ankita("xyzzy").err


def test_errors_are_json_too_when_json_is_asked_for() -> None:
    assert ankita("-p", "hi", "--continue", "nosuch", "--json").json["ok"] is False
    assert ankita("tols", "--json").json["ok"] is False


@pytest.mark.parametrize(
    "words", [["-p", "-5 plus 3?"], ["-p=-5 plus 3?"], ["--prompt", "-5 plus 3?"], ["-p", "-"]]
)
def test_the_text_may_begin_with_a_dash_or_come_from_standard_input(words: list[str]) -> None:
    with WireServer(["-2"]) as server:
        assert ankita(*words, *at(server), stdin="-5 plus 3?").code == 0
        assert server.requests[0]["messages"][-1]["content"] == "-5 plus 3?"


def test_plain_is_the_answer_without_decoration() -> None:
    said = "# Title\n\n**Bold** and `code_x`, see [here](http://a.b/c_d).\n\n"
    said += "```python\nx = '**y**'\n```\n\n- item\n2 * 3 * 4"
    with WireServer([said]) as server:
        done = ankita("-p", "x", "--plain", *at(server))
    plain = "Title\n\nBold and code_x, see here (http://a.b/c_d).\n\nx = '**y**'\n\n- item\n2 * 3 * 4\n"
    assert done.out == plain


def test_escape_sequences_of_the_model_never_reach_the_terminal() -> None:
    said = "a\x1b[31mred\x1b[0m b\x1b]0;title\x07 c\x1b]52;c;aGk=\x1b\\ d\x9b2J e\x07\x08\r f"
    with WireServer([text(said)]) as server:
        done = ankita("-p", "x", *at(server))
    assert done.out == "ared b c d e f\n"


def test_tools_cannot_steer_the_terminal_either(tmp_path: Path) -> None:
    with WireServer([calls(("read_file", {"path": "a\x1b[2Jb"})), "No."]) as server:
        done = ankita("-p", "x", *at(server), cwd=tmp_path)
    assert "\x1b" not in done.err
    assert "read_file ab" in done.err


def test_what_was_left_running_ends_with_the_run_and_both_answers_say_so(tmp_path: Path) -> None:
    done = ankita("-p", "run sleep 4321 in the background", "--yes", cwd=tmp_path)
    assert "ends with this answer" in done.out
    assert "Ended with this run: job j1 (sleep 4321)." in done.err
    assert not [each for each in psutil.process_iter(["cmdline"]) if each.info["cmdline"] == ["sleep", "4321"]]


def test_the_model_is_told_that_a_job_ends_with_the_run(tmp_path: Path) -> None:
    start = calls(("run_command", {"command": "sleep 300", "background": True}))
    with WireServer([start, "It is on."]) as server:
        ankita("-p", "start it", *at(server), "--yes", cwd=tmp_path)
        (result,) = [one for one in server.requests[-1]["messages"] if one["role"] == "tool"]
    assert "It is ended as soon as your answer is given" in result["content"]


def test_a_retry_and_its_wait_are_told_on_standard_error() -> None:
    with WireServer([status(500, headers={"retry-after": "1"}), "Fine."]) as server:
        done = ankita("-p", "hello there friend", *at(server))
    assert done.out == "Fine.\n" and "has trouble (HTTP 500). Trying again in 1 s.)" in done.err


def test_text_is_printed_as_it_comes() -> None:
    with WireServer([silent(60, "the first words")]) as server, terminal("-p", "x", *at(server)) as shown:
        shown.expect("the first words")
        shown.interrupt()
        assert shown.end() == 130


def test_ctrl_c_stops_the_turn_at_once_with_130() -> None:
    with WireServer([silent(60)]) as server:
        command = [*COMMAND, "-p", "x", "--json", *at(server)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ()) as process:
            server.wait_for(1)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=10)
    assert process.returncode == 130
    assert b'"status": "cancelled"' in out


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP])
def test_a_polite_end_and_a_closed_terminal_take_the_commands_along(tmp_path: Path, end: signal.Signals) -> None:
    script = [calls(("run_command", {"command": "echo $$ > pid; exec sleep 600"}))]
    with WireServer(script) as server:
        command = [*COMMAND, "-p", "x", "--yes", "--cwd", str(tmp_path), *at(server)]
        # Whoever runs these tests under nohup hands on that a closed terminal counts for nothing.
        command = ["env", f"--default-signal={end.name.removeprefix('SIG')}", *command]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ()) as process:
            pid = int(soon(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip()))
            process.send_signal(end)
            process.communicate(timeout=30)
    assert process.returncode == 128 + end
    assert soon(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)


def soon(look: Callable[[], Any]) -> Any:
    """What ``look`` gives as soon as it is something."""
    deadline = time.monotonic() + 30
    while not (found := look()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


@pytest.mark.parametrize("words", [["-p", "hello"], ["config", "get"], ["sessions", "list"]])
def test_a_home_that_cannot_be_made_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    (tmp_path / "home").write_text("a file")
    monkeypatch.setenv("ANKITA_HOME", str(tmp_path / "home"))
    done = inside(*words, "--json")
    assert done.code == 1
    assert str(tmp_path / "home") in done.json["error"]
    assert "ANKITA_HOME" in done.json["error"]


def test_a_reader_that_goes_away_is_no_error() -> None:
    with WireServer(["long " * 50_000]) as server:
        command = [*COMMAND, "-p", "x", *at(server)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ()) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.read(1)
            process.stdout.close()
            err = process.stderr.read()
    assert b"Traceback" not in err
    assert b"Exception ignored" not in err


def test_the_offline_model_answers_without_any_service(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    done = ankita("-p", "what's in this folder", "--json", cwd=tmp_path)
    assert done.code == 0
    assert "a.txt" in done.json["text"]
    assert [call["name"] for call in done.json["calls"]] == ["list_dir"]
