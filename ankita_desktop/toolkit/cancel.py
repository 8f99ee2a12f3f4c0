"""One flag for "stop now", shared by a turn, its model stream, its calls and their children."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ankita_desktop.errors import Cancelled


class Cancel:
    """Set once, from any thread; whoever works looks at it, waits on it, or is called by it."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: dict[int, Callable[[], None]] = {}

    def set(self) -> None:
        """Stop. Callbacks run once, on the calling thread; they must be quick and must not raise."""
        with self._lock:
            callbacks = [] if self._event.is_set() else list(self._callbacks.values())
            self._event.set()
            self._callbacks.clear()
        for callback in callbacks:
            callback()

    def is_set(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep up to ``seconds``; true as soon as the flag is set."""
        return self._event.wait(seconds)

    def check(self) -> None:
        """Raise ``Cancelled`` if the flag is set."""
        if self._event.is_set():
            raise Cancelled

    def on_set(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` when the flag is set (at once if it is). Returns a function that unregisters it."""
        with self._lock:
            if not self._event.is_set():
                key = id(callback)
                self._callbacks[key] = callback
                return lambda: self._forget(key)
        callback()
        return lambda: None

    def _forget(self, key: int) -> None:
        with self._lock:
            self._callbacks.pop(key, None)
