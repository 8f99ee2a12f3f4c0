"""Create a file, or replace all of its text."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolResult

name = "write_file"
description = "Create a file or replace its whole text. Encoding and line ends of an existing file stay."
parameters = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
    "required": ["path", "content"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["write", "create", "save", "new file"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return ctx.files.write_level(args["path"])


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    return ctx.files.preview([ctx.files.rewrite(args["path"], args["content"])])


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    return ctx.files.commit([ctx.files.rewrite(args["path"], args["content"])])
