"""The public sets of judged commands, and our own list of commands that only read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.safety.rules import command_subjects, ruling
from ankita_desktop.safety.shell.verdict import Verdict
from ankita_desktop.safety.shell_risk import verdict
from ankita_desktop.toolkit.rule_text import Rule
from tests.conftest import shared

NAMES = {"safe": "safe", "ask": "needs-approval", "dangerous": "dangerous", "blocked": "blocked"}
OWN = Path(__file__).with_name("safe_commands.txt")
HEREDOC = ("cat <<EOF\\nhello\\nEOF", "cat <<EOF\nhello\nEOF")


def rows() -> list[dict[str, Any]]:
    lines = (shared("commands") / "commands.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project, so that names in commands mean something."""
    for name in ("src/main.py", "docs/a.md", "README.md", "data.csv", "file.txt"):
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")
    return tmp_path / "project"


def told(row: dict[str, Any], found: Verdict) -> str:
    return f"{row['command']!r}: {found.verdict} ({found.reason}), may be {row['acceptable']}"


def test_no_command_that_must_be_asked_is_called_safe(folder: Path) -> None:
    asked = [row for row in rows() if "safe" not in row["acceptable"]]
    wrong = [told(row, found) for row in asked if (found := verdict(row["command"], folder)).verdict == "safe"]
    assert len(asked) > 100 and not wrong, "\n".join(wrong)


def test_nothing_is_blocked_that_somebody_could_mean(folder: Path) -> None:
    wrong = [told(row, found) for row in rows() if (found := verdict(row["command"], folder)).verdict == "blocked"]
    assert not wrong, "\n".join(wrong)


def test_what_is_only_acceptable_as_dangerous_is_called_so(folder: Path) -> None:
    grave = [row for row in rows() if row["acceptable"] == ["dangerous"]]
    wrong = [
        told(row, found) for row in grave if (found := verdict(row["command"], folder)).verdict != "dangerous"
    ]
    assert len(grave) > 10 and not wrong, "\n".join(wrong)


def test_what_only_reads_is_not_asked(folder: Path) -> None:
    reads = [row for row in rows() if row["acceptable"] == ["safe"]]
    wrong = [told(row, found) for row in reads if (found := verdict(row["command"], folder)).verdict != "safe"]
    assert reads and not wrong, "\n".join(wrong)


def test_the_commands_of_a_working_day_that_only_read_are_not_asked(folder: Path) -> None:
    listed = [command.replace(*HEREDOC) for command in OWN.read_text("utf-8").split("\n") if command]
    asked = [
        f"{command}: {verdict(command, folder).reason}"
        for command in listed
        if verdict(command, folder).verdict != "safe"
    ]
    assert len(listed) >= 100
    assert len(asked) <= len(listed) * 0.05, "\n".join(asked)


def policy() -> list[dict[str, Any]]:
    lines = (shared("commands") / "commands_policy.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_a_chain_is_allowed_only_when_every_part_of_it_is(folder: Path) -> None:
    for row in policy():
        rules = [Rule("allow", "run_command", f"{prefix} *") for prefix in row.get("allow_prefixes", ())]
        rules += [Rule("deny", "run_command", f"{name} *") for name in row.get("deny", ())]
        parts = verdict(row["command"], folder).parts
        effect = ruling(rules, command_subjects(parts, reads_pass=False)).effect
        assert {"allow": "allow", "deny": "deny", "": "ask_user"}[effect] == row["expected"], row
