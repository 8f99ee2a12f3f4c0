"""Markdown that is still arriving: finished blocks come out once, only the unfinished tail is parsed again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ankita_desktop.ui.markdown import Block, blocks, parser

if TYPE_CHECKING:
    from markdown_it.token import Token

_LIST = ("bullet_list_open", "ordered_list_open")
_LONGEST = 4_000  # characters a paragraph may have before it is cut, so that its tail stays cheap


@dataclass(frozen=True, slots=True)
class Step:
    """What changed: blocks that are final now, and the tail as it reads at the moment."""

    finished: list[Block] = field(default_factory=list)
    tail: list[Block] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A top-level block, or one item of a top-level list: its tokens and the line it begins on."""

    tokens: Sequence[Token]
    line: int
    markup: str = ""
    number: int | None = None


class Stream:
    """Feed it text with ``add``; ``advance`` gives what to paint; ``finish`` ends it.

    A block is final once the first line of the next one is complete: until then a "#" may still become
    "#word", and belong to the paragraph above.
    """

    def __init__(self) -> None:
        self._pending = ""
        self._references: dict[str, Any] = {}
        self._list: tuple[str, int] | None = None
        self._fence: _Fence | None = None

    @property
    def has_references(self) -> bool:
        """Link definitions came: text finished before them may read differently when parsed as a whole."""
        return bool(self._references)

    def add(self, text: str) -> None:
        self._pending += text

    def advance(self) -> Step:
        """The blocks that became final since the last call, and the tail. Cost: the tail, not the whole."""
        if self._fence is not None:
            return self._advance_fence(self._fence)
        pieces, references = self._pieces()
        complete = self._pending.count("\n")
        done = 0
        while done + 1 < len(pieces) and pieces[done + 1].line < complete:
            done += 1
        finished = [block for piece in pieces[:done] for block in self._render(piece, keep=True)]
        tail, starts = pieces[done:], pieces[done].line if done else 0
        self._keep(references, starts)
        self._pending = _from_line(self._pending, starts)
        finished += self._cut(tail)
        shown = [block for piece in tail for block in self._render(piece, keep=False)]
        self._fence = _open_fence(self._pending, shown)
        if self._fence is not None:
            self._pending = ""
        return Step(finished, shown)

    def finish(self) -> Step:
        """Everything that is left, as final."""
        if self._fence is not None:
            step = self._advance_fence(self._fence)
            ended = self._fence is None
            self._fence = None
            return Step(step.finished + (self.finish().finished if ended else step.tail))
        pieces, references = self._pieces()
        self._keep(references, self._pending.count("\n") + 1)
        self._pending = ""
        return Step([block for piece in pieces for block in self._render(piece, keep=True)])

    def _advance_fence(self, fence: _Fence) -> Step:
        rest = fence.take(self._pending)
        if rest is None:
            self._pending = ""
            return Step(tail=[fence.block(closed=False)])
        self._pending, self._fence, self._list = rest, None, None
        after = self.advance()
        return Step([fence.block(closed=True), *after.finished], after.tail)

    def _pieces(self) -> tuple[list[_Piece], dict[str, Any]]:
        env = {"references": dict(self._references)}
        return list(_split(parser().parse(self._pending, env))), env["references"]

    def _keep(self, references: dict[str, Any], line: int) -> None:
        """Definitions above ``line`` are complete; those in the tail may still grow."""
        for label, found in references.items():
            if label not in self._references and found["map"][1] <= line:
                self._references[label] = found

    def _render(self, piece: _Piece, *, keep: bool) -> Iterator[Block]:
        """``keep``: the piece is final, so an ordered list after it goes on with its number."""
        number = piece.number
        if number is not None and self._list is not None and self._list[0] == piece.markup:
            number = self._list[1]
        if keep or number is not None:
            self._list = (piece.markup, number + 1) if number is not None and keep else self._list
        if keep and number is None:
            self._list = None
        yield from blocks(piece.tokens, first_number=number)

    def _cut(self, tail: list[_Piece]) -> list[Block]:
        """A paragraph without end is cut at a space, so that no tick has to parse all of it again."""
        found: list[Block] = []
        while len(tail) == 1 and len(self._pending) > _LONGEST and tail[0].tokens[0].type == "paragraph_open":
            at = _break(self._pending)
            head, self._pending = self._pending[:at], self._pending[at:].lstrip(" \n")
            found += blocks(parser().parse(head, {"references": dict(self._references)}))
            tail[:] = self._pieces()[0]
        return found


def _break(text: str) -> int:
    """Where a long paragraph is cut: after a line, a sentence, a word, or where it has to be."""
    places = (text.rfind("\n", 1, _LONGEST), text.rfind(". ", 0, _LONGEST) + 1, text.rfind(" ", 1, _LONGEST))
    return next((place for place in places if place > 0), _LONGEST)


def _split(tokens: Sequence[Token]) -> Iterator[_Piece]:
    start = 0
    for index, token in enumerate(tokens):
        if token.level == 0 and token.nesting <= 0:
            chunk = tokens[start : index + 1]
            start = index + 1
            yield from _items(chunk) if chunk[0].type in _LIST else [_Piece(chunk, _line(chunk[0]))]


def _items(chunk: Sequence[Token]) -> Iterator[_Piece]:
    """Each item of a list as a list of its own, with the number it has in the whole."""
    opening, closing = chunk[0], chunk[-1]
    number = int(opening.attrs.get("start", 1)) if opening.type == "ordered_list_open" else None
    start = 1
    for index in range(1, len(chunk) - 1):
        if chunk[index].type == "list_item_close" and chunk[index].level == 1:
            tokens = [opening, *chunk[start : index + 1], closing]
            yield _Piece(tokens, _line(chunk[start]), opening.markup, number)
            start, number = index + 1, None if number is None else number + 1


def _line(token: Token) -> int:
    return token.map[0] if token.map else 0


def _from_line(text: str, line: int) -> str:
    at = 0
    for _ in range(line):
        at = text.index("\n", at) + 1
    return text[at:]


# --- an open code fence ---------------------------------------------------------------------------


class _Fence:
    """A code block whose end hasn't come: its lines are only collected and looked at once."""

    def __init__(self, opening: re.Match[str], info: str) -> None:
        self._strip = re.compile(f" {{0,{len(opening[1])}}}")
        self._end = re.compile(rf" {{0,3}}{re.escape(opening[2][0])}{{{len(opening[2])},}}[ \t]*$")
        self._info = info
        self._lines: list[str] = []
        self._partial = ""

    def take(self, text: str) -> str | None:
        """Collect; the text after the closing line when it came, else None."""
        *lines, self._partial = (self._partial + text).split("\n")
        for index, line in enumerate(lines):
            if self._end.match(line):
                rest = "\n".join([*lines[index + 1 :], self._partial])
                self._partial = ""
                return rest
            self._lines.append(self._strip.sub("", line, count=1))
        return None

    def block(self, *, closed: bool) -> Block:
        lines = self._lines
        if self._partial and not self._end.match(self._partial):
            lines = [*lines, self._partial]
        return Block("code", text="\n".join(lines), info=self._info, closed=closed)


_OPENING = re.compile(r"( {0,3})(`{3,}|~{3,})[^\n]*\n")


def _open_fence(pending: str, shown: Sequence[Block]) -> _Fence | None:
    """The fence the tail consists of, once its opening line is complete."""
    if len(shown) != 1 or shown[0].kind != "code" or shown[0].closed or shown[0].indent or shown[0].quote:
        return None
    opening = _OPENING.match(pending.lstrip("\n"))
    if opening is None:
        return None
    fence = _Fence(opening, shown[0].info)
    fence.take(pending.lstrip("\n")[opening.end() :])
    return fence
