"""The key to talk: in the window always, in other programs when the person wants that. Main thread only."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence

from ankita_desktop.errors import VoiceError
from ankita_desktop.store.settings import Settings
from ankita_desktop.toolkit.keys import read_keys
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.composer import Composer
from ankita_desktop.ui.mic import HeldKey
from ankita_desktop.voice.hotkey import Hand, Hotkey

EVERYWHERE = "voice.talk_everywhere"


class TalkKey(QObject):
    """``down`` and ``up`` are the key in any program; ``told`` is what came of asking for it."""

    down = Signal()
    up = Signal()
    told = Signal(str)
    _taken = Signal(str)
    _press = Signal(bool)
    _problem = Signal(object)

    def __init__(self, settings: Settings, bridge: Bridge, composer: Composer, held: HeldKey) -> None:
        super().__init__()
        self._settings, self._bridge, self._composer, self._held = settings, bridge, composer, held
        self._mic = composer.mic
        self._action: QAction | None = None
        self._hotkey: Hotkey | None = None
        self._watched = ""
        self._asked = False
        self._mic.everywhereAsked.connect(self._ask)
        self._taken.connect(self._took)
        self._press.connect(lambda is_down: (self.down if is_down else self.up).emit())
        self._problem.connect(self._refused)

    def bind(self, action: QAction | None) -> None:
        """The window's own action for the key, which follows the setting from now on."""
        self._action = action
        self.apply()

    def apply(self) -> None:
        """As the settings have it now."""
        values = self._settings.values.voice
        keys = read_keys(values.talk_key)
        sequence = QKeySequence(values.talk_key)
        if self._action is not None:
            self._action.setShortcut(sequence)
        self._held.key = Qt.Key(sequence[0].key())  # type: ignore[index] # the stub lacks what it has
        self._mic.show_key(values.talk_key, everywhere=values.talk_everywhere)
        self._composer.hint.setText(f"{'hold' if values.press == 'hold' else 'press'} {values.talk_key} to talk")
        wanted = values.talk_key if values.talk_everywhere else ""
        if wanted != self._watched:
            self._let_go()
            self._watched = wanted
            if wanted:
                self._hotkey = Hotkey(keys, self._hand())

    def _hand(self) -> Hand:
        """What the key's thread tells; it holds us, since it may outlive the window."""
        return Hand(
            on_taken=lambda keys: self._taken.emit(keys),
            on_press=lambda is_down: self._press.emit(is_down),
            on_problem=lambda problem: self._problem.emit(problem),
        )

    def close(self) -> None:
        self.blockSignals(True)
        self._let_go()

    def _ask(self, everywhere: bool) -> None:
        """The person wants it, or doesn't any more."""
        self._let_go()
        self._asked = everywhere
        text = "true" if everywhere else "false"
        self._bridge.do(lambda: self._settings.set(EVERYWHERE, text), lambda _: self.apply())

    def _took(self, keys: str) -> None:
        if self._action is not None:
            self._action.setEnabled(False)  # or one press would count twice
        if self._asked:  # known already at later starts
            self.told.emit(f"Hold {keys} to talk, whichever program is in front.")
        self._asked = False

    def _refused(self, problem: VoiceError) -> None:
        """Off until it is switched on again, here or at the next start."""
        self._asked = False
        if self._action is not None:
            self._action.setEnabled(True)
        self._mic.show_key(self._settings.values.voice.talk_key, everywhere=False)
        self.told.emit(str(problem))

    def _let_go(self) -> None:
        hotkey, self._hotkey, self._watched = self._hotkey, None, ""
        if self._action is not None:
            self._action.setEnabled(True)
        if hotkey is not None:
            hotkey.close()
