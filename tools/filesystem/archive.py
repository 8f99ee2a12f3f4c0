"""List, extract and create archives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult

name = "archive"
description = "List, extract or create a zip or tar (gz, bz2, xz) archive. Extracting never overwrites."
parameters = {
    "type": "object",
    "properties": {
        "action": {"enum": ["list", "extract", "create"]},
        "path": {"type": "string", "description": "the archive; for create: the file or folder to pack"},
        "destination": {"type": "string", "description": "folder to extract to; for create: the new archive"},
        "members": {"type": "array", "items": {"type": "string"}, "description": "only these, relative names"},
    },
    "required": ["action", "path"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["zip", "unzip", "tar", "extract archive", "compress", "pack", "unpack", "tar.gz"]

SHOWN = 300


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    reading = ctx.files.read_level(args["path"])
    if args["action"] == "list":
        return reading
    if args["action"] == "create":
        return ctx.files.write_level(_target(args))
    return ctx.files.level(_extraction(args, ctx).changes)


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    if args["action"] == "list":
        return ctx.files.read_preview(args["path"])
    shown = ctx.files.name(ctx.files.resolve(args["path"]))
    if args["action"] == "create":
        packed, change = _creation(args, ctx)
        what = f"Pack {shown} into {ctx.files.name(change.path)}: {_files(packed.files, packed.size)}?"
        asked = ctx.files.preview([change])
    else:
        plan = _extraction(args, ctx)
        size = sum(len(change.data or b"") for change in plan.changes)
        count = sum(change.data is not None for change in plan.changes)
        what = f"Extract {shown} into {ctx.files.name(plan.folder)}: {_files(count, size)}?"
        asked = ctx.files.preview(plan.changes)
    # what is read may lie outside, even when what is written doesn't
    inside = asked.inside and ctx.files.read_level(args["path"]) == "never"
    return replace(asked, question=what, inside=inside)


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    if args["action"] == "list":
        return _list(args, ctx)
    if args["action"] == "create":
        packed, change = _creation(args, ctx)
        done = ctx.files.commit([change])
        text = f"Created {ctx.files.name(change.path)} ({len(change.data or b''):,} bytes) with "
        text += f"{_files(packed.files, packed.size)}.{_left(packed.left_out)}"
        return ToolResult(text, {**done.details, "count": packed.files})
    plan = _extraction(args, ctx)
    if not plan.changes:
        raise ToolError(f"There is nothing to extract.{_left(plan.left_out)}")
    done = ctx.files.commit(plan.changes)
    names = [ctx.files.name(change.path) for change in plan.changes]
    more = f"\n… and {len(names) - 50} more" if len(names) > 50 else ""
    text = f"Extracted {len(names)} entries into {ctx.files.name(plan.folder)}:\n" + "\n".join(names[:50]) + more
    return ToolResult(
        text + _left(plan.left_out), {**done.details, "folder": str(plan.folder), "count": len(names)}
    )


def _list(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit import archives
    from ankita_desktop.toolkit.changes import size_name
    from ankita_desktop.toolkit.untrusted import outside

    path = ctx.files.resolve(args["path"])
    rows: list[str] = []
    count = size = 0
    with archives.members(path, ctx.cancel, archives.WALKED) as every:
        for member in every:
            ctx.cancel.check()
            count, size = count + 1, size + member.size
            facts = size_name(member.size) if member.kind == "file" else member.kind
            if len(rows) < SHOWN:
                rows.append(f"{member.name.encode(errors='backslashreplace').decode()}  {facts}")
            if count >= archives.LISTED:
                break
    head = f"{ctx.files.name(path)}: {count:,} entries, {size_name(size)} unpacked"
    rest = [f"[{SHOWN} of {count:,} shown]"] if count > len(rows) else []
    return outside("\n".join([head, *rows, *rest]), path.name, path=str(path), count=count, size=size)


def _extraction(args: dict[str, Any], ctx: ToolContext) -> Any:
    from pathlib import Path

    from ankita_desktop.toolkit import archives_extract

    folder = Path(args["destination"]).expanduser() if args.get("destination") else None
    archive = ctx.files.resolve(args["path"])
    return archives_extract.plan(ctx.files, archive, folder, args.get("members", ()), ctx.cancel)


def _creation(args: dict[str, Any], ctx: ToolContext) -> Any:
    from ankita_desktop.toolkit import archives_create

    source, target = ctx.files.resolve(args["path"]), ctx.files.resolve(_target(args))
    if target.exists():
        raise ToolError(f"{ctx.files.name(target)} exists already. Choose another name, or delete it first.")
    packed = archives_create.pack(source, target, args.get("members", ()), ctx.cancel)
    return packed, ctx.files.save(target, packed.data)


def _target(args: dict[str, Any]) -> str:
    """Where a new archive goes: by default a zip beside what it holds."""
    return str(args.get("destination") or f"{args['path'].rstrip('/').removesuffix('/.') or '.'}.zip")


def _files(count: int, size: int) -> str:
    from ankita_desktop.toolkit.changes import size_name

    return f"{count:,} file{'' if count == 1 else 's'}, {size_name(size)}"


def _left(names: Any) -> str:
    if not names:
        return ""
    some = ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
    return f"\nLeft out, since links and devices aren't taken from or into archives: {len(names)} ({some})."
