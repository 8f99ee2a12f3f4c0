"""The diff view: the same in a card and in the approval dialog. Draws only the rows in sight."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from ankita_desktop.protocol import FileChange
from ankita_desktop.ui.code_colors import background
from ankita_desktop.ui.code_line import CodeFont
from ankita_desktop.ui.diff_box import HunkBox
from ankita_desktop.ui.diff_files import Colours, FileDiff, colours, from_changes, from_unified, plain
from ankita_desktop.ui.diff_paint import DiffPainter, Scene
from ankita_desktop.ui.diff_rows import HEAD, build
from ankita_desktop.ui.theme import theme

BOXES = 64  # check boxes made at once; those of further hunks when they come into sight
SMALL = 60_000  # characters that are compared at once
SPOKEN = 200  # changed lines that are read out whole


class DiffView(QAbstractScrollArea):
    """Shows files as hunks. ``checkable``: each hunk has a check box (objectName hunk-0, hunk-1, ...)."""

    acceptedChanged = Signal()
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
        super().__init__(parent)
        self.setObjectName("diffView")
        self.setAccessibleName("Changes")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._headings = headings
        self._font = CodeFont()
        self._scene = Scene(checkable=checkable, editable=editable)
        self._accepted: list[bool] = []
        self._boxes: dict[int, HunkBox] = {}
        self._press = -1
        self._widest = 0
        self._waiting = 0
        self._ring = False
        self.setCornerWidget(QWidget())
        theme().changed.connect(self._restyle)

    # --- content ---

    def show_changes(self, changes: Sequence[FileChange], root: str = "") -> None:
        """Compare and show, large texts off the main thread; ``loaded`` says when. Paths under ``root`` are
        shown relative to it."""
        if sum(len(one.before or "") + len(one.after or "") for one in changes) < SMALL:
            self.show_files(from_changes(changes, root))
            return
        self._waiting += 1
        ticket, taken = self._waiting, tuple(changes)
        self.viewport().update()

        def receive(files: tuple[FileDiff, ...]) -> None:
            if ticket == self._waiting:
                self.show_files(files)

        background().ask(lambda: from_changes(taken, root), receive)

    def show_unified(self, text: str) -> None:
        """Show a diff that was made before."""
        self.show_files(from_unified(text), colour=False)

    def show_files(self, files: Sequence[FileDiff], *, colour: bool = True) -> None:
        self._waiting = 0
        self._scene.files = tuple(files)
        lines = sum(one.added + one.removed for one in files)
        self.setAccessibleDescription(plain(self._scene.files) if lines < SPOKEN else f"{lines} changed lines")
        self._scene.colours = ({}, {})
        self._accepted = [True for one in files for _ in one.hunks]
        self._rebuild()
        self._scene.current = 0 if self._scene.rows.hunks and self._headings else -1
        if colour:
            kept = self._scene.files
            background().ask(lambda: colours(kept), lambda found: self._receive_colours(kept, found))
        self.loaded.emit()

    def _receive_colours(self, files: Sequence[FileDiff], found: Colours) -> None:
        if files is self._scene.files:
            self._scene.colours = found
            self.viewport().update()

    @property
    def files(self) -> Sequence[FileDiff]:
        return self._scene.files

    @property
    def comparing(self) -> bool:
        return self._waiting > 0

    def toPlainText(self) -> str:
        return plain(self._scene.files)

    def set_side_by_side(self, on: bool) -> None:
        if on != self._scene.side_by_side:
            self._scene.side_by_side = on
            self._rebuild()

    @property
    def side_by_side(self) -> bool:
        return self._scene.side_by_side

    def content_height(self) -> int:
        """Height at which nothing has to be scrolled."""
        return self._scene.rows.height

    def _rebuild(self) -> None:
        scene = self._scene
        scene.rows = build(
            scene.files, side_by_side=scene.side_by_side, line=self._font.line, headings=self._headings
        )
        hunks = [hunk for _, hunk in scene.rows.hunks]
        numbers = [max(each.old_start + each.old_count, each.new_start + each.new_count) for each in hunks]
        scene.digits = max(len(str(max(numbers, default=0))), 2)
        lines = (line.text for hunk in hunks for line in hunk.lines)
        self._widest = max((len(text) + 3 * text.count("\t") for text in lines), default=0)
        self._make_boxes()
        self._scroll_range()
        self.viewport().update()

    def _restyle(self) -> None:
        self._font = CodeFont()
        self._rebuild()

    # --- hunks ---

    def hunk_count(self) -> int:
        return len(self._accepted)

    def accepted_count(self) -> int:
        return sum(self._accepted)

    def accepted(self) -> dict[str, tuple[int, ...]]:
        """Per path of which not every hunk is accepted: the accepted numbers."""
        found: dict[str, list[int]] = {}
        partly = set()
        for (file, hunk), taken in zip(self._scene.rows.hunks, self._accepted, strict=True):
            path = self._scene.files[file].path
            found.setdefault(path, [])
            if taken:
                found[path].append(hunk.index)
            else:
                partly.add(path)
        return {path: tuple(numbers) for path, numbers in found.items() if path in partly}

    def set_accepted(self, hunk: int, on: bool) -> None:
        if self._accepted[hunk] == on:
            return
        self._accepted[hunk] = on
        if hunk in self._boxes:
            self._boxes[hunk].setChecked(on)
        self._scene.refused = frozenset(number for number, taken in enumerate(self._accepted) if not taken)
        self.viewport().update()
        self.acceptedChanged.emit()

    def go_to_hunk(self, hunk: int) -> None:
        """Make it the current one and bring it into sight."""
        if not self._scene.rows.hunks:
            return
        self._scene.current = max(0, min(hunk, len(self._scene.rows.hunks) - 1))
        row = self._scene.rows.hunk_rows[self._scene.current]
        self.fileChanged.emit(self._scene.rows.hunks[self._scene.current][0])
        self.verticalScrollBar().setValue(self._scene.rows.tops[row])
        self.viewport().update()

    def go_to_file(self, file: int) -> None:
        row = self._scene.rows.file_rows[file]
        self.verticalScrollBar().setValue(self._scene.rows.tops[row])
        first = next((n for n, (of, _) in enumerate(self._scene.rows.hunks) if of == file), self._scene.current)
        self._scene.current = first
        self.viewport().update()

    @property
    def current_hunk(self) -> int:
        return self._scene.current

    def _make_boxes(self) -> None:
        for box in self._boxes.values():
            box.hide()
            box.deleteLater()
        self._boxes = {}
        if self._scene.checkable:
            for hunk in range(min(len(self._accepted), BOXES)):
                self._box(hunk)
            self._place_boxes()

    def _box(self, hunk: int) -> HunkBox:
        if hunk not in self._boxes:
            box = HunkBox(self.viewport())
            box.setObjectName(f"hunk-{hunk}")
            box.setAccessibleName(f"Accept hunk {hunk + 1}")
            box.setChecked(self._accepted[hunk])
            box.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            box.toggled.connect(lambda on, hunk=hunk: self.set_accepted(hunk, on))
            box.show()
            self._boxes[hunk] = box
        return self._boxes[hunk]

    def _place_boxes(self) -> None:
        top, bottom = self.verticalScrollBar().value(), self.verticalScrollBar().value() + self.viewport().height()
        for hunk, row in enumerate(self._scene.rows.hunk_rows if self._scene.checkable else ()):
            y = self._scene.rows.tops[row]
            if y + HEAD >= top and y <= bottom:
                box = self._box(hunk)
                box.setGeometry(14, y - top + (HEAD - 18) // 2, 18, 18)
            elif hunk in self._boxes:
                self._boxes[hunk].move(14, -100)

    # --- scrolling ---

    def sizeHint(self) -> QSize:
        return QSize(600, self.content_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scroll_range()

    def _scroll_range(self) -> None:
        view = self.viewport()
        vertical, horizontal = self.verticalScrollBar(), self.horizontalScrollBar()
        vertical.setRange(0, max(self._scene.rows.height - view.height(), 0))
        vertical.setPageStep(view.height())
        vertical.setSingleStep(self._font.line)
        room = view.width() // (2 if self._scene.side_by_side else 1) - DiffPainter(self._scene, self._font).gutter
        horizontal.setRange(0, max(int((self._widest + 2) * self._font.char) - room, 0))
        horizontal.setPageStep(max(room, 1))
        horizontal.setSingleStep(int(4 * self._font.char))
        self._place_boxes()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self._place_boxes()
        self.viewport().update()

    # --- paint ---

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme().color("background"))
        if self._waiting:
            painter.setPen(theme().color("dim"))
            painter.setFont(theme().font("meta"))
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, "Comparing…")
            return
        rows, top = self._scene.rows, self.verticalScrollBar().value()
        if not rows.rows:
            return
        paint = DiffPainter(self._scene, self._font)
        for index in range(rows.at(top + event.rect().top()), rows.at(top + event.rect().bottom()) + 1):
            area = QRect(
                0, rows.tops[index] - top, self.viewport().width(), rows.tops[index + 1] - rows.tops[index]
            )
            paint.row(painter, index, area, self.horizontalScrollBar().value())
        self._paint_focus(painter)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        super().focusInEvent(event)

    def _paint_focus(self, painter: QPainter) -> None:
        if self.hasFocus() and self._ring:
            painter.setPen(theme().color("accent"))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    # --- keys and mouse ---

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}.get(Qt.Key(event.key()))
        bar = self.verticalScrollBar()
        if step and not event.modifiers():
            self.go_to_hunk(self._scene.current + step)
        elif event.key() == Qt.Key.Key_Space and self._scene.checkable and self._scene.current >= 0:
            self.set_accepted(self._scene.current, not self._accepted[self._scene.current])
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
        rows = self._scene.rows
        chosen = [rows.rows[index] for index in self._scene.selected]
        if not chosen:
            chosen = [row for row in rows.rows if row.hunk == self._scene.current]
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
        row = self._scene.rows.rows[index] if self._scene.rows.rows else None
        if row is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self._press, self._scene.selected = index, range(0)
        if row.kind == "hunk":
            self._scene.current = row.hunk
            if self._scene.editable and event.position().x() > self.viewport().width() - 50:
                self.editRequested.emit(self._scene.files[row.file].path)
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._press >= 0 and event.buttons() & Qt.MouseButton.LeftButton:
            index = self._row_at(event.position().toPoint())
            self._scene.selected = range(min(index, self._press), max(index, self._press) + 1)
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._press = -1

    def _row_at(self, point: QPoint) -> int:
        return self._scene.rows.at(point.y() + self.verticalScrollBar().value())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._scroll_range()
