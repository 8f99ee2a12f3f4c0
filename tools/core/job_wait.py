"""Waits for a job."""

from ankita_desktop.toolkit import ToolContext, ToolResult, job_text

name = "job_wait"
description = "Wait until a job ends, or for some seconds."
parameters = {
    "type": "object",
    "properties": {
        "job_id": {"type": "string"},
        "seconds": {"type": "number", "minimum": 0, "maximum": 600, "description": "Default 30"},
        "cursor": {"type": "integer", "minimum": 0},
    },
    "required": ["job_id"],
}
approval = "never"
read_only = True

SECONDS = 30


def run(args: dict, ctx: ToolContext) -> ToolResult:
    job = ctx.jobs.get(args["job_id"])
    ctx.jobs.wait(job.id, args.get("seconds", SECONDS), ctx.cancel)
    ctx.cancel.check()
    return job_text.result(job, args.get("cursor"))
