"""Find a file by name anywhere on the machine, not only in the working folder."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult

name = "find_file"
description = "Find files or folders by name outside the working folder too; glob is quicker inside it."
parameters = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "part of the name, or a pattern such as *.pdf"},
        "root": {"type": "string", "description": "where to look, default: home folder"},
    },
    "required": ["name"],
    "additionalProperties": False,
}
approval = "ask"
read_only = True
keywords = ["find file anywhere", "locate file", "where did i save", "search my computer", "lost file"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return ctx.files.read_level(_root(args))


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    """A yes covers names below this root; it lets nobody read what is in the files."""
    root = ctx.files.resolve(_root(args))
    up = (root, *root.parents)
    return Preview(
        "text",
        f"Look for {args['name']!r} by name in {root}?",
        effect="read",
        text="Only the names of files and folders are looked at.",
        where=str(root),
        grant_key=f"find:{root}",
        grant_label=f"Look for files by name in {root} and below",
        covered_by=tuple(f"{word}:{place}" for place in up for word in ("find", "read"))[1:],
        inside=ctx.files.inside(root),
    )


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit.find_anywhere import find
    from ankita_desktop.toolkit.text import printable

    root, wanted = ctx.files.resolve(_root(args)), args["name"].strip()
    if not wanted or "/" in wanted:
        raise ToolError("name is a file's name or part of it, without folders; root says where to look.")
    if not root.is_dir():
        raise ToolError(f"There is no folder {root}.")
    ctx.progress(f"Looking in {root} …")
    found = find(root, wanted, ctx.cancel)
    shown = [printable(str(path)) for path in found.paths]
    body = "\n".join(shown) or f"Nothing below {root} has {wanted!r} in its name."
    more = (
        "\n[incomplete: a limit was reached; name a folder as root, or more of the name]" if found.stopped else ""
    )
    details = {"paths": shown, "count": len(shown), "by": found.by, "incomplete": found.stopped}
    return ToolResult(body + more, details)


def _root(args: dict[str, Any]) -> str:
    return str(args.get("root") or "~")
