"""A conversation around secrets, from the command to the database: model, store and screen never see one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest

from ankita_desktop.store.database import Store
from ankita_desktop.store.secrets import Secrets
from tests.terminal.shell import Done, at
from tests.terminal.shell import inside as ankita
from tests.wire import WireServer, calls

STORED, IN_ENV = "sk-stored-0123456789abcdef", "env-token-9876543210"
READ = "python3 -c \"print(open('.'+'env').read())\""
ENV = f"API_TOKEN={IN_ENV}\nPORT=3000\n"


@pytest.fixture
def work(tmp_path: Path, ankita_home: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / ".env").write_text(ENV)
    (ankita_home / "config").mkdir(exist_ok=True)
    (ankita_home / "config" / "settings.toml").write_text(f'[folders]\ntrusted = ["{folder}"]\n')
    Secrets().set("OPENAI_API_KEY", STORED)
    return folder


def ask(server: WireServer, work: Path, text: str = "go", *more: str) -> Done:
    return ankita("-p", text, *at(server), "--yes", "--json", *more, cwd=work)


def conversation(home: Path) -> bytes:
    """All that was written down but the files of secrets and undo."""
    kept = [path for path in home.rglob("*") if path.is_file() and path.name not in ("secrets.json", ".env")]
    # A last connection that closes moves the journal into the database: so the journal first, if it is there.
    kept = sorted((path for path in kept if path.parent.name != "checkpoints"), reverse=True)
    return b"".join(_content(path) for path in kept)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def nowhere(server: WireServer, done: Done, home: Path) -> None:
    """No secret in what the model got, in what was stored, in what was shown."""
    sent = json.dumps(server.requests, ensure_ascii=False)
    for secret in (STORED, IN_ENV):
        assert secret not in sent and secret not in done.out and secret not in done.err
        assert secret.encode() not in conversation(home)
    assert "«secret:" in sent


@pytest.mark.parametrize(
    "call",
    [
        ("read_file", {"path": ".env"}),
        ("run_command", {"command": READ, "yield_ms": 20_000}),
        ("search_files", {"pattern": "TOKEN", "path": ".env"}),
        ("run_command", {"command": f"{READ} >&2; exit 3", "yield_ms": 20_000}),
    ],
)
def test_a_tool_that_reads_a_secret_gives_its_name(work: Path, ankita_home: Path, call: tuple[str, dict]) -> None:  # type: ignore[type-arg]
    with WireServer([calls(call), "I saw it."]) as server:
        done = ask(server, work)
        nowhere(server, done, ankita_home)
    assert "«secret:API_TOKEN»" in done.json["calls"][0]["text"]


def test_what_the_person_types_loses_its_secrets_too(work: Path, ankita_home: Path) -> None:
    with WireServer(["Fine."]) as server:
        done = ask(server, work, f"my key is {STORED} and {IN_ENV}")
        nowhere(server, done, ankita_home)
    store = Store()
    assert store.sessions()[0].title == "my key is «secret:OPENAI_API_KEY» and «secret:API_TOKEN»"
    store.close()


def test_a_secret_the_model_says_is_shown_and_kept_by_its_name(work: Path, ankita_home: Path) -> None:
    """However its stream is cut."""
    with WireServer([f"The token is {IN_ENV}, use it."]) as server:
        done = ask(server, work)
        assert done.json["text"] == "The token is «secret:API_TOKEN», use it."
        assert IN_ENV.encode() not in conversation(ankita_home)


def test_an_edit_beside_a_secret_keeps_it_on_disk(work: Path, ankita_home: Path) -> None:
    edit = ("edit_file", {"path": ".env", "old_string": "PORT=3000", "new_string": "PORT=4000"})
    with WireServer([calls(("read_file", {"path": ".env"})), calls(edit), "Done."]) as server:
        done = ask(server, work)
        nowhere(server, done, ankita_home)
    assert (work / ".env").read_text() == ENV.replace("3000", "4000")


@pytest.mark.parametrize(
    "call",
    [
        ("write_file", {"path": ".env", "content": "API_TOKEN=«secret:API_TOKEN»\nPORT=1\n"}),
        ("write_file", {"path": "copy", "content": "«secret:API_TOKEN»"}),
        (
            "edit_file",
            {"path": ".env", "old_string": "API_TOKEN=«secret:API_TOKEN»\nPORT=3000", "new_string": "P=1"},
        ),
        (
            "edit_lines",
            {
                "path": ".env",
                "edits": [{"start_line": 1, "end_line": 1, "mode": "replace", "content": "X=«secret:API_TOKEN»"}],
            },
        ),
        ("apply_patch", {"patch": "*** Begin Patch\n*** Add File: n\n+«secret:API_TOKEN»\n*** End Patch"}),
        ("run_command", {"command": "curl -H 'Authorization: «secret:API_TOKEN»' http://127.0.0.1:1/"}),
        (
            "http_request",
            {"url": "http://127.0.0.1:1/", "headers": {"Authorization": "Bearer «secret:API_TOKEN»"}},
        ),
    ],
)
def test_a_placeholder_is_never_taken_for_the_secret(work: Path, call: tuple[str, dict]) -> None:  # type: ignore[type-arg]
    with WireServer([calls(call), "I can't."]) as server:
        done = ask(server, work)
    result = done.json["calls"][0]
    assert not result["ok"] and "only stands for a secret" in result["text"]
    assert (work / ".env").read_text() == ENV and not (work / "copy").exists() and not (work / "n").exists()


def test_a_file_that_holds_such_words_itself_can_be_edited(work: Path) -> None:
    (work / "doc.md").write_text("We write «secret:NAME» here.\n")
    edit = ("edit_file", {"path": "doc.md", "old_string": "here", "new_string": "there"})
    with WireServer([calls(edit), "Done."]) as server:
        ask(server, work)
    assert (work / "doc.md").read_text() == "We write «secret:NAME» there.\n"


def test_the_person_can_open_one_file_to_the_assistant(work: Path, ankita_home: Path) -> None:
    settings = ankita_home / "config" / "settings.toml"
    settings.write_text(f'[folders]\ntrusted = ["{work}"]\nshown = ["{work / ".env"}"]\n')
    with WireServer([calls(("read_file", {"path": ".env"})), "I saw it."]) as server:
        done = ask(server, work)
    assert IN_ENV in done.json["calls"][0]["text"]


def test_a_folder_that_is_not_trusted_decides_nothing(work: Path, ankita_home: Path) -> None:
    """Its .env could name common words and so garble everything that is said."""
    (ankita_home / "config" / "settings.toml").write_text("")
    with WireServer([f"Look at {IN_ENV}."]) as server:
        assert ask(server, work).json["text"] == f"Look at {IN_ENV}."


def test_grants_and_questions_are_stored_without_secrets(work: Path, ankita_home: Path) -> None:
    call = ("run_command", {"command": f"curl -u me:{IN_ENV} http://127.0.0.1:1/"})
    with WireServer([calls(call), "Not allowed."]) as server:
        ankita("-p", "go", *at(server), "--json", cwd=work)
    assert IN_ENV.encode() not in conversation(ankita_home)


def test_an_exported_conversation_has_nothing_that_looks_like_a_secret(work: Path) -> None:
    guess = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    with WireServer([f"Use {guess} there."]) as server:
        session = ask(server, work).json["session"]
    for form in ("md", "json"):
        shown = ankita("sessions", "export", session, "--format", form)
        assert guess not in shown.out and "«hidden»" in shown.out


def test_an_env_file_of_a_folder_nobody_trusted_is_read_only_after_a_yes(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in (".env", ".env.production", "sub/.env"):
        (tmp_path / name).write_text("API_TOKEN=tok_live_1234567890abcdef\n")
        with WireServer([calls(("read_file", {"path": name})), "No."]) as server:
            done = ankita("-p", "read it", "--cwd", str(tmp_path), *at(server), "--json")
        assert done.code == 3 and "tok_live" not in json.dumps(server.requests)
    (tmp_path / ".env.example").write_text("API_TOKEN=\n")
    with WireServer([calls(("read_file", {"path": ".env.example"})), "Yes."]) as server:
        assert ankita("-p", "read it", "--cwd", str(tmp_path), *at(server), "--json").code == 0


ENCODED = "python3 -c \"import base64,urllib.parse as u,json;t=open('.'+'env').read();print({})\""
PARTS = [
    ENCODED.format("base64.b64encode(t.encode()).decode()"),
    ENCODED.format("base64.encodebytes((t*3).encode()).decode()"),
    ENCODED.format("u.quote(t,safe='')"),
    ENCODED.format("u.quote_plus(t)"),
    ENCODED.format("json.dumps(json.dumps(t))"),
    # The output is cut at 4,000 characters, and 8,000 before its end: each in the middle of a secret.
    ENCODED.format("t.split()[0].rjust(3992,'x')+'y'*20000+t.split()[0].ljust(8010,'z')"),
    ENCODED.format("t[:26]"),
    ENCODED.format("t[14:]"),
]


@pytest.mark.parametrize("command", PARTS)
def test_no_encoding_and_no_cut_lets_a_secret_out(work: Path, ankita_home: Path, command: str) -> None:
    with WireServer([calls(("run_command", {"command": command, "yield_ms": 20_000})), "Seen."]) as server:
        done = ask(server, work)
        sent = json.dumps(server.requests, ensure_ascii=False)
    text = done.json["calls"][0]["text"]
    assert "«secret:" in text, text
    unescaped = unquote(sent + text)
    assert not any(IN_ENV[at : at + 10] in unescaped for at in range(len(IN_ENV) - 9))


GIT = ["git remote -v", "git show HEAD:.env", "git log -p", "git diff HEAD~1", "git grep TOKEN HEAD~1 -- .env"]


@pytest.mark.parametrize(
    "call",
    [*(("run_command", {"command": command, "yield_ms": 20_000}) for command in GIT), ("git", {"action": "show"})],
)
def test_git_lets_no_secret_of_former_days_out(work: Path, ankita_home: Path, call: tuple[str, dict]) -> None:  # type: ignore[type-arg]
    old = "former-token-5550001112"
    for command in (
        "git init -q",
        "git config user.email a@example.com",
        "git config user.name A",
        f"printf 'API_TOKEN={old}\\nPORT=1\\n' > .env",
        "git add -f .env",
        "git commit -qm one",
        f"printf 'API_TOKEN={old}2\\nPORT=2\\n' > .env",
        "git commit -qam two",
        f"printf 'API_TOKEN={IN_ENV}\\nPORT=3\\n' > .env",
        "git remote add origin https://me:hunter2@example.com/x.git",
    ):
        subprocess.run(command, shell=True, cwd=work, check=True)
    with WireServer([calls(call), "Seen."]) as server:
        done = ask(server, work)
        sent = json.dumps(server.requests, ensure_ascii=False)
    text = done.json["calls"][0]["text"]
    for secret in (old, IN_ENV, "hunter2"):
        assert secret not in sent + done.out and secret.encode() not in conversation(ankita_home)
    assert "«secret:" in text, text
