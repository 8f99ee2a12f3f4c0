"""Open something on the person's desktop, for them to see."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult, need

name = "open"
description = "Open a file, folder or web address on the person's desktop, or start an app."
parameters = {
    "type": "object",
    "properties": {
        "target": {"type": "string", "description": "path or address"},
        "app": {"type": "string", "description": "open with this app; alone: just start it"},
    },
    "additionalProperties": False,
}
approval = "ask"
keywords = ["open file", "open folder", "open app", "launch app", "open in browser", "file manager"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    target = _target(args, ctx)
    return "always" if target and target.runs and not args.get("app") else "ask"


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    target, app = _target(args, ctx), args.get("app", "")
    shown = _shown(target, ctx)
    question = f"Start {app}?" if not target else f"Open {shown}{f' with {app}' if app else ''}?"
    danger = ""
    if target and target.runs and not app:
        danger = f"{shown} may be a program: opening it can run it."
    key = f"open:{app}:{target.value if target else ''}"
    return Preview(
        "text",
        question,
        effect="send" if target and target.kind == "address" else "run",
        text=target.value if target else app,
        grant_key="" if danger else key,
        grant_label=question.rstrip("?"),
        danger=danger,
    )


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    target, app = _target(args, ctx), args.get("app", "")
    need(ctx.services.desktop, "A desktop").open(target.value if target else "", app)
    shown = _shown(target, ctx)
    text = f"Opened {shown}{f' with {app}' if app else ''}." if target else f"Started {app}."
    return ToolResult(text, {"target": target.value if target else "", "app": app})


def _target(args: dict[str, Any], ctx: ToolContext) -> Any:
    from ankita_desktop.toolkit.opening import target_of

    app = args.get("app", "")
    if app.strip().startswith("-") or (not app.strip() and not args.get("target", "").strip()):
        raise ToolError("Give target (a path or address), app (a program's name), or both.")
    return target_of(args["target"], ctx.files) if args.get("target", "").strip() else None


def _shown(target: Any, ctx: ToolContext) -> str:
    from pathlib import Path

    if target is None:
        return ""
    return target.value if target.kind == "address" else ctx.files.name(Path(target.value))
