"""`ankita approvals check` and `rules`: what would happen, and who decides it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ankita_desktop.errors import UsageError
from ankita_desktop.protocol import Grant
from ankita_desktop.store.database import Store
from ankita_desktop.terminal.approvals import main
from ankita_desktop.toolkit.command_grants import grant
from tests.terminal.shell import ankita, inside


def test_a_verdict_comes_with_its_parts_and_its_reason(tmp_path: Path) -> None:
    found = inside("approvals", "check", "--command", "ls && rm -rf /", "--json", cwd=tmp_path).json
    assert (found["command"], found["verdict"]) == ("ls && rm -rf /", "dangerous")
    assert [part["verdict"] for part in found["parts"]] == ["safe", "dangerous"]
    assert found["reason"] and found["outcome"] == "always asks" and found["rule"] == ""


def test_many_commands_are_answered_line_by_line(tmp_path: Path) -> None:
    done = ankita("approvals", "check", "--command", "-", stdin='"ls"\n\n"echo a\\nb"\n"touch x"\n', cwd=tmp_path)
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0 and [answer["verdict"] for answer in answers] == ["safe", "ask", "ask"]
    assert answers[1]["command"] == "echo a\nb"


def test_a_line_that_is_no_json_string_is_answered_with_an_error_and_the_rest_goes_on(tmp_path: Path) -> None:
    done = inside("approvals", "check", "--command", "-", stdin='nonsense\n[1]\n"ls"\n', cwd=tmp_path)
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 2 and ["error" in answer for answer in answers] == [True, True, False]


def test_a_person_reads_what_would_happen(tmp_path: Path) -> None:
    assert "runs" in inside("approvals", "check", "--command", "ls", cwd=tmp_path).out
    assert "always asks" in inside("approvals", "check", "--command", "rm -rf ..", cwd=tmp_path).out


def test_a_rule_that_is_added_decides_and_is_named_until_it_is_removed(tmp_path: Path) -> None:
    def outcome(command: str) -> tuple[str, str]:
        found = inside("approvals", "check", "--command", command, "--json", cwd=tmp_path).json
        return found["outcome"], found["rule"]

    allow, deny = "allow run_command(npm test *)", "deny run_command(git push *)"
    for rule in (allow, deny, allow):
        assert inside("approvals", "rules", "add", rule, "--json").code == 0
    assert inside("approvals", "rules", "--json").json == [allow, deny]
    assert outcome("npm test && ls") == ("runs", allow)
    assert outcome("npm test && touch x") == ("asks", "")
    assert outcome("ls; sudo git push") == ("denied", deny)
    assert outcome("npm test && rm -rf /") == ("always asks", "")
    assert inside("approvals", "rules", "remove", "1", "--json").json == [deny]
    assert inside("approvals", "rules", "remove", deny, "--json").json == []
    assert outcome("git push") == ("asks", "")


def test_what_was_allowed_for_always_counts_and_is_named(tmp_path: Path) -> None:
    """As in the window: one answer for the whole command, or one for each program of it, never more than that."""

    def check(command: str) -> tuple[str, list[str]]:
        found = inside("approvals", "check", "--command", command, "--json", cwd=tmp_path).json
        return found["outcome"], [each["id"] for each in found["grants"]]

    store = Store()
    session = store.create_session(cwd=str(tmp_path), mode="ask", model="", title="")
    for number, (command, where) in enumerate(
        (("touch x.txt", ""), ("mkdir -p y", ""), ("rm z", ""), ("make", session.id))
    ):
        store.add_grant(Grant(f"grant{number}", *grant(command), where))
    store.close()
    assert check("touch other.txt") == ("runs", ["grant0"])
    assert check("mkdir -p a && touch a/b.txt") == ("runs", ["grant1", "grant0"])
    assert check("rm z") == ("runs", ["grant2"]) and check("rm y") == ("asks", [])
    assert check("touch a.txt && rm b") == ("asks", [])
    assert check("make") == ("asks", []), "what is allowed in one session says nothing here"
    assert check("ls") == ("runs", []) and check("touch x.txt > /etc/passwd")[1] == []
    assert (
        "as you allowed (grant0): commands that start with “touch”"
        in inside("approvals", "check", "--command", "touch x.txt", cwd=tmp_path).out
    )
    lines = inside("approvals", "check", "--command", "-", stdin='"touch x.txt"\n"make"\n', cwd=tmp_path).out
    assert [json.loads(line)["outcome"] for line in lines.splitlines()] == ["runs", "asks"]
    inside("approvals", "rules", "add", "ask run_command(touch *)")
    assert check("touch x.txt") == ("always asks", []), "no answer passes a rule that asks"


@pytest.mark.parametrize(
    "words",
    [("add", "nonsense"), ("add",), ("remove", "9"), ("remove", "allow x"), ("add", "allow run_command(*)")],
)
def test_what_is_no_rule_is_said_and_changes_nothing(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        main(["rules", *words])
    assert inside("approvals", "rules", "--json").json == []


def test_a_rule_that_cannot_be_read_is_left_out_alone_and_reported(ankita_home: Path) -> None:
    path = ankita_home / "config" / "settings.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('[approvals]\nrules = ["oops", "deny run_command(git push *)", "deny"]\n')
    done = inside("approvals", "rules", "--json")
    assert done.json == ["deny run_command(git push *)"]
    assert "oops" in done.err and "'deny'" in done.err
