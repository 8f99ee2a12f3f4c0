"""A block of code in a message: language, Copy, colours; only the lines in sight are drawn."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QResizeEvent, QTextLayout, QWheelEvent
from PySide6.QtWidgets import QScrollBar, QWidget

from ankita_desktop.ui.blocks import grown
from ankita_desktop.ui.blocks_select import Selectable, Selection
from ankita_desktop.ui.code_colors import Lines, background, colour_lines
from ankita_desktop.ui.code_line import CodeFont, draw, lay_out
from ankita_desktop.ui.code_text import CodeText
from ankita_desktop.ui.icons import IconButton
from ankita_desktop.ui.theme import theme

HEAD = 30
PAD = 12
RADIUS = 8


class CodeBlock(Selectable):
    """Code that may still grow. Position = character of the code."""

    def __init__(self, selection: Selection, parent: QWidget | None = None, *, left: int = 0) -> None:
        super().__init__(selection, parent)
        self.language = ""
        self._left = left
        self._code = CodeText()
        self._colours: Lines = []
        self._range = (0, 0)
        self._font = CodeFont()
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.copy_button = IconButton("copy", "Copy the code", self)
        self.copy_button.setCursor(Qt.CursorShape.ArrowCursor)
        self.copy_button.setFixedSize(26, 24)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._code.text))
        self._bar = QScrollBar(Qt.Orientation.Horizontal, self)
        self._bar.setCursor(Qt.CursorShape.ArrowCursor)
        self._bar.valueChanged.connect(self.update)
        self._bar.hide()
        theme().changed.connect(self._restyle)

    # --- content ---

    def set_code(self, text: str, language: str, *, closed: bool) -> None:
        """Show the text; ``closed``: it is complete, and worth its colours."""
        self.language = language
        self.setAccessibleName(f"Code, {language}" if language else "Code")
        self._code.set(text)
        if closed:
            self._colour()
        grown(self)
        self.updateGeometry()
        self._place()
        self.update()

    def toPlainText(self) -> str:
        return self._code.text

    def _colour(self) -> None:
        if self.language:
            text, language = self._code.text, self.language
            background().ask(self, lambda: colour_lines(text, language), self._receive)

    def _receive(self, colours: Lines) -> None:
        self._colours = colours
        self.update()

    def _restyle(self) -> None:
        self._font = CodeFont()
        self.update()

    # --- size and paint ---

    def heightForWidth(self, width: int) -> int:
        bar = self._bar.sizeHint().height() if self._overflow(width) > 0 else 0
        return HEAD + len(self._code.lines) * self._font.line + PAD + bar

    def hasHeightForWidth(self) -> bool:
        return True

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(200))

    def _overflow(self, width: int) -> int:
        return int(self._code.widest * self._font.char) + 2 * PAD + self._left - width

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()
        super().resizeEvent(event)

    def _place(self) -> None:
        self.copy_button.move(self.width() - self.copy_button.width() - 6, 4)
        overflow = self._overflow(self.width())
        self._bar.setVisible(overflow > 0)
        self._bar.setRange(0, max(overflow, 0))
        self._bar.setPageStep(self.width())
        self._bar.setSingleStep(int(self._font.char * 4))
        height = self._bar.sizeHint().height()
        self._bar.setGeometry(self._left + 1, self.height() - height - 1, self.width() - self._left - 2, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme().color("line"))
        painter.setBrush(theme().color("code_back"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(self._left + 0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.setPen(theme().color("dim"))
        painter.setFont(theme().font("small"))
        head = QRect(self._left + PAD, 2, self.width() - 60, HEAD - 2)
        painter.drawText(head, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.language or "text")
        painter.setPen(theme().color("text"))
        inside = QRect(self._left + 4, HEAD, self.width() - self._left - 8, self.height())
        painter.setClipRect(event.rect() & inside)
        first = max((event.rect().top() - HEAD) // self._font.line, 0)
        last = min((event.rect().bottom() - HEAD) // self._font.line + 1, len(self._code.lines))
        for number in range(first, last):
            y = HEAD + number * self._font.line + self._font.top
            draw(painter, self._layout(number), self._left + PAD - self._bar.value(), y)

    def _layout(self, number: int) -> QTextLayout:
        runs = self._colours[number] if number < len(self._colours) else ()
        return lay_out(self._code.lines[number], self._font, runs, self._marked(number))

    def _marked(self, number: int) -> list[tuple[int, int, QColor]]:
        start = self._code.starts[number]
        low, high = max(self._range[0] - start, 0), min(self._range[1] - start, len(self._code.lines[number]))
        back = theme().color("accent")
        back.setAlpha(90)
        return [(low, high, back)] if low < high else []

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Sideways here; up and down is the page's."""
        sideways = event.angleDelta().x() or (
            event.angleDelta().y() if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0
        )
        if sideways and self._bar.maximum():
            self._bar.setValue(self._bar.value() - sideways // 2)
        else:
            event.ignore()

    # --- selection ---

    def hit(self, point: QPoint) -> int:
        number = (point.y() - HEAD) // self._font.line
        if number < 0:
            return 0
        if number >= len(self._code.lines):
            return self.length()
        line = lay_out(self._code.lines[number], self._font).lineAt(0)
        x = point.x() - self._left - PAD + self._bar.value()
        return self._code.starts[number] + int(line.xToCursor(float(x)))

    def length(self) -> int:
        return len(self._code.text)

    def select(self, start: int, end: int) -> None:
        if (start, end) != self._range:
            self._range = (start, end)
            self.update()

    def selected_text(self) -> str:
        return self._code.text[self._range[0] : self._range[1]]

    def word_at(self, position: int) -> tuple[int, int]:
        return self._code.word_at(position)
