"""Searches what is remembered: facts, notes of projects, earlier conversations."""

import time
from dataclasses import asdict

from ankita_desktop.toolkit import ToolContext, ToolError, ToolResult, need
from ankita_desktop.toolkit.remembering import Recollection

name = "recall"
description = "Search memory, project notes, decisions, todos and past conversations."
parameters = {
    "type": "object",
    "properties": {"query": {"type": "string"}},
    "required": ["query"],
    "additionalProperties": False,
}
approval = "never"
read_only = True

SHOWN = 12


def run(args: dict, ctx: ToolContext) -> ToolResult:
    query = args["query"].strip()
    if not query:
        raise ToolError("query needs words to search for, such as a name or a thing.")
    found = need(ctx.services.memory, "Memory").recall(query, limit=SHOWN, session=ctx.session)
    if not found:
        return ToolResult("Nothing is remembered about that.", {"found": []})
    lines = [_line(one) for one in found]
    if any(one.kind == "said" for one in found):
        lines.append("What was said once may have changed since; facts and decisions count more.")
    return ToolResult("\n".join(lines), {"found": [asdict(one) for one in found]})


def _line(one: Recollection) -> str:
    day = time.strftime("%Y-%m-%d", time.localtime(one.time))
    number = f"[{one.id}] " if one.kind != "said" else ""
    return f"{number}{one.text} ({one.kind}, {one.source}, {day})"
