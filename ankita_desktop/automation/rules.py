"""iCalendar recurrence rules on the clocks of a zone, by dateutil.

A rule is stored as two lines, ``DTSTART:20261201T190000`` (a wall time) and ``RRULE:FREQ=WEEKLY;INTERVAL=2``.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable
from datetime import datetime, timedelta

from ankita_desktop.automation.zones import Following

LEAP_YEAR = 2024
STAMP = "%Y%m%dT%H%M%S"
STEPS = {
    "MINUTELY": timedelta(minutes=1),
    "HOURLY": timedelta(hours=1),
    "DAILY": timedelta(days=1),
    "WEEKLY": timedelta(weeks=1),
}


def is_real(rule: str) -> bool:
    """Whether it follows real intervals: it repeats within a day."""
    return parts(rule)["FREQ"] in ("MINUTELY", "HOURLY")


def parts(rule: str) -> dict[str, str]:
    """The parts of the RRULE line by name."""
    line = rule.rpartition("RRULE:")[2]
    return dict(part.split("=", 1) for part in line.split(";"))


def following(rule: str) -> Following:
    """The next wall time of a checked rule, None when it has ended."""

    def after(wall: datetime) -> datetime | None:
        from dateutil.rrule import rrulestr

        return rrulestr(closer(rule, wall)).after(wall)

    return after


def closer(rule: str, wall: datetime) -> str:
    """The same rule started, whole steps later, shortly before ``wall``: dateutil counts from the start."""
    head, _, line = rule.partition("\n")
    named = parts(rule)
    step = STEPS.get(named["FREQ"])
    if step is None or "COUNT" in named:
        return rule
    start = datetime.strptime(head.removeprefix("DTSTART:"), STAMP)
    step *= int(named.get("INTERVAL", "1"))
    passed = max(0, (wall - start) // step - 1)
    return f"DTSTART:{(start + passed * step).strftime(STAMP)}\n{line}"


def never(days: Iterable[int], months: Iterable[int]) -> bool:
    """Whether none of these days (negative: from the end) is in any of these months; no months are all."""
    longest = max((monthrange(LEAP_YEAR, month)[1] for month in months), default=31)
    return min(map(abs, days), default=1) > longest


def first(line: str, after: datetime) -> datetime | None:
    """The first time after ``after`` (both wall times) of an RRULE's line that has no start yet."""
    from dateutil.rrule import rrulestr

    return rrulestr(line, dtstart=after.replace(microsecond=0)).after(after)
