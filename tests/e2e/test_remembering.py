"""Memory, skills and projects through `ankita -p`: without a model, and with a scripted one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.store.database import Store
from tests.terminal.shell import at
from tests.terminal.shell import inside as ankita
from tests.wire import WireServer, calls

OFFLINE = ("--provider", "offline")


def ask(text: str, *options: str, cwd: Path) -> str:
    done = ankita("-p", text, *OFFLINE, *options, cwd=cwd)
    assert done.code == 0, done.err
    return done.out


def scripted(cwd: Path, *steps: Any, options: tuple[str, ...] = ()) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A turn by a scripted model. Returns the JSON document and the requests it sent."""
    with WireServer(list(steps)) as server:
        document = ankita("-p", "do it", "--json", *options, *at(server), cwd=cwd).json
        return document, list(server.requests)


def texts(document: dict[str, Any]) -> list[str]:
    return [call["text"] for call in document["calls"]]


def test_without_a_model_facts_are_told_corrected_found_and_forgotten(tmp_path: Path) -> None:
    assert "I'll remember: my favourite colour is blue" in ask(
        "remember that my favourite colour is blue", cwd=tmp_path
    )
    assert "instead of" in ask("remember that my favourite colour is green", cwd=tmp_path)
    known = ask("what do you know about me?", cwd=tmp_path)
    assert "green" in known and "blue" not in known
    assert "green" in ask("what do you know about my favourite colour", cwd=tmp_path)
    assert "forgotten" in ask("forget that my favourite colour is green", "--yes", cwd=tmp_path)
    assert "don't remember anything" in ask("what do you know about me?", cwd=tmp_path)
    found = ask("what did I tell you about my favourite colour", cwd=tmp_path)
    assert "green" not in found and "blue" not in found, "old conversations don't bring it back"


def test_without_a_yes_nothing_is_forgotten(tmp_path: Path) -> None:
    ask("remember that I play the cello", cwd=tmp_path)
    done = ankita("-p", "forget that I play the cello", *OFFLINE, cwd=tmp_path)
    assert done.code == 3
    assert "cello" in ask("what do you know about me?", cwd=tmp_path)


def test_a_scripted_model_remembers_pins_recalls_and_updates(tmp_path: Path) -> None:
    document, _ = scripted(
        tmp_path,
        calls(("remember", {"action": "add", "text": "The user plays the cello"})),
        calls(("remember", {"action": "pin", "id": "m1"})),
        calls(("recall", {"query": "cello"})),
        calls(("remember", {"action": "update", "id": "m1", "text": "The user plays the viola"})),
        "Noted.",
    )
    assert [call["ok"] for call in document["calls"]] == [True] * 4
    assert "Remembered: [m1] The user plays the cello" in texts(document)[0]
    assert "pinned fact" in texts(document)[2]
    _, requests = scripted(tmp_path, "Hello.")
    assert "The user plays the viola" in requests[0]["messages"][0]["content"]


def test_mistakes_are_answered_with_what_to_do(tmp_path: Path) -> None:
    document, _ = scripted(
        tmp_path,
        calls(
            ("remember", {"action": "add"}),
            ("remember", {"action": "update", "text": "x"}),
            ("remember", {"action": "pin", "id": "m7"}),
            ("remember", {"action": "learn", "text": "x"}),
            ("recall", {"query": "  "}),
            ("skill", {"name": "nope"}),
        ),
        "Sorry.",
    )
    assert not any(call["ok"] for call in document["calls"])
    for text, says in zip(
        texts(document),
        ("needs text", "needs the id", "no fact m7", "not one of", "needs words", "There are: ankita-dev"),
        strict=True,
    ):
        assert says in text


def test_without_a_model_skills_are_listed_and_read(tmp_path: Path) -> None:
    assert "commit-review" in ask("which skills do you have?", cwd=tmp_path)
    assert "# Review changes" in ask("use the commit-review skill", cwd=tmp_path)


def test_a_scripted_model_sees_which_skills_there_are_and_reads_one(tmp_path: Path) -> None:
    document, requests = scripted(tmp_path, calls(("skill", {"name": "bug-repro"})), "Ready.")
    assert "- bug-repro" in requests[0]["messages"][0]["content"]
    assert "# Reproduce a bug" in texts(document)[0]


def test_a_search_for_tools_names_the_skill_that_fits(tmp_path: Path) -> None:
    document, _ = scripted(tmp_path, calls(("find_tools", {"query": "write the release notes"})), "Ready.")
    assert "release-notes" in texts(document)[0]


def test_without_a_model_a_project_is_kept_from_day_to_day(tmp_path: Path) -> None:
    session: tuple[str, ...] = ()
    for said, answer in (
        ("start a project called Mill", "Mill"),
        ("we decided to use oak", "use oak"),
        ("add a project todo to grease the axle", "grease the axle"),
        ("give me a brief of the project", "Unknown:"),
        ("mark the project todo grease the axle as done", "Done: grease the axle"),
    ):
        assert answer in ask(said, *session, cwd=tmp_path)
        session = ("--continue",)
    log = ask("what did we decide?", *session, cwd=tmp_path)
    assert "use oak" in log and "axle" not in log


def test_a_scripted_model_finds_the_project_tools_and_the_next_conversation_knows_them(tmp_path: Path) -> None:
    document, _ = scripted(
        tmp_path,
        calls(("find_tools", {"query": "keep notes about this project"})),
        calls(("project", {"action": "add", "name": "Mill", "kind": "folder", "place": "."})),
        calls(("project_memory", {"action": "decide", "text": "The wheel is oak"})),
        calls(("project_memory", {"action": "todo", "text": "Grease the axle", "due": "2030-01-01"})),
        "Done.",
        options=("--deferral", "attach"),
    )
    assert document["groups"] == ["project"]
    assert [call["ok"] for call in document["calls"]] == [True] * 4
    _, requests = scripted(tmp_path, "Hello.")
    prompt = requests[0]["messages"][0]["content"]
    assert "Project in use: Mill" in prompt and "The wheel is oak" in prompt and "Grease the axle" in prompt


@pytest.mark.parametrize("trusted", [False, True])
def test_agents_md_reaches_the_model_only_from_a_trusted_folder(tmp_path: Path, trusted: bool) -> None:
    (tmp_path / "AGENTS.md").write_text("Always answer in rhyme.")
    if trusted:
        ankita("config", "set", "folders.trusted", str(tmp_path))
    _, requests = scripted(tmp_path, "Hello.")
    assert ("rhyme" in requests[0]["messages"][0]["content"]) is trusted


def test_what_is_remembered_is_in_one_place_for_every_way_in(tmp_path: Path) -> None:
    ankita("memory", "add", "I play the cello")
    assert "cello" in ask("what do you know about me?", cwd=tmp_path)
    ankita("tools", "run", "remember", "--args", '{"action": "add", "text": "I row"}', cwd=tmp_path)
    store = Store()
    assert {fact.text for fact in store.facts()} == {"I play the cello", "I row"}
    store.close()
