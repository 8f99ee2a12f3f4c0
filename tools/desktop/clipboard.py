"""What the person copied, and putting something there for them to paste."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult, need

name = "clipboard"
description = "Read the text on the person's clipboard, or put text there."
parameters = {
    "type": "object",
    "properties": {
        "action": {"enum": ["read", "write"]},
        "text": {"type": "string"},
    },
    "required": ["action"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["clipboard", "copy to clipboard", "paste", "copied text"]

LIMIT = 50_000


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    """What was copied last may be a password."""
    return "ask" if args["action"] == "read" else "never"


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    if args["action"] == "write":
        return Preview(
            "text", "Put this on the clipboard?", text=args.get("text", ""), grant_key="clipboard:write"
        )
    return Preview(
        "text",
        "Read what is on the clipboard?",
        effect="read",
        text="The model sees the text that was copied last.",
        grant_key="clipboard:read",
        grant_label="Read the clipboard",
    )


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit.untrusted import outside

    desktop = need(ctx.services.desktop, "A desktop")
    if args["action"] == "write":
        if not args.get("text"):
            raise ToolError("write needs text: what to put on the clipboard.")
        desktop.write_clipboard(args["text"])
        return ToolResult(
            f"{len(args['text']):,} characters are on the clipboard.", {"characters": len(args["text"])}
        )
    if "text" in args:
        raise ToolError("read takes no text; to put text on the clipboard use action write.")
    text = desktop.read_clipboard()
    if not text:
        return ToolResult("There is no text on the clipboard.", {"characters": 0})
    cut = f"\n[the first {LIMIT:,} of {len(text):,} characters]" if len(text) > LIMIT else ""
    return outside(text[:LIMIT] + cut, "the clipboard", characters=len(text))
