"""Create a folder."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolResult

name = "create_dir"
description = "Create a folder and its missing parents."
parameters = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["create folder", "new folder", "make directory", "mkdir"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    exists = ctx.files.resolve(args["path"]).is_dir()
    return "never" if exists else ctx.files.write_level(args["path"])


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    return ctx.files.preview([ctx.files.make_folder(args["path"])])


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    path = ctx.files.resolve(args["path"])
    if path.is_dir():
        return ToolResult(f"The folder {ctx.files.name(path)} exists already.", {"path": str(path)})
    return ctx.files.commit([ctx.files.make_folder(args["path"])])
