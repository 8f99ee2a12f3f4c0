"""What ten thousand routines cost: the next due time, a look, and an hour of an idle scheduler."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from ankita_desktop.automation import timetable
from ankita_desktop.automation.automation import Automation
from ankita_desktop.automation.runner import Runner
from ankita_desktop.automation.scheduler import Scheduler
from ankita_desktop.automation.watching import Watching
from ankita_desktop.protocol import new_id
from ankita_desktop.store.automation import insert
from ankita_desktop.store.database import Store
from ankita_desktop.store.routines import _columns
from ankita_desktop.store.schema import Values
from ankita_desktop.toolkit.automation import Routine

COUNT = 10_000
WHENS = (
    *("daily at 9", "every weekday at 8:30", "every 90 minutes"),
    *("first monday of the month at 10", "*/20 9-17 * * *"),
)
IDLE = 10.0


class NoTurns:
    """Nothing is due here, so nothing is submitted."""

    def subscribe(self, sink: object) -> object:
        return lambda: None


def timed(what: str, rounds: int, work) -> float:  # type: ignore[no-untyped-def]
    began = time.perf_counter()
    for _ in range(rounds):
        work()
    each = (time.perf_counter() - began) / rounds
    print(f"{what:<58} {each * 1e6:>12,.1f} µs")
    return each


def filled(store: Store, count: int) -> list[str]:
    """Routines due tomorrow or later; their schedules."""
    from dataclasses import asdict

    now, zone = time.time(), timetable.zone_named("Europe/Berlin")
    plans = [timetable.understood(when, now, zone) for when in WHENS]
    with store.write() as connection:
        for number in range(count):
            plan = plans[number % len(plans)]
            routine = Routine(new_id(), f"r{number}", "go", plan.words, plan.schedule, "/", now, due=now + 90_000)
            insert(connection, "routines", _columns(asdict(routine)))
    return [plan.schedule for plan in plans]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "ankita.db")
        schedules, values = filled(store, COUNT), Values()
        automation = Automation(store, lambda: values.automation)
        runner = Runner(automation.desk, NoTurns(), "bench")  # type: ignore[arg-type]
        duties = [automation.reminders, runner, Watching(automation.desk)]
        scheduler = Scheduler(automation.desk, duties, owner=f"{os.getpid()} bench")
        print(f"{COUNT:,} routines")
        timed("reference: an empty query", 1_000, lambda: store.row("SELECT 1"))
        timed("the next due time of all", 1_000, store.next_due)
        timed("what is due now (nothing)", 1_000, lambda: store.due_routines(time.time()))
        timed("a look for news", 1_000, store.changes)
        scheduler.tick()
        timed("a whole tick", 300, scheduler.tick)
        now = time.time()
        for words, schedule in zip(WHENS, schedules, strict=True):
            timed(f"next time of {words!r}", 200, lambda schedule=schedule: timetable.next_due(schedule, now))
        timed(
            f"the next times of all {COUNT:,}",
            1,
            lambda: [timetable.next_due(schedules[n % len(schedules)], now) for n in range(COUNT)],
        )
        idle(scheduler)
        store.close()


def idle(scheduler: Scheduler) -> None:
    """The processor's share of a scheduler that has nothing to do."""
    before, began = time.process_time(), time.perf_counter()
    scheduler.start()
    time.sleep(IDLE)
    used = time.process_time() - before
    share = used / (time.perf_counter() - began)
    scheduler.close()
    print(f"{'processor time of the idle thread':<58} {share:>12.3%}")


if __name__ == "__main__":
    main()
