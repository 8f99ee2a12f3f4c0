"""The commands of one session."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from ankita_desktop.protocol import JobInfo
from ankita_desktop.toolkit import Cancel, ToolError
from ankita_desktop.toolkit.process import MAX_RUNNING, Job, Jobs
from tests.tools.calls import until

CHILD = "sh -c 'echo $$; exec sleep 300'"


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


def lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def ended(jobs: Jobs, job: Job, seconds: float = 20) -> JobInfo:
    info = jobs.wait(job.id, seconds)
    assert info.exit_code is not None
    return info


def said(jobs: Jobs, job: Job) -> str:
    return jobs.output(job.id).text


def pid_from(jobs: Jobs, job: Job) -> int:
    """The number that the command prints as its first line."""
    until(lambda: "\n" in said(jobs, job))
    return int(said(jobs, job).split("\n")[0])


def test_a_command_has_its_folder_its_variables_its_input_and_its_exit_code(jobs: Jobs, tmp_path: Path) -> None:
    job = jobs.start("pwd; echo $A; cat; echo oops >&2; exit 3", str(tmp_path), env={"A": "b"}, stdin="in\n")
    assert ended(jobs, job).exit_code == 3
    assert said(jobs, job) == f"{tmp_path}\nb\nin\noops\n"


def test_a_program_that_reads_input_nobody_gave_sees_its_end(jobs: Jobs, tmp_path: Path) -> None:
    assert ended(jobs, jobs.start("cat", str(tmp_path))).exit_code == 0


def test_much_output_is_kept_to_the_byte_up_to_the_limit(jobs: Jobs, tmp_path: Path) -> None:
    job = jobs.start("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end", str(tmp_path))
    assert ended(jobs, job).size == 3_000_005
    chunk = jobs.output(job.id)
    assert chunk.dropped + len(chunk.text) == 3_000_005
    assert chunk.text.endswith("x\nend\n")


def test_output_can_be_followed_while_the_command_runs(jobs: Jobs, tmp_path: Path) -> None:
    job = jobs.start("echo one; read x; echo $x", str(tmp_path), keep_open=True)
    until(lambda: said(jobs, job) == "one\n")
    jobs.write(job.id, "zwei ü\n")
    ended(jobs, job)
    assert jobs.output(job.id, 4).text == "zwei ü\n"


def test_closing_the_input_ends_a_reader(jobs: Jobs, tmp_path: Path) -> None:
    job = jobs.start("cat", str(tmp_path), keep_open=True)
    jobs.write(job.id, "a")
    jobs.write(job.id, "b", close=True)
    assert ended(jobs, job).exit_code == 0
    assert said(jobs, job) == "ab"


def test_writing_to_a_command_without_open_input_or_that_ended_is_refused(jobs: Jobs, tmp_path: Path) -> None:
    running = jobs.start("sleep 30", str(tmp_path))
    with pytest.raises(ToolError, match="background: true"):
        jobs.write(running.id, "x")
    over = jobs.start("true", str(tmp_path), keep_open=True)
    ended(jobs, over)
    with pytest.raises(ToolError, match="has ended"):
        jobs.write(over.id, "x")


def test_input_bigger_than_a_pipe_for_a_command_that_never_reads_blocks_nobody(jobs: Jobs, tmp_path: Path) -> None:
    job = jobs.start("exec sleep 30", str(tmp_path), stdin="x" * 1_000_000)
    assert jobs.stop(job.id).exit_code is not None


@pytest.mark.parametrize("escape", ["{} &", "({} &)", "setsid {} &", "(setsid {} &)"])
def test_stopping_ends_everything_the_command_started(jobs: Jobs, tmp_path: Path, escape: str) -> None:
    job = jobs.start(f"{escape.format(CHILD)}\nwait; sleep 200", str(tmp_path))
    child = pid_from(jobs, job)
    assert lives(child)
    assert jobs.stop(job.id).exit_code is not None
    until(lambda: not lives(child))


def test_a_child_whose_program_is_being_loaded_is_ended_with_its_job(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel shows no environment for a moment then, so the mark in it can't be seen yet."""
    job = jobs.start("nohup sleep 300 > nothing & echo $!", str(tmp_path))
    ended(jobs, job)
    child, looks, read = int(jobs.output(job.id).text), [0], psutil.Process.environ

    def environ(process: psutil.Process) -> dict[str, str]:
        looks[0] += process.pid == child
        return {} if process.pid == child and looks[0] < 5 else read(process)

    monkeypatch.setattr(psutil.Process, "environ", environ)
    jobs.stop(job.id)
    assert not lives(child)


def test_what_ignores_a_polite_request_is_forced(jobs: Jobs, tmp_path: Path) -> None:
    job = jobs.start("trap '' TERM; echo $$; while :; do sleep 1; done", str(tmp_path))
    pid = pid_from(jobs, job)
    assert jobs.stop(job.id, grace=0.2).exit_code == -9
    assert not lives(pid)


def test_a_time_out_ends_the_command_and_says_so(jobs: Jobs, tmp_path: Path) -> None:
    job = jobs.start("echo begun; sleep 60", str(tmp_path), timeout=0.2)
    ended(jobs, job)
    assert job.timed_out
    assert said(jobs, job) == "begun\n"


def test_waiting_ends_at_once_when_it_is_called_off_and_the_job_goes_on(jobs: Jobs, tmp_path: Path) -> None:
    job, cancel = jobs.start("sleep 60", str(tmp_path)), Cancel()
    threading.Timer(0.05, cancel.set).start()
    before = time.monotonic()
    assert jobs.wait(job.id, 60, cancel).exit_code is None
    assert time.monotonic() - before < 5


def test_closing_ends_stubborn_commands_and_their_children_within_a_second(tmp_path: Path) -> None:
    jobs = Jobs()
    started = [jobs.start("trap '' TERM; sleep 300 & echo $!; sleep 300", str(tmp_path)) for _ in range(6)]
    children = [pid_from(jobs, job) for job in started]
    before = time.monotonic()
    jobs.close()
    assert time.monotonic() - before < 2.0  # a busy machine gets a second more
    assert not any(map(lives, [*children, *(job.pid for job in started)]))


def test_closing_also_ends_what_an_ended_command_left_behind(tmp_path: Path) -> None:
    jobs = Jobs()
    job = jobs.start("setsid sleep 300 >/dev/null 2>&1 & echo $!", str(tmp_path))
    ended(jobs, job)
    child = pid_from(jobs, job)
    assert lives(child)
    jobs.close()
    assert not lives(child)


def test_another_sessions_commands_are_left_alone(jobs: Jobs, tmp_path: Path) -> None:
    other = Jobs()
    theirs = jobs.start("exec sleep 30", str(tmp_path))
    other.start("exec sleep 30", str(tmp_path))
    other.close()
    assert lives(theirs.pid)


def test_nothing_starts_after_closing(tmp_path: Path) -> None:
    jobs = Jobs()
    jobs.close()
    with pytest.raises(ToolError, match="closing"):
        jobs.start("true", str(tmp_path))


def test_one_more_than_the_most_commands_is_refused_and_a_place_that_frees_is_used(
    jobs: Jobs, tmp_path: Path
) -> None:
    started = [jobs.start("exec sleep 60", str(tmp_path)) for _ in range(MAX_RUNNING)]
    with pytest.raises(ToolError, match="job_stop"):
        jobs.start("true", str(tmp_path))
    jobs.stop(started[0].id)
    ended(jobs, jobs.start("true", str(tmp_path)))


def test_many_ended_commands_are_forgotten_from_the_oldest_on(jobs: Jobs, tmp_path: Path) -> None:
    for _ in range(40):
        ended(jobs, jobs.start("true", str(tmp_path)))
    listed = [info.id for info in jobs.list()]
    assert len(listed) <= 34
    assert listed[-1] == "j40"
    with pytest.raises(ToolError, match="no job 'j1'"):
        jobs.output("j1")


def test_a_start_and_an_end_are_told_once_each(tmp_path: Path) -> None:
    told: list[JobInfo] = []
    jobs = Jobs(told.append)
    job = jobs.start("echo hi; exit 2", str(tmp_path))
    until(lambda: len(told) == 2)
    assert [(info.id, info.exit_code) for info in told] == [(job.id, None), (job.id, 2)]
    assert told[1].size == 3
    jobs.close()
    assert len(told) == 2


@pytest.mark.parametrize(
    ("command", "folder"), [("true", "/no/such/folder"), ("a\0b", "/"), ("x" * 3_000_000, "/")]
)
def test_a_command_that_cannot_start_is_an_error_that_says_why(jobs: Jobs, command: str, folder: str) -> None:
    with pytest.raises(ToolError, match="can't be started"):
        jobs.start(command, folder)
    assert jobs.list() == ()
