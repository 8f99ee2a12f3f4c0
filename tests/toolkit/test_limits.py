"""Programs run under limits."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from ankita_desktop.toolkit import Cancel, Cancelled, ToolError
from ankita_desktop.toolkit.limits import Limits, Outcome, Program, run_program
from tests.tools.calls import until


def shell(command: str, folder: Path, limits: Limits | None = None, stdin: bytes = b"") -> Outcome:
    return run_program(Program(["sh", "-c", command], str(folder), None, stdin), Cancel(), limits)


def test_a_program_gives_its_output_its_complaint_and_its_code(tmp_path: Path) -> None:
    outcome = shell("cat; echo out; echo err >&2; exit 3", tmp_path, stdin=b"in\n")
    assert (outcome.code, outcome.out, outcome.err, outcome.cut) == (3, b"in\nout\n", b"err\n", "")


def test_too_much_time_ends_it_with_what_there_is(tmp_path: Path) -> None:
    before = time.monotonic()
    outcome = shell("echo begun; sleep 60", tmp_path, Limits(seconds=0.3))
    assert time.monotonic() - before < 10
    assert (outcome.cut, outcome.out) == ("time", b"begun\n")


@pytest.mark.parametrize(("limits", "cut"), [(Limits(size=10_000), "size"), (Limits(lines=10), "lines")])
def test_too_much_output_ends_it(tmp_path: Path, limits: Limits, cut: str) -> None:
    outcome = shell("yes", tmp_path, limits)
    assert outcome.cut == cut
    assert len(outcome.out) < 1_000_000


def test_much_complaint_is_cut_and_hinders_nothing(tmp_path: Path) -> None:
    outcome = shell("head -c 5000000 /dev/zero >&2; echo done", tmp_path)
    assert outcome.out == b"done\n"
    assert len(outcome.err) == 1 << 16


def test_input_that_nobody_reads_hinders_nothing(tmp_path: Path) -> None:
    assert shell("exit 0", tmp_path, stdin=b"x" * 5_000_000).code == 0


def test_stop_ends_it_at_once_with_its_children(tmp_path: Path) -> None:
    cancel = Cancel()
    command = "sleep 300 & echo $! >pid; trap '' TERM; wait; sleep 300"
    threading.Timer(0.3, cancel.set).start()
    before = time.monotonic()
    with pytest.raises(Cancelled):
        run_program(Program(["sh", "-c", command], str(tmp_path)), cancel, Limits(60))
    assert time.monotonic() - before < 5
    child = int((tmp_path / "pid").read_text())
    until(lambda: not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE)


def test_stop_before_the_start_runs_nothing_to_its_end(tmp_path: Path) -> None:
    cancel = Cancel()
    cancel.set()
    with pytest.raises(Cancelled):
        run_program(Program(["sh", "-c", "sleep 60"], str(tmp_path)), cancel)


def test_a_child_left_behind_does_not_hold_us(tmp_path: Path) -> None:
    before = time.monotonic()
    outcome = shell("sleep 20 & echo hi", tmp_path)
    assert time.monotonic() - before < 10
    assert (outcome.code, outcome.out) == (0, b"hi\n")


def test_what_cannot_start_is_an_error_that_says_why(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="can't be started"):
        run_program(Program(["no-such-program-here"], str(tmp_path)), Cancel())


def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    sizes: list[int] = []

    def run() -> None:
        sizes.extend(len(shell("seq 1 20000", tmp_path).out) for _ in range(5))

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sizes == [108_894] * 30


def test_our_own_python_can_be_run_with_a_limit(tmp_path: Path) -> None:
    slow = "import re; re.match('(a+)+$', 'a' * 64 + '!')"
    outcome = run_program(Program([sys.executable, "-c", slow], str(tmp_path)), Cancel(), Limits(0.5))
    assert outcome.cut == "time"
