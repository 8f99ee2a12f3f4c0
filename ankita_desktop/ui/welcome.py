"""What stands in the middle while a conversation has no words yet. Main thread only."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ankita_desktop.ui.parts import button, label, margins, name
from ankita_desktop.ui.session_rows import short_path

WIDTH = 440
OFFERS = (
    "What's in this folder?",
    "Make a file called ideas.txt that says: call the plumber",
    "What is listening on port 3000?",
)


class Welcome(QWidget):
    """Three things to try, and a line on the model when none is connected."""

    tried = Signal(str)
    connectAsked = Signal()

    def __init__(self) -> None:
        super().__init__()
        name(self, "welcome", "New chat")
        self._where = label("", "meta", tone="dim")
        self._where.setWordWrap(True)
        self._offline = QWidget()
        inside = QWidget()
        inside.setFixedWidth(WIDTH)
        self._fill(QVBoxLayout(inside))
        column = QVBoxLayout(self)
        margins(column, 24)
        column.addStretch(2)
        column.addWidget(inside, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)

    def show_folder(self, folder: str) -> None:
        self._where.setText(f"I work in {short_path(folder)} and ask before I change anything.")

    def show_offline(self, offline: bool) -> None:
        self._offline.setVisible(offline)

    def _fill(self, column: QVBoxLayout) -> None:
        margins(column, 0, gap=8)
        column.addWidget(label("What shall we do?", "title", weight=600))
        column.addWidget(self._where)
        column.addSpacing(8)
        for words in OFFERS:
            offer = button(words, "offer")
            offer.clicked.connect(lambda _checked=False, words=words: self.tried.emit(words))
            column.addWidget(offer)
        line = QHBoxLayout(self._offline)
        margins(line, 8, 0, gap=4)
        connect = button("Connect a model", "link", kind="meta", weight=500)
        name(connect, "connectButton", "Connect a model")
        connect.clicked.connect(self.connectAsked)
        line.addWidget(label("Working offline.", "meta", tone="dim"))
        line.addWidget(connect)
        line.addStretch(1)
        column.addWidget(self._offline)
