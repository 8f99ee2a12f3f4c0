"""The commands of all sessions, as front ends see them: without secrets."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from ankita_desktop.core.veil import Veil
from ankita_desktop.events import Event, JobChanged
from ankita_desktop.protocol import JobInfo
from ankita_desktop.toolkit.process import Jobs, OutputChunk


class Running:
    """The part of the engine that keeps commands. Thread-safe."""

    def __init__(self, emit: Callable[[Event], None], veil: Veil) -> None:
        self._tell_job = emit
        self._job_veil = veil
        self._jobs: dict[str, Jobs] = {}
        self._jobs_lock = threading.Lock()

    def jobs(self, session: str) -> tuple[JobInfo, ...]:
        with self._jobs_lock:
            jobs = self._jobs.get(session)
        return self._job_veil.over(tuple(jobs.list())) if jobs else ()

    def job_output(self, session: str, job: str, cursor: int = 0) -> OutputChunk:
        """Output of a job from a byte position on."""
        chunk = self._jobs_of(session).output(job, cursor)
        return replace(
            chunk, text=self._job_veil.printed(chunk.text, self._jobs_of(session).get(job).info().command)
        )

    def stop_job(self, session: str, job: str) -> None:
        """End a job and its children; returns at once."""
        jobs = self._jobs_of(session)
        threading.Thread(target=jobs.stop, args=(job,), name="stop-job", daemon=True).start()

    def _jobs_of(self, session: str) -> Jobs:
        with self._jobs_lock:
            if session not in self._jobs:
                self._jobs[session] = Jobs(on_change=lambda info: self._tell_job(JobChanged(session, info)))
            return self._jobs[session]

    def _forget_jobs(self, session: str) -> Jobs | None:
        with self._jobs_lock:
            return self._jobs.pop(session, None)

    def _all_jobs(self) -> Sequence[Jobs]:
        with self._jobs_lock:
            return list(self._jobs.values())
