"""One line above the composer for the person, and the texts that wait to be sent. Main thread only."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from ankita_desktop.ui.icons import IconButton
from ankita_desktop.ui.parts import ElidedLabel, button, discard, label, margins, name

SHOWN_MS = 12_000
MAX_QUEUED = 4


class NoticeBar(QFrame):
    """The newest notice; one with an action stays until it is used or dismissed."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "notice")
        name(self, "noticeBar", "Notice")
        self._words = label("", "meta")
        self._words.setWordWrap(True)
        self._action = button("", "link", kind="meta", weight=500)
        self._act: Callable[[], None] | None = None
        self._awaited = ""
        close = IconButton("x", "Dismiss")
        close.clicked.connect(self.hide)
        self._action.clicked.connect(self._use)
        row = QHBoxLayout(self)
        margins(row, 4, 6, 4, 12, gap=8)
        row.addWidget(self._words, 1)
        row.addWidget(self._action)
        row.addWidget(close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        self.hide()

    def wait(self, text: str, seconds: float) -> None:
        """Show what is being waited for, that long and a moment more; ``over`` takes it back."""
        self.tell(text)
        self._awaited = text
        self._timer.start(SHOWN_MS + round(seconds * 1000))

    def over(self) -> None:
        """Nothing is waited for any more."""
        if self._awaited and self.text() == self._awaited:
            self.hide()
        self._awaited = ""

    def tell(self, text: str, action: str = "", act: Callable[[], None] | None = None) -> None:
        """Show a text, with a button for what can be done about it when there is something."""
        self._words.setText(text)
        self.setAccessibleName(text)
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self._act = act
        self.show()
        if action:
            self._timer.stop()
        else:
            self._timer.start(SHOWN_MS)

    def text(self) -> str:
        return self._words.text() if not self.isHidden() else ""

    def _use(self) -> None:
        self.hide()
        if self._act is not None:
            self._act()


class TrustLine(QFrame):
    """The one question about a folder, as a line that stays until it is answered. ``answered``: whether the folder
    is trusted."""

    answered = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "notice")
        name(self, "trustLine", "Trust this folder?")
        self._words = label("", "meta")
        self._words.setWordWrap(True)
        trust, leave = (button(text, "link", kind="meta", weight=500) for text in ("Trust", "Not now"))
        name(trust, "trustButton", "Trust")
        name(leave, "notNowButton", "Not now")
        leave.setToolTip("It isn't asked again; Folders in the settings can change that.")
        trust.clicked.connect(lambda: self.answered.emit(True))
        leave.clicked.connect(lambda: self.answered.emit(False))
        row = QHBoxLayout(self)
        margins(row, 4, 6, 4, 12, gap=8)
        row.addWidget(self._words, 1)
        row.addWidget(trust)
        row.addWidget(leave)
        self.hide()

    def ask(self, text: str) -> None:
        self._words.setText(text)
        self.setAccessibleDescription(text)
        self.show()

    def text(self) -> str:
        return self._words.text() if not self.isHidden() else ""


class QueueStrip(QWidget):
    """Texts submitted while a turn runs. Each can be taken back to edit, or dropped."""

    editAsked = Signal(int)
    dropAsked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        name(self, "queueStrip", "Waiting to be sent")
        self.texts: tuple[str, ...] = ()
        self._column = QVBoxLayout(self)
        margins(self._column, 0, gap=4)
        self.hide()

    def show_texts(self, texts: Sequence[str]) -> None:
        self.texts = tuple(texts)
        while (item := self._column.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                discard(old)
        for number, text in enumerate(self.texts[:MAX_QUEUED]):
            self._column.addWidget(self._row(number, text))
        more = len(self.texts) - MAX_QUEUED
        if more > 0:
            self._column.addWidget(label(f"and {more} more", "small", tone="dim"))
        self.setVisible(bool(self.texts))

    def _row(self, number: int, text: str) -> QFrame:
        box = QFrame()
        box.setProperty("look", "queued")
        words = ElidedLabel("meta")
        words.setText(" ".join(text.split()))
        edit = IconButton("pencil", "Take it back to edit")
        drop = IconButton("x", "Don't send it")
        edit.clicked.connect(lambda: self.editAsked.emit(number))
        drop.clicked.connect(lambda: self.dropAsked.emit(number))
        row = QHBoxLayout(box)
        margins(row, 3, 6, 3, 12, gap=6)
        row.addWidget(label("next", "small", tone="dim"))
        row.addWidget(words, 1)
        row.addWidget(edit)
        row.addWidget(drop)
        return box
