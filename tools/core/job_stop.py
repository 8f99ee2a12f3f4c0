"""Stops a job and everything it started."""

from ankita_desktop.toolkit import ToolContext, ToolResult, job_text

name = "job_stop"
description = "Stop a job and all it started."
parameters = {"type": "object", "properties": {"job_id": {"type": "string"}}, "required": ["job_id"]}
approval = "never"


def run(args: dict, ctx: ToolContext) -> ToolResult:
    job = ctx.jobs.get(args["job_id"])
    ran = job.running
    info = ctx.jobs.stop(job.id)
    said = "has been stopped" if ran else "had ended; anything it left running has been stopped"
    if info.exit_code is None:
        said = "was told to stop but still runs; it may belong to another user"
    return ToolResult(f"Job {job.id} {said}.", job_text.details(job), ok=info.exit_code is not None)
