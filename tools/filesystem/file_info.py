"""What there is to know about a file, folder or link without reading it all."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult

name = "file_info"
description = "Facts of a file, folder or link: kind, size, times, permissions, owner, type."
parameters = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "hash": {"type": "boolean", "description": "also its SHA-256"},
    },
    "required": ["path"],
    "additionalProperties": False,
}
approval = "never"
read_only = True
keywords = ["file details", "file properties", "stat", "permissions", "modified", "checksum", "sha256"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return ctx.files.read_level(args["path"])


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    return ctx.files.read_preview(args["path"])


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    import stat

    from ankita_desktop.toolkit.changes import near_names

    path = ctx.files.entry(args["path"])
    try:
        info = path.lstat()
    except OSError as error:
        raise ToolError(f"There is nothing at {ctx.files.name(path)}.{near_names(path)}") from error
    facts = {"kind": _kind(info.st_mode), **_size(path, info), **_times(info), **_rights(info)}
    if stat.S_ISLNK(info.st_mode):
        facts["leads to"] = f"{path.readlink()}{'' if path.exists() else ' (nothing is there)'}"
    if stat.S_ISREG(info.st_mode):
        facts |= _inside(path, info, args.get("hash", False), ctx)
    rows = [f"{key}: {value}" for key, value in facts.items()]
    details = {"path": str(path), "size": info.st_size, "modified": info.st_mtime, "facts": facts}
    return ToolResult("\n".join([ctx.files.name(path), *rows]), details)


def _kind(mode: int) -> str:
    import stat

    tests = ((stat.S_ISREG, "file"), (stat.S_ISDIR, "folder"), (stat.S_ISLNK, "link"), (stat.S_ISFIFO, "pipe"))
    return next((word for test, word in tests if test(mode)), "device or socket")


def _size(path: Any, info: Any) -> dict[str, str]:
    import stat

    from ankita_desktop.toolkit.changes import size_name

    if stat.S_ISDIR(info.st_mode):
        try:
            return {"entries": f"{sum(1 for _ in path.iterdir()):,} (disk_usage counts what is below)"}
        except OSError:
            return {"entries": "can't be listed"}
    links = f", {info.st_nlink} hard links" if info.st_nlink > 1 else ""
    return {"size": f"{size_name(info.st_size)} ({info.st_size:,} bytes){links}"}


def _times(info: Any) -> dict[str, str]:
    from datetime import datetime

    named = {"modified": info.st_mtime, "created": getattr(info, "st_birthtime", None), "read": info.st_atime}
    return {
        word: f"{datetime.fromtimestamp(when).astimezone():%Y-%m-%d %H:%M:%S %z}"
        for word, when in named.items()
        if when
    }


def _rights(info: Any) -> dict[str, str]:
    import os
    import stat

    facts = {"permissions": f"{stat.filemode(info.st_mode)} ({stat.S_IMODE(info.st_mode):o})"}
    if os.name == "posix":
        import grp
        import pwd

        try:
            facts["owner"] = f"{pwd.getpwuid(info.st_uid).pw_name}, group {grp.getgrgid(info.st_gid).gr_name}"
        except KeyError:  # nobody on this machine has the number
            facts["owner"] = f"{info.st_uid}, group {info.st_gid}"
    return facts


def _inside(path: Any, info: Any, digest: bool, ctx: ToolContext) -> dict[str, str]:
    """What the bytes say: text or not, and in which encoding."""
    import mimetypes

    from ankita_desktop.toolkit.reading import image_type

    facts = {}
    if kind := image_type(path) or mimetypes.guess_type(path.name)[0]:
        facts["type"] = kind
    try:
        with path.open("rb") as file:
            facts["content"] = _content(file.read(65_536), info.st_size, kind or "")
    except OSError as error:
        return {**facts, "content": f"can't be read: {error.strerror}"}
    return {**facts, "SHA-256": _hash(path, ctx)} if digest else facts


def _content(start: bytes, size: int, kind: str) -> str:
    from ankita_desktop.toolkit.text import NotText, decode, ends_name

    if not size:
        return "empty"
    try:
        text, form = decode(start)
    except NotText:
        return "binary"
    if kind.startswith(("application/", "image/")) and not form.name.startswith("UTF"):
        return "binary"  # a guess at an encoding says little about what isn't meant to be text
    lines = text.count("\n") + (not text.endswith("\n"))
    counted = f", {lines:,} line{'' if lines == 1 else 's'}" if size <= len(start) else ""
    return ", ".join(filter(None, [f"text, {form.name}", ends_name(text)])) + counted


def _hash(path: Any, ctx: ToolContext) -> str:
    import hashlib

    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            ctx.cancel.check()
            digest.update(piece)
    return digest.hexdigest()
