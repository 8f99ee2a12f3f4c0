"""One thing after the other: what happens on many threads is handled on one."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable


class Inbox:
    """Takes acts from any thread; ``start`` runs them on their own thread, otherwise ``pump`` runs what came."""

    def __init__(self) -> None:
        self._acts: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._closed = False

    def put(self, act: Callable[[], None]) -> None:
        if not self._closed:
            self._acts.put(act)

    def start(self, name: str) -> None:
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def pump(self) -> None:
        """Run what has come, here and now."""
        while not self._closed and not self._acts.empty():
            act = self._acts.get_nowait()
            if act is not None:
                act()

    def close(self) -> None:
        """Nothing more is run, also of what has come; called by an act."""
        self._closed = True
        self._acts.put(None)

    def _work(self) -> None:
        while (act := self._acts.get()) is not None and not self._closed:
            act()
