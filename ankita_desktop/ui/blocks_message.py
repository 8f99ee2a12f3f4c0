"""The words of one message: text and code one under the other, growing while they arrive."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ankita_desktop.ui.blocks import Stack
from ankita_desktop.ui.blocks_prose import Prose
from ankita_desktop.ui.blocks_select import Selection
from ankita_desktop.ui.blocks_write import INDENT, QUOTE
from ankita_desktop.ui.code import CodeBlock
from ankita_desktop.ui.markdown import Block
from ankita_desktop.ui.markdown_stream import Stream

W = TypeVar("W", bound=QWidget)

LARGEST = 6_000  # characters of one text document; a longer message goes on in the next
SLICE = 600  # characters taken in at once
BUDGET = 0.006  # seconds one paint may take before the rest has to wait for the next


class Markdown(Stack):
    """A text in markdown. ``write`` and ``paint`` while it streams, ``finish`` with the text as stored."""

    linkActivated = Signal(str)

    def __init__(self, selection: Selection, parent: QWidget | None = None, *, dim: bool = False) -> None:
        super().__init__(parent, gap=10)
        self._selection = selection
        self._dim = dim
        self._spare: list[QWidget] = []
        self._clear()

    def _clear(self) -> None:
        for item in self.items:
            self.drop(item)
        self._stream = Stream()
        self._source = ""
        self._taken = 0
        self._ending = False
        self._last_steps: Iterator[None] = iter(())
        self._settled = 0  # items that hold something final

    @property
    def source(self) -> str:
        """The text as it was written."""
        return self._source

    def write(self, text: str) -> None:
        """More text; shown by the next ``paint``."""
        self._source += text

    def finish(self, text: str) -> None:
        """The text is complete; ``text`` is the truth where it differs from what streamed. ``paint`` ends it."""
        if text != self._source:
            self._clear()
            self._source = text
        self._ending = True

    def paint(self, budget: float = BUDGET) -> bool:
        """Show what has arrived: complete blocks for good, the tail for now. True: some is left to paint."""
        until = time.perf_counter() + budget
        while self._taken < len(self._source):
            if time.perf_counter() > until:
                return True
            self._take_in(self._source[self._taken : self._taken + SLICE])
        if self._ending:
            self._end()
        return any(time.perf_counter() > until for _step in self._last_steps)

    def toPlainText(self) -> str:
        self.paint(budget=math.inf)
        return "\n".join(item.toPlainText() for item in self.items if isinstance(item, Prose | CodeBlock))

    def gap_above(self, item: QWidget) -> int:
        return 0 if isinstance(item, Prose) and item.goes_on else super().gap_above(item)

    def _take_in(self, text: str) -> None:
        self._taken += len(text)
        self._stream.add(text)
        step = self._stream.advance()
        self._show(step.finished, step.tail)

    def _end(self) -> None:
        self._ending = False
        step = self._stream.finish()
        self._show(step.finished, [])
        self._last_steps = self._complete()

    def _complete(self) -> Iterator[None]:
        """What is left to do when all stands there, in small steps."""
        if self._stream.has_references:
            yield from self._read_again()
        for item in self.items:
            item.setAccessibleName(item.accessibleName() or _spoken(item))
            yield

    def _read_again(self) -> Iterator[None]:
        """Links may be defined below the words that use them: read again with all of them known. It gives the
        same blocks with other words in some."""
        stream, found = Stream(self._stream.references), list[Block]()
        for at in range(0, len(self._source), SLICE):
            stream.add(self._source[at : at + SLICE])
            found += stream.advance().finished
            yield
        rest = iter(found + stream.finish().finished)
        for item in self.items:
            if isinstance(item, Prose):
                item.replace(list(islice(rest, len(item.blocks()))))
            else:
                next(rest)
            yield

    def _show(self, finished: Sequence[Block], tail: Sequence[Block]) -> None:
        """Write the finished blocks where the old tail stood, then the new tail."""
        self._spare = list(self.items[self._settled :])
        at = self._settled
        last = self.items[at - 1] if at else None
        page = _Page(last if isinstance(last, Prose) else None)
        for number, block in enumerate((*finished, *tail)):
            final = number < len(finished)
            if block.kind == "code":
                page.write()
                page = _Page(None)
                self._code(block, at)
            elif page.takes(block, final=final):
                continue
            else:
                page.write()
                page = _Page(self._prose(at))
                page.takes(block, final=final)
            at += 1
            self._settled = at if final else self._settled
        page.write()
        for item in self._spare:
            self.drop(item)

    def _code(self, block: Block, at: int) -> None:
        code = self._reuse(CodeBlock) or CodeBlock(
            self._selection, left=block.indent * INDENT + block.quote * QUOTE
        )
        code.set_code(block.text, block.info, closed=block.closed)
        self.place(code, at)

    def _prose(self, at: int) -> Prose:
        prose = self._reuse(Prose)
        if prose is None:
            prose = Prose(self._selection, dim=self._dim)
            prose.linkActivated.connect(self.linkActivated)
        self.place(prose, at)
        return prose

    def _reuse(self, kind: type[W]) -> W | None:
        """A widget that only showed the old tail."""
        found = next((item for item in self._spare if isinstance(item, kind)), None)
        if found is not None:
            self._spare.remove(found)
        return found


def _spoken(item: QWidget) -> str:
    """The start of a text, for those who listen to it."""
    return item.toPlainText()[:2000] if isinstance(item, Prose) else ""


class _Page:
    """What is to be written into one text widget."""

    def __init__(self, prose: Prose | None) -> None:
        self._prose = prose
        self._final: list[Block] = []
        self._tail: list[Block] = []
        self._full = prose is not None and (prose.size_of_text > LARGEST or prose.is_piece)

    def takes(self, block: Block, *, final: bool) -> bool:
        """False when there is no widget, or it has enough; a new one is needed."""
        if self._prose is None or self._full:
            return False
        (self._final if final else self._tail).append(block)
        self._full = final and bool(block.shares)
        return True

    def write(self) -> None:
        if self._prose is not None:
            self._prose.extend(self._final, self._tail)
