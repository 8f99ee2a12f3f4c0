"""Make pictures from words, or change pictures by words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult

name = "image_generate"
description = "Make pictures from a description, or with images change those, and save them as new files."
parameters = {
    "type": "object",
    "properties": {
        "prompt": {"type": "string", "description": "what it shows, or what to change"},
        "images": {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 1,
            "maxItems": 8,
            "description": "paths of pictures to change or combine",
        },
        "mask": {"type": "string", "description": "path of a PNG; its transparent parts are what changes"},
        "size": {
            "type": "string",
            "pattern": "^(auto|[0-9]{2,4}x[0-9]{2,4})$",
            "description": "such as 1024x1536",
        },
        "count": {"type": "integer", "minimum": 1, "maximum": 4},
        "folder": {"type": "string", "description": "to save in; default: the working folder"},
        "name": {"type": "string", "description": "of the file, without ending"},
    },
    "required": ["prompt"],
    "additionalProperties": False,
}
approval = "ask"
keywords = [
    "generate an image",
    "draw a picture",
    "make an illustration",
    "edit a picture by words",
    "create a logo",
]


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    from ankita_desktop.toolkit import pictures

    return pictures.level(args.get("folder", "."), ctx)


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    from ankita_desktop.toolkit import image_service, pictures

    at, files = image_service.service(ctx), _files(args, ctx)
    folder = pictures.target(args.get("folder", "."), ctx)
    count, host = args.get("count", 1), at.address.netloc
    what = f"Change {len(files)} picture{'s' * (len(files) != 1)}" if files else "Make a picture"
    what = f"Make {count} pictures" if count > 1 and not files else what
    sent = "".join(f"\nSent along: {path}" for path in files)
    saved = f"\nSaved in: {folder}/{_stem(args)}.*"
    return Preview(
        "text",
        f"{what} with {at.model} at {host}?",
        effect="send",
        text=f"{args['prompt']}\n{sent}{saved}",
        where=at.address.origin,
        # Pictures of the person's own are asked about each time they leave.
        grant_key="" if files else f"image:{at.address.origin}:{folder}",
        grant_label=f"Pictures made at {host}, saved in {folder}",
    )


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit import image_service, pictures

    prompt = args["prompt"].strip()
    if not prompt:
        raise ToolError("prompt is empty: describe the picture.")
    at, files = image_service.service(ctx), _files(args, ctx)
    fields = {"prompt": prompt, "n": args.get("count"), "size": args.get("size")}
    along = _sent(args, files, ctx)
    ctx.progress(f"{at.model} at {at.address.netloc} is drawing …")
    drawn = image_service.draw(at, fields, along, ctx)
    return pictures.save(drawn, _stem(args), args.get("folder", "."), ctx)


def _stem(args: dict[str, Any]) -> str:
    from ankita_desktop.toolkit.pictures import stem

    return stem(Path(args["name"]).stem if args.get("name") else args["prompt"])


def _files(args: dict[str, Any], ctx: ToolContext) -> list[Path]:
    """The person's pictures that leave the machine."""
    given = [*args.get("images", []), *([args["mask"]] if args.get("mask") else [])]
    if args.get("mask") and not args.get("images"):
        raise ToolError("mask needs images: the picture that it belongs to.")
    return [ctx.files.resolve(path) for path in given]


def _sent(args: dict[str, Any], files: list[Path], ctx: ToolContext) -> list[Any]:
    from ankita_desktop.toolkit.image_service import Sent
    from ankita_desktop.toolkit.pictures import read_picture

    many = len(args.get("images", [])) > 1
    sent = []
    for number, path in enumerate(files):
        document = ctx.files.look(path)
        if document.kind != "file":
            raise ToolError(f"There is no picture {ctx.files.name(path)}. Look with list_dir or glob.")
        picture = read_picture(document.data, ctx.files.name(path))
        field = "mask" if number == len(args.get("images", [])) else "image[]" if many else "image"
        sent.append(Sent(field, f"picture-{number + 1}.{picture.kind.ending}", picture))
    return sent
