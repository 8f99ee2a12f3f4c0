"""`ankita tools`, `sessions`, `config`, `doctor`: for people, and as JSON for scripts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ankita_desktop.protocol import Attachment, Message, ToolCall
from ankita_desktop.store.database import Store
from tests.terminal.shell import COMMAND, environ
from tests.terminal.shell import inside as ankita


def talk(*texts: str) -> str:
    """A stored conversation."""
    store = Store()
    session = store.create_session(cwd="/somewhere", mode="ask", model="", title=texts[0]).id
    for text in texts:
        store.add_message(session, Message("user", text))
    store.close()
    return session


# --- tools ------------------------------------------------------------------------------------


def test_tools_are_listed_with_what_they_cost() -> None:
    tools = {tool["name"]: tool for tool in ankita("tools", "list", "--json").json}
    keys = {"name", "group", "always_on", "approval", "schema_bytes", "description"}
    assert all(set(tool) == keys for tool in tools.values())
    assert tools["read_file"]["always_on"]
    assert not tools["port_status"]["always_on"]
    shown = ankita("tools", "show", "read_file", "--json").json
    function = {name: shown[name] for name in ("name", "description", "parameters")}
    entry = json.dumps({"type": "function", "function": function}, ensure_ascii=False, separators=(",", ":"))
    assert tools["read_file"]["schema_bytes"] == len(entry.encode())
    assert "read_file" in ankita("tools", "list").out


def test_find_answers_with_groups_tools_and_scores() -> None:
    found = ankita("tools", "find", "what", "is listening on port 3000", "--json").json
    assert set(found) == {"query", "groups", "tools", "scores"}
    assert found["query"] == "what is listening on port 3000"
    assert found["groups"] == ["process"]
    assert "port_status" in found["tools"]
    assert found["scores"]["process"] > 0
    assert "port_status" in ankita("tools", "find", "port 3000").out


def test_find_answers_with_empty_lists_when_nothing_matches() -> None:
    done = ankita("tools", "find", "hello there", "--json")
    assert done.code == 0
    assert done.json == {"query": "hello there", "groups": [], "tools": [], "scores": {}}
    assert "Nothing matches" in ankita("tools", "find", "hello there").out


def test_find_says_why_when_asked() -> None:
    found = ankita("tools", "find", "port 3000", "--json", "--why").json
    assert found["why"]["process"]


def test_planned_groups_are_found_only_when_asked_for() -> None:
    words = ["tools", "find", "open the website and click the login button", "--json"]
    assert "browser" not in ankita(*words).json["groups"]
    assert "browser" in ankita(*words, "--planned").json["groups"]


def test_find_reads_one_json_string_a_line_and_answers_each_at_once() -> None:
    with subprocess.Popen(
        [*COMMAND, "tools", "find", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ()
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for query, groups in (("port 3000", ["process"]), ("two\nlines", []), ("hello", [])):
            process.stdin.write(json.dumps(query) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert (answer["query"], answer["groups"]) == (query, groups)
        process.stdin.write("not json\n\n")
        process.stdin.close()
        assert "JSON string" in json.loads(process.stdout.readline())["error"]
        assert process.stdout.readline() == ""
        assert process.wait(30) == 1


def test_find_imports_nothing_heavy() -> None:
    code = (
        "import sys; from ankita_desktop.cli import run; run(['ankita', 'tools', 'find', 'port']);"
        "heavy = {'pydantic', 'httpx', 'sqlite3', 'PySide6', 'keyring', 'hassil', 'jsonschema', 'tomlkit'};"
        "sys.exit(','.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environ())
    assert (done.returncode, done.stderr) == (0, "")


def test_a_tool_runs_by_hand(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("words\n")
    done = ankita("tools", "run", "read_file", "--args", '{"path": "a.txt"}', "--json", cwd=tmp_path)
    assert done.code == 0
    assert set(done.json) == {"ok", "text", "details"}
    assert done.json["ok"]
    assert "words" in done.json["text"]
    assert "words" in ankita("tools", "run", "read_file", "--args", '{"path": "a.txt"}', cwd=tmp_path).out


def test_a_tool_that_changes_something_needs_a_yes(tmp_path: Path) -> None:
    words = ["tools", "run", "write_file", "--args", '{"path": "a.txt", "content": "x"}', "--json"]
    denied = ankita(*words, cwd=tmp_path)
    assert (denied.code, denied.json["ok"]) == (3, False)
    assert not (tmp_path / "a.txt").exists()
    assert ankita(*words, "--yes", cwd=tmp_path).code == 0
    assert (tmp_path / "a.txt").read_text() == "x"


def test_a_call_by_hand_can_be_undone_and_is_judged_like_any_other(tmp_path: Path, ankita_home: Path) -> None:
    (tmp_path / "a.txt").write_text("before")
    change = ["tools", "run", "write_file", "--args", '{"path": "a.txt", "content": "after"}', "--yes"]
    assert ankita(*change, cwd=tmp_path).code == 0
    assert any(file.is_file() for file in (ankita_home / "data" / "checkpoints").rglob("*"))
    assert ankita("tools", "run", "run_command", "--args", '{"command": "ls"}', cwd=tmp_path).code == 0
    assert ankita("tools", "run", "run_command", "--args", '{"command": "rm a.txt"}', cwd=tmp_path).code == 3
    assert (tmp_path / "a.txt").read_text() == "after"


@pytest.mark.parametrize(
    ("name", "args", "code", "told"),
    [
        ("no_such", "{}", 2, "no tool"),
        ("read_fil", "{}", 2, "read_file"),
        ("read_file", "{", 2, "not JSON"),
        ("read_file", "[]", 2, "JSON object"),
        ("read_file", "{}", 1, "path"),
        ("read_file", '{"path": "gone.txt"}', 1, "gone.txt"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(tmp_path: Path, name: str, args: str, code: int, told: str) -> None:
    done = ankita("tools", "run", name, "--args", args, cwd=tmp_path)
    assert done.code == code
    assert told in done.out + done.err


def test_a_call_by_hand_leaves_no_conversation(tmp_path: Path) -> None:
    ankita("tools", "run", "list_dir", "--args", '{"path": "."}', cwd=tmp_path)
    assert ankita("sessions", "list", "--json").json == []


# --- sessions ---------------------------------------------------------------------------------


def test_conversations_are_listed_shown_searched_exported_and_deleted() -> None:
    session = talk("the first words", "CFF90D7C-A2EC")
    assert [info["id"] for info in ankita("sessions", "list", "--json").json] == [session]
    assert "the first words" in ankita("sessions", "list").out
    shown = ankita("sessions", "show", session[:6], "--json").json
    assert [message["text"] for message in shown["messages"]] == ["the first words", "CFF90D7C-A2EC"]
    (hit,) = ankita("sessions", "search", "CFF90D7C-A2EC", "--json").json
    assert set(hit) == {"session", "message", "snippet", "time"}
    assert hit["session"] == session
    assert ankita("sessions", "export", session, "--format", "json").json["session"]["id"] == session
    assert ankita("sessions", "export", session).out.startswith("# the first words\n")
    assert ankita("sessions", "delete", session).code == 0
    assert ankita("sessions", "list", "--json").json == []


@pytest.mark.parametrize("query", ["--json", "-v", "--limit 3", "-- --"])
def test_after_two_dashes_anything_is_a_word_to_search(query: str) -> None:
    session = talk(f"try {query} here")
    hits = ankita("sessions", "search", "--json", "--", *query.split(" ")).json
    assert [hit["session"] for hit in hits] == [session]


def test_the_text_of_a_conversation_cannot_steer_the_terminal() -> None:
    session = talk("evil \x1b]0;title\x07\x1b[2J words")
    for words in (["show", session], ["list"], ["search", "evil"], ["export", session]):
        out = ankita("sessions", *words).out
        assert "\x1b" not in out
        assert "evil  words" in out or "evil words" in out


def test_a_conversation_as_markdown_tells_who_said_what_and_what_was_done() -> None:
    store = Store()
    session = store.create_session(cwd="/", mode="ask", model="", title="T").id
    store.add_message(session, Message("user", "look", attachments=(Attachment("/a.png", "image/png", "a.png"),)))
    store.add_message(session, Message("assistant", "", calls=(ToolCall("c", "read_file", {"path": "a"}),)))
    store.add_message(session, Message("tool", "```\nx\n```", call_id="c", name="read_file", ok=False))
    store.add_message(session, Message("user", "internal", source="note"))
    store.add_message(session, Message("assistant", "It has x."))
    store.close()
    out = ankita("sessions", "export", session).out
    for expected in (
        "## You\n\nlook",
        "attached: a.png",
        'read_file {"path":"a"}',
        "(failed)",
        "````",
        "It has x.",
    ):
        assert expected in out
    assert "internal" not in out


def test_a_conversation_in_use_is_not_deleted() -> None:
    session = talk("hello")
    store = Store()
    store.lease(session, f"{os.getpid()} window")
    done = ankita("sessions", "delete", session)
    assert done.code == 1
    assert f"window (process {os.getpid()})" in done.err
    assert len(store.messages(session)) == 1
    store.close()


def test_an_unknown_conversation_is_a_failure_that_says_so() -> None:
    done = ankita("sessions", "show", "nosuch")
    assert (done.code, done.out) == (1, "")
    assert "no session nosuch" in done.err


# --- config -----------------------------------------------------------------------------------


def test_settings_are_read_and_changed_key_by_key(ankita_home: Path) -> None:
    assert ankita("config", "get", "agent.max_rounds").out == "60\n"
    assert ankita("config", "set", "agent.max_rounds", "12").code == 0
    assert ankita("config", "get", "agent.max_rounds", "--json").json == 12
    assert ankita("config", "path").out == f"{ankita_home}/config/settings.toml\n"
    assert "agent.max_rounds = 12" in ankita("config", "get").out
    assert ankita("config", "get", "--json").json["agent"]["max_rounds"] == 12


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["get", "agent.max_round"], "agent.max_rounds"),
        (["set", "ui.theme", "pink"], "system, light, dark"),
        (["set", "ui.theme"], "value"),
        (["frob"], "choose from"),
    ],
)
def test_a_wrong_setting_ends_with_2_and_says_what_is_valid(words: list[str], told: str) -> None:
    done = ankita("config", *words)
    assert (done.code, done.out) == (2, "")
    assert told in done.err


def test_a_broken_settings_file_is_told_and_set_aside(ankita_home: Path) -> None:
    file = ankita_home / "config" / "settings.toml"
    file.parent.mkdir()
    file.write_text("[broken")
    done = ankita("config", "get", "ui.theme")
    assert (done.code, done.out) == (0, "system\n")
    assert "set aside" in done.err


# --- doctor -----------------------------------------------------------------------------------


def test_the_doctor_says_what_is_there_and_the_fix_for_what_is_not() -> None:
    checks = {check["name"]: check for check in ankita("doctor", "--json").json}
    assert {"python", "database", "settings", "model", "keyring", "rg", "git", "window"} <= set(checks)
    assert checks["python"]["ok"]
    assert checks["database"]["ok"]
    assert not checks["keyring"]["ok"], "tests have no keyring"
    for check in checks.values():
        assert check["ok"] or check["fix"], check


def test_the_doctor_names_own_files_that_can_not_be_used(ankita_home: Path) -> None:
    config = ankita_home / "config"
    (config / "intents").mkdir(parents=True)
    (config / "intents" / "mine.yaml").write_text("x: 1")
    (config / "prices.toml").write_text("nope: [")
    rows = {row["name"]: row for row in ankita("doctor", "--json").json}
    assert not rows["own files"]["ok"]
    assert "mine.yaml" in rows["own files"]["text"] and "prices.toml" in rows["own files"]["text"]


def test_the_doctor_finds_a_service_that_is_not_there() -> None:
    ankita("config", "set", "model.base_url", "http://127.0.0.1:9/v1")
    done = ankita("doctor")
    assert "http://127.0.0.1:9/v1 can't be reached" in done.out
    assert done.code == 0, "everything needed is there"


def test_the_doctor_fails_when_something_needed_is_missing(ankita_home: Path) -> None:
    (ankita_home / "data" / "ankita.db").mkdir(parents=True)
    done = ankita("doctor")
    assert done.code == 1
    assert "ankita.db" in done.out


def test_the_doctor_goes_on_where_the_home_can_not_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").write_text("a file")
    everything = {row["name"] for row in ankita("doctor", "--json").json}
    monkeypatch.setenv("ANKITA_HOME", str(tmp_path / "taken"))
    done = ankita("doctor", "--json")
    rows = {row["name"]: row for row in done.json}
    assert (done.code, set(rows)) == (1, everything)
    for name in ("database", "settings", "own files", "model", "keyring"):
        assert not rows[name]["ok"] and "can't be made" in rows[name]["text"] and rows[name]["fix"]
    assert rows["python"]["ok"]


def test_the_doctor_says_that_chromium_is_not_needed_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    (row,) = [row for row in ankita("doctor", "--json").json if row["name"] == "chromium"]
    assert row["ok"] and row["text"].startswith("not found; not needed yet")


def test_the_doctor_names_a_display_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":987")
    (row,) = [row for row in ankita("doctor", "--json").json if row["name"] == "window"]
    assert not row["ok"] and "no display answers" in row["text"]


# --- everything -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["tools", "list"],
        ["sessions", "list"],
        ["approvals", "list"],
        ["config", "get"],
        ["doctor"],
        ["chat"],
        ["-p", "hello"],
        ["tools", "run", "list_dir", "--args", '{"path": "."}'],
    ],
)
def test_nothing_in_the_terminal_imports_qt(words: list[str]) -> None:
    code = (
        "import sys; from ankita_desktop.cli import run; run(['ankita', *sys.argv[1:]]);"
        "sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env=environ(),
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["", "chat", "tools", "tools find", "sessions", "approvals answer", "config"])
def test_every_command_has_a_help(command: str) -> None:
    done = ankita(*command.split(), "--help")
    assert done.code == 0
    assert done.out.startswith(f"usage: ankita {command}".rstrip())


def test_the_version_is_told() -> None:
    assert ankita("--version").out.startswith("Ankita Desktop ")


def test_commands_of_later_are_not_offered() -> None:
    for later in ("mcp", "browser", "login"):
        assert ankita(later).code == 2
