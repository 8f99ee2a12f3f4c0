"""Text blocks as one text document, painted as it is, never loading anything from anywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextBlock,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QWidget

from ankita_desktop.ui.blocks import grown
from ankita_desktop.ui.blocks_select import Selectable, Selection
from ankita_desktop.ui.blocks_write import QUOTE, QUOTE_PROPERTY, RULE_PROPERTY, Writer
from ankita_desktop.ui.markdown import Block, plain
from ankita_desktop.ui.theme import theme


class ClosedDocument(QTextDocument):
    """A document that fetches nothing: no picture, no style sheet, no file, no address."""

    def loadResource(self, kind: int, url: QUrl | str) -> Any:
        return None


class Document(Selectable):
    """Blocks of text as one document. ``extend`` adds final blocks and replaces the unfinished tail; what is
    final is never written or laid out again (but for another theme)."""

    def __init__(self, selection: Selection, parent: QWidget | None = None, *, dim: bool = False) -> None:
        super().__init__(selection, parent)
        self._dim = dim
        self._final: list[Block] = []
        self._tail: list[Block] = []
        self._range = (0, 0)
        self._height: tuple[int, int] | None = None
        self._end, self._reuse = 0, True
        self._fresh()
        theme().changed.connect(self._rewrite)

    # --- content ---

    def extend(self, final: Sequence[Block], tail: Sequence[Block] = ()) -> None:
        """Add ``final``; show ``tail`` after it until the next call."""
        cursor = QTextCursor(self._document)
        cursor.beginEditBlock()
        cursor.setPosition(self._end)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        writer = Writer(cursor, reuse=self._reuse, dim=self._dim)
        for block in final:
            writer.write(block)
        writer.cursor.movePosition(QTextCursor.MoveOperation.End)
        self._end, self._reuse = writer.cursor.position(), writer.reuse
        for block in tail:
            writer.write(block)
        cursor.endEditBlock()
        self._final += final
        self._tail = list(tail)
        self._touched()

    def replace(self, final: Sequence[Block]) -> None:
        """Show other blocks instead of all."""
        if self._tail or list(final) != self._final:
            self._final, self._tail = list(final), []
            self._rewrite()

    @property
    def size_of_text(self) -> int:
        """Characters so far: a message goes on in another widget when this becomes large."""
        return self._document.characterCount()

    @property
    def goes_on(self) -> bool:
        """It begins with more of the block that ends the document above."""
        return any(block.goes_on for block in self.blocks()[:1])

    @property
    def is_piece(self) -> bool:
        """It ends with a piece of a long table: the next would make all of them be laid out again."""
        return any(block.shares for block in self._final[-1:])

    def document(self) -> QTextDocument:
        return self._document

    def blocks(self) -> list[Block]:
        return [*self._final, *self._tail]

    def toPlainText(self) -> str:
        return plain(self.blocks())

    def _fresh(self) -> None:
        self._document = ClosedDocument(self)
        self._document.setUndoRedoEnabled(False)
        self._document.setDocumentMargin(0)
        self._document.setDefaultFont(theme().font("body"))
        self._end, self._reuse = 0, True

    def _rewrite(self) -> None:
        final, tail = self._final, self._tail
        self._final, self._tail = [], []
        self._fresh()
        self.extend(final, tail)

    def _touched(self) -> None:
        self._height = None
        self.updateGeometry()
        self.update()
        grown(self)

    # --- size and paint ---

    def heightForWidth(self, width: int) -> int:
        if self._height is None or self._height[0] != width:
            self._document.setTextWidth(width)
            self._height = (width, math.ceil(self._document.size().height()))
        return self._height[1]

    def hasHeightForWidth(self) -> bool:
        return True

    def sizeHint(self) -> QSize:
        width = max(self.width(), 200)
        return QSize(width, self.heightForWidth(width))

    def natural_width(self) -> int:
        """The width the text takes when no line is broken."""
        self._document.setTextWidth(-1)
        self._height = None
        return math.ceil(self._document.idealWidth())

    def paintEvent(self, event: QPaintEvent) -> None:
        self.heightForWidth(self.width())
        painter = QPainter(self)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.clip = QRectF(event.rect())
        context.palette = _palette(self)
        context.selections = self._selected()
        self._document.documentLayout().draw(painter, context)
        _paint_marks(painter, self._document, event.rect())

    def _selected(self) -> list[QAbstractTextDocumentLayout.Selection]:
        start, end = self._range
        if start == end:
            return []
        selection = QAbstractTextDocumentLayout.Selection()
        cursor = QTextCursor(self._document)
        cursor.setPosition(min(start, self.length()))
        cursor.setPosition(min(end, self.length()), QTextCursor.MoveMode.KeepAnchor)
        style = cursor.charFormat().__class__()
        style.setBackground(theme().color("accent"))
        style.setForeground(theme().color("on_accent"))
        selection.cursor, selection.format = cursor, style
        return [selection]

    # --- selection ---

    def hit(self, point: QPoint) -> int:
        accuracy = Qt.HitTestAccuracy.FuzzyHit
        return max(self._document.documentLayout().hitTest(QPointF(point), accuracy), 0)

    def length(self) -> int:
        return self._document.characterCount() - 1

    def select(self, start: int, end: int) -> None:
        if (start, end) != self._range:
            self._range = (start, end)
            self.update()

    def selected_text(self) -> str:
        cursor = QTextCursor(self._document)
        cursor.setPosition(min(self._range[0], self.length()))
        cursor.setPosition(min(self._range[1], self.length()), QTextCursor.MoveMode.KeepAnchor)
        return cursor.selection().toPlainText()

    def word_at(self, position: int) -> tuple[int, int]:
        cursor = QTextCursor(self._document)
        cursor.setPosition(min(position, self.length()))
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        return cursor.selectionStart(), cursor.selectionEnd()


def _paint_marks(painter: QPainter, document: QTextDocument, clip: QRect) -> None:
    """Bars beside quotations and thin rules, which the document itself can't draw."""
    block, layout = document.begin(), document.documentLayout()
    while block.isValid():
        style = block.blockFormat()
        if style.hasProperty(QUOTE_PROPERTY) or style.hasProperty(RULE_PROPERTY):
            rect = layout.blockBoundingRect(block)
            if rect.top() > clip.bottom():
                return
            _paint_mark(painter, block, QRectF(0, rect.top(), document.textWidth(), rect.height()))
        block = block.next()


def _paint_mark(painter: QPainter, block: QTextBlock, rect: QRectF) -> None:
    colour = theme().color("line")
    if block.blockFormat().hasProperty(RULE_PROPERTY):
        painter.fillRect(QRectF(0, int(rect.top()), rect.width(), 1), colour)
        return
    for level in range(int(block.blockFormat().property(QUOTE_PROPERTY))):
        painter.fillRect(QRectF(level * QUOTE, rect.top(), 2, rect.height()), colour)


def _palette(widget: QWidget) -> QPalette:
    palette = QPalette(widget.palette())
    palette.setColor(QPalette.ColorRole.Text, theme().color("text"))
    return palette
