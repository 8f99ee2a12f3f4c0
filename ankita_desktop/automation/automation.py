"""Automation in one value: what tools and front ends use, and the scheduler once somebody starts it."""

from __future__ import annotations

from collections.abc import Callable

from ankita_desktop.automation import timetable
from ankita_desktop.automation.notify import Note
from ankita_desktop.automation.ports import DUTY, Book, Desk, Turns, Wishes
from ankita_desktop.automation.reminders import Reminders
from ankita_desktop.automation.routines import Routines
from ankita_desktop.automation.runner import Runner
from ankita_desktop.automation.scheduler import Scheduler
from ankita_desktop.automation.telling import Teller
from ankita_desktop.automation.time_source import MachineTime, TimeSource
from ankita_desktop.automation.watches import Watches
from ankita_desktop.automation.watching import Watching

ABOUT = ("reminder", "run", "watch", "summary")


class Automation:
    """``reminders``, ``routines`` and ``watches`` work in every process; ``start`` is called by the window and
    the daemon alone, and only one of them runs what is due."""

    def __init__(self, book: Book, wishes: Callable[[], Wishes], time: TimeSource | None = None) -> None:
        self.desk = Desk(book, wishes, time or MachineTime())
        self.reminders = Reminders(self.desk)
        self.routines = Routines(self.desk)
        self.watches = Watches(self.desk)
        self.runner: Runner | None = None
        self._watching: Watching | None = None
        self._scheduler: Scheduler | None = None

    def runner_for(self, turns: Turns, owner: str) -> Runner:
        """What runs routines in this process, made once."""
        if self.runner is None:
            self.runner = Runner(self.desk, turns, owner)
        return self.runner

    def start(
        self,
        turns: Turns,
        owner: str,
        say: Callable[[Note], None],
        withdraw: Callable[[str], None] = lambda about: None,
    ) -> None:
        """Run what is due from now on, as soon as no other process does. ``say`` shows a notification,
        ``withdraw`` takes away those about something that was answered elsewhere; both are called on the
        scheduler's thread. ``owner`` is "PID what"."""
        self._watching = Watching(self.desk)
        duties = (self.reminders, self.runner_for(turns, owner), self._watching)
        deliver = Teller(self.desk, say, withdraw).deliver
        self._scheduler = Scheduler(self.desk, duties, owner=owner, deliver=deliver)
        self._scheduler.start()

    @property
    def running(self) -> bool:
        """Whether this process is the one that runs what is due."""
        return self._scheduler is not None and self._scheduler.ours

    def run_by(self) -> str:
        """Who runs what is due now ("PID what"); empty when nobody does."""
        return self.desk.book.duty_of(DUTY, self.desk.now)

    def take_over(self) -> None:
        """Have the other process hand over to this one."""
        if self._scheduler:
            self._scheduler.take_over()

    def act(self, about: str, action: str) -> str:
        """What the person chose in one of our notifications: "reminder/ID" and a key of its actions. Returns the
        session to show for it, empty for none."""
        kind, _, key = about.partition("/")
        if kind == "reminder":
            self.reminders.act(key, action)
        elif kind == "run":
            return self.routines.bring_up(key)
        return ""

    def iso(self, moment: float | None) -> str | None:
        """A moment on the person's clocks, for scripts."""
        return timetable.iso(moment, self.desk.zone)

    def due_count(self) -> int:
        """How many reminders ring and wait for an answer: what a badge shows."""
        return sum(one.rang is not None for one in self.desk.book.reminders())

    def close(self) -> None:
        if self._scheduler:
            self._scheduler.close()
        if self._watching:
            self._watching.close()
        if self.runner:
            self.runner.close()

    def tells(self, turn: str) -> bool:
        """Whether a turn is a routine's: its end is told by us, not as an answer."""
        return self.runner is not None and self.runner.tells(turn)

    @staticmethod
    def is_ours(about: str) -> bool:
        """Whether a notification's ``about`` is one of ours, to be handed to ``act``."""
        return about.partition("/")[0] in ABOUT
