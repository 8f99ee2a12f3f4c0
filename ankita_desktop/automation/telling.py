"""Tells the person what happened: not in quiet hours, many late things as one summary, each at least once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from ankita_desktop.automation.notify import Note
from ankita_desktop.automation.ports import Desk
from ankita_desktop.toolkit.automation import MINUTE, Telling

AT_ONCE = 3  # so many are told one by one
NAMED = 5
HELD = 2 * MINUTE  # older than this when it can be told: it was held back
ACTIONS = (("done", "Done"), ("snooze10", "In 10 minutes"), ("snooze60", "In an hour"), ("tomorrow", "Tomorrow"))
RINGS = "reminder/"
KINDS = {"reminder": "reminder", "run": "routine", "watch": "watch"}


class Teller:
    """``say`` shows a notification, ``withdraw`` takes away those about something; called on the scheduler's
    thread."""

    def __init__(
        self, desk: Desk, say: Callable[[Note], None], withdraw: Callable[[str], None] = lambda about: None
    ) -> None:
        self._desk = desk
        self._say = say
        self._withdraw = withdraw
        self._rings: set[str] = set()  # what reminders' notifications that may still stand there are about

    def deliver(self) -> None:
        """Tell what waits, unless it is quiet time. Marked as told after it was handed over: a process killed in
        between tells it again rather than never."""
        self._silence()
        waiting = self._desk.book.untold()
        if not waiting or quiet_until(self._desk.wishes().quiet_hours, self._desk.now, self._desk.zone):
            return
        for note in notes(waiting, self._desk.now):
            self._say(note)
            self._rings |= {note.about} if note.about.startswith(RINGS) else set()
        self._desk.book.mark_told([one.seq for one in waiting], self._desk.now)

    def _silence(self) -> None:
        """A reminder that was answered elsewhere is shown no longer."""
        if not self._rings:
            return
        ringing = {f"{RINGS}{one.id}" for one in self._desk.book.reminders() if one.rang is not None}
        for about in self._rings - ringing:
            self._withdraw(about)
        self._rings &= ringing


def notes(waiting: Sequence[Telling], now: float) -> Iterator[Note]:
    """Notifications for what waits: one each for a few fresh things, one for all that is late or held."""
    late = [one for one in waiting if one.late or now - one.created > HELD]
    fresh = [one for one in waiting if one not in late]
    for some, most, title in ((late, 1, "While you were away"), (fresh, AT_ONCE, "News")):
        if len(some) > most:
            yield Note(f"{title}: {_counted(some)}", _listed(some), f"summary/{some[0].seq}", stays=True)
        else:
            yield from map(_note, some)


def _note(one: Telling) -> Note:
    rings = one.about.startswith(RINGS)
    return Note(one.title, one.text, one.about, ACTIONS if rings else (), stays=rings)


def _counted(some: Sequence[Telling]) -> str:
    counts: dict[str, int] = {}
    for one in some:
        kind = KINDS.get(one.about.partition("/")[0], "other")
        counts[kind] = counts.get(kind, 0) + 1
    plural = {"watch": "watches", "other": "others"}
    return ", ".join(f"{n} {kind if n == 1 else plural.get(kind, kind + 's')}" for kind, n in counts.items())


def _listed(some: Sequence[Telling]) -> str:
    shown = "; ".join(one.title for one in some[:NAMED])
    return f"{shown}; and {len(some) - NAMED} more" if len(some) > NAMED else shown


def quiet_until(hours: str, now: float, zone: ZoneInfo) -> float | None:
    """When the quiet hours ("22:00-07:00") that hold at ``now`` end; None when they don't hold."""
    if not hours:
        return None
    begin, end = (time.fromisoformat(part.zfill(5)) for part in hours.split("-"))
    here = datetime.fromtimestamp(now, zone)
    clock = here.time()
    quiet = begin <= clock < end if begin < end else clock >= begin or clock < end
    if not quiet or begin == end:
        return None
    day = here.date() + timedelta(days=1 if clock >= end else 0)
    return datetime.combine(day, end, zone).timestamp()
