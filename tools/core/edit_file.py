"""Replace exact text in a file."""

from __future__ import annotations

from dataclasses import replace as replaced
from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult
from ankita_desktop.toolkit.edits import Edit, replace
from ankita_desktop.toolkit.files import Change

name = "edit_file"
description = "Replace exact text. old_string must be unique unless replace_all. edits: several, all or none."
parameters = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "old_string": {"type": "string"},
        "new_string": {"type": "string"},
        "replace_all": {"type": "boolean"},
        "edits": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "old_string": {"type": "string"},
                    "new_string": {"type": "string"},
                    "replace_all": {"type": "boolean"},
                },
                "required": ["old_string", "new_string"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["path"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["edit", "change", "replace", "substitute", "fix", "modify"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return ctx.files.write_level(args["path"])


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    return ctx.files.preview([_plan(args, ctx)[0]])


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    change, note = _plan(args, ctx)
    result = ctx.files.commit([change])
    return replaced(result, text=f"{result.text}\n{note}") if note else result


def _plan(args: dict[str, Any], ctx: ToolContext) -> tuple[Change, str]:
    document = ctx.files.read(args["path"])
    text, note = replace(document.text or "", [_edit(edit) for edit in _edits(args)])
    return ctx.files.change(args["path"], text), note


def _edits(args: dict[str, Any]) -> list[dict[str, Any]]:
    single = "old_string" in args or "new_string" in args
    if single == ("edits" in args):
        raise ToolError("Give either old_string and new_string, or edits.")
    if single and not ("old_string" in args and "new_string" in args):
        raise ToolError("Both old_string and new_string are needed.")
    return list(args["edits"]) if "edits" in args else [args]


def _edit(edit: dict[str, Any]) -> Edit:
    return Edit(edit["old_string"], edit["new_string"], edit.get("replace_all", False))
