"""Work on the asyncio thread, waited for from ordinary threads."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator

import pytest

from ankita_desktop.errors import Cancelled
from ankita_desktop.toolkit import Cancel, loop


async def numbers(count: int, seen: list[int]) -> AsyncGenerator[int, None]:
    try:
        for number in range(count):
            seen.append(number)
            yield number
    finally:
        seen.append(-1)


def test_the_result_and_the_error_of_a_coroutine_come_back() -> None:
    async def double(value: int) -> int:
        await asyncio.sleep(0)
        return value * 2 if value else 1 // value

    assert loop.run(double(4)) == 8
    with pytest.raises(ZeroDivisionError):
        loop.run(double(0))


def test_waiting_ends_at_once_when_the_flag_is_set_and_the_work_is_cancelled() -> None:
    cancel, ended = Cancel(), threading.Event()

    async def forever() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    threading.Timer(0.02, cancel.set).start()
    with pytest.raises(Cancelled):
        loop.run(forever(), cancel)
    assert ended.wait(5)


def test_all_items_arrive_in_order_and_errors_after_them() -> None:
    async def failing() -> AsyncGenerator[int, None]:
        yield 1
        raise ValueError("no")

    assert list(loop.iterate(numbers(2000, []), Cancel(), ahead=3)) == list(range(2000))
    items = loop.iterate(failing(), Cancel())
    assert next(items) == 1
    with pytest.raises(ValueError, match="no"):
        next(items)


def test_a_source_runs_only_so_far_ahead_of_its_reader() -> None:
    seen: list[int] = []
    items = loop.iterate(numbers(1000, seen), Cancel(), ahead=5)
    assert next(items) == 0
    loop.run(asyncio.sleep(0.05))
    assert len(seen) <= 12
    items.close()  # type: ignore[attr-defined]


def test_leaving_early_closes_the_source() -> None:
    seen: list[int] = []
    items = loop.iterate(numbers(10_000, seen), Cancel(), ahead=2)
    next(items)
    items.close()  # type: ignore[attr-defined]
    for _ in range(100):
        if seen[-1] == -1:
            break
        loop.run(asyncio.sleep(0.01))
    assert seen[-1] == -1
    assert len(seen) < 100


def test_a_name_look_up_that_never_ends_does_not_keep_the_process_alive() -> None:
    program = (
        "import socket, time\n"
        "from ankita_desktop.toolkit import loop\n"
        "socket.getaddrinfo = lambda *a, **k: time.sleep(600)\n"
        "import asyncio\n"
        "async def look():\n"
        "    await asyncio.get_running_loop().getaddrinfo('example.invalid', 80)\n"
        "loop.start(look())\n"
        "loop.run(asyncio.sleep(0.05))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], timeout=30, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
