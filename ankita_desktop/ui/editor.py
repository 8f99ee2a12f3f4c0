"""The text field of the composer: grows with its text, sends on Enter, takes files. Main thread only."""

from __future__ import annotations

import time

from PySide6.QtCore import QMimeData, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QInputMethodEvent, QKeyEvent, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy

from ankita_desktop.ui.parts import name
from ankita_desktop.ui.theme import theme

MAX_LINES = 8
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
BREAKS = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier


class Editor(QPlainTextEdit):
    """``sent`` fires on Enter, never while an input method is composing; ``last_key`` is when the person typed
    last (monotonic seconds)."""

    sent = Signal()
    filesGiven = Signal(list)
    imageGiven = Signal(QImage)
    focusMoved = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        name(self, "composer", "Message")
        self.last_key = 0.0
        self._composing = False
        self.setFont(theme().font("body"))
        self.setPlaceholderText("Ask for anything")
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.textChanged.connect(self._grow)

    @property
    def composing(self) -> bool:
        """True while an input method shows text that isn't settled yet."""
        return self._composing

    def idle_for(self) -> float:
        """Seconds since the last key or input method event; 0 while composing."""
        return 0.0 if self._composing else time.monotonic() - self.last_key

    def sizeHint(self) -> QSize:
        return QSize(200, self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self._height())

    # --- what the person does

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.last_key = time.monotonic()
        if event.key() not in ENTER:
            super().keyPressEvent(event)
        elif event.modifiers() & BREAKS:
            self.insertPlainText("\n")
            self.ensureCursorVisible()
        elif not self._composing and not event.isAutoRepeat():
            self.sent.emit()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self.last_key = time.monotonic()
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def focusInEvent(self, event: object) -> None:
        super().focusInEvent(event)  # type: ignore[arg-type]
        self.focusMoved.emit(True)

    def focusOutEvent(self, event: object) -> None:
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self._composing = False
        self.focusMoved.emit(False)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasUrls() or source.hasImage() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Files become attachments, a picture too; anything else comes in as plain text."""
        files = [url.toLocalFile() for url in source.urls() if url.isLocalFile()]
        if files:
            self.filesGiven.emit(files)
        elif source.hasImage() and not source.hasText():
            self.imageGiven.emit(QImage(source.imageData()))
        else:
            self.insertPlainText(source.text())

    # --- its size

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._grow()

    def _lines(self) -> int:
        lines, block = 0, self.document().begin()
        while block.isValid() and lines <= MAX_LINES:
            lines += max(1, block.layout().lineCount())
            block = block.next()
        return lines

    def _height(self) -> int:
        line = QRectF(self.blockBoundingRect(self.document().begin())).height()
        first = self.document().begin().layout().lineCount() or 1
        height = max(line / first, self.fontMetrics().lineSpacing())
        return round(height * min(max(self._lines(), 1), MAX_LINES)) + 4

    def _grow(self) -> None:
        many = self._lines() > MAX_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if many else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if self.verticalScrollBarPolicy() != policy:
            self.setVerticalScrollBarPolicy(policy)
        if self.height() != self._height():
            self.setFixedHeight(self._height())
