"""Searches the content of files."""

from pathlib import Path

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult, ripgrep
from ankita_desktop.toolkit.text import printable

name = "search_files"
description = "Search file contents by regex (ripgrep; skips hidden and .gitignored files)."
parameters = {
    "type": "object",
    "properties": {
        "pattern": {"type": "string"},
        "path": {"type": "string", "description": "File or folder"},
        "include": {"type": "string", "description": "Glob of files, such as *.py"},
        "exclude": {"type": "string"},
        "ignore_case": {"type": "boolean"},
        "literal": {"type": "boolean"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 2000, "description": "Default 200"},
    },
    "required": ["pattern"],
}
approval = "never"
read_only = True

LIMIT = 200
SHOWN = 24_000


def approval_for(args: dict, ctx: ToolContext) -> Level:
    return ctx.files.read_level(args.get("path", "."))


def preview(args: dict, ctx: ToolContext) -> Preview:
    return ctx.files.read_preview(args.get("path", "."))


def run(args: dict, ctx: ToolContext) -> ToolResult:
    root = ctx.files.resolve(args.get("path", "."))
    if not root.exists():
        raise ToolError(f"Nothing is at {root}.")
    if not (root.is_dir() or root.is_file()):
        raise ToolError(f"{ctx.files.name(root)} is a device, pipe or socket: there is no text to search in it.")
    if not args["pattern"]:
        raise ToolError("The pattern is empty. To list files use glob.")
    flags = {key: args[key] for key in ("include", "exclude", "ignore_case", "literal") if key in args}
    found = ripgrep.search(ripgrep.Query(root, args["pattern"], **flags), args.get("limit", LIMIT), ctx.cancel)
    hits = sorted(found.hits, key=lambda hit: (hit.path, hit.line))
    lines = [f"{printable(ctx.files.name(Path(hit.path)))}:{hit.line}: {hit.text}" for hit in hits]
    text, shown = _fitting(lines)
    incomplete = found.incomplete or (f"showing {shown} of {len(lines)} lines" if shown < len(lines) else "")
    return ToolResult(_said(text, incomplete), _details(hits[:shown], incomplete))


def _fitting(lines: list[str]) -> tuple[str, int]:
    """As many lines as an answer may have."""
    size = 0
    for number, line in enumerate(lines):
        size += len(line) + 1
        if size > SHOWN:
            return "\n".join(lines[:number]), number
    return "\n".join(lines), len(lines)


def _said(text: str, incomplete: str) -> str:
    body = text or "No matches."
    return f"{body}\n[incomplete: {incomplete}; narrow path, include or pattern]" if incomplete else body


def _details(hits: list[ripgrep.Hit], incomplete: str) -> dict:
    matches = [{"path": hit.path, "line": hit.line, "text": hit.text} for hit in hits]
    return {"matches": matches, "files": len({hit.path for hit in hits}), "incomplete": incomplete}
