"""Public bug reports about commands, each in the situation that was reported."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from ankita_desktop.toolkit import Cancel, Cancelled, ToolContext
from ankita_desktop.toolkit.process import Jobs
from tests.tools.calls import call, until


@pytest.fixture
def ctx(tmp_path: Path) -> Iterator[ToolContext]:
    jobs = Jobs()
    yield ToolContext(tmp_path, jobs)
    jobs.close()


def test_term_llm_406_a_background_child_that_holds_the_pipe_does_not_hold_the_tool(ctx: ToolContext) -> None:
    before = time.monotonic()
    result = call("run_command", ctx, command="nohup sleep 60 & echo started", yield_ms=30_000)
    assert time.monotonic() - before < 10
    assert result.details["exit_code"] == 0
    assert "started" in result.text


def test_term_llm_406_a_background_child_that_never_stops_talking_does_not_hold_the_tool(ctx: ToolContext) -> None:
    before = time.monotonic()
    result = call("run_command", ctx, command="yes & echo started; sleep 0.2", yield_ms=30_000)
    assert time.monotonic() - before < 10
    assert result.details["exit_code"] == 0


def test_term_llm_406_stopping_the_job_ends_the_child_that_was_left_behind(ctx: ToolContext) -> None:
    result = call("run_command", ctx, command="nohup sleep 60 & echo $!", yield_ms=30_000)
    child = psutil.Process(int(result.details["output"]))
    call("job_stop", ctx, job_id=result.details["job_id"])
    until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)


def test_cline_4356_output_that_ends_with_the_shell_is_all_there(ctx: ToolContext) -> None:
    """Many short commands at once: the last bytes often come in the moment when the shell exits."""
    results: list[str] = []

    def run() -> None:
        results.extend(
            call("run_command", ctx, command="seq 1 500; printf end", yield_ms=30_000).details["output"]
            for _ in range(10)
        )

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = "".join(f"{number}\n" for number in range(1, 501)) + "end"
    assert results == [whole] * 40


def test_cline_2523_characters_split_between_two_writes_come_whole(ctx: ToolContext) -> None:
    command = r"printf 'gr\303'; sleep 0.2; printf '\274n \360\237\230'; sleep 0.2; printf '\200'"
    assert call("run_command", ctx, command=command, yield_ms=30_000).details["output"] == "grün 😀"


def test_stop_ends_a_running_command_at_once(tmp_path: Path) -> None:
    """The whole kind: a call that is called off leaves nothing running."""
    jobs, cancel = Jobs(), Cancel()
    ctx = ToolContext(tmp_path, jobs, cancel=cancel)
    threading.Timer(0.1, cancel.set).start()
    before = time.monotonic()
    with pytest.raises(Cancelled):
        call("run_command", ctx, command="sleep 60", yield_ms=60_000)
    assert time.monotonic() - before < 3
    until(lambda: jobs.list()[0].exit_code is not None)
    jobs.close()
