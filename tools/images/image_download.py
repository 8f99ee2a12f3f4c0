"""Save a picture from the web."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult

name = "image_download"
description = "Save a picture from the web under a new name; says whom to credit for stock pictures."
parameters = {
    "type": "object",
    "properties": {
        "url": {"type": "string"},
        "folder": {"type": "string", "description": "to save in; default: the working folder"},
        "name": {"type": "string", "description": "of the file, without ending"},
    },
    "required": ["url"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["download an image", "save the picture", "download a photo", "save photo"]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    from ankita_desktop.toolkit import pictures

    return pictures.level(args.get("folder", "."), ctx)


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    from ankita_desktop.toolkit import pictures, stock, web

    address = _address(args)
    folder = pictures.target(args.get("folder", "."), ctx)
    private = web.private_targets([address], ctx)
    photo = stock.known(address)
    credit = f"\n{photo.credit}" if photo else ""
    always = pictures.level(args.get("folder", "."), ctx) == "always"
    return Preview(
        "text",
        f"Save a picture from {address.netloc} in {ctx.files.name(folder)}?",
        effect="send" if private else "edit",
        text=f"GET {address.url}{credit}\nSaved in: {folder}/{_stem(args, address)}.*",
        where=", ".join(private) or address.origin,
        grant_key="" if private or always else f"picture:{address.origin}:{folder}",
        grant_label=f"Pictures from {address.netloc}, saved in {folder}",
        inside=not private and not always and ctx.files.inside(folder),
    )


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from dataclasses import replace

    from ankita_desktop.toolkit import net, pictures, stock, web
    from ankita_desktop.toolkit.changes import LARGEST

    address = _address(args)
    pictures.target(args.get("folder", "."), ctx)
    private = ctx.approved is not None and f"{address.origin} (" in ctx.approved.preview.where
    rules = net.Rules(private=private, hosts=web.own_hosts(ctx), size=LARGEST, seconds=120)
    photo = stock.known(address)
    note = stock.tell_download(photo, ctx) if photo else ""
    answer = net.fetch(net.Outgoing("GET", address, {**web.HEADERS, "accept": "image/*"}), ctx.cancel, rules)
    if answer.status != 200:
        raise ToolError(f"{address.netloc} gives no picture there (status {answer.status}). Check the address.")
    picture = pictures.read_picture(answer.body, address.netloc)
    saved = pictures.save([picture], _stem(args, address), args.get("folder", "."), ctx)
    credit = f"Credit: {photo.credit}" if photo else ""
    return replace(saved, text="\n".join(filter(None, [saved.text, credit, note])))


def _address(args: dict[str, Any]) -> Any:
    from ankita_desktop.toolkit.addresses import read_address

    text = args["url"].strip()
    return read_address(text if "://" in text[:12] else f"https://{text}")


def _stem(args: dict[str, Any], address: Any) -> str:
    from ankita_desktop.toolkit import pictures, stock

    photo = stock.known(address)
    if args.get("name"):
        return pictures.stem(Path(args["name"]).stem)
    path = unquote(address.target.partition("?")[0])
    return pictures.stem(photo.title if photo else PurePosixPath(path).stem)
