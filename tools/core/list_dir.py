"""What is in a folder."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolResult
from ankita_desktop.toolkit.listing import Listing, listed

name = "list_dir"
description = "List a folder: names, kinds, sizes."
parameters = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "default: working folder"},
        "recursive": {"type": "boolean"},
        "hidden": {"type": "boolean", "description": "also dot files"},
    },
    "additionalProperties": False,
}
approval = "never"
read_only = True
keywords = ["list", "folder", "directory", "files", "ls", "dir", "tree"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return ctx.files.read_level(args.get("path", "."))


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    return ctx.files.read_preview(args.get("path", "."))


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    path = ctx.files.resolve(args.get("path", "."))
    listing: Listing = listed(path, recursive=args.get("recursive", False), hidden=args.get("hidden", False))
    return ToolResult(listing.text(), {"path": str(path), **listing.details()})
