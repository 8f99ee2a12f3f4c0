"""Read a text file with line numbers, or hand over an image."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Attachment, Level, Preview, ToolContext, ToolError, ToolResult
from ankita_desktop.toolkit.reading import image_type, numbered, page

name = "read_file"
description = "Read a text file as numbered lines (number and tab aren't part of it), or an image."
parameters = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "offset": {"type": "integer", "minimum": 1, "description": "first line"},
        "limit": {"type": "integer", "minimum": 1, "description": "number of lines"},
    },
    "required": ["path"],
    "additionalProperties": False,
}
approval = "never"
read_only = True
keywords = ["read", "show", "open", "cat", "contents", "view"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return ctx.files.read_level(args["path"])


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    return ctx.files.read_preview(args["path"])


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    path = ctx.files.resolve(args["path"])
    if (mime := image_type(path)) and path.is_file():
        shown = ctx.files.name(path)
        details = {"path": str(path), "mime": mime, "size": path.stat().st_size}
        return ToolResult(
            f"{shown} is an image ({mime}); it is attached.", details, (Attachment(str(path), mime, path.name),)
        )
    part = page(ctx.files, args["path"], args.get("offset", 1), args.get("limit"))
    if not part.lines and part.total != 0:
        size = f"the file has {part.total} lines" if part.total > 0 else "the file is shorter"
        raise ToolError(f"Line {part.start} doesn't exist: {size}.")
    return ToolResult(numbered(part), part.details())
