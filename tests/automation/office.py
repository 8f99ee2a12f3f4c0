"""Automation over a real store, with a clock that the test moves; the engine, where one is needed, is real too."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ankita_desktop.automation.automation import Automation
from ankita_desktop.automation.notify import Note
from ankita_desktop.automation.ports import Turns
from ankita_desktop.automation.runner import Runner
from ankita_desktop.automation.scheduler import Scheduler
from ankita_desktop.automation.telling import Teller
from ankita_desktop.automation.watching import Watching
from ankita_desktop.store.database import Store
from ankita_desktop.toolkit.automation import Late, Run
from tests.tools.calls import until

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = "2026-03-02 07:00"


def moment(text: str) -> float:
    """Seconds of a time on Berlin's clocks."""
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).timestamp()


@dataclass
class FakeTime:
    """Both clocks. ``wait`` moves them together, ``sleep`` is a machine asleep, ``set_clock`` somebody's hand."""

    now: float = field(default_factory=lambda: moment(MONDAY))
    ticks: float = 1000.0

    def wall(self) -> float:
        return self.now

    def steady(self) -> float:
        return self.ticks

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.ticks += seconds

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def set_clock(self, text: str) -> None:
        self.now = moment(text)


@dataclass
class Wishes:
    """Settings that a test turns."""

    quiet_hours: str = ""
    late: Late = "once"
    grace_minutes: int = 30
    answer_minutes: int = 10
    timezone: str = "Europe/Berlin"


@dataclass
class Office:
    """One process's automation, ticked by hand. ``notes`` is what the person was shown."""

    store: Store
    time: FakeTime
    wishes: Wishes
    automation: Automation
    scheduler: Scheduler
    notes: list[Note]
    runner: Runner | None = None

    def tick(self) -> None:
        self.scheduler.tick()

    def at(self, text: str) -> None:
        """Wait until Berlin's clocks show ``text``, then look."""
        self.time.wait(moment(text) - self.time.now)
        self.tick()

    def titles(self) -> list[str]:
        return [note.title for note in self.notes]

    def runs(self, routine: str) -> list[Run]:
        """The oldest first."""
        return list(reversed(self.automation.routines.history(routine)))

    def ended(self, routine: str, count: int = 1) -> list[Run]:
        """Wait until so many runs of it are over, then tell of them."""

        def over() -> bool:
            runs = self.runs(routine)
            return len(runs) >= count and all(run.status != "running" for run in runs)

        until(over)
        self.tick()
        return self.runs(routine)


def office(
    store: Store, *, time: FakeTime | None = None, turns: Turns | None = None, owner: str = "", wishes: Any = None
) -> Office:
    """``owner`` is "PID what" of the process it plays."""
    clock, wanted, notes = time or FakeTime(), wishes or Wishes(), list[Note]()
    automation = Automation(store, lambda: wanted, clock)
    me = owner or f"{os.getpid()} test"
    runner = automation.runner_for(turns, me) if turns else None
    duties = [automation.reminders, *([runner] if runner else []), Watching(automation.desk, inline=True)]
    scheduler = Scheduler(automation.desk, duties, owner=me, deliver=Teller(automation.desk, notes.append).deliver)
    return Office(store, clock, wanted, automation, scheduler, notes, runner)


@contextmanager
def opened(tmp_path: Path, **how: Any) -> Iterator[Office]:
    store = Store(tmp_path / "ankita.db")
    try:
        yield office(store, **how)
    finally:
        store.close()


Open = Callable[..., Office]
