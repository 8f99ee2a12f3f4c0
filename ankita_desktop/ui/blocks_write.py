"""Writes markdown blocks into a text document, in the colours and sizes of the theme."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTableCellFormat,
    QTextTableFormat,
)

from ankita_desktop.ui.markdown import Block, Span, image_note, link_note, openable
from ankita_desktop.ui.theme import theme

LINE = 22  # height of a line of body text, in pixels
INDENT = 22
QUOTE = 14
RULE_PROPERTY = int(QTextFormat.Property.UserProperty) + 1
QUOTE_PROPERTY = int(QTextFormat.Property.UserProperty) + 2
GAPS = {"heading": 18, "rule": 12, "table": 10}
_ALIGN = {"center": Qt.AlignmentFlag.AlignHCenter, "right": Qt.AlignmentFlag.AlignRight}


class Writer:
    """Appends blocks at the cursor. ``reuse``: the cursor stands in an empty block that is to be filled."""

    def __init__(self, cursor: QTextCursor, *, reuse: bool, dim: bool = False) -> None:
        self._cursor = cursor
        self.reuse = reuse
        self._dim = dim

    def write(self, block: Block) -> None:
        if block.kind == "table":
            self._table(block)
            return
        self._start(self._block_format(block))
        if block.marker:
            self._cursor.insertText(f"{block.marker}\t", self._char("text"))
        for span in block.spans:
            self._span(span, self._char_of(block))

    def _start(self, block_format: QTextBlockFormat) -> None:
        first = self._cursor.position() == 0
        if first:
            block_format.setTopMargin(0)
        if self.reuse:
            self._cursor.setBlockFormat(block_format)
            self._cursor.setBlockCharFormat(self._char("text"))
        else:
            self._cursor.insertBlock(block_format, self._char("text"))
        self.reuse = False

    def _block_format(self, block: Block) -> QTextBlockFormat:
        result = QTextBlockFormat()
        tight = bool(block.marker) or block.indent > 0
        result.setTopMargin(0 if block.goes_on else GAPS.get(block.kind, 4 if tight else 10))
        result.setLeftMargin(block.indent * INDENT + block.quote * QUOTE)
        result.setLineHeight(LINE, int(QTextBlockFormat.LineHeightTypes.MinimumHeight.value))
        if block.marker:
            result.setTextIndent(-INDENT)
            tab = QTextOption.Tab(float(INDENT), QTextOption.TabType.LeftTab)
            result.setTabPositions([tab])
        if block.quote:
            result.setProperty(QUOTE_PROPERTY, block.quote)
        if block.kind == "rule":
            result.setProperty(RULE_PROPERTY, True)
            result.setLineHeight(2, int(QTextBlockFormat.LineHeightTypes.FixedHeight.value))
        return result

    def _char(self, token: str) -> QTextCharFormat:
        result = QTextCharFormat()
        result.setFont(theme().font("body"))
        result.setForeground(theme().color("dim" if self._dim and token == "text" else token))
        return result

    def _char_of(self, block: Block) -> QTextCharFormat:
        result = self._char("dim" if block.quote else "text")
        if block.kind == "heading":
            kind, weight = ("title", 600) if block.level <= 2 else ("body", 600 if block.level == 3 else 500)
            result.setFont(theme().font("title" if kind == "title" else "body", weight))
        return result

    def _span(self, span: Span, base: QTextCharFormat) -> None:
        style = _marked(span, base)
        target = span.image or span.href
        text = (image_note(span) if span.image else span.text).replace("\n", "\u2028")
        if target and openable(target):
            style.setAnchor(True)
            style.setAnchorHref(target)
            style.setToolTip(target)
            style.setForeground(theme().color("accent"))
            style.setFontUnderline(True)
        elif span.image:
            style.setForeground(theme().color("dim"))
        self._cursor.insertText(text, style)
        if not span.image and link_note(span):
            note = QTextCharFormat(base)
            note.setForeground(theme().color("dim"))
            self._cursor.insertText(link_note(span), note)

    # --- tables ---

    def _table(self, block: Block) -> None:
        self._start(_sliver())
        columns = max(len(row) for row in block.rows)
        table = self._cursor.insertTable(len(block.rows), columns, _table_format(block))
        for number, row in enumerate(block.rows):
            for column in range(columns):
                spans = row[column] if column < len(row) else ()
                self._fill(table.cellAt(number, column), spans, head=not (number or block.goes_on))
                self._align(table.cellAt(number, column), block.align, column)
        self._cursor = table.lastCursorPosition()
        self._cursor.movePosition(QTextCursor.MoveOperation.NextBlock)
        self._cursor.setBlockFormat(_sliver())
        self.reuse = True

    def _fill(self, cell: object, spans: tuple[Span, ...], *, head: bool) -> None:
        style = QTextTableCellFormat()
        style.setBottomBorder(1)
        style.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        style.setBottomBorderBrush(QBrush(theme().color("line")))
        style.setTopPadding(3)
        style.setBottomPadding(3)
        style.setRightPadding(16)
        cell.setFormat(style)  # type: ignore[attr-defined]
        kept, self._cursor = self._cursor, cell.firstCursorPosition()  # type: ignore[attr-defined]
        for span in spans:
            self._span(span, self._char("dim" if head else "text"))
        self._cursor = kept

    def _align(self, cell: object, align: tuple[str, ...], column: int) -> None:
        block_format = QTextBlockFormat()
        block_format.setLineHeight(LINE, int(QTextBlockFormat.LineHeightTypes.MinimumHeight.value))
        if column < len(align) and align[column] in _ALIGN:
            block_format.setAlignment(_ALIGN[align[column]])
        cell.firstCursorPosition().setBlockFormat(block_format)  # type: ignore[attr-defined]

    @property
    def cursor(self) -> QTextCursor:
        return self._cursor


def _marked(span: Span, base: QTextCharFormat) -> QTextCharFormat:
    style = QTextCharFormat(base)
    if "code" in span.marks:
        font = theme().font("mono")
        font.setWeight(base.font().weight())
        style.setFont(font)
        style.setBackground(theme().color("code_back"))
    if "strong" in span.marks:
        style.setFontWeight(600)
    if "em" in span.marks:
        style.setFontItalic(True)
    if "strike" in span.marks:
        style.setFontStrikeOut(True)
    return style


def _table_format(block: Block) -> QTextTableFormat:
    result = QTextTableFormat()
    result.setBorder(0)
    result.setCellPadding(0)
    result.setCellSpacing(0)
    result.setBorderCollapse(True)
    result.setTopMargin(0 if block.goes_on else GAPS["table"])
    result.setBottomMargin(0 if block.shares else 6)
    result.setLeftMargin(block.indent * INDENT + block.quote * QUOTE)
    result.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    result.setHeaderRowCount(0 if block.goes_on else 1)
    share = QTextLength.Type.PercentageLength
    result.setColumnWidthConstraints([QTextLength(share, width) for width in block.shares])
    return result


def _sliver() -> QTextBlockFormat:
    """A text document wants a block around every table: one without height."""
    result = QTextBlockFormat()
    result.setLineHeight(0.5, int(QTextBlockFormat.LineHeightTypes.FixedHeight.value))
    return result
