"""Shows the session's jobs, or the output of one."""

import time

from ankita_desktop.toolkit import ToolContext, ToolResult, job_text

name = "job_status"
description = "Output and state of a job; without job_id, list jobs."
parameters = {
    "type": "object",
    "properties": {
        "job_id": {"type": "string"},
        "cursor": {"type": "integer", "minimum": 0, "description": "Only output from this byte on"},
    },
}
approval = "never"
read_only = True


def run(args: dict, ctx: ToolContext) -> ToolResult:
    if "job_id" in args:
        return job_text.result(ctx.jobs.get(args["job_id"]), args.get("cursor"))
    jobs = ctx.jobs.list()
    lines = [_line(job) for job in jobs]
    rows = [{"job_id": job.id, "command": job.command, "pid": job.pid, "exit_code": job.exit_code} for job in jobs]
    return ToolResult("\n".join(lines) or "No jobs in this session.", {"jobs": rows})


def _line(job) -> str:
    state = f"exit code {job.exit_code}"
    if job.exit_code is None:
        state = f"running for {time.time() - job.started:.0f} s, pid {job.pid}"
    return f"{job.id}: {state}, {job.size} bytes: {job.command}"
