"""Public bug reports about allowed commands that let others run, each in the situation that was reported."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ankita_desktop.events import ApprovalAsked
from ankita_desktop.protocol import Decision
from ankita_desktop.safety.rules import Rules
from ankita_desktop.safety.shell_risk import ShellRisk
from tests.core.house import House, call, house

ALLOWED = ("allow run_command(mkdir *)",)


@contextmanager
def at(tmp_path: Path, commands: list[str], *, rules: tuple[str, ...] = (), mode: str = "ask") -> Iterator[House]:
    """An engine whose model runs the commands one after the other."""
    steps = [call("run_command", command=command, yield_ms=20_000) for command in commands]
    safety = {"risk": ShellRisk(), "policy": Rules(lambda: rules)}
    with house(tmp_path, [*steps, "done"], mode=mode, **safety) as h:
        yield h


def questions(h: House) -> list[str]:
    return [event.request.preview.text for event in h.of(ApprovalAsked)]


def exists(tmp_path: Path, *names: str) -> list[bool]:
    return [(tmp_path / "work" / name).exists() for name in names]


@pytest.mark.parametrize(
    "command",
    [
        *(
            "mkdir a && touch bad",
            "mkdir a; touch bad",
            "mkdir a | tee bad",
            "mkdir a > bad",
            "mkdir a\ntouch bad",
        ),
        *("mkdir a & touch bad", "mkdir $(touch bad)", "mkdir `touch bad`", "mkdir a || touch bad"),
    ],
)
@pytest.mark.parametrize("report", ["gemini-cli#11766", "claude-code#94314"])
def test_an_allowed_prefix_lets_nothing_else_run(tmp_path: Path, command: str, report: str) -> None:
    with at(tmp_path, [command], rules=ALLOWED) as h:
        turn = h.engine.submit(h.session, "go")
        request = h.asked().request
        assert request.preview.text == command
        assert h.engine.answer(request.id, Decision(False))
        h.ended(turn)
        assert exists(tmp_path, "bad") == [False]


def test_codex_17670_a_chain_of_allowed_commands_passes(tmp_path: Path) -> None:
    with at(tmp_path, ["mkdir a && ls && mkdir b"], rules=ALLOWED) as h:
        assert h.say("go").status == "done"
        assert questions(h) == [] and exists(tmp_path, "a", "b") == [True, True]


def test_codex_17670_a_chain_of_what_was_allowed_before_passes(tmp_path: Path) -> None:
    git = ["git init -q .", "git status -s"]
    with at(tmp_path, [git[0], "git init -q . && git status -s && git init -q sub"]) as h:
        turn = h.engine.submit(h.session, "go")
        h.engine.answer(h.asked().request.id, Decision(True, scope="session"))
        assert h.ended(turn).status == "done"
        assert len(questions(h)) == 1 and exists(tmp_path, "sub/.git") == [True]


@pytest.mark.parametrize("more", [" && touch bad", "; touch bad", " | tee bad", " > bad", " $(touch bad)"])
def test_claude_code_94314_a_yes_for_the_session_covers_no_chain(tmp_path: Path, more: str) -> None:
    with at(tmp_path, ["git init -q .", f"git init -q .{more}"]) as h:
        turn = h.engine.submit(h.session, "go")
        h.engine.answer(h.asked().request.id, Decision(True, scope="session"))
        second = h.asked(2).request
        h.engine.answer(second.id, Decision(False))
        h.ended(turn)
        assert exists(tmp_path, "bad") == [False]


def test_what_only_reads_is_never_asked_and_what_is_dangerous_always_is(tmp_path: Path) -> None:
    with at(tmp_path, ["ls -la", "rm -rf ../x"], mode="all", rules=("allow run_command(rm *)",)) as h:
        turn = h.engine.submit(h.session, "go")
        request = h.asked().request
        assert request.level == "always" and "outside" in request.preview.danger
        h.engine.answer(request.id, Decision(False))
        h.ended(turn)
        assert questions(h) == ["rm -rf ../x"]


def test_a_rule_that_asks_is_not_passed_by_any_mode(tmp_path: Path) -> None:
    with at(tmp_path, ["ls"], mode="all", rules=("ask run_command(ls *)",)) as h:
        turn = h.engine.submit(h.session, "go")
        h.engine.answer(h.asked().request.id, Decision(True, scope="always"))
        assert h.ended(turn).status == "done"
        assert not h.store.grants(h.session)


def test_a_rule_that_denies_tells_the_model_which(tmp_path: Path) -> None:
    with at(tmp_path, ["ls && git push"], mode="all", rules=("deny run_command(git push *)",)) as h:
        h.say("go")
        assert questions(h) == [] and "deny run_command(git push *)" in h.results()[0].text
