"""A second opinion on firing times that shares nothing with ours: a walk over every UTC minute.

``Plan`` is a random schedule that knows its text and, as plain sets, which wall times it means. ``Minute`` is a
UTC minute with what clocks show then and which wall times they skipped just before. ``fired`` walks and asks.
"""

from __future__ import annotations

import random
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",  # half an hour
    "America/Havana",  # midnight is skipped
    "Pacific/Chatham",  # 45 minutes off the hour
    "Africa/Cairo",  # midnight is skipped, and 23:00 comes twice
)
YEAR = 2026
MINUTE = timedelta(minutes=1)
START = datetime(YEAR, 1, 1, tzinfo=UTC)
NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SHIFTS = {"Good Friday": -2, "Easter Sunday": 0, "Easter Monday": 1}
NAMED = {"Christmas Eve": (12, 24), "New Year's Eve": (12, 31), "Halloween": (10, 31), "April Fools' Day": (4, 1)}
TURNS = {  # days around which months, quarters and years turn, and named days lie; Easter 2026 is on 5 April
    "of February": datetime(YEAR, 2, 28, tzinfo=UTC),
    "of Easter": datetime(YEAR, 4, 4, tzinfo=UTC),
    "of a quarter": datetime(YEAR, 6, 30, tzinfo=UTC),
    "of Christmas": datetime(YEAR, 12, 24, tzinfo=UTC),
    "of the year": datetime(YEAR, 12, 31, tzinfo=UTC),
}
Days = Callable[[date], bool]


@dataclass(frozen=True)
class Minute:
    at: datetime  # UTC
    wall: datetime  # naive
    again: bool  # clocks showed this before
    skipped: tuple[datetime, ...]  # wall times between the minute before and this one


@dataclass(frozen=True)
class Plan:
    text: str
    hours: frozenset[int]
    minutes: frozenset[int]
    days: Days
    real: bool = False  # a wildcard or step in the hour
    every: int = 0  # minutes between two firings, counted from START

    def means(self, wall: datetime) -> bool:
        return wall.hour in self.hours and wall.minute in self.minutes and self.days(wall.date())


def walk(zone: str, start: datetime, end: datetime) -> Iterator[Minute]:
    tz, at = ZoneInfo(zone), start
    before = (start - MINUTE).astimezone(tz).replace(tzinfo=None)
    while at < end:
        shown = at.astimezone(tz)
        wall = shown.replace(tzinfo=None, fold=0)
        jump = int((wall - before) / MINUTE) - 1
        yield Minute(at, wall, bool(shown.fold), tuple(before + MINUTE * n for n in range(1, jump + 1)))
        at, before = at + MINUTE, wall


def fired(plan: Plan, minutes: list[Minute]) -> list[datetime]:
    if plan.every:
        return [one.at for one in minutes if one.at > START and (one.at - START) // MINUTE % plan.every == 0]
    if plan.real:
        return [one.at for one in minutes if plan.means(one.wall)]
    return [
        one.at
        for one in minutes
        if (plan.means(one.wall) and not one.again) or any(plan.means(wall) for wall in one.skipped)
    ]


def changes(zone: str) -> list[datetime]:
    """The UTC days of the year in which the zone's offset changes."""
    tz = ZoneInfo(zone)
    days = [START + timedelta(days=n) for n in range(365)]
    return [
        day
        for day in days
        if day.astimezone(tz).utcoffset() != (day + timedelta(days=1)).astimezone(tz).utcoffset()
    ]


def plans(count: int, seed: int, zone: str) -> list[Plan]:
    dice = random.Random(f"{seed} {zone}")
    makers = (_cron, _cron, _cron, _interval, _counted, sentence, sentence, sentence)
    return [dice.choice(makers)(dice, zone) for _ in range(count)]


def _cron(dice: random.Random, zone: str) -> Plan:
    minute_text, minutes = _field(dice, 60)
    hour_text, hours = _hours(dice)
    day_text, week_text, days = dice.choice((_any, _any, _monthdays, _weekdays, _both, _last, _nth, _near))(dice)
    month_text, months = ("*", set(range(1, 13))) if dice.random() < 0.7 else _months(dice)
    return Plan(
        f"{minute_text} {hour_text} {day_text} {month_text} {week_text}",
        frozenset(hours),
        frozenset(minutes),
        lambda day: day.month in months and days(day),
        "*" in hour_text or "/" in hour_text,
    )


def _interval(dice: random.Random, zone: str) -> Plan:
    every = dice.choice((7, 30, 45, 90, 120, 1440, 2880, 10080))
    return Plan(f"every {every} minutes", frozenset(), frozenset(), lambda day: True, every=every)


def _counted(dice: random.Random, zone: str) -> Plan:
    """Every n days, or weeks on some weekdays, at a time: from its first such time after START on."""
    hour, minute, step = dice.randrange(24), dice.choice((0, 5, 30, 45)), dice.randrange(2, 6)
    shown = START.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    first = shown.replace(hour=hour, minute=minute)
    first += timedelta(days=first <= shown)
    at, moment = f"{hour:02}:{minute:02}", (frozenset({hour}), frozenset({minute}))
    if dice.random() < 0.5:
        start = first.date()
        return Plan(
            f"every {step} days at {at}", *moment, lambda day: day >= start and (day - start).days % step == 0
        )
    chosen = sorted(dice.sample(range(7), 2))
    while first.weekday() not in chosen:
        first += timedelta(days=1)
    monday = first.date() - timedelta(days=first.weekday())
    return Plan(
        f"every {step} weeks on {NAMES[chosen[0]]} and {NAMES[chosen[1]]} at {at}",
        *moment,
        lambda day: day >= first.date() and day.weekday() in chosen and (day - monday).days // 7 % step == 0,
    )


def sentence(dice: random.Random, zone: str) -> Plan:
    """A sentence of one of the kinds that name their days."""
    kinds = (_except, _except, _edge, _edge, _named, _easter, _several, _both_parts, _half_hour, _before)
    return dice.choice(kinds)(dice)


def _moment(dice: random.Random) -> tuple[str, frozenset[int], frozenset[int]]:
    """A time of day near the jumps more often than others."""
    hour, minute = dice.choice((0, 1, 2, 2, 3, 23, dice.randrange(24))), dice.choice((0, 15, 30, 45))
    return f"{hour:02}:{minute:02}", frozenset({hour}), frozenset({minute})


def _except(dice: random.Random) -> Plan:
    at, hours, minutes = _moment(dice)
    word = dice.choice(("except", "but not on", "other than", "apart from"))
    out, month = sorted(dice.sample(range(5), 2)), dice.randrange(1, 13)
    month_name = date(YEAR, month, 1).strftime("%B")
    days = f"{NAMES[out[0]]}s and {NAMES[out[1]]}s"
    text, means = dice.choice(
        (
            (f"every day {word} {days} at {at}", lambda day: day.weekday() not in out),
            (f"every weekday {word} {days} at {at}", lambda day: day.weekday() < 5 and day.weekday() not in out),
            (f"daily at {at} except in {month_name}", lambda day: day.month != month),
            (f"every day except the 1st and 29th at {at}", lambda day: day.day not in (1, 29)),
        )
    )
    return Plan(text, hours, minutes, means)


def _edge(dice: random.Random) -> Plan:
    at, hours, minutes = _moment(dice)
    months, unit = dice.choice(((range(1, 13), "month"), ((3, 6, 9, 12), "quarter"), ((12,), "year")))
    starts = [month % 12 + 1 for month in months]
    which = dice.choice(("every", "each"))
    if dice.random() < 0.5:
        return Plan(
            f"at the start of {which} {unit} at {at}",
            hours,
            minutes,
            lambda day: day.day == 1 and day.month in starts,
        )
    return Plan(
        f"end of {which} {unit} at {at}", hours, minutes, lambda day: _is_last(day) and day.month in months
    )


def _named(dice: random.Random) -> Plan:
    at, hours, minutes = _moment(dice)
    name = dice.choice(sorted(NAMED))
    return Plan(f"every {name} at {at}", hours, minutes, lambda day: (day.month, day.day) == NAMED[name])


def _easter(dice: random.Random) -> Plan:
    at, hours, minutes = _moment(dice)
    name = dice.choice(sorted(SHIFTS))
    day = date(YEAR, 4, 5) + timedelta(days=SHIFTS[name])
    return Plan(f"every {name} at {at}", hours, minutes, lambda other: other == day)


def _several(dice: random.Random) -> Plan:
    count, hours = dice.choice(((2, {9, 21}), (3, {9, 15, 21}), (4, {9, 13, 17, 21})))
    return Plan(f"{count} times a day", frozenset(hours), frozenset({0}), lambda day: True)


def _both_parts(dice: random.Random) -> Plan:
    hour = dice.randrange(1, 12)
    evening = hour + 12
    return Plan(
        f"every morning and evening at {hour}", frozenset({hour, evening}), frozenset({0}), lambda day: True
    )


def _half_hour(dice: random.Random) -> Plan:
    minute, text = dice.choice(
        ((30, "every hour on the half hour"), (45, "at quarter to every hour"), (15, "hourly at :15"))
    )
    return Plan(text, frozenset(range(24)), frozenset({minute}), lambda day: True, real=True)


def _before(dice: random.Random) -> Plan:
    hour, minutes = dice.choice((1, 2, 3, 3, 4, dice.randrange(1, 24))), dice.choice((15, 30))
    return Plan(
        f"every day {minutes} minutes before {hour:02}:00",
        frozenset({hour - 1}),
        frozenset({60 - minutes}),
        lambda day: True,
    )


def _is_last(day: date) -> bool:
    return day.day == monthrange(day.year, day.month)[1]


def _field(dice: random.Random, size: int) -> tuple[str, set[int]]:
    kind = dice.randrange(5)
    if kind == 0:
        return "*", set(range(size))
    if kind == 1:
        step = dice.choice((2, 7, 15, 20, 30))
        return f"*/{step}", set(range(0, size, step))
    if kind == 2:
        low = dice.randrange(size - 1)
        high = dice.randrange(low + 1, size)
        return f"{low}-{high}", set(range(low, high + 1))
    chosen = set(dice.sample(range(size), 1 if kind == 3 else 3))
    return ",".join(map(str, sorted(chosen))), chosen


def _hours(dice: random.Random) -> tuple[str, set[int]]:
    """Hours near the jumps more often than others."""
    kind = dice.randrange(6)
    if kind == 0:
        return "*", set(range(24))
    if kind == 1:
        step = dice.choice((2, 3, 5))
        return f"*/{step}", set(range(0, 24, step))
    if kind == 2:
        return "1-4/2", {1, 3}
    if kind == 3:
        return "0-4", set(range(5))
    hour = dice.choice((0, 1, 2, 2, 3, 23, dice.randrange(24)))
    return str(hour), {hour}


def _months(dice: random.Random) -> tuple[str, set[int]]:
    names = ("JAN", "feb", "Mar", "APR", "may", "JUN", "jul", "AUG", "SEP", "OCT", "nov", "DEC")
    chosen = set(dice.sample(range(1, 13), 4)) | {dice.choice((3, 4, 10, 11))}
    return ",".join(names[month - 1] for month in sorted(chosen)), chosen


def _any(dice: random.Random) -> tuple[str, str, Days]:
    return "*", "*", lambda day: True


def _monthdays(dice: random.Random) -> tuple[str, str, Days]:
    chosen = set(dice.sample(range(1, 32), 8))
    return ",".join(map(str, chosen)), "*", lambda day: day.day in chosen


def _weekdays(dice: random.Random) -> tuple[str, str, Days]:
    chosen = set(dice.sample(range(8), 3))
    return (
        "*",
        ",".join(map(str, chosen)),
        lambda day: day.isoweekday() in chosen or (day.isoweekday() == 7 and 0 in chosen),
    )


def _both(dice: random.Random) -> tuple[str, str, Days]:
    """Both day fields restricted: either one is enough."""
    monthday, weekday = dice.randrange(1, 32), dice.randrange(1, 7)
    return str(monthday), str(weekday), lambda day: day.day == monthday or day.isoweekday() == weekday


def _last(dice: random.Random) -> tuple[str, str, Days]:
    if dice.random() < 0.5:
        return "L", "*", _is_last
    weekday = dice.randrange(1, 8)
    return (
        "*",
        f"L{weekday}",
        lambda day: day.isoweekday() == weekday and day.day > monthrange(day.year, day.month)[1] - 7,
    )


def _nth(dice: random.Random) -> tuple[str, str, Days]:
    weekday, nth = dice.randrange(1, 7), dice.randrange(1, 6)
    return "*", f"{weekday}#{nth}", lambda day: day.isoweekday() == weekday and (day.day - 1) // 7 + 1 == nth


def _near(dice: random.Random) -> tuple[str, str, Days]:
    """The weekday nearest to a day, in its month."""
    wanted = dice.randrange(1, 29)

    def is_nearest(day: date) -> bool:
        target = day.replace(day=wanted)
        inside = [target + timedelta(days=n) for n in (0, -1, 1, -2, 2)]
        return day == next(one for one in inside if one.month == day.month and one.isoweekday() < 6)

    return f"{wanted}W", "*", is_nearest
