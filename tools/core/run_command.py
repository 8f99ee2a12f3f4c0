"""Runs a shell command; one that takes longer goes on as a job."""

import json
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from ankita_desktop.toolkit import (
    Cancelled,
    Level,
    Preview,
    ToolContext,
    ToolError,
    ToolResult,
    job_text,
    recording,
)
from ankita_desktop.toolkit.box import box_for, can_box
from ankita_desktop.toolkit.command_grants import grant
from ankita_desktop.toolkit.git_guard import NAMES_GIT, chooses_programs, reading_environment
from ankita_desktop.toolkit.job import Job
from ankita_desktop.toolkit.placeholder import refuse_placeholders

name = "run_command"
description = "Run a shell command. One still running after yield_ms goes on as a job."
parameters = {
    "type": "object",
    "properties": {
        "command": {"type": "string"},
        "cwd": {"type": "string", "description": "Default: working folder"},
        "background": {"type": "boolean", "description": "Return at once; input stays open for job_input"},
        "yield_ms": {"type": "integer", "minimum": 0, "maximum": 600000, "description": "Default 1000"},
        "timeout_ms": {"type": "integer", "minimum": 1, "description": "Then it is stopped"},
        "stdin": {"type": "string", "description": "Its whole input"},
        "env": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "required": ["command"],
}
approval = "ask"

YIELD_MS = 1000
# Long enough to show that a background command fails at once.
BACKGROUND_MS = 200
BEAT = 0.1
LEVELS: dict[str, Level] = {"safe": "never", "ask": "ask", "dangerous": "always"}


def approval_for(args: dict, ctx: ToolContext) -> Level:
    verdict, _reason = _judge(args, ctx)
    level = LEVELS.get(verdict, "always")
    # What is harmless here may not be so with other variables or in another folder.
    elsewhere = bool(args.get("env")) or not _folder(args, ctx).is_relative_to(ctx.cwd.resolve())
    return "ask" if level == "never" and (elsewhere or _repository_decides(args, ctx)) else level


def _repository_decides(args: dict, ctx: ToolContext) -> bool:
    """git would start what the repository itself names."""
    return bool(NAMES_GIT.search(args["command"])) and chooses_programs(_folder(args, ctx), ctx.cancel)


def preview(args: dict, ctx: ToolContext) -> Preview:
    verdict, reason = _judge(args, ctx)
    key, label = _grant(args, ctx)
    boxed = bool(_box(args, ctx, wanted=_boxed(ctx, asked=True)))
    return Preview(
        kind="command",
        question="Run this command in a closed box?" if boxed else "Run this command?",
        effect="run",
        text=_shown(args),
        where=str(_folder(args, ctx)),
        grant_key=key,
        grant_label=label,
        covered_by_all=_together(args, ctx),
        danger=reason if verdict == "dangerous" else "",
        boxable=not boxed and can_box(),
    )


def run(args: dict, ctx: ToolContext) -> ToolResult:
    verdict, _reason = _judge(args, ctx)
    # What only reads leaves nothing to undo, and must not wait for a look at the whole folder.
    kept = "" if verdict == "safe" else recording.begin(ctx, _undoable(args, ctx), f"Ran {args['command']}")
    with ExitStack() as failed:
        failed.callback(recording.end, ctx, kept)
        job = _start(args, ctx)
        _follow(job.id, ctx, args.get("yield_ms", BACKGROUND_MS if args.get("background") else YIELD_MS) / 1000)
        failed.pop_all()
    result = _told(job_text.result(job), ctx)
    checkpoint = recording.end_with(ctx, kept, job)
    return replace(result, details={**result.details, "checkpoint": checkpoint})


def _undoable(args: dict, ctx: ToolContext) -> Path:
    """The folder whose changes can be undone: the working folder, or the command's own where that is elsewhere."""
    folder, root = _folder(args, ctx), ctx.cwd.resolve()
    return root if folder.is_relative_to(root) else folder


def _start(args: dict, ctx: ToolContext) -> Job:
    background = args.get("background", False)
    timeout = args.get("timeout_ms")
    return ctx.jobs.start(
        args["command"],
        str(_folder(args, ctx)),
        env={**(reading_environment() if ctx.approved is None else {}), **args.get("env", {})},
        stdin=args.get("stdin"),
        keep_open=background or ("yield_ms" in args and "stdin" not in args),
        timeout=timeout / 1000 if timeout else None,
        box=_box(args, ctx, wanted=_boxed(ctx, asked=ctx.approved is not None) or _chosen(ctx)),
    )


def _follow(job_id: str, ctx: ToolContext, seconds: float) -> None:
    """Show live output until the job is over or ``seconds`` are up; Stop ends the job too."""
    job = ctx.jobs.get(job_id)
    deadline = time.monotonic() + seconds
    shown = 0
    while job.running and (left := deadline - time.monotonic()) > 0:
        info = ctx.jobs.wait(job_id, min(BEAT, left), ctx.cancel)
        if ctx.cancel.is_set():
            ctx.jobs.stop_soon(job_id)
            raise Cancelled
        if info.size != shown:
            shown = info.size
            ctx.progress(job_text.live(job))


def _boxed(ctx: ToolContext, *, asked: bool) -> bool:
    """Whether the person's settings want the command in a box."""
    wanted = _approvals(ctx).get("sandbox", "off")
    return wanted == "always" or (wanted == "ask" and asked)


def _chosen(ctx: ToolContext) -> bool:
    """Whether the person wanted this one command in a box."""
    return ctx.approved is not None and ctx.approved.decision.boxed


def _box(args: dict, ctx: ToolContext, *, wanted: bool) -> tuple[str, ...]:
    """The words that box the command; none when it runs free."""
    network = bool(_approvals(ctx).get("sandbox_network"))
    return tuple(box_for(_folder(args, ctx), network=network)) if wanted else ()


def _told(result: ToolResult, ctx: ToolContext) -> ToolResult:
    """Nothing in the call says that it was boxed: what failed of that is not to be tried another way."""
    if not _chosen(ctx):
        return result
    net = "" if _approvals(ctx).get("sandbox_network") else ", without network"
    text = f"{result.text.rstrip()}\n[the person had it run in a closed box: only its folder can be changed{net}]"
    return replace(result, text=text.lstrip(), details={**result.details, "boxed": True})


def _approvals(ctx: ToolContext) -> dict:
    settings = ctx.settings.get("approvals")
    return settings if isinstance(settings, dict) else {}


def _together(args: dict, ctx: ToolContext) -> tuple[str, ...]:
    """What has to be allowed, program by program, so that the whole line needs no question."""
    if ctx.services.risk is None or any(args.get(key) for key in ("env", "stdin", "cwd")):
        return ()
    needing = ctx.services.risk.needing(args["command"], _folder(args, ctx)) or ()
    return tuple(dict.fromkeys(grant(part)[0] for part in needing))


def _judge(args: dict, ctx: ToolContext) -> tuple[str, str]:
    if not args["command"].strip():
        raise ToolError("The command is empty.")
    refuse_placeholders("The command", args)
    if ctx.services.risk is None:
        return "ask", ""
    verdict, reason = ctx.services.risk.judge(args["command"], _folder(args, ctx))
    if verdict == "blocked":
        raise ToolError(f"This command is never run: {reason}")
    return verdict, reason


def _folder(args: dict, ctx: ToolContext) -> Path:
    folder = (ctx.cwd / Path(args.get("cwd", ".")).expanduser()).resolve()
    if not folder.is_dir():
        raise ToolError(f"cwd is not a folder: {folder}")
    return folder


def _shown(args: dict) -> str:
    parts = [args["command"]]
    if args.get("env"):
        parts.append("with environment:\n" + "\n".join(f"{key}={value}" for key, value in args["env"].items()))
    if args.get("stdin"):
        parts.append("with input:\n" + args["stdin"])
    return "\n\n".join(parts)


def _grant(args: dict, ctx: ToolContext) -> tuple[str, str]:
    """A yes covers a kind of command only for the plain form; with more to it, exactly the same again."""
    command, folder = args["command"], _folder(args, ctx)
    extras = {key: args[key] for key in ("env", "stdin") if args.get(key)}
    if folder != ctx.cwd.resolve():
        extras["cwd"] = str(folder)
    if not extras:
        return grant(command)
    key = f"run:={command} {json.dumps(extras, sort_keys=True)}"
    return key, f"exactly this command with the same {', '.join(extras)}: {command}"
