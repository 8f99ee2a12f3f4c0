"""The dialogs about one routine: made, changed, its runs, and whether it shall go. Main thread only."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QMessageBox, QWidget

from ankita_desktop.assembly import Assembly
from ankita_desktop.toolkit.automation import Routine
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.routine_dialogs import HistoryDialog, RoutineDialog
from ankita_desktop.ui.routine_words import Template
from ankita_desktop.ui.routines import RoutinesPanel


class RoutineEditing(QObject):
    """One ``dialog`` at a time. ``saved``: a routine was made, changed or removed; ``openAsked`` carries a
    conversation to show."""

    saved = Signal()
    openAsked = Signal(str)

    def __init__(self, assembly: Assembly, bridge: Bridge, panel: RoutinesPanel) -> None:
        super().__init__()
        self._assembly, self._bridge, self._panel = assembly, bridge, panel
        self._automation = assembly.automation
        self.dialog: QDialog | None = None
        panel.newAsked.connect(self._new)
        panel.editAsked.connect(self._edit)
        panel.historyAsked.connect(self._history)
        panel.removeAsked.connect(self._remove)

    def close(self) -> None:
        if self.dialog is not None:
            self.dialog.close()

    # --- inside

    def _new(self, template: Template) -> None:
        self._editor().begin(template)

    def _edit(self, key: str) -> None:
        self._bridge.do(lambda: self._automation.routines.find(key), lambda found: self._editor().change(found))

    def _editor(self) -> RoutineDialog:
        folder = self._assembly.folder()
        made = RoutineDialog(self._automation, self._bridge, self._window(), folder=folder)
        made.saved.connect(self.saved)
        self._open(made)
        return made

    def _history(self, key: str) -> None:
        routines = self._automation.routines

        def work() -> tuple[str, list[tuple[str, str, str]]]:
            found = routines.find(key)
            runs = routines.history(key)
            return found.name, [(run.status, routines.told(run), run.id if run.session else "") for run in runs]

        self._bridge.do(work, self._show_history)

    def _show_history(self, found: tuple[str, list[tuple[str, str, str]]]) -> None:
        made = HistoryDialog(*found, self._window())
        made.openAsked.connect(self._bring_up)
        self._open(made)

    def _bring_up(self, run: str) -> None:
        self._bridge.do(lambda: self._automation.routines.bring_up(run), self.openAsked.emit)

    def _remove(self, key: str) -> None:
        routines = self._automation.routines
        self._bridge.do(lambda: (routines.find(key), routines.running(key) is not None), self._ask_remove)

    def _ask_remove(self, found: tuple[Routine, bool]) -> None:
        routine, running = found
        ask = QMessageBox(
            QMessageBox.Icon.NoIcon, "Remove routine", f"Remove “{routine.name}”?", parent=self._window()
        )
        now = "It runs now; what it does goes on to its end. " if running else ""
        ask.setInformativeText(f"{now}Its conversation stays.")
        yes = ask.addButton("Remove", QMessageBox.ButtonRole.DestructiveRole)
        ask.setDefaultButton(ask.addButton("Keep", QMessageBox.ButtonRole.RejectRole))
        remove = partial(self._automation.routines.remove, routine.id)
        yes.clicked.connect(lambda: self._bridge.do(remove, lambda _routine: self.saved.emit()))
        self._open(ask)

    def _open(self, dialog: QDialog) -> None:
        if self.dialog is not None:
            self.dialog.close()
        self.dialog = dialog
        dialog.finished.connect(lambda _result: self._closed(dialog))
        dialog.open()

    def _closed(self, dialog: QDialog) -> None:
        if self.dialog is dialog:
            self.dialog = None
        dialog.deleteLater()

    def _window(self) -> QWidget:
        return self._panel.window()
