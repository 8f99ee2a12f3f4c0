"""What the window remembers of itself from one start to the next. Main thread only."""

from __future__ import annotations

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QMainWindow

from ankita_desktop import paths
from ankita_desktop.ui.columns import Columns


class Remembered:
    """Size, place and columns, and what the person was told once. ``settings`` holds it."""

    def __init__(self) -> None:
        self.settings = QSettings(str(paths.state() / "window.ini"), QSettings.Format.IniFormat)

    def first_time(self, what: str) -> bool:
        """True once for each ``what`` of this person."""
        known = bool(self.settings.value(what, False, bool))
        self.settings.setValue(what, True)
        return not known

    def load(self, window: QMainWindow, columns: Columns) -> None:
        geometry = self.settings.value("geometry")
        if geometry is not None:
            window.restoreGeometry(geometry)
        columns.load(self.settings)

    def save(self, window: QMainWindow, columns: Columns) -> None:
        self.settings.setValue("geometry", window.saveGeometry())
        columns.save(self.settings)
