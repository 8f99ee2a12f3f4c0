"""Schedules as the rest of automation handles them: stored texts, seconds since the epoch, words for people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from ankita_desktop.errors import ToolError, UsageError

if TYPE_CHECKING:
    from ankita_desktop.automation.schedule import Schedule

SHOWN = 5
LOOK_BACK = (3600.0, 86_400.0, 30 * 86_400.0, math.inf)


@dataclass(frozen=True, slots=True)
class Times:
    """How a text was understood: its stored form, the words for it, what was guessed, and whether it repeats."""

    schedule: str
    words: str
    note: str
    due: float | None
    repeats: bool


def understood(text: str, now: float, zone: ZoneInfo) -> Times:
    """Read a text such as "every weekday at 8". Raises ``ToolError`` that says what to write instead."""
    from ankita_desktop.automation.when import WhenError, read

    try:
        found = read(text, now=_moment(now), tz=zone)
    except WhenError as error:
        raise ToolError(str(error)) from None
    due = found.next(_moment(now))
    if due is None:
        raise ToolError(f"{text!r} is never again: give a time that is still to come.")
    return Times(found.to_json(), found.words, found.note, due.timestamp(), found.kind != "once")


def next_due(schedule: str, after: float) -> float | None:
    """The least time strictly after ``after``, None when it is over."""
    found = _schedule(schedule).next(_moment(after))
    return found.timestamp() if found else None


def upcoming(schedule: str, after: float, count: int = SHOWN) -> Sequence[str]:
    """The next times as the clocks of its zone show them: "Mon 3 Mar 2025 08:00"."""
    plan = _schedule(schedule)
    return [spoken(plan.local(moment)) for moment in plan.upcoming(_moment(after), count)]


def passed(schedule: str, since: float, now: float, count: int = 10) -> tuple[Sequence[float], bool]:
    """The last times from ``since`` (itself one) to ``now``, at least ``count`` if there were so many, and
    whether these are all. Looks back in growing windows: a month of minutes costs as little as an hour."""
    found: list[float] = []
    for window in LOOK_BACK:
        begin = max(since, now - window)
        found = list(_between(schedule, begin, now))
        if begin == since:
            return [since, *found], True
        if len(found) >= count:
            break
    return found, False


def _between(schedule: str, after: float, upto: float) -> Iterator[float]:
    moment = next_due(schedule, after)
    while moment is not None and moment <= upto:
        yield moment
        moment = next_due(schedule, moment)


def spoken(moment: datetime) -> str:
    """A moment for people: "Mon 3 Mar 2025 08:00"."""
    return f"{moment:%a} {moment.day} {moment:%b %Y %H:%M}" + (f":{moment.second:02}" if moment.second else "")


def at(moment: float, zone: ZoneInfo) -> str:
    return spoken(datetime.fromtimestamp(moment, zone))


def iso(moment: float | None, zone: ZoneInfo) -> str | None:
    return datetime.fromtimestamp(moment, zone).isoformat(timespec="seconds") if moment is not None else None


def zone_named(name: str) -> ZoneInfo:
    """The person's zone: the one of the settings, else the machine's."""
    from ankita_desktop.automation.zones import local_zone, zone

    try:
        return zone(name) if name else local_zone()
    except UsageError:
        return local_zone()


def midnight(now: float, zone: ZoneInfo) -> float:
    """When the person's day began."""
    return datetime.fromtimestamp(now, zone).replace(hour=0, minute=0, second=0, microsecond=0).timestamp()


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


@lru_cache(maxsize=1024)
def _schedule(text: str) -> Schedule:
    from ankita_desktop.automation.schedule import Schedule

    return Schedule.from_json(text)
