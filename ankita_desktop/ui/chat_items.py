"""The widgets of a conversation's page: what a person said, what the assistant said, notes and endings."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ankita_desktop.protocol import Message
from ankita_desktop.ui.blocks import Stack
from ankita_desktop.ui.blocks_message import Markdown
from ankita_desktop.ui.blocks_prose import Prose
from ankita_desktop.ui.blocks_select import Selection
from ankita_desktop.ui.cards_body import Output
from ankita_desktop.ui.cards_head import CardHead
from ankita_desktop.ui.markdown import Block, Span
from ankita_desktop.ui.parts import button, label, margins
from ankita_desktop.ui.pictures import THUMB, attached, name_of
from ankita_desktop.ui.theme import theme

LONGEST, MOST_LINES = 4_000, 60  # characters and lines of a person's text that are shown at once


class UserItem(QWidget):
    """What the person said: exactly as typed, in a soft box at the right."""

    def __init__(self, message: Message, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self._box = Stack(self, gap=6, padding=(7, 14, 8, 14))
        self._text = Prose(selection)
        start = beginning(message.text)
        self._text.extend([Block("paragraph", spans=(Span(start),))])
        self._text.setAccessibleName(f"You: {message.text[:2000]}")
        if message.text:
            self._box.add(self._text)
        if len(start) < len(message.text):
            self._box.add(self._make_more())
        for attachment in message.attachments:
            self._box.add(attached(attachment))
        self._natural = self._text.natural_width()

    def _make_more(self) -> QWidget:
        """What is left out of a very long text comes on request, in a pane of its own."""
        lines = self.message.text.count("\n") + 1
        more = button(f"Show all {lines} lines" if lines > 1 else "Show all", "link", kind="meta")
        more.setObjectName("showAllButton")

        def show_all() -> None:
            self._natural = 10_000
            self._box.drop(more)
            self._text.hide()
            self._box.insert(0, Output(self.message.text, "You"))

        more.clicked.connect(show_all)
        return more

    def _width(self, width: int) -> int:
        wanted = max(self._natural if self.message.text else 0, THUMB if self.message.attachments else 0) + 30
        return min(wanted, int(width * 0.82))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._box.heightForWidth(self._width(width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        width = self._width(self.width())
        self._box.setGeometry(self.width() - width, 0, width, self.height())
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self._box.geometry())
        shape = QPainterPath()
        shape.addRoundedRect(box, 12, 12)
        corner = QPainterPath()
        corner.addRoundedRect(QRectF(box.right() - 24, box.bottom() - 24, 24, 24), 3, 3)
        painter.fillPath(shape.united(corner), theme().color("selected"))

    def toPlainText(self) -> str:
        return "\n".join([self.message.text, *(name_of(one) for one in self.message.attachments)])

    def source(self) -> str:
        return self.message.text


class AssistantItem(Stack):
    """What the assistant says; its reasoning is one line that unfolds."""

    linkActivated = Signal(str)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent, gap=10)
        self._selection = selection
        self.message: Message | None = None
        self.text = Markdown(selection)
        self.text.linkActivated.connect(self.linkActivated)
        self._reasoning: Markdown | None = None
        self._fold: CardHead | None = None
        self.add(self.text)

    def add_text(self, text: str) -> None:
        self.text.write(text)

    def add_reasoning(self, text: str) -> None:
        self._thoughts().write(text)

    def paint(self) -> bool:
        """Show what has arrived. True: some is left to paint."""
        more = self.text.paint()
        if self._reasoning is not None and not self._reasoning.isHidden():
            more = self._reasoning.paint() or more
        return more

    def finish(self, message: Message) -> None:
        """The message as stored."""
        self.message = message
        self.text.finish(message.text)
        if message.reasoning:
            self._thoughts().finish(message.reasoning)
        if self._fold is not None:
            self._fold.show_line("done", "Thought about it", "", [])

    def toPlainText(self) -> str:
        return self.text.toPlainText()

    def source(self) -> str:
        return self.message.text if self.message is not None else self.text.source

    def reasoning_text(self) -> str:
        return self._reasoning.toPlainText() if self._reasoning is not None else ""

    def _thoughts(self) -> Markdown:
        if self._reasoning is None:
            self._fold = CardHead(bare=True)
            self._fold.show_line("running", "Thinking", "", [])
            self._fold.setAccessibleName("Reasoning")
            self._fold.clicked.connect(self._toggle)
            self._reasoning = Markdown(self._selection, dim=True)
            self._reasoning.linkActivated.connect(self.linkActivated)
            self.insert(0, self._fold)
            self.insert(1, self._reasoning)
            self._reasoning.hide()
        return self._reasoning

    def _toggle(self) -> None:
        assert self._reasoning is not None and self._fold is not None
        on = self._reasoning.isHidden()
        self._reasoning.setVisible(on)
        self._reasoning.paint()
        self._fold.set_open(on)
        self.changed()


class LineItem(QWidget):
    """One dim line: a note, or how a turn ended, with a button where there is something to do."""

    def __init__(self, text: str, *, tone: str = "dim", action: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = label(text, "meta", tone=tone)
        self._label.setWordWrap(True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout(self)
        margins(row, 0, gap=12)
        row.addWidget(self._label, 1)
        self.button = button(action, kind="meta") if action else None
        if self.button is not None:
            row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)

    def toPlainText(self) -> str:
        return self._label.text()

    def source(self) -> str:
        return self._label.text()


def beginning(text: str) -> str:
    """As much of a text as is shown at once."""
    lines = text.split("\n", MOST_LINES)
    return "\n".join(lines[:MOST_LINES])[:LONGEST]


def origin(widget: QWidget, root: QWidget) -> QPoint:
    """Where the widget stands on the page."""
    return widget.mapTo(root, QPoint())
