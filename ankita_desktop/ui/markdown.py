"""Markdown as flat blocks: what a message says, without Qt and without ever touching the network.

Leaf blocks stand in reading order; nesting is a number on each (``indent``, ``quote``), so a view writes them one
after the other. Raw HTML stays visible text, an image is a span that names its source.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

Kind = Literal["paragraph", "heading", "code", "table", "rule"]
OPENABLE = ("http", "https", "mailto", "file")


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text in one style. ``href`` is where it leads, ``image`` what it stands for."""

    text: str
    marks: frozenset[str] = frozenset()
    href: str = ""
    image: str = ""


Cell = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One leaf. ``level`` is a heading's rank; ``marker`` stands before the first line of a list item;
    ``rows`` are a table's cells, its head first; ``closed`` is false while a code fence is still open.
    ``goes_on``: it continues the block before, which was cut because it is long (a table then has no head);
    ``shares``: how wide the columns of a table in several pieces are, in per cent."""

    kind: Kind
    spans: tuple[Span, ...] = ()
    level: int = 0
    text: str = ""
    info: str = ""
    rows: tuple[tuple[Cell, ...], ...] = ()
    align: tuple[str, ...] = ()
    indent: int = 0
    quote: int = 0
    marker: str = ""
    closed: bool = True
    goes_on: bool = False
    shares: tuple[int, ...] = ()


def plain(items: Iterable[Block]) -> str:
    """What a reader sees, as text: one line or more per block."""
    return "\n".join(_plain(block) for block in items)


def spans_text(spans: Iterable[Span]) -> str:
    """What a reader sees of the spans, the notes behind links and for images included."""
    return "".join(span.text + link_note(span) if not span.image else image_note(span) for span in spans)


def link_host(href: str) -> str:
    """The host a link really leads to, or the address itself where there is no host."""
    try:
        host = urlsplit(href).hostname or ""
    except ValueError:
        return href
    return host or href.split("?", 1)[0]


def openable(href: str) -> bool:
    """True for the kinds of address a click may open."""
    return href.partition(":")[0].lower() in OPENABLE and ":" in href


def link_note(span: Span) -> str:
    """Where the link leads, when its own words don't say so: " (example.com)"."""
    if not span.href or _says(span.text, span.href):
        return ""
    return f" ({link_host(span.href)})"


def image_note(span: Span) -> str:
    """The words that stand for an image which isn't loaded."""
    alt = f"{span.text}: " if span.text else ""
    if span.image.startswith("data:"):
        return f"[{alt}embedded image]"
    return f"[{alt}image from {link_host(span.image)} – open?]"


def _says(text: str, href: str) -> bool:
    bare = href.removeprefix("mailto:").removeprefix("https://").removeprefix("http://").rstrip("/")
    return text.strip().removeprefix("https://").removeprefix("http://").rstrip("/") == bare


def _plain(block: Block) -> str:
    lead = "    " * max(block.indent - bool(block.marker), 0) + (f"{block.marker} " if block.marker else "")
    if block.kind == "table":
        return "\n".join("\t".join(spans_text(cell) for cell in row) for row in block.rows)
    if block.kind == "rule":
        return lead + "———"
    return lead + (block.text if block.kind == "code" else spans_text(block.spans))
