"""Documents of every kind as text: PDF, Word, Excel, PowerPoint, OpenDocument, e-books, HTML, tables, notebooks.

A document is a row of parts (pages, sheets, slides, chapters), read one at a time and only when wanted, so that
a look at the third page of a thousand costs one page. ``excerpt`` is what a tool or an attachment hands over.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.changes import near_names, size_name

LIMIT = 24_000  # characters of one excerpt
LARGEST = 256 * 1024 * 1024
_LEGACY = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENDINGS = {
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".csv": "csv",
    ".tsv": "csv",
    ".ipynb": "ipynb",
}
_READERS = {
    "pdf": "documents_pdf",
    "docx": "documents_word",
    "pptx": "documents_slides",
    "xlsx": "documents_sheets",
    "odf": "documents_odf",
    "epub": "documents_html",
    "html": "documents_html",
    "csv": "documents_plain",
    "ipynb": "documents_plain",
}


class Document(Protocol):
    """One open document. Parts count from 0. Not thread-safe."""

    kind: str
    unit: str
    title: str

    def __len__(self) -> int: ...
    def name(self, part: int) -> str:
        """What a part is called besides its number ("" for a page)."""
        ...

    def text(self, part: int) -> str: ...
    def picture(self, part: int) -> tuple[bytes, str] | None:
        """A part that is only a picture: its bytes and MIME type."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Excerpt:
    """``text`` with a line before each part; ``more`` says how to go on ("" = that was the end of it).
    ``pictures`` are the parts (from 1) without text that have a picture of themselves."""

    text: str
    first: int
    last: int
    more: str = ""
    empty: tuple[int, ...] = ()
    pictures: tuple[tuple[int, bytes, str], ...] = ()


def open_document(path: Path) -> Document:
    """The document in a file (a real path), by what its bytes are. Raises ``ToolError`` that says what it is
    instead, and what may read it."""
    kind = kind_of(path)
    module = importlib.import_module(f"ankita_desktop.toolkit.{_READERS[kind]}")
    document: Document = module.read(path, kind)
    return document


def kind_of(path: Path) -> str:
    """pdf, docx, pptx, xlsx, odf, epub, html, csv or ipynb. Raises ``ToolError`` for anything else."""
    if not path.exists():
        raise ToolError(f"There is no file {path}.{near_names(path)}")
    if not path.is_file():
        raise ToolError(f"{path} is not a file. Use list_dir for folders.")
    if path.stat().st_size > LARGEST:
        raise ToolError(f"{path} is larger than {size_name(LARGEST)} and can't be read as a document.")
    try:
        with path.open("rb") as file:
            head = file.read(1024)
    except OSError as error:
        raise ToolError(f"{path} can't be read: {error.strerror}.") from error
    if not head:
        raise ToolError(f"{path} is empty.")
    return _by_bytes(path, head)


def _by_bytes(path: Path, head: bytes) -> str:
    if b"%PDF-" in head:
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        from ankita_desktop.toolkit.documents_package import kind_of_package

        return kind_of_package(path)
    if head.startswith(_LEGACY):
        raise ToolError(
            f"{path.name} is an old Office file or one locked with a password. Have it converted, for example "
            "by run_command with: soffice --headless --convert-to docx (or xlsx, pptx) FILE"
        )
    if kind := _ENDINGS.get(path.suffix.lower()):
        return kind
    if re.match(rb"(?i)\s*(<\?xml[^>]*>\s*)?(<!doctype html|<html\b)", head.removeprefix(b"\xef\xbb\xbf")):
        return "html"
    hint = "Is it text? Then use read_file." if b"\0" not in head else "It is no document that can be read here."
    raise ToolError(f"{path.name} is none of PDF, docx, xlsx, pptx, odt, ods, odp, epub, html, csv, ipynb. {hint}")


def chosen(pages: str, count: int, unit: str) -> Sequence[int]:
    """The parts (from 0) that "3", "2-5", "4-" or "" mean, of ``count``."""
    match = re.fullmatch(r"\s*(\d+)?\s*([-–])?\s*(\d+)?\s*", pages)
    if not match or (pages.strip() and not match[1] and not match[3]):
        raise ToolError(f'pages is one number or a range, such as "3", "2-5" or "4-"; not {pages!r}.')
    first = int(match[1] or 1)
    last = int(match[3]) if match[3] else (count if match[2] or not match[1] else first)
    if not 1 <= first <= last or (first > count and count):
        raise ToolError(f"There is no {unit} {pages.strip()}: the document has {count} {unit}s, counted from 1.")
    return range(first - 1, min(last, count))


def excerpt(
    document: Document, pages: str = "", offset: int = 0, *, cancel: Cancel, limit: int = LIMIT
) -> Excerpt:
    """As much of the chosen parts as fits ``limit`` characters; ``offset`` are characters of the first part to
    skip. Raises ``Cancelled`` between two parts."""
    parts = chosen(pages, len(document), document.unit)
    out: list[str] = []
    empty: list[int] = []
    pictures: list[tuple[int, bytes, str]] = []
    room = limit
    last = parts[0] if parts else 0
    for part in parts:
        cancel.check()
        skip = offset if part == parts[0] else 0
        whole = document.text(part).strip()
        if out and room < min(len(whole), limit // 4):
            return _excerpt(out, parts[0], last, f'pages="{_rest(part, parts)}"', empty, pictures)
        piece = whole[skip:]
        cut = piece if len(piece) <= room else _cut(piece, room)
        last, room = part, room - len(cut)
        out.append(f"{_mark(document, part)}\n{cut}" if len(document) > 1 or document.unit == "sheet" else cut)
        if not whole:
            empty.append(part + 1)
            if picture := document.picture(part):
                pictures.append((part + 1, *picture))
        if len(cut) < len(piece):
            more = f'pages="{_rest(part, parts)}", offset={skip + len(cut)}'
            return _excerpt(out, parts[0], last, more, empty, pictures)
    return _excerpt(out, parts[0] if parts else 0, last, "", empty, pictures)


def _excerpt(
    out: list[str], first: int, last: int, more: str, empty: list[int], pictures: list[tuple[int, bytes, str]]
) -> Excerpt:
    return Excerpt("\n\n".join(out), first + 1, last + 1, more, tuple(empty), tuple(pictures))


def _rest(part: int, parts: Sequence[int]) -> str:
    return f"{part + 1}-{parts[-1] + 1}" if parts[-1] > part else f"{part + 1}"


def _mark(document: Document, part: int) -> str:
    name = document.name(part)
    return f"[{document.unit} {part + 1}: {name}]" if name else f"[{document.unit} {part + 1}]"


def _cut(text: str, room: int) -> str:
    """The beginning of a text that fits, up to a line's end where one is near."""
    end = text.rfind("\n", room * 3 // 4, room) + 1
    return text[: end or max(room, 1)]


def table(rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> str:
    """Rows as a markdown table, the first one as its head; rows may differ in length."""
    cells = [[_cell(value) for value in row] for row in rows]
    width = max((len(row) for row in cells), default=0)
    if not width:
        return ""
    lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in cells]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _cell(value: str) -> str:
    return " ".join(value.split()).replace("|", "\\|")
