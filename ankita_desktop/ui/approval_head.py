"""The top of the approval dialog: the question, why and where, and what to look out for."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from ankita_desktop.protocol import ApprovalRequest
from ankita_desktop.ui.approval_parts import Word, visible
from ankita_desktop.ui.diff import DiffView
from ankita_desktop.ui.parts import ElidedLabel, frame, label, margins
from ankita_desktop.ui.session_rows import short_path

PLACE = 220  # pixels the place has at least, however long the reason is
LONG = 60  # characters of a question that still fit beside its reason


def head(request: ApprovalRequest, diff: DiffView | None) -> QWidget:
    """The question in words, the request it serves, the place; for a diff also how it is shown."""
    row = QHBoxLayout()
    margins(row, 0, 20, gap=12)
    question = label(visible(request.preview.question), "title", weight=600)
    question.setWordWrap(len(request.preview.question) > LONG)
    row.addWidget(question, int(question.wordWrap()))
    why = " ".join(request.why.split())[:200]
    if why:
        row.addWidget(_dim(f"“{why}”"))
    if request.preview.where:
        where = _dim(("· " if why else "") + short_path(request.preview.where))
        where.mode = Qt.TextElideMode.ElideMiddle
        where.setToolTip(request.preview.where)
        where.setMinimumWidth(min(where.sizeHint().width(), PLACE))
        row.addWidget(where)
    row.addStretch(1)
    if diff is not None:
        _ways(row, diff, side_by_side=any(one.action == "modify" for one in request.preview.changes))
    made = frame("background", row)
    made.setMinimumHeight(50)
    return made


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
