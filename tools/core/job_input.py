"""Writes to the input of a running job."""

from ankita_desktop.toolkit import Preview, ToolContext, ToolError, ToolResult, job_text

name = "job_input"
description = "Write text to a job's input; end lines with \\n."
parameters = {
    "type": "object",
    "properties": {
        "job_id": {"type": "string"},
        "text": {"type": "string"},
        "close": {"type": "boolean", "description": "Then close it"},
    },
    "required": ["job_id"],
}
approval = "ask"

# How long an answer may take to begin, and how long a pause ends it, in seconds.
SECONDS = 1.0
PAUSE = 0.1


def preview(args: dict, ctx: ToolContext) -> Preview:
    job = ctx.jobs.get(args["job_id"])
    close = "\n\nThen its input is closed." if args.get("close") else ""
    return Preview(
        kind="command",
        question=f"Send this to the running command “{job.command.text}”?",
        effect="run",
        text=args.get("text", "") + close,
        where=job.command.cwd,
        grant_key=f"input:{job.mark}",
        grant_label=f"input to this run of “{job.command.text}”",
    )


def run(args: dict, ctx: ToolContext) -> ToolResult:
    text, close = args.get("text", ""), args.get("close", False)
    if not text and not close:
        raise ToolError("Give text to write, or close: true.")
    job = ctx.jobs.get(args["job_id"])
    before = job.info().size
    ctx.jobs.write(job.id, text, close=close)
    _listen(job.id, before, ctx)
    return job_text.result(job, before)


def _listen(job_id: str, size: int, ctx: ToolContext) -> None:
    """Until it has answered and paused, has ended, or says nothing."""
    first = size
    for _ in range(int(SECONDS / PAUSE)):
        info = ctx.jobs.wait(job_id, PAUSE, ctx.cancel)
        ctx.cancel.check()
        if info.exit_code is not None or info.size == size != first:
            return
        size = info.size
