"""Who runs what is due, and what happens when clocks and processes misbehave."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

from ankita_desktop.automation.ports import DUTY
from ankita_desktop.automation.scheduler import LEASE, Scheduler
from ankita_desktop.errors import StoreError
from ankita_desktop.store.database import Store
from tests.automation.office import Office, moment, office
from tests.tools.calls import until


def another(desk: Office, owner: str = "") -> Office:
    return office(desk.store, time=desk.time, owner=owner or f"{os.getpid()} window")


def test_only_one_of_two_processes_runs_what_is_due(desk: Office) -> None:
    other = another(desk)
    desk.automation.reminders.add("stretch", "in 20 minutes")
    desk.tick()
    other.tick()
    desk.time.wait(20 * 60)
    desk.tick()
    other.tick()
    assert (desk.titles(), other.titles()) == (["stretch"], [])
    assert (desk.scheduler.ours, other.scheduler.ours) == (True, False)


def test_when_the_first_ends_the_second_goes_on(desk: Office) -> None:
    other = another(desk)
    desk.tick()
    other.tick()
    desk.scheduler.close()
    other.tick()
    assert other.scheduler.ours


def test_one_who_asks_gets_it_and_the_other_waits(desk: Office) -> None:
    other = another(desk)
    desk.tick()
    other.scheduler.take_over()
    other.tick()
    assert not other.scheduler.ours, "it is handed over, never grabbed"
    desk.tick()
    other.tick()
    desk.tick()
    assert (desk.scheduler.ours, other.scheduler.ours) == (False, True)


def test_a_killed_process_holds_nothing(desk: Office) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert desk.store.take_duty(DUTY, f"{child.pid} daemon", now=desk.time.now, seconds=LEASE)
        desk.tick()
        assert not desk.scheduler.ours
        child.kill()
        child.wait()
    desk.tick()
    assert desk.scheduler.ours


def test_a_hung_process_loses_it_after_its_time(desk: Office) -> None:
    desk.store.take_duty(DUTY, f"{os.getpid()} hung", now=desk.time.now, seconds=LEASE)
    desk.time.wait(LEASE + 1)
    desk.tick()
    assert desk.scheduler.ours


def test_setting_the_clock_back_repeats_nothing_and_loses_nothing(desk: Office) -> None:
    desk.automation.reminders.add("pills", "every day at 9")
    desk.automation.reminders.add("late one", "every day at 12")
    desk.at("2026-03-02 09:00")
    made = desk.automation.reminders.find("pills")
    desk.automation.reminders.done(made.id)
    desk.time.set_clock("2026-03-02 08:30")
    desk.tick()
    desk.at("2026-03-02 12:00")
    assert desk.titles().count("late one") == 1


def test_a_clock_that_was_years_ahead_does_not_silence_what_repeats(desk: Office) -> None:
    made = desk.automation.reminders.add("pills", "every day at 9")
    desk.tick()
    desk.time.set_clock("2031-01-01 10:00")
    desk.tick()
    desk.automation.reminders.done(made.id)
    desk.time.set_clock("2026-03-02 07:10")
    desk.tick()
    desk.notes.clear()
    desk.at("2026-03-02 09:00")
    assert desk.titles() == ["pills"]


def test_sleep_is_no_clock_set_back(desk: Office) -> None:
    desk.automation.reminders.add("pills", "every day at 9")
    desk.tick()
    desk.time.sleep(10 * 3600)
    desk.tick()
    desk.tick()
    assert desk.titles() == ["pills"]


def test_one_kind_that_fails_keeps_no_other_from_being_done(desk: Office) -> None:
    class Broken:
        def begin(self) -> None: ...
        def clock_went_back(self, now: float) -> None: ...
        def run_due(self, now: float) -> None:
            raise StoreError("the disk is full")

    desk.scheduler._duties = (Broken(), *desk.scheduler._duties)
    desk.automation.reminders.add("stretch", "in 20 minutes")
    desk.time.wait(20 * 60)
    desk.tick()
    assert desk.titles() == ["stretch"]


def test_the_thread_sleeps_until_something_is_due_and_hears_of_what_others_store(tmp_path: Path) -> None:
    """With the machine's own clocks, and a reminder that another connection stores."""
    from ankita_desktop.automation.automation import Automation
    from tests.automation.office import Wishes

    store, told, wishes = Store(tmp_path / "ankita.db"), [], Wishes()
    automation = Automation(store, lambda: wishes)

    class NoTurns:
        def subscribe(self, sink: object) -> object:
            return lambda: None

    other = Store(tmp_path / "ankita.db")
    automation.start(NoTurns(), f"{os.getpid()} test", told.append)  # type: ignore[arg-type]
    try:
        until(lambda: automation.running)
        before = threading.active_count()
        Automation(other, lambda: wishes).reminders.add("stretch", "in 1 second")
        until(lambda: told)
        assert [note.title for note in told] == ["stretch"]
        assert threading.active_count() <= before
    finally:
        automation.close()
        other.close()
        store.close()


def test_a_month_of_minutes_is_looked_through_quickly(desk: Office) -> None:
    """Looking back costs by what is wanted, not by how long nothing ran."""
    from ankita_desktop.automation import timetable

    times = timetable.understood("* * * * *", desk.time.now, desk.automation.desk.zone)
    assert times.due is not None
    slots, all_ = timetable.passed(times.schedule, times.due, moment("2026-04-02 07:00"))
    assert 10 <= len(slots) <= 61
    assert slots[-1] == moment("2026-04-02 07:00")
    assert not all_


class Interrupted:
    """A duty into whose first look somebody else stores something."""

    def __init__(self, desk: Office) -> None:
        self._desk = desk
        self.looks = 0

    def begin(self) -> None: ...

    def clock_went_back(self, now: float) -> None: ...

    def run_due(self, now: float) -> None:
        self.looks += 1
        if self.looks == 1:
            other = threading.Thread(target=lambda: self._desk.automation.reminders.add("tea", "in 5 minutes"))
            other.start()
            other.join()


def test_what_is_stored_during_a_look_is_not_slept_through(desk: Office) -> None:
    """The clocks stand still here: only the news can end the rest."""
    duty = Interrupted(desk)
    scheduler = Scheduler(desk.automation.desk, [duty], owner=f"{os.getpid()} test")
    scheduler.start()
    try:
        until(lambda: duty.looks > 1)
    finally:
        scheduler.close()
