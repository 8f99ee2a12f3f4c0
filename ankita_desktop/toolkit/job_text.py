"""What a job looks like to the model and to the person."""

from __future__ import annotations

import signal
from typing import Any

from ankita_desktop.protocol import ToolResult
from ankita_desktop.toolkit.process import Job, Jobs

HEAD = 4_000
TAIL = 8_000
SHOWN = 4_000
KEPT = 20_000
ENDS = (
    ". It is ended as soon as your answer is given, because `ankita -p` ends then: wait for it if need be, "
    "and say that in `ankita chat` or the window it would run on"
)


def result(job: Job, cursor: int | None = None) -> ToolResult:
    """The job's output (from ``cursor``, else all, long ones cut in the middle) and how it stands."""
    body = whole(job) if cursor is None else onward(job, cursor)
    info = job.info()
    ok = info.exit_code in (0, None) and not job.timed_out
    last = standing(job)
    gap = "\n" if body and last and not body.endswith("\n") else ""
    return ToolResult(body + gap + last, details(job), ok=ok)


def whole(job: Job) -> str:
    """All output there is, its head and tail when it is long."""
    size = job.info().size
    if size <= HEAD + TAIL:
        chunk = job.output(0)
        return _noted(chunk.text, chunk.dropped)
    head, tail = job.output(0, HEAD), job.output(size - TAIL)
    if head.dropped:
        return f"[{size - TAIL} bytes came before this; the first {head.dropped} are gone]\n{tail.text}"
    cut = size - TAIL - head.next_cursor + tail.dropped
    how = f'job_status with job_id "{job.id}" and cursor {head.next_cursor} shows them'
    return f"{head.text}\n[{cut} bytes cut; {how}]\n{tail.text}"


def onward(job: Job, cursor: int) -> str:
    """Output from a cursor on, as much as fits."""
    chunk = job.output(cursor, HEAD + TAIL)
    left = job.info().size - chunk.next_cursor
    more = f"[{left} more bytes; go on with cursor {chunk.next_cursor}]" if left > 4 else ""
    text = _noted(chunk.text, chunk.dropped)
    return "\n".join(part for part in (text or "[no output since]", more) if part)


def standing(job: Job) -> str:
    """One line: how it ended, or that it runs and how to follow it."""
    info = job.info()
    if job.timed_out:
        return f"[stopped after its time-out of {job.command.timeout:g} s]"
    if info.exit_code is None:
        follow = f'job_wait, job_status (cursor {info.size} for what is new) or job_stop with job_id "{job.id}"'
        return f"[still running as job {job.id}: {follow}{'' if Jobs.stay else ENDS}]"
    if info.exit_code < 0:
        return f"[ended by signal {_signal(-info.exit_code)} after {job.seconds:.1f} s]"
    if info.exit_code == 0 and info.size and not job.left_behind:
        return ""
    quiet = "" if info.size else ", no output"
    rest = f"; what it started in the background runs on, job_stop {job.id} ends it" if job.left_behind else ""
    return f"[exit code {info.exit_code}{quiet}{rest}]"


def details(job: Job) -> dict[str, Any]:
    """The person's face: a bounded tail of the output and the facts. ``exit_code`` None: it runs."""
    info = job.info()
    return {
        "job_id": job.id,
        "command": info.command,
        "cwd": info.cwd,
        "exit_code": info.exit_code,
        "seconds": round(job.seconds, 3),
        "timed_out": job.timed_out,
        "stays": Jobs.stay,
        "size": info.size,
        "output": job.output(info.size - KEPT).text,
    }


def live(job: Job) -> str:
    """The latest output, for the card of a running call."""
    return job.output(job.info().size - SHOWN).text


def _noted(text: str, dropped: int) -> str:
    return f"[{dropped} bytes before this are gone]\n{text}" if dropped else text


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
