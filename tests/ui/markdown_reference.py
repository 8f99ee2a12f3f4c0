"""Another reading of markdown, to compare ours with: the structure as markdown-it finds it in a whole text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ankita_desktop.ui.markdown import Block, Cell, Kind, Span
from ankita_desktop.ui.markdown_inline import inline

_TASK = re.compile(r"\[([ xX])\](?:\s+|$)")


def reference(text: str) -> list[Block]:
    """The leaf blocks of the text."""
    known: dict[str, Any] = {"references": {}}
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    tokens = parser.parse(text, known)
    return list(blocks(tokens, known["references"]))


def blocks(tokens: Sequence[Token], references: dict[str, Any]) -> Iterator[Block]:
    walk = _Walk(references)
    for index, token in enumerate(tokens):
        yield from walk.step(token, tokens, index)


class _Walk:
    """Keeps count of the containers around the current token."""

    def __init__(self, references: dict[str, Any]) -> None:
        self.references = references
        self.quote = 0
        self.lists: list[int | None] = []
        self.marker = ""
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
            yield from self._leave_item_empty(token)
            self.table, self.align = [], []
        elif token.type == "tr_open" and self.table is not None:
            self.table.append([])
        elif token.type == "th_open":
            self.align.append(str(token.attrs.get("style", "")).removeprefix("text-align:"))
        elif token.type == "table_close" and self.table is not None:
            rows, self.table = tuple(tuple(row) for row in self.table), None
            yield self._leaf("table", rows=rows, align=tuple(self.align))

    def _inline(self, token: Token) -> Iterator[Block]:
        spans = inline(token.content, self.references)
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
