"""The body of a question about files: the list, the diff, and the editor for another text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from ankita_desktop.protocol import FileChange, Preview
from ankita_desktop.toolkit.diff import apply_hunks
from ankita_desktop.ui.approval_parts import ROW, FileList
from ankita_desktop.ui.code_line import CodeFont
from ankita_desktop.ui.diff import DiffView
from ankita_desktop.ui.parts import button, frame, label, margins, rule

PANE = 220


class ChangeBody(QWidget):
    """What would change, hunk by hunk. ``changed`` when what would be applied changes."""

    changed = Signal()

    def __init__(self, preview: Preview, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preview = preview
        self._edited: dict[str, str] = {}
        self._reveal: Callable[[str], str] | None = None
        self._editing = ""
        self.diff = DiffView(checkable=True, editable=True)
        self.diff.choice.changed.connect(self.changed)
        self.diff.editRequested.connect(self.edit)
        self.diff.loaded.connect(self._loaded)
        self.files = FileList()
        self.files.chosen.connect(self.diff.go_to_file)
        self.diff.fileChanged.connect(self.files.follow)
        self._facts = label("", "meta", tone="dim")
        self._facts.setWordWrap(True)
        self._facts.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.diff)
        self._pages.addWidget(self._make_editor())
        self._place()
        self._show()

    def _place(self) -> None:
        row = QHBoxLayout(self)
        margins(row, 0)
        if len(self._preview.changes) > 1:
            column = QVBoxLayout()
            margins(column, 10, gap=12)
            column.addWidget(self.files)
            column.addWidget(self._facts)
            column.addStretch(1)
            pane = frame("pane", column)
            pane.setFixedWidth(PANE)
            row.addWidget(pane)
            row.addWidget(rule(vertical=True))
            row.addWidget(self._pages, 1)
        else:
            column = QVBoxLayout()
            margins(column, 0)
            self._facts.setContentsMargins(20, 7, 20, 7)
            column.addWidget(self._facts)
            column.addWidget(rule())
            column.addWidget(self._pages, 1)
            row.addLayout(column, 1)

    def _make_editor(self) -> QWidget:
        self.editor = QPlainTextEdit()
        self.editor.setObjectName("proposalEditor")
        self.editor.setAccessibleName("The proposed text")
        self.editor.setFont(CodeFont().font)
        self.editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.editor.setProperty("look", "output")
        done, back = button("Use this text", "primary"), button("Back")
        done.setObjectName("editDoneButton")
        back.setObjectName("editBackButton")
        done.clicked.connect(self.take_edit)
        back.clicked.connect(self.leave_editor)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(back)
        row.addWidget(done)
        column = QVBoxLayout()
        margins(column, 12, gap=8)
        column.addWidget(self.editor, 1)
        column.addLayout(row)
        return frame("background", column)

    def _changes(self) -> list[FileChange]:
        """The changes with the person's own texts in them."""
        mine = (replace(one, after=self._edited.get(one.path, one.after)) for one in self._preview.changes)
        return [self._seen(one) for one in mine]

    def reveal(self, reveal: Callable[[str], str]) -> None:
        """Show the secrets too; what was chosen stays chosen."""
        choice = self.diff.choice
        left = [number for number in range(choice.total) if not choice.has(number)]
        self._reveal = reveal

        def again() -> None:
            self.diff.loaded.disconnect(again)
            for number in left if choice.total > max(left, default=-1) else ():
                choice.take(number, False)

        self.diff.loaded.connect(again)
        self._show()

    def _seen(self, change: FileChange) -> FileChange:
        show = self._reveal
        if show is None:
            return change
        before = None if change.before is None else show(change.before)
        return replace(change, before=before, after=None if change.after is None else show(change.after))

    def _show(self) -> None:
        self.diff.show_changes(self._changes(), self._preview.where)

    def _loaded(self) -> None:
        self.files.show_files(self.diff.files)
        self.files.setMaximumHeight(max(len(self.diff.files), 1) * ROW + 4)
        facts = list(dict.fromkeys(one.facts for one in self._preview.changes if one.facts))
        shown = facts[:2] + ["other kinds of files"] * (len(facts) > 2)
        kept = all(_is_kept(one) for one in self._preview.changes)
        lines = [" · ".join(shown) + (" kept." if kept else "")] * bool(shown)
        self._facts.setText(" ".join(lines + ["Undo stays available."] * (not self._preview.danger)))
        self.changed.emit()

    # --- editing ---

    @property
    def can_edit(self) -> bool:
        return any(one.after is not None and one.action != "delete" for one in self._preview.changes)

    @property
    def editing(self) -> bool:
        return self._pages.currentIndex() == 1

    def edit(self, path: str = "") -> None:
        """Open the proposed text of the file (default: of the file that is chosen)."""
        row = max(self.files.currentRow(), 0)
        change = next((one for one in self._changes() if one.path == path), self._changes()[row])
        if change.after is None or self.editing:
            return
        self._editing = change.path
        self.editor.setPlainText(change.after)
        self._pages.setCurrentIndex(1)
        self.editor.setFocus()
        self.changed.emit()

    def take_edit(self) -> None:
        """The person's text counts from now on."""
        original = next(self._seen(one).after or "" for one in self._preview.changes if one.path == self._editing)
        text = self.editor.toPlainText()
        text = text.replace("\n", "\r\n") if "\r\n" in original else text
        self._edited[self._editing] = text
        if text == original:
            del self._edited[self._editing]
        self.leave_editor()
        self._show()

    def leave_editor(self) -> None:
        self._pages.setCurrentIndex(0)
        self.diff.setFocus()
        self.changed.emit()

    # --- the answer ---

    @property
    def ready(self) -> bool:
        """Everything is on the screen, and something of it would be done."""
        all_refused = self.diff.choice.total > 0 and self.diff.choice.taken == 0
        whole = any(not one.hunks for one in self.diff.files)
        return not self.diff.comparing and not self.editing and (whole or not all_refused)

    def hunks(self) -> dict[str, tuple[int, ...]]:
        """Accepted hunks of files accepted in part; a file with the person's own text is in ``edited``."""
        return {path: taken for path, taken in self.diff.choice.per_file().items() if path not in self._edited}

    def edited(self) -> dict[str, str]:
        """The person's own texts, with only the hunks they accepted."""
        partly = self.diff.choice.per_file()
        found = {}
        for one in self._preview.changes:
            if one.path in self._edited:
                text = self._edited[one.path]
                taken = partly.get(one.path)
                found[one.path] = text if taken is None else apply_hunks(one.before, text, taken)
        return found


def _is_kept(change: FileChange) -> bool:
    """What is said of the file now is true of it afterwards."""
    ends = ("\r\n" in (change.before or "")) == ("\r\n" in (change.after or ""))
    return change.action == "modify" and "→" not in change.facts and ends
