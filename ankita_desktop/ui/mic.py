"""The microphone button with its ring, the key that is held, and the strip with the words so far. Main thread
only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QMenu, QWidget

from ankita_desktop.ui.icons import IconButton
from ankita_desktop.ui.parts import ElidedLabel, button, label, margins, name, restyle
from ankita_desktop.ui.theme import theme
from ankita_desktop.voice.devices import Device

SIDE = 30
LEAST, MOST = 10.0, 14.0
"""Radius of the ring in silence and at full level, in pixels."""
LOUD = 0.15
"""The level of a voice close by: it fills the ring."""
DOT = 8
STATES = {
    "recording": ("Listening", "accent", "mic"),
    "listening": ("Listening", "accent", "mic"),
    "asleep": ("Waiting for its name", "dim", "mic"),
    "recognising": ("Understanding", "accent", "ellipsis"),
    "heard": ("Heard", "accent", "ellipsis"),
    "thinking": ("Thinking", "accent", "ellipsis"),
    "speaking": ("Speaking", "accent", "volume-2"),
    "setup": ("Setting up", "accent", "ellipsis"),
}
"""What the voice can do, by name: in words, the token of its mark, the icon it has in the tray."""
MODIFIERS = (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta)


class MicButton(IconButton):
    """``pressed`` and ``released`` of Qt are the talk. Its menu has what one can do besides."""

    handsFreeAsked = Signal()
    everywhereAsked = Signal(bool)
    checkAsked = Signal()
    devicesAsked = Signal()
    deviceChosen = Signal(str)
    nearing = Signal()

    def __init__(self) -> None:
        super().__init__("mic", "Hold to talk")
        name(self, "micButton", "Hold to talk")
        self.setFixedSize(SIDE, SIDE)
        self._level = -1.0
        self._menu = QMenu(self)
        self._talk = self._menu.addAction("Talk hands-free", self.handsFreeAsked.emit)
        self._talk.setCheckable(True)
        self._everywhere = self._menu.addAction("The key works in other programs, too")
        self._everywhere.setCheckable(True)
        self._everywhere.triggered.connect(self.everywhereAsked)
        self._menu.addSeparator()
        self._devices = self._menu.addMenu("Microphone")
        self._menu.addAction("Check microphone and voice", self.checkAsked.emit)
        self._menu.aboutToShow.connect(self.devicesAsked)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda place: self._menu.popup(self.mapToGlobal(place)))

    def show_level(self, level: float) -> None:
        """How loud it is, 0…1; below 0: nothing is recorded."""
        listening = level >= 0
        if listening != (self._level >= 0):
            self.show_icon("mic", token="accent" if listening else "dim")
        self._level = level
        self.update()

    @property
    def level(self) -> float:
        return self._level

    def show_hands_free(self, on: bool) -> None:
        self._talk.setChecked(on)
        self.show_icon("mic", token="accent" if on or self._level >= 0 else "dim")

    def show_key(self, keys: str, *, everywhere: bool) -> None:
        """The key that does the same, and whether it is watched in other programs."""
        self.setToolTip(f"Hold to talk ({keys}{', everywhere' if everywhere else ''})")
        self._everywhere.setChecked(everywhere)

    def show_devices(self, devices: Sequence[Device], chosen: str) -> None:
        """The microphones there are; one that is chosen and gone isn't among them."""
        self._devices.clear()
        for device in devices:
            words = device.name[:1].upper() + device.name[1:]
            act = self._devices.addAction(words, partial(self.deviceChosen.emit, device.id))
            act.setCheckable(True)
            act.setChecked(device.id == chosen)
        if not devices:
            self._devices.addAction("There is none").setEnabled(False)

    def enterEvent(self, event: object) -> None:
        super().enterEvent(event)  # type: ignore[arg-type]
        self.nearing.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._level < 0:
            return
        share = min(1.0, (self._level / LOUD) ** 0.5)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().color("accent"), 1.5 + share))
        radius = LEAST + (MOST - LEAST - 1) * share
        painter.drawEllipse(QPointF(self.width() / 2, self.height() / 2), radius, radius)


class HeldKey(QObject):
    """Tells when the key that began the talk, or a modifier, is let go, wherever the focus went. Looks at events
    only while it is held."""

    def __init__(self, released: Callable[[], None]) -> None:
        super().__init__()
        self._released = released
        self.key = Qt.Key.Key_M
        self.held = False

    def hold(self) -> None:
        if not self.held:
            self.held = True
            QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    def let_go(self) -> None:
        if self.held:
            self.held = False
            QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
            self._released()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ApplicationDeactivate or self._is_up(event):
            self.let_go()
        return super().eventFilter(watched, event)

    def _is_up(self, event: QEvent) -> bool:
        """One of the keys of the talk, really let go."""
        if event.type() != QEvent.Type.KeyRelease or not isinstance(event, QKeyEvent):
            return False
        return not event.isAutoRepeat() and event.key() in (self.key, *MODIFIERS)


class Dot(QWidget):
    """A round mark in a token's colour."""

    def __init__(self) -> None:
        super().__init__()
        self._token = "dim"
        self.setFixedSize(DOT + 2, DOT + 2)

    def show_token(self, token: str) -> None:
        self._token = token
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(DOT + 2, DOT + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color(self._token))
        painter.drawEllipse(1, 1, DOT, DOT)


class VoiceStrip(QFrame):
    """What the voice does now, with the words so far. ``left``: the person wants out of it; ``shown`` carries each
    new state, "" when there is none."""

    left = Signal()
    shown = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "notice")
        name(self, "voiceStrip", "Voice")
        self.state = ""
        self._dot = Dot()
        self._what = label("", "meta", weight=500)
        self._words = ElidedLabel("meta", tone="dim")
        self._words.mode = Qt.TextElideMode.ElideLeft
        self._esc = button("Esc", "link", kind="meta")
        name(self._esc, "voiceEsc", "Cancel")
        self._esc.clicked.connect(self.left)
        row = QHBoxLayout(self)
        margins(row, 4, 6, 4, 12, gap=8)
        row.addWidget(self._dot)
        row.addWidget(self._what)
        row.addWidget(self._words, 1)
        row.addWidget(self._esc)
        self.hide()

    def show_state(self, state: str, words: str = "") -> None:
        """``state`` is a key of ``STATES``, or "" for nothing: then the strip goes."""
        if state != self.state:
            self.state = state
            self.shown.emit(state)
        if not state:
            self.hide()
            return
        what, token, _icon = STATES[state]
        self._what.setText(what)
        self._dot.show_token(token)
        self.show_words(words)
        self.show()

    def show_words(self, words: str) -> None:
        text = " ".join(words.split())
        self._words.setText(text)
        self._words.update()
        self.setAccessibleName(f"{self._what.text()}. {text}".strip())
        restyle(self._words)

    @property
    def words(self) -> str:
        """The words so far."""
        return self._words.text()

    def text(self) -> str:
        return f"{self._what.text()} {self._words.text()}".strip() if not self.isHidden() else ""
