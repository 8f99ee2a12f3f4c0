"""git that runs unasked only looks, whatever the repository says."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ankita_desktop.safety.shell_risk import ShellRisk
from ankita_desktop.toolkit import ToolContext
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services
from tests.tools.calls import call, tool


@pytest.fixture
def ctx(tmp_path: Path) -> Iterator[ToolContext]:
    """A repository whose own configuration wants to start a program."""
    folder = tmp_path / "work"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "a.txt").write_text("one\n")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "first")
    (folder / "a.txt").write_text("two\n")
    jobs = Jobs()
    yield ToolContext(folder, jobs, services=Services(risk=ShellRisk()))
    jobs.close()


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def evil(ctx: ToolContext) -> Path:
    program = ctx.cwd.parent / "evil"
    program.write_text(f"#!/bin/sh\ntouch {ctx.cwd.parent}/ran\ncat $1 2>/dev/null\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize("key", ["core.fsmonitor", "core.pager", "pager.log"])
@pytest.mark.parametrize("command", ["git status", "git diff", "git log -p -1"])
def test_a_repository_starts_nothing_when_it_is_looked_at(ctx: ToolContext, key: str, command: str) -> None:
    git(ctx.cwd, "config", key, str(evil(ctx)))
    assert tool("run_command").approval_for({"command": command}, ctx) == "never"
    result = call("run_command", ctx, command=command, yield_ms=20_000)
    assert result.details["exit_code"] == 0 and not (ctx.cwd.parent / "ran").exists()


@pytest.mark.parametrize("key", ["diff.external", "diff.x.textconv", "diff.x.command", "filter.x.clean"])
def test_a_repository_that_names_programs_which_cannot_be_switched_off_is_asked(
    ctx: ToolContext, key: str
) -> None:
    git(ctx.cwd, "config", key, str(evil(ctx)))
    assert tool("run_command").approval_for({"command": "git diff"}, ctx) == "ask"
    assert tool("run_command").approval_for({"command": "ls"}, ctx) == "never"


def test_outside_a_repository_git_may_still_say_so(tmp_path: Path) -> None:
    jobs = Jobs()
    ctx = ToolContext(tmp_path, jobs, services=Services(risk=ShellRisk()))
    try:
        assert tool("run_command").approval_for({"command": "git status"}, ctx) == "never"
    finally:
        jobs.close()
