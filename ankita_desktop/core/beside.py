"""Run blocking work on a thread of its own, so that whoever waits can leave at once when asked to stop."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TypeVar

from ankita_desktop.errors import Cancelled
from ankita_desktop.toolkit.cancel import Cancel

T = TypeVar("T")


class Beside:
    """Work that runs on its own daemon thread. ``result(cancel)`` waits for it or for the flag.

    Work that does not end after a stop is left alone: its outcome is dropped, and since the thread is a
    daemon it can't hold up the end of the process.
    """

    def __init__(self, work: Callable[[], object], name: str) -> None:
        self._box: queue.SimpleQueue[tuple[bool, object]] = queue.SimpleQueue()
        self._work = work
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def _run(self) -> None:
        try:
            self._box.put((True, self._work()))
        except BaseException as error:  # noqa: BLE001  handed to whoever waits, which raises it there
            self._box.put((False, error))

    def result(self, cancel: Cancel) -> object:
        """The work's value; raises its error, or ``Cancelled`` as soon as the flag is set."""
        forget = cancel.on_set(lambda: self._box.put((False, Cancelled())))
        try:
            fine, value = self._box.get()
        finally:
            forget()
        if fine:
            return value
        assert isinstance(value, BaseException)
        raise value
