"""Questions of all conversations that wait for an answer. Main thread only."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from ankita_desktop.protocol import ApprovalRequest
from ankita_desktop.ui.parts import ElidedLabel, button, discard, frame, label, margins, name, scrolling
from ankita_desktop.ui.session_rows import short_path

WIDTH, HEIGHT = 560, 420


class Inbox(QDialog):
    """Everything that waits. ``reviewAsked`` carries the request's id; ``rulesAsked``: the person wants to see
    what decides without them."""

    reviewAsked = Signal(str)
    rulesAsked = Signal()

    def __init__(self, parent: QWidget, title_of: Callable[[str], str]) -> None:
        super().__init__(parent)
        name(self, "approvalsInbox", "Approvals that wait")
        self.setWindowTitle("Approvals")
        self.resize(WIDTH, HEIGHT)
        self._title_of = title_of
        self._empty = label(
            "Nothing waits. Questions from any conversation are kept here until you answer.", "meta"
        )
        self._empty.setProperty("tone", "dim")
        self._empty.setWordWrap(True)
        inside = frame("background")
        self._column = QVBoxLayout(inside)
        margins(self._column, 16, gap=8)
        self._column.addWidget(self._empty)
        self._column.addStretch(1)
        self._rows: list[QFrame] = []
        scrolling(self, inside, self._foot())

    def _foot(self) -> QHBoxLayout:
        rules = button("Rules and grants…", "link", kind="meta", weight=500)
        name(rules, "inboxRulesButton", "Rules and grants")
        rules.clicked.connect(self.rulesAsked)
        foot = QHBoxLayout()
        margins(foot, 8, 12)
        foot.addWidget(rules)
        foot.addStretch(1)
        return foot

    def show_requests(self, requests: Sequence[ApprovalRequest]) -> None:
        for row in self._rows:
            discard(row)
        self._rows = [self._row(request) for request in requests]
        for place, row in enumerate(self._rows):
            self._column.insertWidget(place, row)
        self._empty.setVisible(not requests)

    def _row(self, request: ApprovalRequest) -> QFrame:
        card = frame("card")
        question = ElidedLabel("body", weight=500)
        question.setText(request.preview.question)
        where = ElidedLabel("meta", tone="dim")
        place = request.preview.where
        where.setText(" · ".join(filter(None, (self._title_of(request.session), place and short_path(place)))))
        words = QVBoxLayout()
        margins(words, 0, gap=2)
        words.addWidget(question)
        if what := _what(request):
            line = ElidedLabel("mono")
            line.setText(what)
            words.addWidget(line)
        words.addWidget(where)
        if request.news:
            news = ElidedLabel("meta", tone="attention")
            news.setText(request.news)
            words.addWidget(news)
        if request.preview.danger:
            danger = ElidedLabel("meta", tone="danger")
            danger.setText(request.preview.danger)
            words.addWidget(danger)
        review = button("Review", weight=500)
        review.setAccessibleName(f"Review: {request.preview.question}")
        review.clicked.connect(lambda: self.reviewAsked.emit(request.id))
        row = QHBoxLayout(card)
        margins(row, 10, 12, gap=12)
        row.addLayout(words, 1)
        row.addWidget(review)
        return card


def _what(request: ApprovalRequest) -> str:
    """What it is about on one line: the command, or the files."""
    preview = request.preview
    if preview.changes:
        return ", ".join(short_path(each.path) for each in preview.changes)
    return " ".join(preview.text.split())
