"""Delete a file or folder, into the trash unless asked otherwise."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult
from ankita_desktop.toolkit.files import Change

name = "delete_file"
description = "Delete a file, or a folder with recursive, to the trash."
parameters = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "recursive": {"type": "boolean"},
        "permanent": {"type": "boolean", "description": "skip the trash; only if the user said so"},
    },
    "required": ["path"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["delete", "remove", "trash", "rm"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return "always" if args.get("permanent") else ctx.files.write_level(args["path"])


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    return ctx.files.preview([_plan(args, ctx)])


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    return ctx.files.commit([_plan(args, ctx)])


def _plan(args: dict[str, Any], ctx: ToolContext) -> Change:
    change = ctx.files.remove(args["path"], permanent=args.get("permanent", False))
    full = change.before.kind == "folder" and any(change.path.iterdir())
    if full and not args.get("recursive"):
        raise ToolError(f"{args['path']} is a folder that isn't empty ({change.before.facts}). Set recursive.")
    return change
