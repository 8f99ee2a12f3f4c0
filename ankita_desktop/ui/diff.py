"""The diff view: the same in a card and in the approval dialog. Draws only the rows in sight."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QWidget

from ankita_desktop.protocol import FileChange
from ankita_desktop.ui.code_colors import background
from ankita_desktop.ui.diff_canvas import DiffCanvas
from ankita_desktop.ui.diff_choice import Choice
from ankita_desktop.ui.diff_files import Colours, FileDiff, colours, compact, from_changes, from_unified, plain
from ankita_desktop.ui.diff_hidden import WHOLE
from ankita_desktop.ui.diff_paint import Scene
from ankita_desktop.ui.diff_rows import Emphasis

SMALL = 60_000  # characters that are compared at once
LOOKED_AT = 20  # changed lines of a hunk among which the place to show is looked for
SPOKEN = 200  # changed lines that are read out whole


class DiffView(DiffCanvas):
    """Shows files as hunks. ``checkable``: each hunk has a check box (objectName hunk-0, hunk-1, ...)."""

    editRequested = Signal(str)
    loaded = Signal()
    fileChanged = Signal(int)

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        checkable: bool = False,
        editable: bool = False,
        headings: bool = True,
    ) -> None:
        super().__init__(Scene(checkable=checkable, editable=editable), parent, headings=headings)
        self.setObjectName("diffView")
        self.setAccessibleName("Changes")
        self.choice = Choice(self)
        self._press = -1
        self._ticket = 0

    # --- content ---

    def show_changes(self, changes: Sequence[FileChange], root: str = "") -> None:
        """Compare and show, large texts off the main thread; ``loaded`` says when. Paths under ``root`` are
        shown relative to it."""
        if sum(len(one.before or "") + len(one.after or "") for one in changes) < SMALL:
            self.show_files(from_changes(changes, root))
            return
        self._ticket += 1
        self.comparing = True
        ticket, taken = self._ticket, tuple(changes)
        self.viewport().update()

        def receive(files: tuple[FileDiff, ...]) -> None:
            if ticket == self._ticket:
                self.show_files(files)

        background().ask(self, lambda: from_changes(taken, root), receive)

    def show_unified(self, text: str) -> None:
        """Show a diff that was made before, with little around it."""
        self.show_files(compact(from_unified(text)), colour=False)

    def show_files(self, files: Sequence[FileDiff], *, colour: bool = True) -> None:
        self._ticket += 1  # whatever is still being compared comes too late
        self.comparing = False
        self.scene.files = tuple(files)
        lines = sum(one.added + one.removed for one in files)
        long = any(len(line.text) > WHOLE for one in files for hunk in one.hunks for line in hunk.lines)
        spoken = plain(self.scene.files) if lines < SPOKEN and not long else f"{lines} changed lines"
        self.setAccessibleDescription(spoken)
        self.scene.colours, self.scene.emphasis = ({}, {}), Emphasis()
        self.choice.reset(sum(len(one.hunks) for one in files))
        self.rebuild()
        self.scene.current = 0 if self.scene.rows.hunks and self._headings else -1
        self._bring_change_into_sight()
        if colour:
            kept = self.scene.files
            background().ask(self, lambda: colours(kept), lambda found: self._receive_colours(kept, found))
        self.loaded.emit()

    def _receive_colours(self, files: Sequence[FileDiff], found: Colours) -> None:
        if files is self.scene.files:
            self.scene.colours = found
            self.viewport().update()

    @property
    def files(self) -> Sequence[FileDiff]:
        return self.scene.files

    def toPlainText(self) -> str:
        return plain(self.scene.files)

    # --- hunks ---

    def go_to_hunk(self, hunk: int) -> None:
        """Make it the current one and bring it into sight."""
        if not self.scene.rows.hunks:
            return
        self.scene.current = max(0, min(hunk, len(self.scene.rows.hunks) - 1))
        row = self.scene.rows.hunk_rows[self.scene.current]
        self.fileChanged.emit(self.scene.rows.hunks[self.scene.current][0])
        self.verticalScrollBar().setValue(self.scene.rows.tops[row])
        self._bring_change_into_sight()
        self.viewport().update()

    def _bring_change_into_sight(self) -> None:
        """Sideways, where the current hunk changes a long line far from its beginning."""
        if self.scene.current < 0:
            return
        _, hunk = self.scene.rows.hunks[self.scene.current]
        changed = [place for place, line in enumerate(hunk.lines) if line.tag != " "][:LOOKED_AT]
        if all(len(hunk.lines[place].text) <= WHOLE for place in changed):
            return
        found = [self.scene.emphasis.of(hunk, self.scene.current, place) for place in changed]
        self.show_column(min((ranges[0][0] for ranges in found if ranges), default=0))

    def go_to_file(self, file: int) -> None:
        row = self.scene.rows.file_rows[file]
        self.verticalScrollBar().setValue(self.scene.rows.tops[row])
        first = next((n for n, (of, _) in enumerate(self.scene.rows.hunks) if of == file), self.scene.current)
        self.scene.current = first
        self.viewport().update()

    @property
    def current_hunk(self) -> int:
        return self.scene.current

    # --- keys and mouse ---

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}.get(Qt.Key(event.key()))
        bar = self.verticalScrollBar()
        if step and not event.modifiers():
            self.go_to_hunk(self.scene.current + step)
        elif event.key() == Qt.Key.Key_Space and self.scene.checkable and self.scene.current >= 0:
            self.choice.take(self.scene.current, not self.choice.has(self.scene.current))
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected_text())
        elif event.key() == Qt.Key.Key_Home:
            bar.setValue(0)
        elif event.key() == Qt.Key.Key_End:
            bar.setValue(bar.maximum())
        else:
            super().keyPressEvent(event)

    def selected_text(self) -> str:
        """The selected rows as they read, without signs; without a selection the current hunk."""
        rows = self.scene.rows
        chosen = [rows.rows[index] for index in self.scene.selected]
        if not chosen:
            chosen = [row for row in rows.rows if row.hunk == self.scene.current]
        found = []
        for row in chosen:
            if row.kind == "line":
                lines = rows.hunks[row.hunk][1].lines
                side = row.right if row.right is not None else row.left
                found.append(lines[side].text if side is not None else "")
        return "\n".join(found)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        index = self._row_at(event.position().toPoint())
        row = self.scene.rows.rows[index] if self.scene.rows.rows else None
        if row is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self._press, self.scene.selected = index, range(0)
        if row.kind == "hunk":
            self.scene.current = row.hunk
            if self.scene.editable and event.position().x() > self.viewport().width() - 50:
                self.editRequested.emit(self.scene.files[row.file].path)
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._press >= 0 and event.buttons() & Qt.MouseButton.LeftButton:
            index = self._row_at(event.position().toPoint())
            self.scene.selected = range(min(index, self._press), max(index, self._press) + 1)
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._press = -1

    def _row_at(self, point: QPoint) -> int:
        return self.scene.rows.at(point.y() + self.verticalScrollBar().value())
