"""Markdown as flat blocks: what a message says, without Qt and without ever touching the network.

``parse`` gives leaf blocks in reading order; nesting is a number on each (``indent``, ``quote``), so a view
writes them one after the other. Raw HTML stays visible text, an image is a span that names its source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Kind = Literal["paragraph", "heading", "code", "table", "rule"]
OPENABLE = ("http", "https", "mailto", "file")
_BARE_URL = re.compile(r"https?://[^\s<>\"'`|]*[^\s<>\"'`|.,;:!?)\]}*_~]")
_TASK = re.compile(r"\[([ xX])\](?:\s+|$)")
_MARKS = {"strong": "strong", "em": "em", "s": "strike"}


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
    ``rows`` are a table's cells, its head first; ``closed`` is false while a code fence is still open."""

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


@cache
def parser() -> MarkdownIt:
    """The one parser: CommonMark with tables and strikethrough, no HTML."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def parse(text: str) -> list[Block]:
    """The whole text at once. Never raises on any text."""
    return list(blocks(parser().parse(text, {})))


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


# --- tokens to blocks -----------------------------------------------------------------------------


def blocks(tokens: Sequence[Token], *, first_number: int | None = None) -> Iterator[Block]:
    """Leaf blocks of the tokens. ``first_number`` replaces the number of the first ordered item, for a list
    that goes on from text already finished."""
    walk = _Walk(first_number)
    for index, token in enumerate(tokens):
        yield from walk.step(token, tokens, index)


class _Walk:
    """Keeps count of the containers around the current token."""

    def __init__(self, first_number: int | None) -> None:
        self.quote = 0
        self.lists: list[int | None] = []
        self.marker = ""
        self.first_number = first_number
        self.table: list[list[Cell]] | None = None
        self.align: list[str] = []
        self.heading = 0

    def step(self, token: Token, tokens: Sequence[Token], index: int) -> Iterator[Block]:
        kind = token.type
        if kind.startswith("blockquote"):
            yield from self._leave_item_empty(token)
            self.quote += token.nesting
        elif kind in ("bullet_list_open", "ordered_list_open"):
            yield from self._leave_item_empty(token)
            self._open_list(token)
        elif kind in ("bullet_list_close", "ordered_list_close"):
            self.lists.pop()
        elif kind == "list_item_open":
            self.marker = self._next_marker()
        elif kind == "list_item_close":
            yield from self._leave_item_empty(token)
        elif kind in ("fence", "code_block"):
            yield from self._leave_item_empty(token)
            closed = kind == "code_block" or _fence_closed(token)
            yield self._leaf("code", text=token.content.removesuffix("\n"), info=_language(token), closed=closed)
        elif kind == "hr":
            yield self._leaf("rule")
        elif kind == "heading_open":
            self.heading = int(token.tag[1:])
        elif kind.startswith(("table", "tr", "th_", "td_")):
            yield from self._table(token)
        elif kind == "inline":
            yield from self._inline(token)

    def _open_list(self, token: Token) -> None:
        number = int(token.attrs.get("start", 1)) if token.type.startswith("ordered") else None
        if number is not None and not self.lists and self.first_number is not None:
            number, self.first_number = self.first_number, None
        self.lists.append(number)

    def _next_marker(self) -> str:
        number = self.lists[-1]
        if number is None:
            return "•" if len(self.lists) % 2 else "◦"
        self.lists[-1] = number + 1
        return f"{number}."

    def _leave_item_empty(self, token: Token) -> Iterator[Block]:
        """An item whose first thing is no text (or that has none) still shows its marker."""
        if (self.marker and token.nesting >= 0) or (self.marker and token.type == "list_item_close"):
            yield self._leaf("paragraph")

    def _table(self, token: Token) -> Iterator[Block]:
        if token.type == "table_open":
            self.table, self.align = [], []
        elif token.type == "tr_open" and self.table is not None:
            self.table.append([])
        elif token.type == "th_open":
            self.align.append(str(token.attrs.get("style", "")).removeprefix("text-align:"))
        elif token.type == "table_close" and self.table is not None:
            rows, self.table = tuple(tuple(row) for row in self.table), None
            yield self._leaf("table", rows=rows, align=tuple(self.align))

    def _inline(self, token: Token) -> Iterator[Block]:
        spans = tuple(_spans(token.children or []))
        if self.table is not None:
            self.table[-1].append(spans)
        elif self.heading:
            level, self.heading = self.heading, 0
            yield self._leaf("heading", spans=spans, level=level)
        else:
            yield self._leaf("paragraph", spans=self._task(spans))

    def _task(self, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        found = _TASK.match(spans[0].text) if self.marker and spans and not spans[0].marks else None
        if not found:
            return spans
        self.marker = "☐" if found[1] == " " else "☑"
        return (replace(spans[0], text=spans[0].text[found.end() :]), *spans[1:])

    def _leaf(self, kind: Kind, **fields: Any) -> Block:
        marker, self.marker = self.marker, ""
        return Block(kind, indent=len(self.lists), quote=self.quote, marker=marker, **fields)


def _language(token: Token) -> str:
    words = token.info.split()
    return words[0] if words else ""


def _fence_closed(token: Token) -> bool:
    """The lines of a closed fence are its content and two more."""
    content = token.content
    lines = content.count("\n") + bool(content and not content.endswith("\n"))
    return token.map is None or token.map[1] - token.map[0] >= lines + 2


def _spans(children: Sequence[Token]) -> Iterator[Span]:
    marks: list[str] = []
    href = ""
    for token in children:
        name, _, edge = token.type.partition("_")
        if token.type == "link_open":
            href = str(token.attrs.get("href", ""))
        elif token.type == "link_close":
            href = ""
        elif name in _MARKS and edge == "open":
            marks.append(_MARKS[name])
        elif name in _MARKS and edge == "close":
            marks.remove(_MARKS[name])
        else:
            yield from _leaf_spans(token, frozenset(marks), href)


def _leaf_spans(token: Token, marks: frozenset[str], href: str) -> Iterator[Span]:
    if token.type == "image":
        alt = "".join(span.text for span in _spans(token.children or []))
        yield Span(alt, marks, href, image=str(token.attrs.get("src", "")))
    elif token.type == "code_inline":
        yield Span(token.content, marks | {"code"}, href)
    elif token.type in ("softbreak", "hardbreak"):
        yield Span(" " if token.type == "softbreak" else "\n", marks, href)
    elif href:
        yield Span(token.content, marks, href)
    else:
        yield from _bare_links(token.content, marks)


def _bare_links(text: str, marks: frozenset[str]) -> Iterator[Span]:
    """Addresses written without any markup become links too."""
    done = 0
    for found in _BARE_URL.finditer(text):
        if found.start() > done:
            yield Span(text[done : found.start()], marks)
        yield Span(found[0], marks, href=found[0])
        done = found.end()
    if done < len(text):
        yield Span(text[done:], marks)
