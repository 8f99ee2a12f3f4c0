"""Times of day as people write them: "9", "9:30", "half past 5", "17:00", "8 in the evening", "noon"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

HALF = r"(?: ?[ap]\.?m\b\.?)"
DAYPART = r"(?: in the (?:morning|afternoon|evening)| at night)"
NAMED = r"(?:12 )?(?:noon|midday|midnight)\b"
PAST = rf"(?:half|quarter|\d{{1,2}}) (?:past|to|after) (?:\d{{1,2}}\b|noon|midnight)(?:{HALF}|{DAYPART})?"
MINUTED = rf"\d{{1,2}}[:.h]\d{{2}}(?!\d)(?:{HALF}|{DAYPART})?(?![:/.]?\d)"
HOURED = rf"\d{{1,2}}(?:{HALF}| ?o'?clock\b(?:{DAYPART})?|h\b|{DAYPART})"
FOUR = r"(?:0\d[0-5]\d|[01]\d[0-5]\d ?hrs|2[0-3][0-5]\d ?hrs)\b(?![:./-]\d)"
MARKED = rf"(?:{NAMED}|{PAST}|{MINUTED}|{HOURED}|{FOUR})"
DIGITS = r"(?:\d{4}|\d{1,2})\b(?![:./-]\d)"

MORNINGS = range(6, 12)  # hours that "at 9" may mean without more being said; 1 to 5 are afternoon
NIGHT = range(6)
AWAKE = timedelta(hours=3)  # an hour of the night this near is meant: the person is up
LATE = ("afternoon", "evening", "night")
PARTS = {"morning": 9, "afternoon": 15, "evening": 19, "night": 21}


class ClockError(ValueError):
    """A time that no clock shows."""


@dataclass(frozen=True)
class Clock:
    """An hour and minute; ``sure`` when it can't be the other half of the day. ``text`` is how it was said."""

    hour: int
    minute: int = 0
    sure: bool = True
    text: str = ""

    def __str__(self) -> str:
        return f"{self.hour:02}:{self.minute:02}"


def clock(text: str) -> Clock:
    """The time that one of the patterns above matched. ClockError when there is no such time."""
    said = text.strip().removeprefix("12 ")
    if said in ("noon", "midday"):
        return Clock(12, text=said)
    if said == "midnight":
        return Clock(0, text=said)
    if re.match(rf"{PAST}$", said):
        return _past(said)
    found = re.match(r"(\d\d?)(?:[:.h]?(\d\d))?(?=\D|$)", said)
    if found is None:
        raise ClockError(f"{text!r} is no time of day")
    hour, minute = int(found[1]), int(found[2] or 0)
    written_out = bool(found[2]) and len(found[1]) == 2
    return _halved(Clock(hour, minute, written_out or hour > 12 or hour == 0, said), said[found.end() :])


def settle(times: Iterable[Clock], part: str = "") -> list[Clock]:
    """Each time made sure: by the part of the day, by one on the 24-hour clock, or as the plausible half."""
    found = list(times)
    twenty_four = any(one.hour > 12 and "m" not in one.text for one in found)
    return [one if one.sure and not _contrary(one, part) else _settled(one, part, twenty_four) for one in found]


def _contrary(time: Clock, part: str) -> bool:
    """ "11:30" of an evening: what is written out is 23:30 all the same."""
    written = re.fullmatch(r"\d\d:\d\d", time.text) is not None
    if part == "night":
        return written and NIGHT.stop <= time.hour <= 12
    return written and part in LATE and 0 < time.hour < 12


def guessed(said: Iterable[Clock], settled: Iterable[Clock]) -> list[str]:
    """What has to be told about times whose half of the day was chosen against their wording."""
    pairs = zip(said, settled, strict=True)
    return [f"{quoted(one)} was read as {other}." for one, other in pairs if one.hour != other.hour]


def quoted(time: Clock) -> str:
    """ "at 5": how a time was said, for a note."""
    return f'"at {time.text}"' if time.text[:1].isdigit() else f'"{time.text}"'


def next_plausible(time: Clock, now: datetime) -> datetime:
    """The next wall time that an unsure time may mean after ``now`` (naive): not at night, unless it is near."""
    halves = (time.hour % 12, time.hour % 12 + 12) if not time.sure else (time.hour,)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    ahead = sorted(
        at
        for day in (0, 1)
        for hour in halves
        if (at := midnight + timedelta(days=day, hours=hour, minutes=time.minute)) > now
    )
    likely = (at for at in ahead if time.sure or at.hour not in NIGHT or at - now <= AWAKE)
    return next(likely, ahead[0])


def minutes_said(word: str) -> int:
    """How many minutes past or to the hour: "half", "quarter", "20"."""
    return {"half": 30, "quarter": 15}.get(word) or int(word)


def _past(said: str) -> Clock:
    amount, side, rest = re.match(r"(\w+) (past|to|after) (.+)$", said).groups()  # type: ignore[union-attr]
    minutes = minutes_said(amount)
    base = clock(rest)
    if minutes > 59 or (side == "to" and amount == "half"):
        raise ClockError(f"{said!r} is no time of day")
    total = base.hour * 60 + base.minute + (minutes if side != "to" else -minutes)
    hour, minute = divmod(total % 1440, 60)
    if not base.sure and hour == 0:
        hour = 12
    return Clock(hour, minute, base.sure, said)


def _halved(time: Clock, rest: str) -> Clock:
    rest = rest.replace(".", "").strip()
    if time.hour > 23 or time.minute > 59:
        raise ClockError(f"there is no {time.text}: hours go to 23, minutes to 59")
    if rest in ("am", "pm"):
        if not 1 <= time.hour <= 12:
            raise ClockError(f"there is no {time.text}: with am or pm, hours go from 1 to 12")
        return replace(time, hour=time.hour % 12 + (12 if rest == "pm" else 0), sure=True)
    for part in PARTS:
        if rest.endswith(part) and time.hour <= 12:
            return _settled(time, part, False)
    return time if rest != "h" else replace(time, sure=True)


def _settled(time: Clock, part: str, twenty_four: bool) -> Clock:
    hour = time.hour
    if part:
        late = part in ("afternoon", "evening") or (part == "night" and (hour == 12 or hour > 5))
        hour = hour % 12 + (12 if late else 0)
        hour = 0 if part in ("night", "evening") and time.hour == 12 else hour
    elif not twenty_four and hour < MORNINGS.start:
        hour += 12
    return replace(time, hour=hour, sure=True)
