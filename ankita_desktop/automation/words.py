"""The words of time: their names, and how times are said back to a person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?\b\.?"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
UNIT = (
    r"(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|fortnights?"
    r"|months?|quarters?|y|yrs?|years?)(?![a-z])"
)
ORDINAL = r"(?:first|second|third|fourth|fifth|last|[1-5](?:st|nd|rd|th))"
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 7 * 86400}


def weekday(word: str) -> int:
    """Monday is 0."""
    return next(n for n, name in enumerate(DAYS) if name.lower().startswith(word[:3]))


def month(word: str) -> int:
    """January is 1."""
    return next(n for n, name in enumerate(MONTHS, 1) if name.lower().startswith(word[:3]))


def unit(word: str) -> tuple[int, str]:
    """A unit's word as how many of which of second, minute, hour, day, week, month, year."""
    if word.startswith(("fortnight", "quarter")):
        return (2, "week") if word.startswith("f") else (3, "month")
    if word.startswith("mo"):
        return 1, "month"
    return 1, next(name for name in ("second", "minute", "hour", "day", "week", "year") if name[0] == word[0])


def ordinal(word: str) -> int:
    """1 to 5, or -1 for the last."""
    names = ("first", "second", "third", "fourth", "fifth")
    return -1 if word == "last" else names.index(word) + 1 if word in names else int(word[0])


def listed(words: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def days_said(days: Iterable[int]) -> str:
    """Weekdays (Monday is 0) as one would say them."""
    chosen = sorted(set(days))
    named = {(0, 1, 2, 3, 4): "weekday", (5, 6): "Saturday and Sunday", tuple(range(7)): "day"}
    if len(chosen) == 6:
        return f"day except {DAYS[21 - sum(chosen)]}"
    return named.get(tuple(chosen)) or listed([DAYS[day] for day in chosen])


def months_said(months: Iterable[int]) -> str:
    """ "March and June"; of most of them, those that aren't."""
    chosen = set(months)
    if len(chosen) < 9:
        return listed([MONTHS[month - 1] for month in sorted(chosen)])
    return f"every month except {listed([name for n, name in enumerate(MONTHS, 1) if n not in chosen])}"


def date_said(day: date) -> str:
    """ "Tuesday 1 December 2026"."""
    return f"{DAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"


def moment_said(wall: datetime) -> str:
    """ "Tuesday 1 December 2026 at 09:00"."""
    seconds = f":{wall.second:02}" if wall.second else ""
    return f"{date_said(wall)} at {wall:%H:%M}{seconds}"


def nth_said(day: int) -> str:
    """ "1st", "22nd", and "last day" for -1."""
    if day < 0:
        return "last day"
    ending = "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def span_said(seconds: int) -> str:
    """ "90 minutes", "2 hours", "day": what stands behind "every"."""
    for name in ("week", "day", "hour", "minute"):
        count, rest = divmod(seconds, SECONDS[name])
        if not rest:
            return name if count == 1 else f"{count} {name}s"
    return f"{seconds} seconds"


def ordinal_said(nth: int) -> str:
    """ "first", and "last" for -1."""
    return ("last", "", "first", "second", "third", "fourth", "fifth")[nth + 1]
