"""Where the person writes: text, attachments, mode, Send and Stop. Main thread only."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from ankita_desktop.protocol import Attachment, Mode
from ankita_desktop.toolkit.attachments import attachment
from ankita_desktop.ui.editor import Editor
from ankita_desktop.ui.icons import IconButton
from ankita_desktop.ui.mic import MicButton
from ankita_desktop.ui.parts import Choice, ElidedLabel, button, discard, label, margins, name, restyle

MODES: dict[Mode, tuple[str, str]] = {
    "ask": ("ask before edits", "Ask before anything is changed or run"),
    "edits": ("edit in this folder", "Edit files in this folder without asking"),
    "reads": ("read anywhere", "Read anywhere without asking, ask for the rest"),
    "never": ("deny what asks", "Deny whatever would need an answer"),
    "all": ("allow everything", "Allow everything but what is dangerous"),
}
HINT_FROM = 520


class Chip(QFrame):
    """One attached file, with a way to take it off again."""

    removed = Signal(str)

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.setProperty("look", "chip")
        words = ElidedLabel("meta")
        words.setText(Path(path).name)
        words.setMaximumWidth(220)
        remove = IconButton("x", f"Remove {Path(path).name}")
        remove.clicked.connect(lambda: self.removed.emit(path))
        row = QHBoxLayout(self)
        margins(row, 2, 2, 2, 8, gap=4)
        row.addWidget(words)
        row.addWidget(remove)


class Composer(QFrame):
    """``submitted`` says that the person wants to send; the window takes the text with ``take()``."""

    submitted = Signal()
    stopAsked = Signal()
    modeChosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "composer")
        self.editor = Editor()
        self.send = button("Send", "primary", weight=500)
        self.stop = button("Stop", "danger", weight=500)
        self.mode = Choice()
        self.mic = MicButton()
        self.hint = label("", "meta", tone="dim")
        self._files: list[str] = []
        self._chips = QWidget()
        self._build()
        self._connect()
        self.show_mode("ask")
        self.show_running(False)
        self._look()

    # --- what the window tells it

    def show_mode(self, mode: Mode) -> None:
        self.mode.setText(MODES[mode][0])
        self.mode.setAccessibleName(f"Approval mode: {MODES[mode][0]}")
        self.mode.offer([(key, words) for key, (_, words) in MODES.items()], mode, self.modeChosen.emit)

    def show_running(self, running: bool) -> None:
        self.stop.setVisible(running)
        self.send.setToolTip("Sent before the next step" if running else "Send (Enter)")

    def attach(self, paths: Iterable[str]) -> None:
        """Add files, each once."""
        self._files += [path for path in dict.fromkeys(paths) if path not in self._files]
        self._show_files()

    def text(self) -> str:
        return self.editor.toPlainText()

    def write(self, text: str) -> None:
        """Put a text in the field, cursor at its end, ready to type."""
        self.editor.setPlainText(text)
        cursor = self.editor.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        self.editor.setTextCursor(cursor)

    def files(self) -> list[str]:
        return list(self._files)

    def put(self, text: str, files: Iterable[str]) -> None:
        """Another draft instead of what is there."""
        self.write(text)
        self._files = list(files)
        self._show_files()

    def take(self) -> tuple[str, tuple[Attachment, ...]]:
        """The text and attachments to send; the field is empty afterwards."""
        text, files = self.text().strip(), self._files
        self.put("", ())
        return text, tuple(attachment(path) for path in files)

    # --- building

    def _build(self) -> None:
        name(self.send, "sendButton", "Send")
        name(self.stop, "stopButton", "Stop")
        name(self.mode, "modeMenu", "Approval mode")
        self.stop.setToolTip("Stop (Esc)")
        attach = IconButton("plus", "Attach files")
        name(attach, "attachButton", "Attach files")
        attach.clicked.connect(self._choose)
        self._row = QHBoxLayout(self._chips)
        margins(self._row, 0, 0, 8, 0, gap=6)
        below = QHBoxLayout()
        margins(below, 0, 0, 0, -6, gap=4)
        for part in (attach, self.mode, self.hint):
            below.addWidget(part)
        below.addStretch(1)
        below.addWidget(self.mic)
        below.addSpacing(4)
        below.addWidget(self.stop)
        below.addSpacing(4)
        below.addWidget(self.send)
        column = QVBoxLayout(self)
        margins(column, 12, 12, 10, 12, gap=6)
        column.addWidget(self._chips)
        column.addWidget(self.editor)
        column.addLayout(below)
        self.setFocusProxy(self.editor)

    def _connect(self) -> None:
        self.editor.sent.connect(self._submit)
        self.editor.textChanged.connect(self._look)
        self.editor.filesGiven.connect(self.attach)
        self.editor.focusMoved.connect(self._focus)
        self.send.clicked.connect(self._submit)
        self.stop.clicked.connect(self.stopAsked)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.hint.setVisible(self.width() >= HINT_FROM)

    # --- inside

    def _submit(self) -> None:
        if self.text().strip() or self._files:
            self.submitted.emit()

    def _look(self) -> None:
        self.send.setEnabled(bool(self.text().strip() or self._files))

    def _focus(self, inside: bool) -> None:
        self.setProperty("focused", inside)
        restyle(self)

    def _choose(self) -> None:
        dialog = QFileDialog(self.window(), "Attach files")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self.attach)
        dialog.open()

    def _show_files(self) -> None:
        row = self._row
        while (item := row.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                discard(old)
        for path in self._files:
            chip = Chip(path)
            chip.removed.connect(self._remove)
            row.addWidget(chip)
        row.addStretch(1)
        self._chips.setVisible(bool(self._files))
        self._look()

    def _remove(self, path: str) -> None:
        self._files.remove(path)
        self._show_files()
