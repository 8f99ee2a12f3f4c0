"""The bar over the conversation: title, folder and branch, model, meter. Main thread only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout

from ankita_desktop.ui.icons import IconButton
from ankita_desktop.ui.parts import Choice, ElidedLabel, button, margins, name
from ankita_desktop.ui.session_rows import short_path

HEIGHT = 44
FOLDER_FROM, METER_FROM = 560, 420


def branch(folder: str) -> str:
    """The git branch a folder is on, "" outside a repository. Reads files: not for the main thread."""
    for place in (Path(folder), *Path(folder).parents):
        head = place / ".git" / "HEAD"
        if head.is_file():
            try:
                text = head.read_text(encoding="utf-8").strip()
            except (OSError, ValueError):
                return ""
            return text.removeprefix("ref: refs/heads/") if text.startswith("ref:") else text[:8]
    return ""


class TopBar(QFrame):
    """Says what the person asked for; changes nothing itself."""

    folderAsked = Signal()
    modelChosen = Signal(str)
    usageAsked = Signal()
    panelAsked = Signal()
    paneAsked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "background")
        self.setFixedHeight(HEIGHT)
        self.title = ElidedLabel("body", weight=600)
        self.folder = button("", "quiet", kind="meta")
        self.model = Choice()
        self.meter = button("", "quiet", kind="meta")
        self._folder = self._branch = ""
        self._build()

    def show_title(self, text: str) -> None:
        self.title.setText(text)
        self.title.updateGeometry()
        self.title.update()

    def show_folder(self, folder: str, on_branch: str = "") -> None:
        words = short_path(folder)
        words = words if len(words) <= 40 else "…" + words[-39:]
        self.folder.setText(f"{words} · {on_branch}" if on_branch else words)
        self.folder.setToolTip(f"Working folder: {folder}\nClick to choose another")
        self.folder.setAccessibleName(f"Working folder {folder}")

    def show_models(self, entries: Sequence[tuple[str, str]], chosen: str) -> None:
        words = dict(entries).get(chosen, chosen) or "offline"
        self.model.setText(words)
        self.model.setAccessibleName(f"Model: {words}")
        self.model.offer(entries, chosen, self.modelChosen.emit)

    def show_meter(self, text: str) -> None:
        self.meter.setText(text)
        self.meter.setVisible(bool(text) and self.width() >= METER_FROM)
        self.meter.setAccessibleName(f"Usage: {text}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.folder.setVisible(self.width() >= FOLDER_FROM)
        self.meter.setVisible(bool(self.meter.text()) and self.width() >= METER_FROM)

    def _build(self) -> None:
        name(self.folder, "folderButton", "Working folder")
        name(self.model, "modelMenu", "Model")
        name(self.meter, "usageMeter", "Usage")
        self.meter.setToolTip("Tokens in · from the cache · cost")
        self.panel = IconButton("panel-right", "Show or hide the side panel")
        name(self.panel, "panelButton", "Show or hide the side panel")
        self.pane = IconButton("panel-left", "Show or hide the conversations")
        name(self.pane, "paneButton", "Show or hide the conversations")
        self.folder.clicked.connect(self.folderAsked)
        self.meter.clicked.connect(self.usageAsked)
        self.panel.clicked.connect(self.panelAsked)
        self.pane.clicked.connect(self.paneAsked)
        row = QHBoxLayout(self)
        margins(row, 0, 12, 0, 12, gap=4)
        row.addWidget(self.pane)
        row.addSpacing(4)
        row.addWidget(self.title)
        row.addWidget(self.folder)
        row.addStretch(1)
        for part in (self.model, self.meter, self.panel):
            row.addWidget(part)
        row.setAlignment(Qt.AlignmentFlag.AlignVCenter)
