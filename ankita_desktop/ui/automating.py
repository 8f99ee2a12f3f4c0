"""What happens by itself, between the window and the automation: looked at now and then, and what the person
does with it. Main thread only; everything that touches the store runs on the bridge's worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QSettings, QTimer, Signal
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QWidget

from ankita_desktop.assembly import Assembly
from ankita_desktop.automation.automation import Automation
from ankita_desktop.errors import AnkitaError
from ankita_desktop.toolkit.automation import Routine
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.routine_dialogs import HistoryDialog, RoutineDialog
from ankita_desktop.ui.routine_words import Agenda, Template, read
from ankita_desktop.ui.routines import RoutinesPanel

LOOK_MS = 3_000
PAUSED = "paused_by_all"


class Automating(QObject):
    """``changed`` carries the agenda whenever it is another one; ``told`` a line for the notice bar; ``openAsked``
    a conversation to show."""

    changed = Signal(object)
    told = Signal(str)
    openAsked = Signal(str)

    def __init__(self, assembly: Assembly, bridge: Bridge, panel: RoutinesPanel, settings: QSettings) -> None:
        super().__init__()
        self._assembly, self._bridge, self._panel = assembly, bridge, panel
        self._automation, self._settings = assembly.automation, settings
        self.agenda = Agenda()
        self.dialog: QDialog | None = None
        self._looking = False
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._wire()

    def start(self) -> None:
        """Look now, and every few seconds: other processes and chats change it too."""
        self._timer.start()
        self.look()

    def close(self) -> None:
        self._timer.stop()
        if self.dialog is not None:
            self.dialog.close()

    def look(self) -> None:
        if not self._looking:
            self._looking = True
            self._bridge.do(lambda: _read(self._automation), self._show)

    def pause_all(self, paused: bool) -> None:
        """Pause every routine and watch, or go on with those that were paused by this."""
        before = set(str(self._settings.value(PAUSED, "")).split())

        def work() -> str:
            kinds = (self._automation.routines, self._automation.watches)
            rows = [(kind, each) for kind in kinds for each in kind.list() if each.paused != paused]
            chosen = [(kind, each.id) for kind, each in rows if paused or not before or each.id in before]
            for kind, key in chosen:
                kind.pause(key, paused)
            return " ".join(key for _, key in chosen) if paused else ""

        self._bridge.do(work, self._paused)

    # --- inside

    def _wire(self) -> None:
        panel, automation = self._panel, self._automation
        panel.newAsked.connect(self._new)
        panel.editAsked.connect(self._edit)
        panel.historyAsked.connect(self._history)
        panel.removeAsked.connect(self._remove)
        panel.openAsked.connect(self.openAsked)
        panel.takeOverAsked.connect(lambda: self._do(automation.take_over))
        panel.runAsked.connect(lambda key: self._do(lambda: automation.routines.want(key)))
        panel.enabled.connect(lambda key, on: self._do(lambda: automation.routines.pause(key, not on)))
        panel.reminderActed.connect(self._answer)
        panel.reminderCancelled.connect(lambda key: self._do(lambda: automation.reminders.cancel(key)))
        panel.watchChecked.connect(self._check)
        panel.watchEnabled.connect(lambda key, on: self._do(lambda: automation.watches.pause(key, not on)))
        panel.watchRemoved.connect(lambda key: self._do(lambda: automation.watches.remove(key)))

    def _show(self, agenda: Agenda | None) -> None:
        self._looking = False
        if QApplication.activePopupWidget() is not None:
            return  # a menu of a card is open: the next look shows it
        if agenda is not None and agenda != self.agenda:
            self.agenda = agenda
            self._panel.show_agenda(agenda)
            self.changed.emit(agenda)

    def _do(self, work: Callable[[], Any]) -> None:
        """Change something, and show how it stands then."""
        self._bridge.do(work)
        self._looking = False
        self.look()

    def _answer(self, key: str, action: str) -> None:
        self._do(lambda: self._automation.reminders.act(key, action))

    def _check(self, key: str) -> None:
        """Looking at a page takes a while: not in the way of other work."""
        self._bridge.do(lambda: self._automation.watches.check(key, Cancel()), self._checked)

    def _checked(self, words: str) -> None:
        self.told.emit(words)
        self.look()

    def _paused(self, kept: str) -> None:
        self._settings.setValue(PAUSED, kept)
        self.look()

    # --- dialogs

    def _new(self, template: Template) -> None:
        self._editor().begin(template)

    def _edit(self, key: str) -> None:
        self._bridge.do(lambda: self._automation.routines.find(key), lambda found: self._editor().change(found))

    def _editor(self) -> RoutineDialog:
        folder = self._assembly.folder()
        made = RoutineDialog(self._automation, self._bridge, self._window(), folder=folder)
        made.saved.connect(self.look)
        self._open(made)
        return made

    def _history(self, key: str) -> None:
        routines = self._automation.routines

        def work() -> tuple[str, list[tuple[str, str, str]]]:
            found = routines.find(key)
            runs = routines.history(key)
            return found.name, [(run.status, routines.told(run), run.session) for run in runs]

        self._bridge.do(work, self._show_history)

    def _show_history(self, found: tuple[str, list[tuple[str, str, str]]]) -> None:
        made = HistoryDialog(*found, self._window())
        made.openAsked.connect(self.openAsked)
        self._open(made)

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
        yes.clicked.connect(lambda _checked=False: self._do(lambda: self._automation.routines.remove(routine.id)))
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


def _read(automation: Automation) -> Agenda | None:
    """None while it can't be read: the next look comes soon."""
    try:
        return read(automation)
    except AnkitaError:
        return None
