"""What a sentence about time said, before it means anything."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field

from ankita_desktop.automation.clock import Clock
from ankita_desktop.automation.words import UNIT, WEEKDAY, unit, weekday

COUNT = r"(?:\d+(?:\.\d+)? ?|an? |(?:a )?half (?:an? )?)"
SPAN = rf"{COUNT}{UNIT}(?: and a (?:half|quarter))?"


class SentenceError(ValueError):
    """A sentence that isn't one about time; the text says which words, ``instead`` what to write."""

    def __init__(self, text: str, *instead: str) -> None:
        super().__init__(text)
        self.instead = instead


class PassedError(SentenceError):
    """A moment that has passed."""


@dataclass
class Said:
    """What a sentence said, before it means anything. Weekdays count from Monday = 0; dates may lack parts."""

    today: dt.date
    times: list[Clock] = field(default_factory=list)
    window: list[Clock] = field(default_factory=list)
    part: str = ""  # morning, afternoon, evening, night
    recurring: bool = False
    every: tuple[float, str] | None = None  # how many of which unit
    aligned: int | None = None  # minutes past every hour, for what follows the clock
    weekdays: list[int] = field(default_factory=list)
    nth: list[int] = field(default_factory=list)  # which of these weekdays in a month; -1 is the last
    monthdays: list[int] = field(default_factory=list)  # -1 is the last
    workday: int = 0  # 1 and -1: the first and last weekday of a month
    months: list[int] = field(default_factory=list)
    year: int = 0
    date: dt.date | None = None
    following: str = ""  # month or year: a day is of the next one
    span: list[tuple[float, str]] = field(default_factory=list)  # "in 1 hour and 20 minutes"
    shift: list[tuple[float, str]] = field(default_factory=list)  # from the day said; negative is before it
    easter: int | None = None  # days after Easter Sunday
    count: int = 0  # how many times within each ``every``, if that was said
    usual: Clock | None = None  # the time when none is said
    parts: list[str] = field(default_factory=list)  # all that ``part`` has been
    without_weekdays: list[int] = field(default_factory=list)
    without_monthdays: list[int] = field(default_factory=list)
    without_months: list[int] = field(default_factory=list)
    times_kept: int = 0  # how many times were said before some days were left out
    notes: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)  # in which days and times came
    seen: dict[str, int] = field(default_factory=dict)

    def ordered(self) -> None:
        """Called behind each phrase: days and times that alternate are pairs, which one schedule can't have."""
        days = len(self.weekdays) + len(self.monthdays) + (self.date is not None)
        for kind, count in (("days", days), ("times", len(self.times))):
            if count > self.seen.get(kind, 0) and (not self.order or self.order[-1] != kind):
                self.order.append(kind)
            self.seen[kind] = count
        if len(self.order) > 2:
            raise SentenceError("different days have different times: make one for each", "every Monday at 9")

    def repeat(self, count: float, name: str) -> None:
        """It comes again every ``count`` of this unit."""
        if self.every is not None and self.every != (count, name):
            raise SentenceError("it says twice how often", f"every {count:g} {name}s")
        self.recurring, self.every = True, (count, name)

    def in_part(self, part: str) -> None:
        """It is in this part of the day, if any."""
        if part and part not in self.parts:
            self.parts.append(part)
        self.part = part or self.part

    def on(self, day: dt.date) -> None:
        """It is on this day."""
        if self.date is not None and self.date != day:
            raise SentenceError(f"it names two days, {self.date:%d %B} and {day:%d %B}")
        self.date = day

    def add_days(self, text: str) -> None:
        """The weekdays that ``text`` names."""
        self.weekdays += [weekday(word) for word in re.findall(WEEKDAY, text)]


def spans(text: str) -> list[tuple[float, str]]:
    """ "1h30m", "an hour and a half", "2 weeks": how many of which unit, in order."""
    found = []
    for word, name, more in re.findall(rf"({COUNT})({UNIT})(?: and a (half|quarter))?", text):
        count = 0.5 if "half" in word else 1.0 if word.startswith("a") else float(word)
        times, base = unit(name)
        found.append(((count + {"half": 0.5, "quarter": 0.25}.get(more, 0)) * times, base))
    return found
