"""The words of one message: text and code one under the other, growing while they arrive."""

from __future__ import annotations

from collections.abc import Sequence
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
SLICE = 8_000  # characters of a stored message that are read at once


class Markdown(Stack):
    """A text in markdown. ``add`` and ``paint`` while it streams, ``finish`` with the text as stored."""

    linkActivated = Signal(str)

    def __init__(self, selection: Selection, parent: QWidget | None = None, *, dim: bool = False) -> None:
        super().__init__(parent, gap=10)
        self._selection = selection
        self._dim = dim
        self._clear()

    def _clear(self) -> None:
        for item in self.items:
            self.drop(item)
        self._stream = Stream()
        self._source = ""
        self._arrived: list[str] = []
        self._settled = 0  # items that hold something final
        self._spare: list[QWidget] = []

    @property
    def source(self) -> str:
        """The text as it was written."""
        self._source += "".join(self._arrived)
        self._arrived.clear()
        return self._source

    @property
    def waiting(self) -> bool:
        """Text has come that isn't painted yet."""
        return bool(self._arrived)

    def add(self, text: str) -> None:
        """More text; shown at the next ``paint``."""
        self._arrived.append(text)

    def paint(self) -> None:
        """Show what has arrived: blocks that are complete once and for all, the tail for now."""
        if self.waiting:
            self._take_in("".join(self._arrived))

    def finish(self, text: str | None = None) -> None:
        """The text is complete; ``text`` is the truth where it differs from what streamed."""
        if text is not None and (text != self.source or self._stream.has_references):
            self._clear()
            self._arrived = [text]
        rest = "".join(self._arrived)
        for start in range(0, len(rest), SLICE):
            self._take_in(rest[start : start + SLICE])
        step = self._stream.finish()
        self._show(step.finished, [])

    def toPlainText(self) -> str:
        self.paint()
        return "\n".join(item.toPlainText() for item in self.items if isinstance(item, Prose | CodeBlock))

    def _take_in(self, text: str) -> None:
        self._source += text
        self._arrived.clear()
        self._stream.add(text)
        step = self._stream.advance()
        self._show(step.finished, step.tail)

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
        code = self._reuse(CodeBlock) or CodeBlock(self._selection, left=block.indent * INDENT + block.quote * QUOTE)
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


class _Page:
    """What is to be written into one text widget."""

    def __init__(self, prose: Prose | None) -> None:
        self._prose = prose
        self._final: list[Block] = []
        self._tail: list[Block] = []
        self._full = prose is not None and prose.size_of_text > LARGEST

    def takes(self, block: Block, *, final: bool) -> bool:
        """False when there is no widget, or it has enough; a new one is needed."""
        if self._prose is None or self._full:
            return False
        (self._final if final else self._tail).append(block)
        return True

    def write(self) -> None:
        if self._prose is not None:
            self._prose.extend(self._final, self._tail)
