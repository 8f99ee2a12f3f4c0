"""Parts of files, fit for a model: numbered, bounded, and honest about what was left out."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.changes import LARGEST, size_name
from ankita_desktop.toolkit.text import bare, decode, split_lines

if TYPE_CHECKING:
    from ankita_desktop.toolkit.files import Files

LINES = 2000
CHARACTERS = 50_000
LINE_CHARACTERS = 2000
LINE_BYTES = 8 * 1024 * 1024
_IMAGES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


@dataclass(frozen=True, slots=True)
class Page:
    """Lines ``start`` to ``end`` (from 1) of ``total``; ``more`` says that lines follow. ``total`` is -1 when
    the file is too large to count."""

    path: Path
    lines: tuple[str, ...]
    start: int
    total: int
    form: str = "UTF-8"
    more: bool = False
    long_lines: int = 0

    @property
    def end(self) -> int:
        return self.start + len(self.lines) - 1

    def details(self) -> dict[str, Any]:
        return {
            "path": str(self.path),
            "lines": self.total,
            "start": self.start,
            "end": self.end,
            "truncated": self.more or bool(self.long_lines),
            "encoding": self.form,
        }


def image_type(path: Path) -> str:
    """The MIME type if the file's first bytes are those of an image that models can see, else ""."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return ""
        with path.open("rb") as file:
            head = file.read(16)
    except OSError:
        return ""
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return next((mime for magic, mime in _IMAGES.items() if head.startswith(magic)), "")


def page(files: Files, path: str, offset: int = 1, limit: int | None = None) -> Page:
    """Lines of a text file from ``offset`` (from 1) on. Raises ``ToolError`` for what isn't text."""
    place = files.resolve(path)
    if place.is_file() and place.stat().st_size > LARGEST:
        return _huge(place, offset, limit or LINES)
    document = files.read(path)
    lines = split_lines(document.text or "")
    part = _fit(lines[offset - 1 : offset - 1 + (limit or LINES)])
    more = offset - 1 + len(part) < len(lines)
    return Page(place, tuple(map(_short, part)), offset, len(lines), document.form.name, more, _long(part))


def _huge(path: Path, offset: int, limit: int) -> Page:
    """A file too large to hold: only the lines asked for are read and decoded."""
    with path.open("rb") as file:
        raw = list(islice(_bounded(file), offset - 1, offset - 1 + limit + 1))
    try:
        text, form = decode(b"".join(raw[:limit]))
    except ToolError as error:
        raise ToolError(f"{path} is not text ({size_name(path.stat().st_size)}).") from error
    part = _fit(split_lines(text))
    more = len(raw) > limit or len(part) < len(raw)
    return Page(path, tuple(map(_short, part)), offset, -1, form.name, more, _long(part))


def _bounded(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, refusing one that would fill the memory."""
    while line := file.readline(LINE_BYTES):
        if len(line) == LINE_BYTES and not line.endswith(b"\n"):
            raise ToolError(
                f"A line is longer than {size_name(LINE_BYTES)}. Use run_command to look at parts of it."
            )
        yield line


def _fit(lines: list[str]) -> list[str]:
    """As many lines as the budget of characters holds, at least one."""
    total = 0
    for count, line in enumerate(lines):
        total += min(len(line), LINE_CHARACTERS) + 8
        if total > CHARACTERS and count:
            return lines[:count]
    return lines


def _short(line: str) -> str:
    text = bare(line)
    if len(text) <= LINE_CHARACTERS:
        return text
    return f"{text[:LINE_CHARACTERS]}… [{len(text) - LINE_CHARACTERS} more characters on this line]"


def _long(lines: list[str]) -> int:
    return sum(len(bare(line)) > LINE_CHARACTERS for line in lines)


def numbered(part: Page) -> str:
    """The page for the model; says what was cut and how to get the rest."""
    if not part.lines:
        return "The file is empty." if part.total == 0 else "No lines there."
    rows = [f"{part.start + index}\t{line}" for index, line in enumerate(part.lines)]
    if part.more:
        of = f" of {part.total}" if part.total >= 0 else ""
        rows.append(f"[lines {part.start}-{part.end}{of}; the rest: offset={part.end + 1}]")
    return "\n".join(rows)
