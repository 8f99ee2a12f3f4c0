"""Cron expressions: five fields as croniter 7 spells them, checked, and their next wall time.

Fields are minute, hour, day of month, month, weekday (0 and 7 are Sunday), with names, ranges, steps and lists.
``L`` is the last day of the month, ``15W`` the weekday nearest to the 15th, ``1#1`` the first Monday and ``L5``
the last Friday. When both day fields are restricted, either one matching is enough (``0 9 1 * 1``: the 1st and
every Monday); with ``#``, ``L5`` or ``W`` both must match. Spellings of other dialects are translated where they
mean the same.
"""

from __future__ import annotations

import copy
import re
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from ankita_desktop.automation.zones import Following

if TYPE_CHECKING:
    from croniter import croniter

ALIASES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
ANY_LEAP_YEAR = datetime(2024, 1, 1)
EXAMPLE = "0 8 * * 1-5"
SHAPE = ("minute", "hour", "day of month", "month", "weekday")
RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
STEPPED = re.compile(r"(?P<low>\*|\w+)(?:-(?P<high>\w+))?(?:/(?P<step>\d+))?", re.ASCII)
LAST = re.compile(rf"(?P<day>[0-7]|{'|'.join(DAYS)})l", re.ASCII)
SPECIAL = {
    2: re.compile(r"l|w?([1-9]|[12]\d|3[01])|([1-9]|[12]\d|3[01])w", re.ASCII),
    4: re.compile(rf"l[0-7]|(\*|[0-7]|{'|'.join(DAYS)})(-([0-7]|{'|'.join(DAYS)}))?#[1-5]", re.ASCII),
}
LOOK = re.compile(rf"(?:[\d*?/,#~\-]|{'|'.join(MONTHS)}|{'|'.join(DAYS)}|lw|[lwhr])+", re.ASCII)


class CronError(ValueError):
    """An expression that can't be kept; the text says why, ``instead`` is what to write."""

    def __init__(self, text: str, instead: str = "") -> None:
        super().__init__(text)
        self.instead = instead


def looks_like(text: str) -> bool:
    """Whether somebody meant a cron expression, right or wrong."""
    if text.startswith("@"):
        return True
    words = text.lower().split()
    starred = "*" in text and not re.search(r"[a-z]{4}", text.lower())
    return starred or (len(words) >= len(SHAPE) and all(LOOK.fullmatch(word) for word in words))


def checked(text: str) -> str:
    """The five fields of an expression or alias, in croniter's spelling. CronError when it can't be kept."""
    if text.startswith("@"):
        return _alias(text.lower())
    fields = text.split()
    if len(fields) != len(SHAPE):
        raise CronError(f"cron has five fields ({', '.join(SHAPE)}), this has {len(fields)}", _five(fields))
    if not text.isascii():
        raise CronError("cron is written with plain letters and digits")
    found = [_field(index, field) for index, field in enumerate(fields)]
    for index, (was, now) in enumerate(zip(fields, found, strict=True)):
        if now.startswith("!"):
            raise CronError(now[1:], _instead(fields, index, was))
    return _possible(" ".join(found))


def is_real(expression: str) -> bool:
    """Whether it follows real intervals: a wildcard or step in the hour."""
    hour = expression.split()[1]
    return "*" in hour or "/" in hour


def following(expression: str) -> Following:
    """The next matching wall time of a checked expression; None when there is none within 50 years."""
    from croniter import CroniterBadDateError

    schedule = parsed(expression)

    def after(wall: datetime) -> datetime | None:
        try:
            found: datetime = copy.copy(schedule).get_next(datetime, start_time=wall)
        except CroniterBadDateError:
            return None
        return found

    return after


def _alias(text: str) -> str:
    if text not in ALIASES:
        raise CronError(f"there is no {text}; there are {', '.join(ALIASES)}", "every 5 minutes")
    return ALIASES[text]


def _five(fields: list[str]) -> str:
    """What a six or seven field expression probably meant: seconds first, a year last."""
    return " ".join(fields[1:6]) if len(fields) in (6, 7) and fields[0] == "0" else EXAMPLE


def _field(index: int, text: str) -> str:
    """The field in croniter's spelling; what is wrong with it behind an exclamation mark."""
    if text == "?" and index in SPECIAL:
        return text
    if index == 2 and text.lower() in ("lw", "wl"):
        return "31W"  # the weekday nearest to the 31st is, in any month, the last one
    items = [_item(index, item) for item in text.split(",")]
    return next((item for item in items if item.startswith("!")), ",".join(items))


def _item(index: int, text: str) -> str:
    low = text.lower()
    special = SPECIAL.get(index)
    if special and special.fullmatch(low):
        return text
    if index == 4 and (last := LAST.fullmatch(low)):
        day = last["day"]
        return f"L{day if day.isdigit() else DAYS.index(day)}"
    found = STEPPED.fullmatch(low)
    if not found:
        return f"!{text!r} is no {SHAPE[index]}"
    if found["low"] == "*" and found["high"]:
        return f"!{text!r} is no range"
    if index == 2 and found["low"] == "l":
        return f"!{text!r} can't be counted back from the last day"
    for value in (found["low"], found["high"]):
        if value is not None and value != "*" and not _is_value(index, value):
            return f"!there is no {SHAPE[index]} {value!r}: {_range_said(index)}"
    step, size = found["step"], RANGES[index][1] - RANGES[index][0] + (index != 4)
    if step and not 1 <= int(step) <= size:
        return f"!a step of {step} doesn't fit in the {SHAPE[index]}"
    return text


def _is_value(index: int, value: str) -> bool:
    names: tuple[str, ...] = {3: MONTHS, 4: DAYS}.get(index, ())
    low, high = RANGES[index]
    return value in names or (value.isdigit() and low <= int(value) <= high) or (index == 2 and value == "l")


def _range_said(index: int) -> str:
    low, high = RANGES[index]
    return f"it goes from {low} to {high}" + {3: " or jan to dec", 4: " (0 and 7 are Sunday) or sun to sat"}.get(
        index, ""
    )


def _instead(fields: list[str], index: int, was: str) -> str:
    """What to write instead of a field that is wrong, where that can be known."""
    minute, hour = fields[:2]
    before = re.fullmatch(r"L-(\d\d?)", was, re.IGNORECASE)
    if index == 2 and before and minute.isdigit() and hour.isdigit():
        day = -int(before[1]) - 1
        return f"RRULE:FREQ=MONTHLY;BYMONTHDAY={day};BYHOUR={int(hour)};BYMINUTE={int(minute)};BYSECOND=0"
    step = re.fullmatch(r"\*/(\d+)", was)
    if index < 2 and step and int(step[1]):
        return f"every {int(step[1])} {SHAPE[index]}s"
    if index == 4 and was.lower() == "l":
        return " ".join([*fields[:4], "6"])
    return ""


def _possible(expression: str) -> str:
    from croniter import CroniterBadCronError, croniter

    try:
        croniter.expand(expression)
    except CroniterBadCronError as error:
        raise CronError(_reason(expression)) from error
    if following(expression)(ANY_LEAP_YEAR) is None:
        both = "#" in expression or "w" in expression.lower() or re.search(r"l\d", expression.lower())
        reason = " (with #, W or L5 both day fields must match)" if both else ""
        raise CronError(f"that day never comes{reason}", "0 9 L * *")
    return expression


def _reason(expression: str) -> str:
    if "#" in expression or re.search(r"l\d", expression.lower()):
        return "days of the week and nth days (1#1, L5) can't stand in one list"
    if "w" in expression.lower():
        return "W stands behind a single day (15W)"
    return "this is no cron expression"


@lru_cache(maxsize=16_384)  # parsing costs ten times a next time
def parsed(expression: str) -> croniter:
    """The library's object of a checked expression; shared, so copied before it is asked."""
    from croniter import croniter as parse

    return parse(expression, ANY_LEAP_YEAR)
