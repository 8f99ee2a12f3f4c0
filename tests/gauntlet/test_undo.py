"""Public reports about undo, each in the situation that was reported, with commands as well as edits."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ankita_desktop.safety.checkpoints import CheckpointStore
from ankita_desktop.safety.shell_risk import ShellRisk
from ankita_desktop.toolkit import ToolContext
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services
from tests.tools.calls import call


@pytest.fixture
def store(tmp_path: Path) -> CheckpointStore:
    return CheckpointStore(tmp_path / "undo", most_bytes=50_000)


@pytest.fixture
def ctx(tmp_path: Path, store: CheckpointStore) -> Iterator[ToolContext]:
    jobs = Jobs()
    (tmp_path / "work").mkdir()
    yield ToolContext(tmp_path / "work", jobs, session="s", services=Services(checkpoints=store, risk=ShellRisk()))
    jobs.close()


def change(ctx: ToolContext, name: str, **args: object) -> str:
    return str(call(name, ctx, **args).details["checkpoint"])


def run(ctx: ToolContext, command: str) -> str:
    return change(ctx, "run_command", command=command, yield_ms=20_000)


def test_cline_14367_undoing_a_changed_ignore_file_cleans_nothing(
    ctx: ToolContext, store: CheckpointStore
) -> None:
    """cline#14367: restore reverts the ignore file, then cleans: what was ignored is gone."""
    work = ctx.cwd
    subprocess.run(["git", "init", "-q", str(work)], check=True)
    (work / ".gitignore").write_text("data/\n")
    (work / "data").mkdir()
    (work / "data" / "precious").write_text("not in git")
    first = change(ctx, "write_file", path=".gitignore", content="data/\nbuild/\n")
    (work / "build").mkdir()
    (work / "build" / "mine").write_text("made by the person since")
    second = run(ctx, "echo '*' > .gitignore")
    store.restore(first, second)
    assert (work / ".gitignore").read_text() == "data/\n"
    assert (work / "data" / "precious").read_text() == "not in git"
    assert (work / "build" / "mine").read_text() == "made by the person since"


def test_codex_11626_the_persons_repository_is_not_touched_and_the_store_is_capped(
    ctx: ToolContext, store: CheckpointStore, tmp_path: Path
) -> None:
    """codex#11626: snapshots in the person's repository clobber the index and grow to 102 GB."""
    work = ctx.cwd
    subprocess.run(["git", "init", "-q", str(work)], check=True)
    (work / "a").write_text("staged")
    subprocess.run(["git", "-C", str(work), "add", "a"], check=True)

    def repository() -> dict[str, bytes]:
        files = [path for path in (work / ".git").rglob("*") if path.is_file()]
        return {str(path): path.read_bytes() for path in files}

    before = repository()
    for number in range(8):
        (work / "big").write_bytes(bytes([number]) * 20_000)
        run(ctx, f"echo {number} > big")
        store._pruned = 0.0  # as if ten minutes had passed
    store.restore(run(ctx, "rm a"))
    assert repository() == before
    kept = sum(path.stat().st_size for path in (tmp_path / "undo").glob("*.pack"))
    assert kept < 50_000 + 20_000 + 1_000


def test_gemini_cli_1761_every_change_is_listed_and_comes_back(ctx: ToolContext, store: CheckpointStore) -> None:
    """gemini-cli#1761: restore lists nothing."""
    (ctx.cwd / "a").write_text("1\n")
    made = [
        change(ctx, "write_file", path="b", content="x"),
        change(ctx, "edit_file", path="a", old_string="1", new_string="2"),
        change(ctx, "move_file", source="b", destination="c"),
        change(ctx, "create_dir", path="d/e"),
        change(ctx, "apply_patch", patch="*** Begin Patch\n*** Add File: p\n+p\n*** End Patch"),
        run(ctx, "echo 3 > a; rm c"),
        change(ctx, "delete_file", path="p", permanent=True),
    ]
    assert [row.id for row in store.list("s")] == made[::-1]
    for checkpoint in reversed(made):
        store.restore(checkpoint)
    assert {path.name: path.read_text() for path in ctx.cwd.iterdir()} == {"a": "1\n"}
