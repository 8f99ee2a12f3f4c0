"""The commands of one session: started in a group of their own, followed, ended with all they started."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import JobInfo, new_id
from ankita_desktop.toolkit import leftovers
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.job import Command, Job
from ankita_desktop.toolkit.ring import OutputChunk

__all__ = ["Job", "Jobs", "OutputChunk"]

MAX_RUNNING = 32
KEEP_ENDED = 32
GRACE = 1.0
CLOSE_GRACE = 0.4


class Jobs:
    """A session's commands, thread-safe.

    ``on_change`` is told when a job starts and when it has ended, on the thread where that happens, and no
    more once ``close`` began. It must return at once.
    """

    stay = True
    """False in a process that ends with its turn, as `ankita -p` does, and its jobs with it."""

    def __init__(self, on_change: Callable[[JobInfo], None] | None = None) -> None:
        self._on_change = on_change
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._mark = new_id()
        self._count = 0
        self._closed = False

    def start(self, command: str, cwd: str, **how: Any) -> Job:
        """Start a shell command in a folder.

        ``how``: env (added to ours), stdin (text), keep_open (its input stays open for ``write``),
        timeout (seconds, then it is ended), box (words that start it in a closed box).
        Raises ``ToolError`` when it can't be started.
        """
        with self._lock:
            self._check_room()
            if not self._count:
                leftovers.note(self._mark)
            self._count += 1
            job = Job(f"j{self._count}", Command(command, cwd, **how), f"{self._mark}.{self._count}.")
            self._jobs[job.id] = job
            self._forget_old()
        self._tell(job)
        job.run(kill=self._end, ended=self._tell)
        return job

    def get(self, job_id: str) -> Job:
        with self._lock:
            job = self._jobs.get(job_id)
            known = ", ".join(self._jobs) or "none"
        if job is None:
            raise ToolError(f"There is no job {job_id!r} in this session. Known: {known}.")
        return job

    def output(self, job_id: str, cursor: int = 0, limit: int | None = None) -> OutputChunk:
        """Output from byte ``cursor`` on, at most ``limit`` bytes."""
        return self.get(job_id).output(cursor, limit)

    def wait(self, job_id: str, seconds: float, cancel: Cancel | None = None) -> JobInfo:
        """Until the job is over, the time is up, or ``cancel`` is set; the job goes on in the last two cases."""
        job = self.get(job_id)
        cancel = cancel or Cancel()
        forget = cancel.on_set(job.wake)
        try:
            job.wait(seconds, cancel.is_set)
        finally:
            forget()
        return job.info()

    def write(self, job_id: str, text: str, *, close: bool = False) -> None:
        """Send text to the job's input, and close it if asked. Returns before the job has read it."""
        self.get(job_id).write(text, close=close)

    def stop(self, job_id: str, grace: float = GRACE) -> JobInfo:
        """End the job with everything it started: asked first, forced after ``grace`` seconds."""
        job = self.get(job_id)
        self._end(job, grace)
        job.wait(1.0)
        return job.info()

    def stop_soon(self, job_id: str) -> None:
        """``stop`` without waiting for it."""
        threading.Thread(target=self._end, args=(self.get(job_id), 0.3), name="job-stop", daemon=True).start()

    def list(self) -> tuple[JobInfo, ...]:
        """Every job that runs and the latest that ended, in the order they were started."""
        with self._lock:
            jobs = list(self._jobs.values())
        return tuple(job.info() for job in jobs)

    def close(self) -> None:
        """End everything, within a second. Nothing can be started afterwards."""
        from ankita_desktop.toolkit import proc_info

        with self._lock:
            self._closed = True
            jobs = list(self._jobs.values())
        if not self._count:
            return
        live = [job.pid for job in jobs if not job.reaped]
        proc_info.end(proc_info.marked(lambda mark: mark.startswith(self._mark), live), CLOSE_GRACE)
        deadline = time.monotonic() + 0.2
        for job in jobs:
            job.wait(max(0.0, deadline - time.monotonic()))
        leftovers.drop(self._mark)

    def _end(self, job: Job, grace: float = GRACE) -> None:
        from ankita_desktop.toolkit import proc_info

        # Twice: a process that was being started during the first look is caught by the second.
        for seconds in (grace, 0.0):
            live = () if job.reaped else (job.pid,)
            proc_info.end(proc_info.marked(lambda mark: mark == job.mark, live), seconds)

    def _check_room(self) -> None:
        if self._closed:
            raise ToolError("This session is closing; nothing can be started any more.")
        running = [job.id for job in self._jobs.values() if job.running]
        if len(running) >= MAX_RUNNING:
            raise ToolError(f"{MAX_RUNNING} commands run already. Stop one with job_stop: {', '.join(running)}.")

    def _forget_old(self) -> None:
        ended = [job.id for job in self._jobs.values() if not job.running]
        for job_id in ended[: max(0, len(ended) - KEEP_ENDED)]:
            del self._jobs[job_id]

    def _tell(self, job: Job) -> None:
        if self._on_change and not self._closed:
            self._on_change(job.info())
