"""A picture of the person's screen."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Attachment, Level, Preview, ToolContext, ToolError, ToolResult, need

name = "screenshot"
description = "Take a picture of the whole screen and look at it."
parameters = {
    "type": "object",
    "properties": {"path": {"type": "string", "description": "also save it there, .png"}},
    "additionalProperties": False,
}
approval = "ask"
keywords = ["screenshot", "screen shot", "picture of my screen", "screen capture", "what is on my screen"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return ctx.files.write_level(args["path"]) if args.get("path") else "ask"


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    saved = f" and save it as {ctx.files.name(_place(args, ctx))}" if args.get("path") else ""
    return Preview(
        "text",
        f"Take a picture of the screen{saved}?",
        effect="edit" if saved else "read",
        text="The model sees everything that is visible at that moment.",
        grant_key="" if saved else "screenshot",
        grant_label="Take pictures of the screen",
    )


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from datetime import datetime
    from pathlib import Path

    from ankita_desktop import paths
    from ankita_desktop.toolkit import disk

    if args.get("path"):
        _place(args, ctx)
    data = need(ctx.services.desktop, "A desktop").screenshot()
    name = f"screen {datetime.now():%Y-%m-%d %H.%M.%S}.png"
    if args.get("path"):
        done = ctx.files.commit([ctx.files.save(_place(args, ctx), data)])
        place, text = Path(done.details["path"]), f"Saved as {ctx.files.name(_place(args, ctx, new=False))}."
        details = {**done.details, "size": len(data)}
    else:
        place, text = paths.data() / "attachments" / name, "A picture of the screen is attached."
        place.parent.mkdir(parents=True, exist_ok=True)
        disk.write(place, data, mode=0o600)
        details = {"path": str(place), "size": len(data)}
    source = {"untrusted": {"source": "the screen"}}
    return ToolResult(text, {**details, **source}, (Attachment(str(place), "image/png", place.name),))


def _place(args: dict[str, Any], ctx: ToolContext, *, new: bool = True) -> Any:
    place = ctx.files.resolve(args["path"])
    if place.suffix.lower() != ".png":
        raise ToolError("path ends in .png: that is what a picture of the screen is saved as.")
    if new and place.exists():
        raise ToolError(f"{ctx.files.name(place)} exists already. Choose another name.")
    return place
