"""How big a folder is, what in it takes the room, and how much is left."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult

name = "disk_usage"
description = "Size of a folder with all below: largest entries and files, and space left on the disk."
parameters = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "default: working folder"},
        "top": {"type": "integer", "minimum": 1, "maximum": 100, "description": "rows to show, default 10"},
    },
    "additionalProperties": False,
}
approval = "never"
read_only = True
keywords = ["folder size", "disk space", "what takes space", "largest files", "du", "free space"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return ctx.files.read_level(args.get("path", "."))


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    return ctx.files.read_preview(args.get("path", "."))


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    import shutil

    from ankita_desktop.toolkit.changes import size_name
    from ankita_desktop.toolkit.disk_use import measure

    path, top = ctx.files.resolve(args.get("path", ".")), args.get("top", 10)
    if not path.is_dir():
        raise ToolError(f"{ctx.files.name(path)} is no folder. file_info tells the size of a file.")
    use = measure(path, ctx.cancel, top)
    disk = shutil.disk_usage(path)
    lines = [
        f"{ctx.files.name(path)}: {size_name(use.size)} ({size_name(use.blocks)} on the disk); "
        f"files: {use.files:,}, folders: {use.folders:,}",
        *_notes(use),
        f"The disk has {size_name(disk.free)} free of {size_name(disk.total)}.",
        *_rows("Largest entries", sorted(((size, name) for name, size in use.parts.items()), reverse=True)[:top]),
        *_rows("Largest files", use.largest),
    ]
    details = {
        "path": str(path),
        "size": use.size,
        "files": use.files,
        "folders": use.folders,
        "free": disk.free,
        "stopped": use.stopped,
    }
    return ToolResult("\n".join(lines), details)


def _notes(use: Any) -> list[str]:
    notes = ["[incomplete: it is larger than that; look at a folder in it]"] if use.stopped else []
    return notes + ([f"[{use.unread:,} folders can't be read and aren't counted]"] if use.unread else [])


def _rows(title: str, rows: list[tuple[int, str]]) -> list[str]:
    from ankita_desktop.toolkit.changes import size_name

    shown = [f"{size_name(size):>9}  {name.encode(errors='backslashreplace').decode()}" for size, name in rows]
    return [f"\n{title}:", *shown] if shown else []
