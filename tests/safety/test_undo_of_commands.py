"""What undo promises about commands: what they did to the folder comes back, nothing else is touched."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ankita_desktop.safety import around
from ankita_desktop.safety.checkpoints import CheckpointError, CheckpointStore
from ankita_desktop.safety.shell_risk import ShellRisk
from ankita_desktop.toolkit import ToolContext, ToolResult
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services
from tests.tools.calls import call, until

Tree = dict[str, tuple[int, bytes]]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def store(tmp_path: Path) -> CheckpointStore:
    return CheckpointStore(tmp_path / "undo")


@pytest.fixture
def ctx(work: Path, store: CheckpointStore) -> Iterator[ToolContext]:
    jobs = Jobs()
    yield ToolContext(work, jobs, session="s", services=Services(checkpoints=store, risk=ShellRisk()))
    jobs.close()


def run(ctx: ToolContext, command: str, **args: object) -> ToolResult:
    return call("run_command", ctx, command=command, **{"yield_ms": 20_000, **args})


def tree(folder: Path) -> Tree:
    """Every path with its mode, and its bytes or where it leads."""
    found = {}
    for path in sorted(folder.rglob("*")):
        link, data = path.is_symlink(), b""
        if link or path.is_file():
            data = os.fsencode(path.readlink()) if link else path.read_bytes()
        found[str(path.relative_to(folder))] = (path.lstat().st_mode, data)
    return found


def fill(work: Path) -> None:
    (work / "src" / "deep").mkdir(parents=True)
    (work / "src" / "main.py").write_bytes(b"print('old')\r\n")
    (work / "src" / "deep" / "data.bin").write_bytes(bytes(range(256)))
    (work / "run.sh").write_text("echo hi\n")
    (work / "run.sh").chmod(0o755)
    (work / "link").symlink_to("src/main.py")
    (work / "untracked.txt").write_text("mine\n")


@pytest.mark.parametrize(
    "command",
    [
        "sed -i 's/old/new/' src/main.py",
        "rm -rf src link",
        "mv src other && sed -i 's/old/new/' other/main.py && rm untracked.txt",
        "chmod 600 run.sh && chmod 700 src",
        "mkdir -p a/b/c && touch a/b/c/d && cp -r src a/",
        "rm -rf src && mkdir src2 && echo x > src2/main.py",
        "rm link && ln -s run.sh link && ln -s nowhere dangling",
        "find . -type f -delete",
        "rm run.sh && mkdir run.sh && touch run.sh/inside",
        "for i in $(seq 300); do echo $i > f$i; done; rm untracked.txt",
    ],
)
def test_whatever_a_command_did_is_undone(
    ctx: ToolContext, store: CheckpointStore, work: Path, command: str
) -> None:
    fill(work)
    before = tree(work)
    result = run(ctx, command)
    after = tree(work)
    assert after != before
    done = store.restore(result.details["checkpoint"])
    assert tree(work) == before
    store.restore(*done.back)
    assert tree(work) == after, "and an undo can be undone"


def test_a_command_that_only_reads_is_not_recorded(ctx: ToolContext, store: CheckpointStore, work: Path) -> None:
    fill(work)
    assert run(ctx, "ls -la && cat run.sh").details["checkpoint"] == ""
    assert store.list() == ()


def test_a_command_that_changed_nothing_offers_no_undo(
    ctx: ToolContext, store: CheckpointStore, work: Path
) -> None:
    fill(work)
    result = run(ctx, "python3 -c 'print(1)'")
    assert result.ok and result.details["checkpoint"] == ""
    assert store.list() == ()


def test_what_the_person_changed_since_is_a_conflict(ctx: ToolContext, store: CheckpointStore, work: Path) -> None:
    fill(work)
    checkpoint = run(ctx, "sed -i s/old/new/ src/main.py; echo x >> run.sh").details["checkpoint"]
    (work / "run.sh").write_text("the person's\n")
    before = tree(work)
    assert "run.sh was changed" in store.outlook(checkpoint).conflicts[0]
    with pytest.raises(CheckpointError, match=r"run\.sh was changed"):
        store.restore(checkpoint)
    assert tree(work) == before


def test_git_keeps_its_own_history(ctx: ToolContext, store: CheckpointStore, work: Path) -> None:
    (work / ".git").mkdir()
    (work / ".git" / "index").write_text("old")
    checkpoint = run(ctx, "echo new > .git/index; echo x > made").details["checkpoint"]
    store.restore(checkpoint)
    assert (work / ".git" / "index").read_text() == "new\n" and not (work / "made").exists()


def test_a_job_that_goes_on_can_be_undone_when_it_is_over(
    ctx: ToolContext, store: CheckpointStore, work: Path
) -> None:
    fill(work)
    before = tree(work)
    command = "echo 1 > first; while [ ! -e go ]; do sleep 0.02; done; rm go; echo 2 > second"
    checkpoint = run(ctx, command, yield_ms=100).details["checkpoint"]
    with pytest.raises(CheckpointError, match="still runs"):
        store.restore(checkpoint)
    (work / "go").touch()
    until(lambda: [row.id for row in store.list()] == [checkpoint])
    store.restore(checkpoint)
    assert tree(work) == before


def test_what_other_calls_changed_while_a_job_ran_is_theirs(
    ctx: ToolContext, store: CheckpointStore, work: Path
) -> None:
    fill(work)
    command = "while [ ! -e go ]; do sleep 0.02; done; echo 2 > second"
    checkpoint = run(ctx, command, yield_ms=50).details["checkpoint"]
    call("write_file", ctx, path="untracked.txt", content="edited meanwhile\n")
    (work / "go").touch()
    until(lambda: len(store.list()) == 2)
    store.restore(checkpoint)
    assert (work / "untracked.txt").read_text() == "edited meanwhile\n"
    assert not (work / "second").exists()


def test_a_file_too_large_to_keep_is_left_as_it_is_and_named(
    ctx: ToolContext, store: CheckpointStore, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(around, "LARGEST", 1000)
    (work / "big").write_bytes(b"x" * 2000)
    (work / "small").write_text("old")
    checkpoint = run(ctx, "echo new > small; echo new > big").details["checkpoint"]
    assert str(work / "big") in store.outlook(checkpoint).notes[0]
    store.restore(checkpoint)
    assert (work / "small").read_text() == "old" and (work / "big").read_text() == "new\n"


def test_a_folder_with_more_than_is_kept_leaves_out_what_git_ignores(
    ctx: ToolContext, store: CheckpointStore, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing in a folder that was not seen before is ever taken for created."""
    monkeypatch.setattr(around, "MOST_FILES", 50)
    (work / ".gitignore").write_text("node_modules/\n")
    (work / "src.py").write_text("old")
    for number in range(60):
        place = work / "node_modules" / f"p{number}" / "index.js"
        place.parent.mkdir(parents=True)
        place.write_text("module")
    before = tree(work)
    checkpoint = run(ctx, "rm .gitignore; echo new > src.py; echo y > node_modules/p1/new; echo 1 > top").details[
        "checkpoint"
    ]
    store.restore(checkpoint)
    now = tree(work)
    assert now.pop("node_modules/p1/new")
    assert now == before, "src.py and .gitignore are back, top is gone, and no module was touched"


def test_a_folder_far_too_large_loses_nothing_to_undo(
    ctx: ToolContext, store: CheckpointStore, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(around, "MOST_FILES", 20)
    for folder in ("a", "b"):
        (work / folder).mkdir()
        for number in range(30):
            (work / folder / f"{number}").write_text("kept by nobody")
    (work / "top").write_text("old")
    checkpoint = run(ctx, "echo new > top; echo new > a/1; rm b/2").details["checkpoint"]
    store.restore(checkpoint)
    assert (work / "top").read_text() == "old"
    assert len(list((work / "a").iterdir())) == 30 and len(list((work / "b").iterdir())) == 29


def test_a_folder_that_takes_too_long_to_look_at_does_not_hold_the_command(
    ctx: ToolContext, store: CheckpointStore, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(work)
    monkeypatch.setattr(around, "MOST_SECONDS", -1.0)
    run(ctx, "echo new > src/main.py; echo more > made.txt")
    assert (work / "made.txt").read_text() == "more\n"
    assert not store.list(session="s"), "what was not looked at is never taken for created or put back"


@pytest.mark.skipif(not Path("/proc/self/net").is_dir(), reason="needs /proc")
def test_files_without_an_end_and_other_disks_do_not_hold_the_command(tmp_path: Path) -> None:
    picture = around.FolderLook(tmp_path).before(Path("/proc/self/net"), Cancel())
    assert picture.states, "files of /proc say that they are empty"
    others = frozenset(str(path) for path in Path("/").iterdir() if path.name != "proc")
    seen = around.look(Path("/"), others, Cancel())
    assert "/proc" in seen.entries and "/proc" not in seen.listed


def test_a_stopped_look_stops_the_call(store: CheckpointStore, work: Path) -> None:
    from ankita_desktop.errors import Cancelled

    fill(work)
    cancel = Cancel()
    cancel.set()
    with pytest.raises(Cancelled):
        store.around(work, session="s", call_id="c", label="x", cancel=cancel)


def test_a_file_rewritten_with_the_same_size_and_time_is_noticed(store: CheckpointStore, work: Path) -> None:
    file = work / "f"
    for old, new in ((b"one", b"two"), (b"two", b"six")):
        file.write_bytes(old)
        os.utime(file, (1, 1))
        checkpoint = store.around(work, session="s", call_id="c", label="x", cancel=Cancel())
        file.write_bytes(new)
        os.utime(file, (1, 1))
        assert store.after(checkpoint)
        store.restore(checkpoint)
        assert file.read_bytes() == old


def test_several_changes_are_undone_together_or_not_at_all(
    ctx: ToolContext, store: CheckpointStore, work: Path
) -> None:
    fill(work)
    before = tree(work)
    ids = [
        run(ctx, "sed -i s/old/mid/ src/main.py").details["checkpoint"],
        call("write_file", ctx, path="src/main.py", content="third\n").details["checkpoint"],
        call("move_file", ctx, source="src", destination="lib").details["checkpoint"],
        run(ctx, "echo fourth > lib/main.py; rm run.sh").details["checkpoint"],
    ]
    after = tree(work)
    seen = store.outlook(*ids)
    assert not seen.conflicts
    assert {(change.action, Path(change.path).name) for change in seen.changes} >= {("create", "run.sh")}
    done = store.restore(*ids)
    assert tree(work) == before and set(done.undone) == set(ids)
    assert all(row.restored for row in store.list() if not row.undoes)
    redone = store.restore(*done.back)
    assert tree(work) == after and set(redone.redone) == set(ids)
    assert not any(row.restored for row in store.list())

    (work / "run.sh").write_text("the person made this one\n")
    now = tree(work)
    with pytest.raises(CheckpointError, match=r"run\.sh was changed"):
        store.restore(*ids)
    assert tree(work) == now, "not even the first of them"


def test_what_the_person_wrote_between_two_changes_is_a_conflict(
    ctx: ToolContext, store: CheckpointStore, work: Path
) -> None:
    fill(work)
    first = call("write_file", ctx, path="untracked.txt", content="agent 1\n").details["checkpoint"]
    (work / "untracked.txt").write_text("the person\n")
    second = call("write_file", ctx, path="untracked.txt", content="agent 2\n").details["checkpoint"]
    with pytest.raises(CheckpointError, match="was changed"):
        store.restore(first, second)
    assert (work / "untracked.txt").read_text() == "agent 2\n"
    store.restore(second)
    assert (work / "untracked.txt").read_text() == "the person\n"


def test_the_outlook_shows_texts_modes_and_what_would_go(
    ctx: ToolContext, store: CheckpointStore, work: Path
) -> None:
    fill(work)
    checkpoint = run(ctx, "sed -i s/hi/ho/ run.sh; chmod 644 run.sh; echo n > new; rm untracked.txt").details[
        "checkpoint"
    ]
    found = {Path(change.path).name: change for change in store.outlook(checkpoint).changes}
    assert (found["run.sh"].before, found["run.sh"].after) == ("echo ho\n", "echo hi\n")
    assert found["run.sh"].facts == "mode 644 → 755"
    assert found["new"].action == "delete" and found["untracked.txt"].after == "mine\n"
    shutil.rmtree(work)
    assert store.outlook(checkpoint).conflicts
