"""Whether a process that holds something is still the one that took it."""

from __future__ import annotations

import functools
import os
import sqlite3


def is_held(row: sqlite3.Row, now: float) -> bool:
    """Whether what the row gives its process (pid, started, expires) still counts."""
    # A number is used again for another process: the start time tells them apart.
    started = start_of(row["pid"])
    return bool(row["expires"] > now and started and abs(started - row["started"]) < 1.0)


def start_of(pid: int) -> float:
    """When the process began, in seconds since the epoch; 0.0 when there is none."""
    return _own_start(pid) if pid == os.getpid() else _looked_up(pid)


@functools.cache
def _own_start(pid: int) -> float:
    return _looked_up(pid)


def _looked_up(pid: int) -> float:
    import psutil

    try:
        process = psutil.Process(pid)
        return 0.0 if process.status() == psutil.STATUS_ZOMBIE else float(process.create_time())
    except psutil.Error:
        return 0.0
