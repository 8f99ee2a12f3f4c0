"""Pictures as files: what bytes really are, names that are free, and writing them where the person agreed to."""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import Attachment, Level, ToolResult
from ankita_desktop.toolkit.changes import LARGEST, size_name
from ankita_desktop.toolkit.context import ToolContext

LONGEST = 48  # characters of a name made from words
_RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d", re.I)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a picture is, by its bytes. Width and height in pixels, 0 when they aren't known."""

    mime: str
    ending: str
    width: int = 0
    height: int = 0

    @property
    def name(self) -> str:
        size = f"{self.width}×{self.height} " if self.width else ""
        return size + self.mime.removeprefix("image/").upper()


@dataclass(frozen=True, slots=True)
class Picture:
    """The bytes of a picture and what they are."""

    data: bytes
    kind: Kind


def read_picture(data: bytes, source: str) -> Picture:
    """Checked by content, whatever a name or a header says. Raises ``ToolError`` that says what came instead."""
    if len(data) >= LARGEST:
        raise ToolError(f"What {source} gave is larger than {size_name(LARGEST)}: it was not kept.")
    kind = kind_of(data)
    if kind is None:
        raise ToolError(f"What {source} gave is {_other(data)}, not a PNG, JPEG, GIF, WebP or AVIF picture.")
    return Picture(data, kind)


def _other(data: bytes) -> str:
    start = data[:400].lstrip().lower()
    if not start:
        return "empty"
    if start.startswith((b"<!doctype html", b"<html", b"<head")):
        return "a web page"
    if b"<svg" in start:
        return "an SVG drawing, which may hold programs,"
    return f"something else ({size_name(len(data))})"


def kind_of(data: bytes) -> Kind | None:
    """What the bytes are; None when they are no picture that we keep."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR" and len(data) >= 33:
        return Kind("image/png", "png", *struct.unpack(">II", data[16:24]))
    if data.startswith((b"GIF87a", b"GIF89a")) and len(data) >= 13:
        return Kind("image/gif", "gif", *struct.unpack("<HH", data[6:10]))
    if data.startswith(b"\xff\xd8\xff"):
        return Kind("image/jpeg", "jpg", *_jpeg_size(data))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return Kind("image/webp", "webp", *_webp_size(data))
    if data[4:8] == b"ftyp" and data[8:12] in (b"avif", b"avis"):
        at = data.find(b"ispe", 0, 4096)
        size = struct.unpack(">II", data[at + 8 : at + 16]) if 0 < at <= len(data) - 16 else (0, 0)
        return Kind("image/avif", "avif", *size)
    return None


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """From the first frame header; the segments before it are stepped over."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        alone = marker == 0xFF or marker == 0x01 or 0xD0 <= marker <= 0xD8
        at += 1 if marker == 0xFF else 2 if alone else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return 0, 0


def _webp_size(data: bytes) -> tuple[int, int]:
    form = data[12:16]
    if form == b"VP8X" and len(data) >= 30:
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if form == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if form == b"VP8 " and len(data) >= 30:
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return 0, 0


# --- names ----------------------------------------------------------------------------------


def stem(words: str) -> str:
    """A file's name made from words, without its ending: plain on every system, never a path."""
    plain = re.sub(r"[^\w]+", "-", unicodedata.normalize("NFC", words)).strip("-_").lower()
    short = plain[:LONGEST].rpartition("-")[0] if len(plain) > LONGEST and "-" in plain[:LONGEST] else plain
    short = short[:LONGEST].strip("-_")
    return f"{short}-picture" if _RESERVED.fullmatch(short) else short or "picture"


def _free(folder: Path, name: str, ending: str, taken: set[str]) -> Path:
    """A name in the folder that nothing has, also where upper and lower case are one."""
    number = 1
    while True:
        path = folder / (f"{name}.{ending}" if number == 1 else f"{name}-{number}.{ending}")
        if path.name.lower() not in taken:
            taken.add(path.name.lower())
            return path
        number += 1


# --- writing --------------------------------------------------------------------------------


def level(folder: str, ctx: ToolContext) -> Level:
    """Making a picture always asks; in a protected place, each time."""
    return ctx.files.write_level(Path(folder) / "picture.png")


def target(folder: str, ctx: ToolContext) -> Path:
    """The folder that pictures go to. Raises ``ToolError`` when a file is there."""
    path = ctx.files.resolve(folder)
    if path.exists() and not path.is_dir():
        raise ToolError(f"{folder} is not a folder. Give the folder for the picture; name says what to call it.")
    return path


def save(pictures: Sequence[Picture], name: str, folder: str, ctx: ToolContext) -> ToolResult:
    """Write them under free names, with undo. The result says what was written and carries the pictures."""
    place = target(folder, ctx)
    taken = {entry.name.lower() for entry in place.iterdir()} if place.is_dir() else set()
    paths = [_free(place, name, picture.kind.ending, taken) for picture in pictures]
    changes = [ctx.files.save(path, picture.data) for path, picture in zip(paths, pictures, strict=True)]
    written = ctx.files.commit(changes)
    lines = [
        f"Saved {ctx.files.name(path)} ({picture.kind.name}, {size_name(len(picture.data))})."
        for path, picture in zip(paths, pictures, strict=True)
    ]
    shown = tuple(
        Attachment(str(path), picture.kind.mime, path.name) for path, picture in zip(paths, pictures, strict=True)
    )
    facts = {"pictures": [str(path) for path in paths]}
    return replace(written, text="\n".join(lines), details={**written.details, **facts}, attachments=shown)
