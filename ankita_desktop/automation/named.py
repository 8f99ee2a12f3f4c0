"""Days with a name: "Christmas Eve", "new year's eve at 23:30", "every Halloween", "Easter Monday"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from ankita_desktop.automation.phrases import EACH, YEAR, Phrases
from ankita_desktop.automation.said import Said, SentenceError

DATES = {  # month and day
    r"new year'?s? eve": (12, 31),
    r"new year(?:'?s)?(?: day)?": (1, 1),
    r"epiphany": (1, 6),
    r"(?:saint |st\.? )?valentine'?s?(?: day)?": (2, 14),
    r"leap day": (2, 29),
    r"(?:saint |st\.? )patrick'?s?(?: day)?": (3, 17),
    r"april fools?'?s?(?: day)?": (4, 1),
    r"may day": (5, 1),
    r"hallowe'?en": (10, 31),
    r"all saints'?(?: day)?": (11, 1),
    r"(?:saint |st\.? )nicholas'?(?: day)?": (12, 6),
    r"(?:christmas|xmas) eve": (12, 24),
    r"(?:christmas|xmas)(?: day)?": (12, 25),
    r"boxing day": (12, 26),
}
EASTER = {  # days after Easter Sunday
    r"shrove tuesday|pancake day|mardi gras": -47,
    r"ash wednesday": -46,
    r"palm sunday": -7,
    r"maundy thursday": -3,
    r"good friday": -2,
    r"easter monday": 1,
    r"easter(?: sunday)?": 0,
    r"ascension(?: day)?": 39,
    r"(?:whit|pentecost) monday": 50,
    r"pentecost|whit ?sunday": 49,
}
EASTER_DAYS = {
    -47: "Shrove Tuesday",
    -46: "Ash Wednesday",
    -7: "Palm Sunday",
    -3: "Maundy Thursday",
    -2: "Good Friday",
    0: "Easter Sunday",
    1: "Easter Monday",
    39: "Ascension Day",
    49: "Pentecost",
    50: "Whit Monday",
}
MOVING = (
    r"thanksgiving|black friday|cyber monday|(?:mother|father)'?s'? day|labou?r day|memorial day|independence day"
    r"|ramadan|eid|diwali|hanukkah|passover|yom kippur|(?:lunar|chinese) new year"
    r"|(?:(?:public|bank) )?holidays?"
)
phrase = Phrases()


@phrase(rf"(?:{EACH} |this |next |coming )?(?:{MOVING})")
def _moving(said: Said, found: re.Match[str]) -> None:
    raise SentenceError(
        f'the day of "{found[0]}" differs by country or by year: say its date', "on 26 November at 9"
    )


@phrase(rf"(?P<each>{EACH} |this |next |coming )?(?P<name>{'|'.join(DATES)})(?:,? (?P<year>{YEAR}))?")
def _date(said: Said, found: re.Match[str]) -> None:
    month, day = next(on for name, on in DATES.items() if re.fullmatch(name, found["name"]))
    said.recurring = said.recurring or bool(re.match(EACH, found[0]))
    said.months.append(month)
    said.monthdays.append(day)
    said.year = int(found["year"] or 0)


@phrase(rf"(?P<each>{EACH} |this |next |coming )?(?P<name>{'|'.join(EASTER)})(?:,? (?P<year>{YEAR}))?")
def _easter(said: Said, found: re.Match[str]) -> None:
    """In words of the calendar it moves, so the coming one is looked for now, or for a rule that repeats."""
    from dateutil.easter import easter

    said.recurring = said.recurring or bool(re.match(EACH, found[0]))
    said.easter = next(days for name, days in EASTER.items() if re.fullmatch(name, found["name"]))
    year = int(found["year"] or said.today.year)
    day = easter(year) + timedelta(days=said.easter)
    if day < said.today and not found["year"]:
        day = easter(year + 1) + timedelta(days=said.easter)
    said.on(date(day.year, day.month, day.day))
