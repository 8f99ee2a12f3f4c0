"""Edit a file by line numbers."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolResult
from ankita_desktop.toolkit.edits import by_lines
from ankita_desktop.toolkit.files import Change

name = "edit_lines"
description = "Edit by line numbers as read_file shows them; all edits count in the original numbers."
parameters = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "edits": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "start_line": {"type": "integer", "minimum": 0},
                    "end_line": {"type": "integer", "description": "inclusive"},
                    "mode": {"enum": ["replace", "insert_before", "insert_after", "delete"]},
                    "content": {"type": "string"},
                },
                "required": ["start_line"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["path", "edits"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["line", "lines", "insert line", "delete line"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return ctx.files.write_level(args["path"])


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    return ctx.files.preview([_plan(args, ctx)])


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    return ctx.files.commit([_plan(args, ctx)])


def _plan(args: dict[str, Any], ctx: ToolContext) -> Change:
    document = ctx.files.read(args["path"])
    return ctx.files.change(args["path"], by_lines(document.text or "", args["edits"]))
