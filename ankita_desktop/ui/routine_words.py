"""What happens by itself, read for the window and put in words. No widgets here; reads the store: not on the
main thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from ankita_desktop.automation.automation import Automation
from ankita_desktop.toolkit.automation import Reminder, Routine, Run, Watch

WEEK = timedelta(days=6)
FIRST_WORDS = 60
ENDED = {
    "running": "Running now",
    "done": "Done",
    "denied": "Done in part",
    "limit": "Stopped",
    "error": "Failed",
    "cancelled": "Cancelled",
    "interrupted": "Interrupted",
    "missed": "Missed",
}
FINE = ("running", "done")


@dataclass(frozen=True, slots=True)
class Template:
    """A routine to begin with: looked at and changed before it is made."""

    name: str
    prompt: str
    when: str


TEMPLATES = (
    Template(
        "Morning briefing",
        "Brief me for the day: reminders that are due, open todos of my projects, and what changed in the "
        "repositories I work on since yesterday. At most ten lines, the most important first.",
        "every weekday at 8:00",
    ),
    Template(
        "Weekly review",
        "Review my week: what was done in my projects, what was decided, what is still open and what is late. "
        "End with three suggestions for next week.",
        "every Friday at 16:00",
    ),
    Template(
        "Page digest",
        "Read https://example.com and tell me what is new since the last run, in at most five lines. "
        "If nothing is new, say only that.",
        "every day at 18:00",
    ),
    Template(
        "Inbox watch",
        "Look at my GitHub notifications. Tell me which of them wait for me: reviews, mentions and "
        "assignments, each with its link. If none does, say only that.",
        "every 30 minutes between 9 and 17",
    ),
)


@dataclass(frozen=True, slots=True)
class RoutineLine:
    """A routine as its card shows it. ``fine`` is None before the first run."""

    routine: Routine
    next: str
    last: str
    fine: bool | None
    running: bool


@dataclass(frozen=True, slots=True)
class WatchLine:
    """A watch as its card shows it; ``numbers`` are what it saw, the oldest first."""

    watch: Watch
    state: str
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ReminderLine:
    reminder: Reminder
    when: str


@dataclass(frozen=True, slots=True)
class Agenda:
    """All the window shows of what happens by itself. ``run_by`` is who else runs it ("" when it is we, or
    nobody); ``next`` what comes next, in words; ``paused`` that every routine and watch is."""

    reminders: tuple[ReminderLine, ...] = ()
    routines: tuple[RoutineLine, ...] = ()
    watches: tuple[WatchLine, ...] = ()
    run_by: str = ""
    next: str = ""
    paused: bool = False

    @property
    def ringing(self) -> int:
        """How many reminders wait for an answer."""
        return sum(each.reminder.rang is not None for each in self.reminders)

    @property
    def sessions(self) -> frozenset[str]:
        """The conversations that belong to routines."""
        return frozenset(each.routine.session for each in self.routines)

    @property
    def goes_on(self) -> bool:
        """Whether something is to happen by itself here, not in another process."""
        return not self.run_by and (bool(self.next) or any(not each.watch.paused for each in self.watches))


def soon(moment: float, now: float, zone: tzinfo) -> str:
    """today 14:20, tomorrow 08:00, Fri 09:30, 3 Mar 09:30, 3 Mar 2027."""
    then, today = datetime.fromtimestamp(moment, zone), datetime.fromtimestamp(now, zone)
    days = (then.date() - today.date()).days
    near = {-1: "yesterday", 0: "today", 1: "tomorrow"}.get(days)
    if near:
        return f"{near} {then:%H:%M}"
    if abs(days) <= WEEK.days:
        return f"{then:%a %H:%M}"
    return f"{then.day} {then:%b %H:%M}" if then.year == today.year else f"{then.day} {then:%b %Y}"


def read(automation: Automation) -> Agenda:
    """How it stands now."""
    reminders, routines = automation.reminders.list(), automation.routines.list()
    watches = automation.watches.list()
    paused = [*(each.paused for each in routines), *(each.paused for each in watches)]
    return Agenda(
        tuple(_reminder(automation, each) for each in reminders),
        tuple(_routine(automation, each) for each in routines),
        tuple(_watch(automation, each) for each in watches),
        "" if automation.running else automation.run_by(),
        _next(automation, reminders, routines),
        bool(paused) and all(paused),
    )


def _soon(automation: Automation, moment: float) -> str:
    return soon(moment, automation.desk.now, automation.desk.zone)


def _reminder(automation: Automation, reminder: Reminder) -> ReminderLine:
    if reminder.rang is not None:
        return ReminderLine(reminder, f"since {_soon(automation, reminder.rang)}")
    return ReminderLine(reminder, _soon(automation, reminder.due) if reminder.due is not None else "on your list")


def _routine(automation: Automation, routine: Routine) -> RoutineLine:
    last = automation.routines.last(routine.id)
    running = last is not None and last.status == "running"
    if routine.paused:
        coming = f"Paused · {routine.when}"
    elif routine.due is None:
        coming = "No time is left to come"
    else:
        coming = f"Next {_soon(automation, routine.due)} · {routine.when}"
    fine = None if last is None else last.status in FINE and not last.undone
    return RoutineLine(routine, coming, _ended(automation, last), fine, running)


def _ended(automation: Automation, run: Run | None) -> str:
    if run is None:
        return "Has not run yet"
    when = _soon(automation, run.slot if run.slot is not None else run.started)
    words = " ".join((run.reason or run.text).split())
    said = words if len(words) <= FIRST_WORDS else words[: FIRST_WORDS - 1] + "…"
    return " · ".join(filter(None, (f"{ENDED[run.status]} {when}", said)))


def _watch(automation: Automation, watch: Watch) -> WatchLine:
    if watch.paused:
        state = "Paused"
    elif watch.problem:
        state = watch.problem
    elif watch.checked is None:
        state = "Not looked at yet"
    else:
        state = f"Looked at {_soon(automation, watch.checked)}"
    readings = reversed(automation.watches.history(watch.id))
    return WatchLine(watch, state, tuple(each.number for each in readings if each.number is not None))


def _next(automation: Automation, reminders: Sequence[Reminder], routines: Sequence[Routine]) -> str:
    due = [(each.due, each.text) for each in reminders if each.due is not None]
    due += [(each.due, each.name) for each in routines if each.due is not None and not each.paused]
    if not due:
        return ""
    moment, words = min(due)
    return f"{words}, {_soon(automation, moment)}"
