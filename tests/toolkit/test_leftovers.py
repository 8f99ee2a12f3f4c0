"""Commands of an app that was killed are ended by the next one, and only those."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from ankita_desktop import paths
from ankita_desktop.toolkit import leftovers
from ankita_desktop.toolkit.process import Jobs
from tests.tools.calls import until

OWNER = """
import sys
from ankita_desktop.toolkit.process import Jobs
jobs = Jobs()
for command in sys.argv[1:]:
    print(jobs.start(command, ".").pid, flush=True)
sys.stdin.read()
jobs.close()
"""


@contextmanager
def owner(*commands: str) -> Iterator[tuple[subprocess.Popen[str], list[psutil.Process]]]:
    """Another process that runs these commands as jobs, and closes them when its input ends."""
    words = [sys.executable, "-c", OWNER, *commands]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        jobs = [psutil.Process(int(process.stdout.readline())) for _ in commands]
        try:
            yield process, jobs
        finally:
            process.kill()
            for job in filter(lives, jobs):
                job.kill()


def lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def notes() -> list[Path]:
    return list((paths.state() / "jobs").iterdir())


def test_jobs_of_a_killed_app_are_ended_and_named_at_the_next_start() -> None:
    with owner("sleep 300; true", "sleep 301; true") as (app, jobs):
        app.kill()
        app.wait()
        assert all(map(lives, jobs))
        (said,) = leftovers.end()
        until(lambda: not any(map(lives, jobs)))
        assert "left 2 commands running" in said and "sleep 300; true" in said and "sleep 301; true" in said
    assert leftovers.end() == ()


def test_jobs_of_an_app_that_runs_are_left_alone() -> None:
    with owner("sleep 300") as (_app, jobs):
        assert leftovers.end() == ()
        assert all(map(lives, jobs))


def test_an_app_that_closes_leaves_nothing_to_look_for(tmp_path: Path) -> None:
    jobs = Jobs()
    jobs.start("sleep 300", str(tmp_path))
    assert len(notes()) == 1
    jobs.close()
    assert notes() == []


def test_a_number_that_is_in_use_again_is_not_taken_for_the_owner() -> None:
    with owner("sleep 300; true") as (app, jobs):
        app.kill()
        app.wait()
        (file,) = notes()
        file.write_text(f"{psutil.Process().pid} 12.5")  # our own number, but another start
        assert "sleep 300" in leftovers.end()[0]
        until(lambda: not any(map(lives, jobs)))


def test_a_file_that_is_no_note_is_thrown_away() -> None:
    folder = paths.state() / "jobs"
    folder.mkdir(parents=True)
    (folder / "broken").write_bytes(b"\xff\x00 what")
    assert leftovers.end() == ()
    assert notes() == []


def test_where_nothing_can_be_noted_jobs_run_all_the_same(tmp_path: Path) -> None:
    paths.state().mkdir(parents=True, exist_ok=True)
    (paths.state() / "jobs").write_text("a file where the folder should be")
    jobs = Jobs()
    job = jobs.start("echo hello", str(tmp_path))
    until(lambda: jobs.output(job.id).text == "hello\n")
    jobs.close()
    assert leftovers.end() == ()
