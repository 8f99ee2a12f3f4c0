"""Change several files by one patch.

Two things differ on purpose from other readers of the ``*** Begin Patch`` form: a patch that fails in any part
changes nothing at all, and a final newline that a file lacks stays missing.
"""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolResult
from ankita_desktop.toolkit.files import Change
from ankita_desktop.toolkit.patch import parse
from ankita_desktop.toolkit.patch_apply import plan

name = "apply_patch"
description = "Apply a unified diff or a *** Begin Patch block: create, change, move, delete files, all or none."
parameters = {
    "type": "object",
    "properties": {"patch": {"type": "string"}},
    "required": ["patch"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["patch", "diff", "apply"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return ctx.files.level(_plan(args, ctx))


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    return ctx.files.preview(_plan(args, ctx))


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    return ctx.files.commit(_plan(args, ctx))


def _plan(args: dict[str, Any], ctx: ToolContext) -> list[Change]:
    return plan(ctx.files, parse(args["patch"]))
