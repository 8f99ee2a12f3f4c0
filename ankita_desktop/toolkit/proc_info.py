"""Which processes there are, who they belong to, and how they are ended.

A process is named by PID and start time together: a PID alone may belong to somebody else a moment later.
psutil is imported on first use. Times are seconds since the epoch.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ankita_desktop.toolkit.launch import MARK

if TYPE_CHECKING:
    import psutil

T = TypeVar("T")
# How long a process that was killed may take to be gone, in seconds.
FORCED = 0.3
# Start times of one process differ by no more than the kernel's tick, in seconds.
SAME = 0.02
# How long a program may take to be loaded after it was started, in seconds.
STARTING = 0.1


@dataclass(frozen=True, slots=True)
class ProcessInfo:
    """A process as a person recognises it. ``user`` and ``command`` are empty where we may not look."""

    pid: int
    created: float
    name: str
    command: str
    user: str
    parent: int = 0


def look(process: psutil.Process) -> ProcessInfo | None:
    """What can be seen of a process, or None when it is gone."""
    import psutil

    try:
        with process.oneshot():
            return ProcessInfo(
                pid=process.pid,
                created=process.create_time(),
                name=_allowed(process.name, ""),
                command=" ".join(_allowed(process.cmdline, [])),
                user=_allowed(process.username, ""),
                parent=_allowed(process.ppid, 0),
            )
    except psutil.NoSuchProcess:
        return None


def find(pid: int) -> ProcessInfo | None:
    """The process with this PID, or None."""
    import psutil

    try:
        return look(psutil.Process(pid))
    except psutil.NoSuchProcess:
        return None


def tree(pid: int) -> list[ProcessInfo]:
    """The process and everything it started that still hangs on it, parents first."""
    import psutil

    try:
        root = psutil.Process(pid)
        family = [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []
    return [info for info in map(look, family) if info]


def lineage() -> set[int]:
    """Our own PID and those of our ancestors."""
    import psutil

    return {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}


def marked(belongs: Callable[[str], bool], sessions: Collection[int] = ()) -> list[psutil.Process]:
    """The processes that carry a job's mark, or live in one of the sessions.

    The mark is inherited by everything a job starts, also by what has left its group and lost its parent.
    A session may only be named while its leader isn't reaped: afterwards the number is anybody's.
    """
    import psutil

    found: list[psutil.Process] = []
    rest = [process for process in psutil.process_iter() if process.pid != os.getpid()]
    deadline = time.monotonic() + STARTING
    while rest:
        marks = [(process, _mark(process)) for process in rest]
        found += [each for each, mark in marks if (mark and belongs(mark)) or _session(each.pid) in sessions]
        rest = [each for each, mark in marks if mark is None and each not in found]
        if time.monotonic() >= deadline:
            break
        if rest:
            time.sleep(0.005)
    return found


def _mark(process: psutil.Process) -> str | None:
    """The mark of a job, "" for none, None when it can't be told yet: while a program is being loaded
    the kernel shows no environment at all."""
    import psutil

    try:
        seen = process.environ()
    except (psutil.Error, OSError):
        return ""
    # Threads of the kernel, which are in no session, have none for good, like what waits to be reaped.
    return seen.get(MARK, "") if seen or not _session(process.pid) or not _lives(process) else None


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except (OSError, AttributeError):
        return 0


def same(info: ProcessInfo) -> psutil.Process | None:
    """The process that was seen, or None when it is gone, even if its number is in use again."""
    import psutil

    try:
        process = psutil.Process(info.pid)
        return process if abs(process.create_time() - info.created) < SAME else None
    except psutil.NoSuchProcess:
        return None


def ask_to_end(seen: Sequence[ProcessInfo], grace: float, *, force: bool) -> list[ProcessInfo]:
    """End processes that were seen, parents first; force those that live after ``grace`` seconds if asked to.
    Each is identified again right before its signal. Returns those that still live."""
    _each(filter(None, map(same, seen)), lambda process: process.terminate())
    alive = _outlive([process for process in map(same, seen) if process], grace)
    if force and alive:
        left = [info for info in seen if info.pid in {process.pid for process in alive}]
        _each(filter(None, map(same, left)), lambda process: process.kill())
        alive = _outlive(alive, FORCED)
    return [info for info in seen if info.pid in {process.pid for process in alive}]


def is_service(pid: int) -> bool:
    """Whether the system runs it (Linux with systemd; elsewhere unknown, hence False)."""
    try:
        return "/system.slice/" in Path(f"/proc/{pid}/cgroup").read_text()
    except OSError:
        return False


def end(processes: Sequence[psutil.Process], grace: float) -> list[psutil.Process]:
    """Ask all to end, wait up to ``grace`` seconds, then force. Returns those that still live."""
    import psutil

    _each(processes, psutil.Process.terminate)
    alive = _outlive(processes, grace)
    _each(alive, psutil.Process.kill)
    return _outlive(alive, FORCED)


def _outlive(processes: Sequence[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Those that live after ``seconds``. psutil's own wait would reap our children behind their owner."""
    deadline = time.monotonic() + seconds
    while alive := [p for p in processes if _lives(p)]:
        if time.monotonic() >= deadline:
            break
        time.sleep(0.01)
    return alive


def _lives(process: psutil.Process) -> bool:
    import psutil

    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _each(processes: Iterable[psutil.Process], act: Callable[[psutil.Process], None]) -> None:
    """psutil compares the start time before it signals, so a reused PID is never hit."""
    import psutil

    for process in processes:
        try:
            act(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue


def _allowed(read: Callable[[], T], otherwise: T) -> T:
    import psutil

    try:
        return read()
    except (psutil.AccessDenied, psutil.ZombieProcess):
        return otherwise
