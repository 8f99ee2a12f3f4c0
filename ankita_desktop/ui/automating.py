"""What happens by itself, between the window and the automation: looked at when something was stored, and what the
person does with it. Main thread only; everything that touches the store runs on the bridge's worker."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QSettings, QTimer, Signal
from PySide6.QtWidgets import QApplication

from ankita_desktop.assembly import Assembly
from ankita_desktop.errors import AnkitaError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.routine_editing import RoutineEditing
from ankita_desktop.ui.routine_words import Agenda, read
from ankita_desktop.ui.routines import RoutinesPanel

LOOK_MS = 3_000
OLD = 30.0
"""After so many seconds it is read anew also when nothing was stored: "today" becomes "yesterday"."""
NEVER = (-1, float("-inf"))
PAUSED = "paused_by_all"


class Automating(QObject):
    """``changed`` carries the agenda whenever it is another one; ``stored``: another process, or another thread of
    ours, has changed something; ``told`` a line for the notice bar; ``openAsked`` a conversation to show."""

    changed = Signal(object)
    stored = Signal()
    told = Signal(str)
    openAsked = Signal(str)

    def __init__(self, assembly: Assembly, bridge: Bridge, panel: RoutinesPanel, settings: QSettings) -> None:
        super().__init__()
        self._assembly, self._bridge, self._panel = assembly, bridge, panel
        self._automation, self._settings = assembly.automation, settings
        self.agenda = Agenda()
        self.editing = RoutineEditing(assembly, bridge, panel)
        self._reader = Reader(assembly)
        self._looking, self._unshown = False, False
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._look_for_news)
        self._wire()

    def start(self) -> None:
        """Look now, and every few seconds for news: other processes and chats change it too."""
        self._timer.start()
        self.look()

    def close(self) -> None:
        self._timer.stop()
        self.editing.close()

    def look(self) -> None:
        """Read it, whatever was stored since."""
        self._bridge.do(lambda: self._reader.read(anyhow=True), self._show)

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
        self.editing.saved.connect(self.look)
        self.editing.openAsked.connect(self.openAsked)
        panel.openAsked.connect(self.openAsked)
        panel.takeOverAsked.connect(lambda: self._do(automation.take_over))
        panel.runAsked.connect(lambda key: self._do(lambda: automation.routines.want(key)))
        panel.enabled.connect(lambda key, on: self._do(lambda: automation.routines.pause(key, not on)))
        panel.reminderActed.connect(self._answer)
        panel.reminderCancelled.connect(lambda key: self._do(lambda: automation.reminders.cancel(key)))
        panel.watchChecked.connect(self._check)
        panel.watchEnabled.connect(lambda key, on: self._do(lambda: automation.watches.pause(key, not on)))
        panel.watchRemoved.connect(lambda key: self._do(lambda: automation.watches.remove(key)))

    def _look_for_news(self) -> None:
        if not self._looking:
            self._looking = True
            anyhow, self._unshown = self._unshown, False
            self._bridge.do(lambda: self._reader.read(anyhow=anyhow), self._show)

    def _show(self, found: tuple[Agenda | None, bool]) -> None:
        self._looking = False
        agenda, stored = found
        if stored:
            self.stored.emit()
        if QApplication.activePopupWidget() is not None:
            self._unshown = True  # a menu of a card is open: the next look shows it
        elif agenda is not None and agenda != self.agenda:
            self.agenda = agenda
            self._panel.show_agenda(agenda)
            self.changed.emit(agenda)

    def _do(self, work: Callable[[], Any]) -> None:
        """Change something, and show how it stands then."""
        self._bridge.do(work)
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


class Reader:
    """Reads the agenda. On the bridge's worker alone: what the database says of changes is about that thread."""

    def __init__(self, assembly: Assembly) -> None:
        self._automation, self._store = assembly.automation, assembly.store
        self._version, self._read = NEVER

    def read(self, *, anyhow: bool) -> tuple[Agenda | None, bool]:
        """The agenda, and whether anything was stored by others since the last look. None: there is nothing new,
        or it can't be read now; the next look comes soon."""
        try:
            version = self._store.changes()
            stored, self._version = version != self._version, version
            if not (anyhow or stored or time.monotonic() - self._read > OLD):
                return None, False
            agenda, self._read = read(self._automation), time.monotonic()
        except AnkitaError:
            self._version, self._read = NEVER
            return None, False
        return agenda, stored
