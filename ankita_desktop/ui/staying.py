"""Where the window goes when it is closed: into the tray, made small, or to the end. Main thread only."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from ankita_desktop.ui.notify import Note
from ankita_desktop.ui.tray import Tray
from ankita_desktop.ui.window import MainWindow

IN_TRAY = ("Ankita is still here, in the tray", "Reminders and routines go on. Quit is in the menu of the icon.")
MADE_SMALL = (
    "There is no tray here, so the window was only made small: what runs and what is due goes on. "
    "Close it again, or press Ctrl+Q, to quit."
)
TRAY_GONE = "The tray has gone, so the window is back."


class Staying(QObject):
    """Decides what closing means, and brings the window back. ``wanted``: the person wants it to stay in the tray;
    ``quitAsked``: it is the end; ``told`` a notification for somebody who no longer sees the window."""

    quitAsked = Signal()
    told = Signal(object)

    def __init__(self, window: MainWindow, tray: Tray, wanted: Callable[[], bool]) -> None:
        super().__init__()
        self._window, self._tray, self._wanted = window, tray, wanted
        window.closeAsked.connect(self._closing)
        tray.showAsked.connect(window.raise_up)
        tray.toggleAsked.connect(self.toggle)
        tray.newAsked.connect(self._new)
        tray.nextAsked.connect(self._show_next)
        tray.lost.connect(self._come_back)

    @property
    def needed(self) -> bool:
        """Whether something runs, or is to run by itself, that the end would end."""
        return self._window.automating.agenda.goes_on or self._window.shelf.busy

    def toggle(self) -> None:
        """Into the tray, or to the front."""
        if self._window.isVisible() and self._window.isActiveWindow() and self._tray.there:
            self._window.hide()
        else:
            self._window.raise_up()

    def _closing(self) -> None:
        """Into the tray if there really is one and they want that; made small when there is none and something
        goes on; else the end, as it is while the window says that it was only made small."""
        if self._wanted() and self._tray.there:
            self._window.hide()
            self._tell_once("told_of_tray", Note(*IN_TRAY))
        elif self._wanted() and self.needed and not self._says_small():
            self._window.showMinimized()
            self._window.centre.notice.tell(MADE_SMALL, "Quit", self.quitAsked.emit)
            self._tell_once("told_of_no_tray", Note("Ankita is still here, made small", MADE_SMALL))
        else:
            self.quitAsked.emit()

    def _says_small(self) -> bool:
        return self._window.isMinimized() or self._window.centre.notice.text() == MADE_SMALL

    def _tell_once(self, what: str, note: Note) -> None:
        if self._window.remembered.first_time(what):
            self.told.emit(note)

    def _come_back(self) -> None:
        """The tray went while the window was hidden in it: nobody could ever find it again."""
        if not self._window.isVisible():
            self._window.show()
            self._window.centre.notice.tell(TRAY_GONE)

    def _show_next(self) -> None:
        self._window.raise_up()
        self._window.show_view(self._window.panel.routines)

    def _new(self) -> None:
        self._window.raise_up()
        self._window.new()
