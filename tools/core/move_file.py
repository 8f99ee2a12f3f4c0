"""Move or rename a file or folder."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolResult

name = "move_file"
description = "Move or rename a file or folder. Never overwrites."
parameters = {
    "type": "object",
    "properties": {
        "source": {"type": "string"},
        "destination": {"type": "string", "description": "new path, or a folder to move into"},
    },
    "required": ["source", "destination"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["move", "rename", "mv"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return ctx.files.write_level(args["source"], args["destination"])


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    return ctx.files.preview([ctx.files.move(args["source"], args["destination"])])


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    return ctx.files.commit([ctx.files.move(args["source"], args["destination"])])
