"""A key by the X server: grabbed on the root window, so that nobody else gets it."""

from __future__ import annotations

import os
import select
from collections import deque
from collections.abc import Iterator
from typing import Any

from ankita_desktop.errors import VoiceError
from ankita_desktop.toolkit.keys import Keys
from ankita_desktop.voice import hotkey

TOGETHER = 0.02  # seconds in which the press of a held key follows its release: both come at once
MASKS = {"Shift": 1 << 0, "Ctrl": 1 << 2, "Alt": 1 << 3, "Meta": 1 << 6}
CAPS, NUM = 1 << 1, 1 << 4
LOCKS = (0, CAPS, NUM, CAPS | NUM)
"""What may be switched on beside the modifiers; the server grabs exact combinations only."""


class XServer:
    """A connection of its own to the X server."""

    def __init__(self) -> None:
        try:
            from Xlib import error
            from Xlib.display import Display
        except ImportError:
            raise hotkey.none("A key that works everywhere needs python-xlib: pip install python-xlib.") from None
        try:
            self._display: Any = Display()
        except (error.DisplayError, error.XauthError, error.ConnectionClosedError, OSError) as problem:
            raise hotkey.none(f"The X server can't be reached ({problem}).") from problem
        self._lost = (error.ConnectionClosedError, OSError)
        self._root = self._display.screen().root
        self._waiting: deque[Any] = deque()
        self._ours, self._theirs = os.pipe()
        self._keys: Keys | None = None
        self._code = 0

    def take(self, keys: Keys) -> str:
        from Xlib import XK

        self._keys = keys
        code = self._display.keysym_to_keycode(XK.string_to_keysym(keys.symbol))
        if not code:
            raise hotkey.none(f"This keyboard has no key {keys.key}. Choose another in the settings (voice.key).")
        self._grab(code, keys)
        self._code = code
        return str(keys)

    def presses(self) -> Iterator[bool]:
        down = False
        try:
            while (event := self._next(None)) is not None:
                if event.type == self._kind("MappingNotify"):
                    self._remap(event)
                elif event.type == self._kind("KeyPress") and event.detail == self._code and not down:
                    down = self._is_meant(event)
                    if down:
                        yield True
                elif event.type == self._kind("KeyRelease") and down and not self._repeats(event):
                    down = False  # of the key or of a modifier: people let go in any order
                    yield False
        except self._lost:  # the server ended, and the desktop with it
            return

    def stop(self) -> None:
        os.write(self._theirs, b".")

    def close(self) -> None:
        os.close(self._ours)
        os.close(self._theirs)
        try:
            self._display.close()  # and with it the grabs
        except self._lost:
            pass

    # --- inside

    def _grab(self, code: int, keys: Keys) -> None:
        from Xlib import X, error

        failed = error.CatchError(error.BadAccess)
        for lock in LOCKS:
            modifiers = sum(MASKS[each] for each in keys.modifiers) | lock
            self._root.grab_key(code, modifiers, True, X.GrabModeAsync, X.GrabModeAsync, onerror=failed)
        self._display.sync()
        if failed.get_error() is not None:
            raise VoiceError(
                f"Another program, or the desktop itself, has {keys}. Choose another key in the settings "
                f"(voice.key), or free it there. Or bind a key to the command {hotkey.command()}.",
                "key",
            )

    def _remap(self, event: Any) -> None:
        """The keyboard became another one: the key may have moved."""
        from Xlib import XK

        self._display.refresh_keyboard_mapping(event)
        if self._keys is None:
            return
        code = self._display.keysym_to_keycode(XK.string_to_keysym(self._keys.symbol))
        if code and code != self._code:
            self._root.ungrab_key(self._code, 1 << 15)  # with any modifiers
            self._grab(code, self._keys)
            self._code = code

    def _is_meant(self, event: Any) -> bool:
        """The whole combination: while the key is held we also get what is pressed beside it."""
        held = event.state & ~(CAPS | NUM) & sum(MASKS.values())
        return self._keys is not None and held == sum(MASKS[each] for each in self._keys.modifiers)

    def _repeats(self, up: Any) -> bool:
        """A key that is held comes as release and press of one moment, again and again."""
        following = self._next(TOGETHER)
        if following is None:
            return False
        same = following.type == self._kind("KeyPress") and following.detail == up.detail
        if same and following.time - up.time <= 1:
            return True
        self._waiting.appendleft(following)
        return False

    def _next(self, seconds: float | None) -> Any:
        """The next event; None when none came in time, or when we are to stop."""
        if self._waiting:
            return self._waiting.popleft()
        while not self._display.pending_events():
            ready = select.select([self._display.fileno(), self._ours], [], [], seconds)[0]
            if not ready or self._ours in ready:
                return None
        return self._display.next_event()

    def _kind(self, name: str) -> int:
        from Xlib import X

        return int(getattr(X, name))
