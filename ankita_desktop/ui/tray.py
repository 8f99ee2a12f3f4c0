"""The icon in the tray, when the desktop has one: also when it comes later than we do. Main thread only."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, QTimer, Signal
from PySide6.QtGui import QAction, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from ankita_desktop.ui.icons import SCALES, SIZE, pixmap
from ankita_desktop.ui.mic import STATES
from ankita_desktop.ui.theme import theme

LOOK_MS = 5_000
NOTHING_DUE = "Nothing is due"
MARK = "message-square"


def app_icon(mark: str = MARK) -> QIcon:
    """Our mark in the accent colour, for the tray and the window; or another in its place."""
    icon = QIcon()
    for scale in (*SCALES, 4, 8):
        icon.addPixmap(QPixmap(pixmap(mark, theme().token("accent"), SIZE * scale)))
    return icon


def badged(icon: QIcon) -> QIcon:
    """The icon with a mark: something waits for the person."""
    marked = QIcon()
    for size in icon.availableSizes():
        picture = icon.pixmap(size)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = size.width() * 0.24
        centre = QPointF(size.width() - radius, radius)
        painter.setPen(theme().color("background"))
        painter.setBrush(theme().color("attention"))
        painter.drawEllipse(centre, radius - 1, radius - 1)
        painter.end()
        marked.addPixmap(picture)
    return marked


class Tray(QObject):
    """``there`` is true only while an icon really can be seen: the window is never hidden without it.
    ``lost``: it could be seen, and can't any more."""

    showAsked = Signal()
    toggleAsked = Signal()
    newAsked = Signal()
    quitAsked = Signal()
    pauseChosen = Signal(bool)
    pauseAllChosen = Signal(bool)
    nextAsked = Signal()
    lost = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._icon: QSystemTrayIcon | None = None
        self.menu = QMenu()
        self.menu.addAction("Show", self.showAsked.emit)
        self.menu.addAction("New chat", self.newAsked.emit)
        self._pause = QAction("Pause notifications", self.menu)
        self._pause.setCheckable(True)
        self._pause.toggled.connect(self.pauseChosen)
        self._all = QAction("Pause all routines and watches", self.menu)
        self._all.setCheckable(True)
        self._all.triggered.connect(self.pauseAllChosen)
        self.menu.addSeparator()
        self._next = self.menu.addAction(NOTHING_DUE, self.nextAsked.emit)
        self.menu.addAction(self._all)
        self.menu.addAction(self._pause)
        self.menu.addSeparator()
        self._ringing = 0
        self._state = ""
        self.menu.addAction("Quit", self.quitAsked.emit)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        theme().changed.connect(self._tint)

    @property
    def there(self) -> bool:
        return self._icon is not None and QSystemTrayIcon.isSystemTrayAvailable()

    def start(self) -> None:
        """Show the icon now, or as soon as a tray appears."""
        self._timer.start()
        self.look()

    def look(self) -> None:
        """Is there a tray? Panels start late, crash and come back, perhaps as another kind: with a new icon."""
        available = QSystemTrayIcon.isSystemTrayAvailable()
        if self._icon is None and available:
            self._show_icon()
        elif self._icon is not None and not available:
            self._drop_icon()
            self.lost.emit()

    def _show_icon(self) -> None:
        self._icon = QSystemTrayIcon(app_icon(), self)
        self._icon.setContextMenu(self.menu)
        self._icon.activated.connect(self._clicked)
        self._tint()
        self._icon.show()

    def _drop_icon(self) -> None:
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    def show_due(self, coming: str, ringing: int, paused: bool) -> None:
        """What comes next, how many reminders wait for an answer, and whether all is paused."""
        self._next.setText(f"{ringing} due now" if ringing else f"Next: {coming}" if coming else NOTHING_DUE)
        self._all.setChecked(paused)
        self._ringing = ringing
        self._tint()

    def show_state(self, state: str) -> None:
        """What the voice does now, one of ``STATES``; "" when nothing."""
        self._state = state
        self._tint()

    def say(self, title: str, text: str) -> bool:
        """A message by the tray itself: for desktops without a notification service."""
        if not self.there or self._icon is None:
            return False
        self._icon.showMessage(title, text, app_icon())
        return True

    def close(self) -> None:
        self._timer.stop()
        self._drop_icon()

    def _clicked(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason == QSystemTrayIcon.ActivationReason.Trigger:
            self.toggleAsked.emit()

    def _tint(self) -> None:
        if self._icon is None:
            return
        doing, _token, mark = STATES.get(self._state, ("", "", MARK))
        self._icon.setIcon(badged(app_icon(mark)) if self._ringing else app_icon(mark))
        due = f"{self._ringing} due now" if self._ringing else ""
        self._icon.setToolTip(" · ".join(filter(None, ("Ankita", doing, due))))
