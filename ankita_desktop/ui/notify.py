"""Notifications of the desktop in the window: by its service, else by the tray.

Qt's binding can't send the unsigned number that the service wants, so ``automation.notify`` speaks to it.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal

from ankita_desktop.automation import notify
from ankita_desktop.automation.notify import ALLOW, LONGEST, OPEN, Note, offers, short

__all__ = ["ALLOW", "LONGEST", "OPEN", "Note", "Notifier", "offers", "short"]

Fallback = Callable[[str, str], bool]


class Notifier(QObject):
    """``clicked`` carries what the note was about and the key of the action the person took."""

    clicked = Signal(str, str)
    _unsaid = Signal(str, str)

    def __init__(self, fallback: Fallback) -> None:
        super().__init__()
        self._fallback = fallback
        self._notifier = notify.Notifier(
            self.clicked.emit, lambda note: self._unsaid.emit(note.title, short(note.text))
        )
        self._unsaid.connect(self._by_tray, Qt.ConnectionType.QueuedConnection)

    def pause(self, paused: bool) -> None:
        """Send none until told otherwise."""
        self._notifier.pause(paused)

    def withdraw(self, about: str) -> None:
        """Take away what is shown about this: it was answered elsewhere."""
        self._notifier.withdraw(about)

    def say(self, note: Note) -> None:
        """Tell the person something while they look elsewhere. Returns at once."""
        self._notifier.say(note)

    def _by_tray(self, title: str, text: str) -> None:
        self._fallback(title, text)
