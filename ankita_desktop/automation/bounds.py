"""The start and end of what repeats: "starting Monday", "until 1 March", "for 3 weeks"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from ankita_desktop.automation.clock import Clock
from ankita_desktop.automation.hours import ONE
from ankita_desktop.automation.once import day_said, once
from ankita_desktop.automation.phrases import SPANS
from ankita_desktop.automation.said import SentenceError
from ankita_desktop.automation.sentence import scan
from ankita_desktop.automation.words import WEEKDAY
from ankita_desktop.automation.zones import TICK, face, resolve

BEGIN = re.compile(
    rf"(.+?),? (?:(?:starting|beginning|as of)(?: on| from)?"
    rf"|from(?! now)(?= (?!{ONE}(?: to | and | until | till |-)))) (.+)"
)
UNTIL = re.compile(r"(.+?),? (?:until|till|ending(?: on)?) (.+)")
LASTING = re.compile(rf"(.+?),? for (?:the next )?({SPANS})")
OPEN_WINDOW = re.compile(rf"(.* )?(from|between) {ONE}")
IN_FRONT = re.compile(
    r"((?:until|till|starting|beginning|as of|for the next|from(?! \d)) .+?),? "
    r"((?:every|each|daily|hourly|weekly|monthly|weekdays)\b.*)"
)
DISTANCE = re.compile(rf"(?:(?:in|at) )?(?:{SPANS}|\d+ {WEEKDAY})")  # "a week from Monday" starts nothing
EXAMPLE = "every day at 9 until 1 March"


@dataclass(frozen=True)
class Bounds:
    """Nothing fires before ``begin`` or after ``until`` (UTC). ``time``: the start's time of day, if said."""

    begin: datetime | None = None
    until: datetime | None = None
    time: Clock | None = None


def bounded(text: str, now: datetime, tz: ZoneInfo) -> tuple[str, Bounds]:
    """The plain sentence without its start and end, and these."""
    begin = until = time = None
    turned = IN_FRONT.fullmatch(text)
    text = f"{turned[2]} {turned[1]}" if turned else text
    lasting = LASTING.fullmatch(text)
    ending = UNTIL.fullmatch(text)
    if ending and not OPEN_WINDOW.fullmatch(ending[1]) and not DISTANCE.fullmatch(ending[1]):
        text, until = ending[1], _end(ending[2], now, tz)
    starting = BEGIN.fullmatch(lasting[1] if lasting else text)
    if starting and not (DISTANCE.fullmatch(starting[1]) or re.search(r" (to|through) | ?- ?", starting[2])):
        text = starting[1]
        begin, time = _begin(starting[2], now, tz)
    elif lasting:
        text = lasting[1]
    if lasting:
        start = begin or now
        until = once(scan(f"in {lasting[2]}", face(start, tz).date()), now=start, tz=tz).anchor
    return text, Bounds(begin, until, time)


def _begin(text: str, now: datetime, tz: ZoneInfo) -> tuple[datetime, Clock | None]:
    """The moment of a start; of a whole day, its first second."""
    if text == "now" or _is_today(text, now, tz):
        return now, None
    at, timed = _moment(text, now, tz)
    wall = face(at, tz)
    return (at, Clock(wall.hour, wall.minute)) if timed else (resolve(_midnight(wall), tz), None)


def _end(text: str, now: datetime, tz: ZoneInfo) -> datetime:
    """The moment of an end; of a whole day, its last second."""
    if _is_today(text, now, tz):
        return resolve(_midnight(face(now, tz)) + timedelta(days=1), tz) - TICK
    at, timed = _moment(text, now, tz)
    return at if timed else resolve(_midnight(face(at, tz)) + timedelta(days=1), tz) - TICK


def _is_today(text: str, now: datetime, tz: ZoneInfo) -> bool:
    """Whether it names this day, by whatever name, and no time of it."""
    wall = face(now, tz)
    said = scan(text, wall.date())
    return not (said.times or said.part or said.shift) and day_said(said, wall) == wall.date()


def _moment(text: str, now: datetime, tz: ZoneInfo) -> tuple[datetime, bool]:
    """When it is, and whether a time of day was said."""
    said = scan(text, face(now, tz).date())
    if said.recurring:
        raise SentenceError(f'"{text}" is no day', EXAMPLE)
    at = once(said, now=now, tz=tz).anchor
    assert at is not None  # what fires once has its moment
    return at, bool(said.times or said.part or said.span)


def _midnight(wall: datetime) -> datetime:
    return wall.replace(hour=0, minute=0, second=0, microsecond=0)
