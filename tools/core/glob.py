"""Finds files by name."""

from pathlib import Path

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult, ripgrep
from ankita_desktop.toolkit.text import printable

name = "glob"
description = "Find files by name pattern, such as *.py or src/**/*.ts; newest first."
parameters = {
    "type": "object",
    "properties": {
        "pattern": {"type": "string"},
        "path": {"type": "string"},
        "sort": {"enum": ["time", "name"]},
    },
    "required": ["pattern"],
}
approval = "never"
read_only = True

MOST = 50_000
SHOWN = 300


def approval_for(args: dict, ctx: ToolContext) -> Level:
    return ctx.files.read_level(_place(args, ctx)[0])


def preview(args: dict, ctx: ToolContext) -> Preview:
    return ctx.files.read_preview(_place(args, ctx)[0])


def run(args: dict, ctx: ToolContext) -> ToolResult:
    root, pattern = _place(args, ctx)
    if not root.is_dir():
        raise ToolError(f"{root} is no folder." if root.exists() else f"There is no folder {root}.")
    found = ripgrep.names(root, pattern, MOST, ctx.cancel)
    paths = sorted(found.paths)
    if args.get("sort", "time") == "time":
        paths.sort(key=_time, reverse=True)
    incomplete = found.incomplete
    if len(paths) > SHOWN:
        incomplete = incomplete or f"showing {SHOWN} of {len(paths)} files"
    shown = [printable(ctx.files.name(Path(path))) for path in paths[:SHOWN]]
    body = "\n".join(shown) or f"No files match {args['pattern']!r} (hidden and .gitignored files are skipped)."
    text = f"{body}\n[incomplete: {incomplete}; narrow the pattern]" if incomplete else body
    return ToolResult(text, {"paths": paths[:SHOWN], "count": len(paths), "incomplete": incomplete})


def _place(args: dict, ctx: ToolContext) -> tuple[Path, str]:
    """Where to look and for what: an absolute pattern, or one that climbs, brings its own folder."""
    if not args["pattern"]:
        raise ToolError("The pattern is empty.")
    base, pattern = ripgrep.rooted(args["pattern"])
    return ctx.files.resolve(Path(args.get("path", ".")).expanduser() / base), pattern


def _time(path: str) -> float:
    try:
        return Path(path).lstat().st_mtime
    except OSError:
        return 0.0
