"""Phrases that say at what time of the day: "at 9 and 17", "between 9 and 17", "in the morning"."""

from __future__ import annotations

import re

from ankita_desktop.automation.clock import DIGITS, MARKED, Clock, clock
from ankita_desktop.automation.phrases import AND, Phrases
from ankita_desktop.automation.said import Said, SentenceError
from ankita_desktop.automation.words import MONTH, UNIT

ONE = rf"(?:{MARKED}|{DIGITS}(?! ?(?:{UNIT}|st\b|nd\b|rd\b|th\b)| (?:of )?{MONTH}))"
HOUR = rf"(?:{MARKED}|\d{{1,2}})"  # where two times are framed, a number alone is one

ZONED = ("tomorrow at 15:00 Europe/Berlin", "tomorrow at 15:00 America/New_York")
phrase = Phrases()


@phrase(rf"(?P<from>between |from )?(?P<a>{HOUR})(?P<to> and | to | till | until | ?- ?)(?P<b>{HOUR})")
def _window(said: Said, found: re.Match[str]) -> object:
    if not found["from"] and (not said.recurring or found["to"] == " and "):
        return False
    said.window = [clock(found["a"]), clock(found["b"])]
    return True


@phrase(rf"(?:at |@ ?)(?P<list>{ONE}(?:{AND}(?:at )?{ONE})*)|(?P<marked>{MARKED}(?:{AND}(?:at )?{ONE})*)")
def _times(said: Said, found: re.Match[str]) -> None:
    said.times += [clock(one) for one in re.findall(ONE, found["list"] or found["marked"])]


@phrase(r"(?:first thing|early)(?: in the morning|(?= tomorrow))")
def _first_thing(said: Said, found: re.Match[str]) -> None:
    said.in_part("morning")


@phrase(r"(?:at |over |around )?(?:lunch(?: ?time)?|noon ?time)")
def _lunch(said: Said, found: re.Match[str]) -> None:
    said.usual = Clock(12)
    said.notes.append(f'"{found[0]}" was read as {said.usual}.')


@phrase(r"(?:in the )?(?P<part>morning|afternoon|evening)s?|at night")
def _part(said: Said, found: re.Match[str]) -> None:
    said.in_part(found["part"] or "night")


@phrase(r"(?:c|e|m|p)[sde]?t|cest|bst|ist|jst|wes?t|ees?t|aes?t")
def _zone(said: Said, found: re.Match[str]) -> None:
    raise SentenceError(f'"{found[0]}" has several meanings: a zone is written like these', *ZONED)


@phrase(rf"{DIGITS}")
def _bare_time(said: Said, found: re.Match[str]) -> object:
    """ "tomorrow 9": a number alone is a time only behind a day."""
    if said.times or not (said.recurring or said.date or said.monthdays):
        return False
    said.times.append(clock(found[0]))
    return True
