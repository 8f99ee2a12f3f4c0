"""The thread boundary: what the core tells arrives on the main thread; what may touch the disk leaves it.

Events come from any thread, wait in a deque and are delivered in order by one queued signal, a few
milliseconds at a time, so that a fast stream can't hold the window. Work for the store or the engine runs
on one worker, in the order it was asked for; its outcome comes back on the main thread.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from ankita_desktop.errors import AnkitaError
from ankita_desktop.events import Event, Sink

T = TypeVar("T")
log = logging.getLogger(__name__)

SLICE_SECONDS = 0.008


class Source(Protocol):
    """What events come from: the engine."""

    def subscribe(self, sink: Sink) -> Callable[[], None]: ...


class Bridge(QObject):
    """Owns both directions. ``arrived`` fires on the main thread; ``failed`` carries a text for the person."""

    arrived = Signal(object)
    failed = Signal(str)
    _wake = Signal()
    _finished = Signal(object, object)

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._events: deque[Event] = deque()
        self._awake = False
        self._lock = threading.Lock()
        self._closed = False
        self._wake.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._finished.connect(self._finish, Qt.ConnectionType.QueuedConnection)
        self._work: queue.SimpleQueue[tuple[Callable[[], Any], Callable[[Any], None] | None] | None]
        self._work = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="window-worker", daemon=True)
        self._thread.start()
        self._unsubscribe = source.subscribe(self._receive)

    def do(self, work: Callable[[], T], then: Callable[[T], None] | None = None) -> None:
        """Run ``work`` on the worker and ``then(result)`` on the main thread. Returns at once."""
        if not self._closed:
            self._work.put((work, then))

    @property
    def settled(self) -> bool:
        """Every event that was told so far has been delivered."""
        with self._lock:
            return not self._awake

    def close(self, seconds: float = 1.0) -> None:
        """Nothing is delivered from here on. Work already queued gets ``seconds`` to finish."""
        if self._closed:
            return
        self._unsubscribe()
        with self._lock:
            self._closed = True
            self._events.clear()
        self._work.put(None)
        self._thread.join(seconds)

    # --- from the core, on any thread

    def _receive(self, event: Event) -> None:
        with self._lock:
            if self._closed:
                return
            self._events.append(event)
            if self._awake:
                return
            self._awake = True
        self._wake.emit()

    # --- on the main thread

    def _deliver(self) -> None:
        until = time.monotonic() + SLICE_SECONDS
        while (event := self._next()) is not None:
            self.arrived.emit(event)
            if time.monotonic() > until:
                QTimer.singleShot(0, self, self._deliver)
                return

    def _next(self) -> Event | None:
        with self._lock:
            if self._events:
                return self._events.popleft()
            self._awake = False
            return None

    def _finish(self, then: Callable[[Any], None] | None, result: Any) -> None:
        if self._closed:
            return
        if isinstance(result, Exception):
            self.failed.emit(_words(result))
        elif then is not None:
            then(result)

    # --- on the worker

    def _run(self) -> None:
        while (item := self._work.get()) is not None:
            work, then = item
            try:
                result: Any = work()
            except Exception as error:  # noqa: BLE001 - the edge of a Qt slot: told to the person, never lost
                result = error
            if self._closed:
                continue
            self._finished.emit(then, result)


def _words(error: Exception) -> str:
    if isinstance(error, AnkitaError):
        return str(error)
    log.error("work for the window failed", exc_info=error)
    return f"That didn't work: {str(error) or type(error).__name__}."
