"""Read a document: PDF, Office, OpenDocument, e-book, HTML, table, notebook."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Attachment, Level, Preview, ToolContext, ToolResult

name = "read_document"
description = "Read a PDF, docx, xlsx, pptx, odt, ods, odp, epub, html, csv or ipynb as markdown, part by part."
parameters = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "pages": {"type": "string", "description": "pages, sheets, slides, chapters or cells: 3, 2-5 or 4-"},
        "offset": {"type": "integer", "minimum": 0, "description": "characters of the first to skip"},
    },
    "required": ["path"],
    "additionalProperties": False,
}
approval = "never"
read_only = True
keywords = ["pdf", "word document", "spreadsheet", "excel", "powerpoint", "slides", "ebook", "epub", "notebook"]

PICTURES = 4


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    return ctx.files.read_level(args["path"])


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    return ctx.files.read_preview(args["path"])


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit import documents
    from ankita_desktop.toolkit.untrusted import outside

    path = ctx.files.resolve(args["path"])
    document = documents.open_document(path)
    try:
        found = documents.excerpt(document, args.get("pages", ""), args.get("offset", 0), cancel=ctx.cancel)
    finally:
        document.close()
    shown = ctx.files.name(path)
    lines = [_head(shown, document), *_notes(document, found)]
    details = {
        "path": str(path),
        "kind": document.kind,
        "title": document.title,
        "parts": len(document),
        "unit": document.unit,
        "first": found.first,
        "last": found.last,
        "more": bool(found.more),
    }
    result = outside("\n".join(lines) + f"\n\n{found.text}".rstrip(), shown, **details)
    return ToolResult(result.text, result.details, _pictures(found, path.stem))


def _head(shown: str, document: Any) -> str:
    count = len(document)
    size = f"{document.kind}, {count} {document.unit}{'' if count == 1 else 's'}"
    return f"{shown} ({size})" + (f": {document.title}" if document.title else "")


def _notes(document: Any, found: Any) -> list[str]:
    notes = []
    if found.empty and document.kind == "pdf":
        which = ", ".join(map(str, found.empty[:20])) + (" …" if len(found.empty) > 20 else "")
        attached = "; attached as pictures" if found.pictures else ""
        notes.append(f"No text on page {which}: scanned or drawn{attached}.")
    if len(found.pictures) > PICTURES:
        notes.append(f"Only the first {PICTURES} pictures are attached; name single pages for others.")
    if found.more:
        notes.append(
            f"[{document.unit} {found.first} to {found.last} of {len(document)}; go on with {found.more}]"
        )
    return notes


def _pictures(found: Any, stem: str) -> tuple[Attachment, ...]:
    """Scanned pages as files of ours, named by what is in them."""
    import hashlib

    from ankita_desktop import paths
    from ankita_desktop.toolkit import disk

    folder = paths.data() / "attachments"
    kept = []
    for number, data, mime in found.pictures[:PICTURES]:
        ending = "png" if mime == "image/png" else "jpg"
        place = folder / f"page-{hashlib.sha256(data).hexdigest()[:16]}.{ending}"
        if not place.exists():
            folder.mkdir(parents=True, exist_ok=True)
            disk.write(place, data, sync=False)
        kept.append(Attachment(str(place), mime, f"{stem}, page {number}.{ending}"))
    return tuple(kept)
