"""Distances from a day or time: "a week from Monday", "2 days before Christmas", "10 minutes before noon"."""

from __future__ import annotations

import re
from datetime import timedelta

from ankita_desktop.automation.clock import Clock, clock
from ankita_desktop.automation.hours import ONE
from ankita_desktop.automation.phrases import SPANS, Phrases
from ankita_desktop.automation.said import Said, SentenceError, spans
from ankita_desktop.automation.words import SECONDS, UNIT, WEEKDAY, weekday

SIDE = r"(?:from|after|past|before|ahead of|prior to|to|till)"
EARLIER = ("before", "ahead of", "prior to", "to", "till")
WITHIN_DAY = ("second", "minute", "hour")
phrase = Phrases()


@phrase(rf"(?:at )?(?P<spans>{SPANS}) (?P<side>{SIDE}) (?P<time>{ONE})")
def _from_time(said: Said, found: re.Match[str]) -> object:
    span = spans(found["spans"])
    if any(name not in WITHIN_DAY for _, name in span):
        return False
    minutes = sum(count * SECONDS[name] for count, name in span) / 60
    if minutes != int(minutes):
        raise SentenceError("times of day go to the minute", "10 minutes before noon")
    base = clock(found["time"])
    total = base.hour * 60 + base.minute + int(-minutes if found["side"] in EARLIER else minutes)
    hour, minute = divmod(total % 1440, 60)
    sure = base.sure or hour > 12
    said.times.append(Clock(hour if sure or hour else 12, minute, sure, found[0].removeprefix("at ")))
    return True


@phrase(
    rf"(?:in )?(?P<spans>{SPANS}) (?P<side>from|after|past|before|ahead of|prior to|on)(?= )"
    r"(?! now\b| the hour\b)"
    r"|(?P<weeks>(?:an?|\d+) (?:weeks?|fortnights?))(?= (?:today|tomorrow))"
    r"|(?:the )?(?P<part>day|night|evening|morning|week) (?P<side2>before|after)(?! tomorrow)(?= )"
)
def _from_day(said: Said, found: re.Match[str]) -> object:
    side = found["side"] or found["side2"]
    if side == "on" and not re.match(rf" (?:{WEEKDAY}|the )", found.string[found.end() :]):
        return False
    sign = -1 if side in EARLIER else 1
    part = found["part"]
    said.shift += [
        (sign * count, name) for count, name in spans(found["spans"] or found["weeks"] or f"1 {_unit(part)}")
    ]
    if part not in (None, "day", "week"):
        said.in_part(part)
    return True


def _unit(part: str) -> str:
    return "week" if part == "week" else "day"


@phrase(rf"(?P<count>[1-9]\d?) (?P<day>{WEEKDAY}) from (?:now|today)")
def _weekdays_from_now(said: Said, found: re.Match[str]) -> None:
    """ "2 Fridays from now": the second one after today."""
    ahead = (weekday(found["day"]) - said.today.weekday()) % 7 or 7
    said.on(said.today + timedelta(days=ahead, weeks=int(found["count"]) - 1))


@phrase(rf"(?:in )?(?:a few|several|some) (?P<unit>{UNIT})(?: from now| later)?")
def _few(said: Said, found: re.Match[str]) -> None:
    unit = found["unit"]
    raise SentenceError(f'"{found[0]}" doesn\'t say how many', f"in 3 {unit}", f"in 5 {unit}")
