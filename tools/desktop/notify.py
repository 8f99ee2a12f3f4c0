"""A notification on the person's desktop, now."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import ToolContext, ToolError, ToolResult, need

name = "notify"
description = "Show a desktop notification now. For later use the reminders."
parameters = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "title": {"type": "string", "description": "default: Ankita"},
    },
    "required": ["text"],
    "additionalProperties": False,
}
approval = "never"
keywords = ["notification", "desktop notification", "pop up", "alert"]


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    text = args["text"].strip()
    if not text:
        raise ToolError("text is what the notification says; it is empty.")
    need(ctx.services.desktop, "A desktop").notify(args.get("title", "").strip() or "Ankita", text)
    return ToolResult("The notification was sent.", {"text": text})
