"""The words of one block of markdown as runs of text: emphasis, code, links and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ankita_desktop.ui.markdown import Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

References = dict[str, Any]  # what links are defined as, by their label
_BARE_URL = re.compile(r"https?://[^\s<>\"'`|]*[^\s<>\"'`|.,;:!?)\]}*_~]")
_SPACE = " \t\n"
_MARKS = {"strong": "strong", "em": "em", "s": "strike"}


@cache
def _parser() -> MarkdownIt:
    """CommonMark with strikethrough, no HTML; of blocks it only knows paragraphs and definitions of links."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("strikethrough")
    parser.block.ruler.enableOnly(["reference", "paragraph"])
    return parser


def inline(text: str, references: References) -> tuple[Span, ...]:
    """The text as runs."""
    tokens = _parser().parseInline(text.strip(_SPACE), {"references": references})
    return tuple(_joined(_spans(tokens[0].children or [])))


def defined(text: str, references: References) -> str:
    """Adds the definitions of links a paragraph begins with to ``references``; gives the text below them."""
    if not text.lstrip().startswith("["):
        return text
    tokens = _parser().parse(text, {"references": references})
    return next((token.content for token in tokens if token.type == "inline"), "")


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Plain runs that follow one another as one: each has its cost when it is written."""
    for style, run in groupby(spans, lambda span: (span.marks, span.href, span.image)):
        if style[1] or style[2]:
            yield from run
        else:
            yield Span("".join(span.text for span in run), style[0])


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
