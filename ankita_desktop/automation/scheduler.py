"""Runs what is due, in exactly one process: sleeps until the next time, looks at the clocks, hands out work."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from ankita_desktop.automation.ports import DUTY, Desk
from ankita_desktop.errors import AnkitaError

log = logging.getLogger(__name__)

LOOK = 1.0  # seconds between looks whether something new is stored or the machine has slept
TICK = 30.0  # at least so often everything is looked at
LEASE = 120.0
BACK = 5.0  # a wall clock that fell behind the steady one by so much was set back


class Duty(Protocol):
    """A kind of thing that becomes due. Called on the scheduler's thread; must not wait."""

    def begin(self) -> None:
        """This process has just become the one that does it."""
        ...

    def run_due(self, now: float) -> None: ...
    def clock_went_back(self, now: float) -> None: ...


def _do(duty: Duty, now: float, *, begin: bool, went_back: bool) -> None:
    if begin:
        duty.begin()
    if went_back:
        duty.clock_went_back(now)
    duty.run_due(now)


class Scheduler:
    """``owner`` is "PID what"; ``deliver`` tells the person what there is to tell. ``tick`` is all it does: the
    thread only calls it at the right times."""

    def __init__(
        self, desk: Desk, duties: Sequence[Duty], *, owner: str, deliver: Callable[[], None] = lambda: None
    ) -> None:
        self._desk = desk
        self._duties = duties
        self._owner = owner
        self._deliver = deliver
        self._ours = False
        self._lag: float | None = None
        self._failed: set[str] = set()
        self._seen = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def ours(self) -> bool:
        """Whether this process is the one that runs what is due."""
        return self._ours

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="scheduler", daemon=True)
        self._thread.start()

    def close(self, seconds: float = 1.0) -> None:
        """Stop, and let another process take over."""
        self._stop.set()
        if self._thread:
            self._thread.join(seconds)
        if self._ours:
            self._ours = False
            self._desk.book.leave_duty(DUTY, self._owner)

    def take_over(self) -> None:
        """Have the process that runs it now hand it over."""
        self._desk.book.ask_for_duty(DUTY, self._owner)

    def tick(self) -> None:
        """One look at everything."""
        self._seen = self._desk.book.changes()  # before: what is stored meanwhile is news to the rest that follows
        now = self._desk.now
        had = self._ours
        self._ours = self._desk.book.take_duty(DUTY, self._owner, now=now, seconds=LEASE) == self._owner
        went_back = self._went_back(now)
        if not self._ours:
            return
        for duty in self._duties:
            self._guarded(partial(_do, duty, now, begin=not had, went_back=went_back))
        self._guarded(self._deliver)

    def _guarded(self, work: Callable[[], None]) -> bool:
        """One kind of thing that fails keeps no other from being done; the same failure is logged once."""
        try:
            work()
        except AnkitaError as error:
            if str(error) not in self._failed:
                self._failed.add(str(error))
                log.error("what is due could not be done: %s", error)
            return False
        return True

    def _went_back(self, now: float) -> bool:
        """Whether the wall clock was set back since the last look: the steady clock says how far it should be."""
        lag, before = self._desk.time.steady() - now, self._lag
        self._lag = lag
        return before is not None and lag - before > BACK

    # --- the thread -------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stop.is_set():
            if not (self._guarded(self.tick) and self._guarded(self._rest)):
                self._stop.wait(LOOK)

    def _rest(self) -> None:
        """Sleep until something is due, something was stored, or it is time to look at everything."""
        book, steady = self._desk.book, self._desk.time.steady
        end = steady() + TICK
        due = book.next_due() if self._ours else None
        if due is not None and due <= self._desk.now:  # it could not be begun yet
            due = self._desk.now + LOOK
        while not self._stop.is_set():
            left = end - steady()
            ahead = due - self._desk.now if due is not None else LOOK
            if left <= 0 or ahead <= 0 or self._stop.wait(min(LOOK, left, max(ahead, 0.01))):
                return
            if book.changes() != self._seen:
                return
