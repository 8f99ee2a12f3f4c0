"""What an undo would do, to look at before: the changes as a diff, and what stands in its way."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ankita_desktop.safety.undoing import Outlook
from ankita_desktop.ui.approval_parts import visible
from ankita_desktop.ui.diff import DiffView
from ankita_desktop.ui.parts import button, label, margins, name, rule

SIZE = (900, 560)
CONFLICT = "Nothing is undone, since this was changed later and would be lost:"
NAMED = 8


class UndoDialog(QDialog):
    """``agreed``: the person wants it. Enter undoes, Esc keeps everything as it is."""

    agreed = Signal()

    def __init__(self, seen: Outlook, root: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, "undoDialog", "Undo")
        self.setWindowTitle("Undo")
        self.resize(*SIZE)
        self.diff = DiffView()
        self.diff.show_changes(seen.changes, root)
        column = QVBoxLayout(self)
        margins(column, 0)
        column.addWidget(_line(_question(seen), "title", ""))
        if seen.conflicts:
            column.addWidget(_line("\n".join([CONFLICT, *_named(seen.conflicts)]), "meta", "danger"))
        for note in seen.notes:
            column.addWidget(_line(note, "meta", "attention"))
        column.addWidget(rule())
        column.addWidget(self.diff, 1)
        column.addWidget(rule())
        column.addLayout(self._buttons(bool(seen.changes) and not seen.conflicts))
        self.diff.setFocus()

    def _buttons(self, possible: bool) -> QHBoxLayout:
        keep, undo = button("Keep"), button("Undo", "primary")
        name(keep, "keepButton", "Keep everything as it is")
        name(undo, "undoNowButton", "Undo")
        undo.setEnabled(possible)
        undo.setDefault(possible)
        keep.clicked.connect(self.reject)
        undo.clicked.connect(self._agree)
        row = QHBoxLayout()
        margins(row, 12, 20, gap=10)
        row.addStretch(1)
        row.addWidget(keep)
        row.addWidget(undo)
        return row

    def _agree(self) -> None:
        self.agreed.emit()
        self.accept()


def _question(seen: Outlook) -> str:
    if not seen.changes:
        return "Everything is as it was before already"
    count = len(seen.changes)
    return f"Put {count} files back as they were?" if count > 1 else "Put this file back as it was?"


def _named(lines: tuple[str, ...]) -> list[str]:
    more = len(lines) - NAMED
    return [*(visible(line) for line in lines[:NAMED]), *([f"and {more} more"] if more > 0 else [])]


def _line(text: str, kind: str, tone: str) -> QLabel:
    made = label(text, "title" if kind == "title" else "meta", tone=tone, weight=600 if kind == "title" else 400)
    made.setWordWrap(True)
    made.setContentsMargins(20, 12, 20, 12)
    return made
