"""The top of the approval dialog: the question, why and where, and what to look out for."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel

from ankita_desktop.protocol import ApprovalRequest
from ankita_desktop.ui.approval_parts import Word, visible
from ankita_desktop.ui.diff import DiffView
from ankita_desktop.ui.parts import ElidedLabel, label, margins
from ankita_desktop.ui.session_rows import short_path

PLACE = 220  # pixels the place has at least, however long the reason is
SIDES, GAP, HEIGHT = 20, 12, 50
NARROWEST = 480
BESIDE, BELOW = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


class Head(QFrame):
    """The question in words, the request it serves, the place; for a diff also how it is shown. Reason and place
    stand beside the question, or below it where all of that has no room on one line."""

    def __init__(self, request: ApprovalRequest, diff: DiffView | None) -> None:
        super().__init__()
        self.setProperty("look", "background")
        self.setMinimumHeight(HEIGHT)
        self._question = label(visible(request.preview.question), "title", weight=600)
        self._question.ensurePolished()
        self._line = self._question.sizeHint().width()
        facts, self._beside = _facts(request)
        self._words = QBoxLayout(BELOW)
        self._words.addWidget(self._question)
        self._words.addLayout(facts, 1)
        self._arrange(BELOW)
        row = QHBoxLayout(self)
        margins(row, 0, SIDES, gap=GAP)
        row.addLayout(self._words, 1)
        self._ways = QHBoxLayout()
        margins(self._ways, 0, gap=GAP)
        row.addLayout(self._ways)
        if diff is not None:
            _ways(self._ways, diff, side_by_side=any(one.action == "modify" for one in request.preview.changes))

    def minimumSizeHint(self) -> QSize:
        return QSize(NARROWEST, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.width() - 2 * SIDES - GAP - self._ways.sizeHint().width()
        beside = self._line + GAP + self._beside <= room
        if beside != (self._words.direction() == BESIDE):
            self._arrange(BESIDE if beside else BELOW)

    def _arrange(self, way: QBoxLayout.Direction) -> None:
        self._words.setDirection(way)
        self._question.setWordWrap(way == BELOW)
        margins(self._words, *((0, 0) if way == BESIDE else (8, 0)), gap=GAP if way == BESIDE else 2)


def _facts(request: ApprovalRequest) -> tuple[QHBoxLayout, int]:
    """Why and where, and the width that they have at least beside the question."""
    row = QHBoxLayout()
    margins(row, 0, gap=GAP)
    least = 0
    why = " ".join(request.why.split())[:200]
    if why:
        reason = _dim(f"“{why}”")
        row.addWidget(reason)
        least += min(reason.sizeHint().width(), PLACE) + GAP
    if request.preview.where:
        where = _dim(("· " if why else "") + short_path(request.preview.where))
        where.mode = Qt.TextElideMode.ElideMiddle
        where.setToolTip(request.preview.where)
        where.setMinimumWidth(min(where.sizeHint().width(), PLACE))
        row.addWidget(where)
        least += where.minimumWidth()
    row.addStretch(1)
    return row, least


def _dim(text: str) -> ElidedLabel:
    made = ElidedLabel("meta", tone="dim")
    made.setText(text)
    return made


def _ways(row: QHBoxLayout, diff: DiffView, *, side_by_side: bool) -> None:
    """Unified · Side by side: two words to switch between."""
    unified, beside = Word("Unified", "unifiedButton"), Word("Side by side", "sideBySideButton")

    def choose(on: bool) -> None:
        diff.set_side_by_side(on)
        unified.setChecked(not on)
        beside.setChecked(on)

    unified.clicked.connect(lambda: choose(False))
    beside.clicked.connect(lambda: choose(True))
    row.addWidget(unified)
    row.addWidget(beside)
    choose(side_by_side)


def warnings(request: ApprovalRequest) -> list[QLabel]:
    """Why it is asked again; what could be lost, in red; what stands beside a change, as a protected place."""
    found = []
    preview = request.preview
    beside = preview.text if preview.changes else ""
    lines = (
        (request.news, "attention", "againLine"),
        (preview.danger, "danger", "dangerLine"),
        (beside, "attention", "attentionLine"),
    )
    for text, tone, named in lines:
        if text:
            line = label(visible(text), "meta" if text is beside else "body", tone=tone, weight=500)
            line.setObjectName(named)
            line.setWordWrap(True)
            line.setContentsMargins(20, 10, 20, 10)
            found.append(line)
    return found
