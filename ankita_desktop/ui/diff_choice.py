"""Which hunks the person takes: the check boxes over a diff, and what they add up to."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal

from ankita_desktop.ui.diff_box import HunkBox
from ankita_desktop.ui.diff_canvas import DiffCanvas
from ankita_desktop.ui.diff_rows import HEAD

BOXES = 64  # check boxes made at once; those of further hunks when they come into sight
SIDE = 18
LEFT = 14


class Choice(QObject):
    """The accepted hunks of a canvas, counted over all its files; all of them to begin with."""

    changed = Signal()

    def __init__(self, canvas: DiffCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._taken: list[bool] = []
        self._boxes: dict[int, HunkBox] = {}
        canvas.rebuilt.connect(self._make_boxes)
        canvas.moved.connect(self._place_boxes)

    def reset(self, count: int) -> None:
        """Other files, with so many hunks."""
        self._taken = [True] * count
        self._canvas.scene.refused = frozenset()

    @property
    def total(self) -> int:
        return len(self._taken)

    @property
    def taken(self) -> int:
        return sum(self._taken)

    def has(self, hunk: int) -> bool:
        return self._taken[hunk]

    def per_file(self) -> dict[str, tuple[int, ...]]:
        """Per path of which not every hunk is accepted: the accepted numbers."""
        found: dict[str, list[int]] = {}
        partly = set()
        for (file, hunk), taken in zip(self._canvas.scene.rows.hunks, self._taken, strict=True):
            path = self._canvas.scene.files[file].path
            found.setdefault(path, [])
            if taken:
                found[path].append(hunk.index)
            else:
                partly.add(path)
        return {path: tuple(numbers) for path, numbers in found.items() if path in partly}

    def take(self, hunk: int, on: bool) -> None:
        """Accept or refuse one hunk."""
        if self._taken[hunk] == on:
            return
        self._taken[hunk] = on
        if hunk in self._boxes:
            self._boxes[hunk].setChecked(on)
        self._canvas.scene.refused = frozenset(number for number, taken in enumerate(self._taken) if not taken)
        self._canvas.viewport().update()
        self.changed.emit()

    def _make_boxes(self) -> None:
        for box in self._boxes.values():
            box.hide()
            box.setObjectName("")
            box.deleteLater()
        self._boxes = {}
        if self._canvas.scene.checkable:
            for hunk in range(min(self.total, BOXES)):
                self._box(hunk)

    def _box(self, hunk: int) -> HunkBox:
        if hunk not in self._boxes:
            box = HunkBox(self._canvas.viewport())
            box.setObjectName(f"hunk-{hunk}")
            box.setAccessibleName(f"Accept hunk {hunk + 1}")
            box.setChecked(self._taken[hunk])
            box.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            box.toggled.connect(lambda on, hunk=hunk: self.take(hunk, on))
            box.show()
            self._boxes[hunk] = box
        return self._boxes[hunk]

    def _place_boxes(self) -> None:
        """Put the boxes where their hunks are; those out of sight wait outside."""
        rows, top = self._canvas.scene.rows, self._canvas.verticalScrollBar().value()
        for hunk, row in enumerate(rows.hunk_rows if self._canvas.scene.checkable else ()):
            y = rows.tops[row] - top
            if -HEAD <= y <= self._canvas.viewport().height():
                self._box(hunk).setGeometry(LEFT, y + (HEAD - SIDE) // 2, SIDE, SIDE)
            elif hunk in self._boxes:
                self._boxes[hunk].move(LEFT, -100)
