"""Days left out of what repeats: "every weekday except Friday", "every day but not in August"."""

from __future__ import annotations

import re

from ankita_desktop.automation.hours import ONE
from ankita_desktop.automation.phrases import AND, DAY_LIST, NTH, WORKDAY, Phrases
from ankita_desktop.automation.said import Said, SentenceError
from ankita_desktop.automation.words import MONTH, WEEKDAY, month, weekday

EXAMPLE = "every weekday except Friday at 9"
phrase = Phrases()


@phrase(
    r"(?:except|but|not|without)(?: for)?(?: on| in| during)?(?: the| every| each)? "
    rf"(?:(?P<part>weekends?|{WORKDAY}s?)|(?P<days>{DAY_LIST})|(?P<months>{MONTH}(?:{AND}{MONTH})*)"
    rf"|(?P<nth>{NTH}(?:{AND}(?:the )?{NTH})*)(?! ?(?:of )?{MONTH}))"
)
def _without(said: Said, found: re.Match[str]) -> None:
    if found["part"]:
        said.without_weekdays += (5, 6) if found["part"].startswith("weekend") else range(5)
    said.times_kept = len(said.times)
    said.without_weekdays += [weekday(word) for word in re.findall(WEEKDAY, found["days"] or "")]
    said.without_months += [month(word) for word in re.findall(MONTH, found["months"] or "")]
    said.without_monthdays += [int(digits) for digits in re.findall(r"\d+", found["nth"] or "")]


@phrase(rf"(?:except|but)(?: for)?(?: at| between| from)? {ONE}")
def _without_times(said: Said, found: re.Match[str]) -> None:
    raise SentenceError("days and months can be left out, but no times", "every hour between 9 and 12")


@phrase(r"(?:except|but not)\b.*")
def _without_others(said: Said, found: re.Match[str]) -> None:
    raise SentenceError("only weekdays, days of the month and months can be left out", EXAMPLE)


def left(said: Said) -> None:
    """Take what was left out from the days that were said, or from all. SentenceError when none is left."""
    if not (said.without_weekdays or said.without_months or said.without_monthdays):
        return
    if 0 < said.times_kept < len(said.times):
        raise SentenceError("different days have different times: make one for each", EXAMPLE)
    if not said.recurring:
        raise SentenceError("only what repeats can leave days out", EXAMPLE)
    if said.nth or said.workday:
        raise SentenceError("such a day of the month can't leave days out", EXAMPLE)
    said.weekdays = _rest(said.weekdays, range(7), said.without_weekdays)
    said.months = _rest(said.months, range(1, 13), said.without_months)
    said.monthdays = _rest(said.monthdays, range(1, 32), said.without_monthdays)


def _rest(days: list[int], every: range, without: list[int]) -> list[int]:
    if not without:
        return days
    found = [day for day in days or every if day not in without]
    if not found:
        raise SentenceError("no day is left", EXAMPLE)
    return found
