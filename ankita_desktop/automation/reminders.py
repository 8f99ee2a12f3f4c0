"""Reminders and the person's own list: kept in the store, rung by the scheduler, answered from anywhere."""

from __future__ import annotations

from collections.abc import Sequence

from ankita_desktop.automation import telling, timetable
from ankita_desktop.automation.ports import Desk, named
from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import new_id
from ankita_desktop.toolkit.automation import DAY, HOUR, MINUTE, Reminder, Telling

LATE = 2 * MINUTE
SNOOZES = {"snooze10": 10 * MINUTE, "snooze60": HOUR}
MORNING = 9 * HOUR


class Reminders:
    """Implements ``toolkit.automation.Reminders``. Thread-safe."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._book = desk.book

    def add(self, text: str, when: str = "") -> Reminder:
        text = " ".join(text.split())
        if not text:
            raise ToolError("text is empty: say what to be reminded of.")
        now = self._desk.now
        if not when.strip():
            return self._book.add_reminder(Reminder(new_id(), text, now))
        times = timetable.understood(when, now, self._desk.zone)
        schedule = times.schedule if times.repeats else ""
        words = f"{times.words}. {times.note}" if times.note else times.words
        return self._book.add_reminder(Reminder(new_id(), text, now, words, schedule, times.due))

    def list(self, *, done: bool = False) -> Sequence[Reminder]:
        return self._book.reminders(done=done)

    def find(self, name: str) -> Reminder:
        found: Reminder = named(name, self._book.reminders(), "reminder")
        return found

    def done(self, name: str) -> Reminder:
        """Through with it; one that repeats goes on with its next time."""
        found = self._rung(name)
        if found.schedule and found.due is not None:
            return self._book.update_reminder(found.id, rang=None)
        return self._book.update_reminder(found.id, rang=None, due=None, done=self._desk.now)

    def snooze(self, name: str, when: str = "") -> Reminder:
        found = self._rung(name)
        now = self._desk.now
        due = timetable.understood(when, now, self._desk.zone).due if when.strip() else now + 10 * MINUTE
        return self._book.update_reminder(found.id, rang=None, due=due)

    def cancel(self, name: str) -> Reminder:
        found = self.find(name)
        self._book.delete_reminder(found.id)
        return found

    def act(self, reminder: str, action: str) -> None:
        """What the person chose in a notification. One that is gone meanwhile is no error."""
        found = self._book.reminder(reminder)
        if found is None or found.done is not None:
            return
        now = self._desk.now
        if action == "done":
            self.done(found.id)
        elif action in SNOOZES:
            self._book.update_reminder(found.id, rang=None, due=now + SNOOZES[action])
        elif action == "tomorrow":
            morning = timetable.midnight(now, self._desk.zone) + DAY + MORNING
            self._book.update_reminder(found.id, rang=None, due=morning)

    def receipt(self, reminder: Reminder) -> str:
        if reminder.due is None:
            return "On your list." if reminder.rang is None else f"It rang {self._desk.at(reminder.rang)}."
        lines = [f"Rings {self._desk.at(reminder.due)} ({self._desk.zone.key})."]
        if reminder.schedule:
            following = timetable.upcoming(reminder.schedule, self._desk.now)
            lines = [f"{reminder.when.rstrip('.')}. Next: {'; '.join(following)} ({self._desk.zone.key})."]
        elif "." in reminder.when:
            lines.append(reminder.when.partition(". ")[2])
        until = telling.quiet_until(self._desk.wishes().quiet_hours, reminder.due, self._desk.zone)
        if until:
            lines.append(f"That is in your quiet hours: it is told {self._desk.at(until)}.")
        return " ".join(filter(None, [*lines, self._desk.idle_note()]))

    # --- the scheduler's side ---------------------------------------------------------------

    def run_due(self, now: float) -> None:
        """Ring what is due: claimed and noted for telling in one step, so that no ring is lost or doubled."""
        for reminder in self._book.due_reminders(now):
            assert reminder.due is not None
            then = timetable.next_due(reminder.schedule, now) if reminder.schedule else None
            late = now - reminder.due > LATE
            text = f"It was due {self._desk.at(reminder.due)}." if late else ""
            note = Telling(f"reminder/{reminder.id}", reminder.text, text, late, now)
            self._book.ring(reminder, now=now, then=then, telling=note)

    def begin(self) -> None:
        """After a start: what rang before and was never answered is told once more."""
        waiting = [one for one in self._book.reminders() if one.rang is not None]
        untold = {one.about for one in self._book.untold()}
        for reminder in waiting:
            about = f"reminder/{reminder.id}"
            if about not in untold:
                text = f"It rang {self._desk.at(reminder.rang or 0)} and waits for you."
                self._book.tell(Telling(about, reminder.text, text, late=True, created=self._desk.now))

    def clock_went_back(self, now: float) -> None:
        """One that repeats must not wait for the time the wrong clock led to."""
        for reminder in self._book.reminders():
            if reminder.schedule and reminder.rang is None and reminder.due is not None:
                due = timetable.next_due(reminder.schedule, now)
                if due is not None and due < reminder.due:
                    self._book.update_reminder(reminder.id, due=due)

    def _rung(self, name: str) -> Reminder:
        """The named one; without a name the one that rang last."""
        if name.strip():
            return self.find(name)
        ringing = [one for one in self._book.reminders() if one.rang is not None]
        if not ringing:
            raise ToolError("Nothing rings now. Name the reminder; list shows all.")
        return max(ringing, key=lambda one: one.rang or 0)
