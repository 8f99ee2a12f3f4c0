"""Starts, middles and ends: "end of the month", "at the start of next week", "the end of every quarter"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice

from ankita_desktop.automation.clock import Clock
from ankita_desktop.automation.phrases import EACH, Phrases
from ankita_desktop.automation.said import Said
from ankita_desktop.automation.words import MONTH, month

UNIT = r"(?:(?:business |work(?:ing)? )?day|(?:work(?:ing)? )?week|month|quarter|year)"
OF_DAY = {"start": Clock(9), "middle": Clock(12), "end": Clock(17)}
OF_WEEK = {"start": 0, "middle": 2, "end": 4}
OF_MONTH = {"start": 1, "middle": 15, "end": -1}
ALL = list(range(1, 13))
OF_MONTHS = {  # the months that have such a day
    "month": {"start": ALL, "middle": ALL, "end": ALL},
    "quarter": {"start": [1, 4, 7, 10], "middle": [2, 5, 8, 11], "end": [3, 6, 9, 12]},
    "year": {"start": [1], "middle": [7], "end": [12]},
}
SHORT = {"eod": "day", "eow": "week", "eom": "month", "eoq": "quarter", "eoy": "year"}
SAID = {"beginning": "start", "close": "end", "mid": "middle"}
phrase = Phrases()


@phrase(
    rf"(?P<each>{EACH} )?(?P<edge>start|beginning|middle|mid|end|close)(?: of |[ -])(?:the )?"
    rf"(?P<which>this |next |coming |each |every |a )?(?:(?P<unit>{UNIT})|(?P<month>{MONTH}))"
    rf"|(?P<each2>{EACH} )?(?P<unit2>month|quarter|year)(?:'s|s)?[ -](?P<edge2>end|start)"
    r"|(?P<each3>every )?(?P<short>eod|eow|eom|eoq|eoy)"
)
def _edge(said: Said, found: re.Match[str]) -> None:
    edge = found["edge"] or found["edge2"] or "end"
    unit = SHORT.get(found["short"] or "", found["unit"] or found["unit2"] or "month").rpartition(" ")[2]
    which = (found["which"] or "").strip()
    repeats = (
        bool(found["each"] or found["each2"] or found["each3"] or re.fullmatch(EACH, which)) or said.recurring
    )
    edge = SAID.get(edge, edge)
    if unit == "day":
        _of_day(said, edge, which == "next", repeats)
    elif unit == "week":
        _of_week(said, edge, which, repeats)
    else:
        months = [month(found["month"])] if found["month"] else OF_MONTHS[unit][edge]
        _of_months(said, edge, months, unit if which == "next" else "", repeats)
    if unit == "day" or edge == "middle" or (edge == "end" and unit in ("week", "quarter", "year")):
        said.notes.append(f'"{found[0]}" was read as {_meant(unit, edge, said)}.')
    elif not repeats and unit == "month" and not found["month"]:
        said.notes.append(f"Once. For each month say: {edge} of every month.")


def _meant(unit: str, edge: str, said: Said) -> str:
    if unit == "day":
        return str(said.usual)
    if unit == "week":
        return ("Monday", "", "Wednesday", "", "Friday")[OF_WEEK[edge]]
    if edge == "end":
        return "its last day"
    return (
        "the 1st of July" if unit == "year" else "the 15th" + ("" if unit == "month" else " of its middle month")
    )


def _of_day(said: Said, edge: str, following: bool, repeats: bool) -> None:
    said.usual = OF_DAY[edge]
    if repeats:
        said.repeat(1, "day")
    elif following:
        said.on(said.today + timedelta(days=1))


def _of_week(said: Said, edge: str, which: str, repeats: bool) -> None:
    wanted = OF_WEEK[edge]
    if repeats:
        said.repeat(1, "week")
        said.weekdays.append(wanted)
        return
    day = said.today + timedelta(days=wanted - said.today.weekday())
    said.on(day + timedelta(weeks=which == "next" or day < said.today))


def _of_months(said: Said, edge: str, months: list[int], skipped: str, repeats: bool) -> None:
    if repeats:
        said.recurring = True
        said.monthdays.append(OF_MONTH[edge])
        said.months += months if len(months) < 12 else []
        return
    begin = _following(said.today, skipped) if skipped else said.today
    said.on(next(day for day in _days(begin, edge, months) if day >= begin))


def _following(day: date, unit: str) -> date:
    """The first day of the next month, quarter or year."""
    starts = OF_MONTHS[unit]["start"]
    return next(one for one in _days(day, "start", starts) if one > day)


def _days(begin: date, edge: str, months: list[int]) -> Iterator[date]:
    """This edge of each of these months, from the month of ``begin`` on, two years long."""
    first = begin.year * 12 + begin.month - 1
    for index in islice(range(first, first + 25), 25):
        year, number = divmod(index, 12)
        if number + 1 in months:
            after = date(year + (number == 11), (number + 1) % 12 + 1, 1)
            yield after - timedelta(days=1) if edge == "end" else date(year, number + 1, OF_MONTH[edge])
