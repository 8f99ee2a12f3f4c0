"""What somebody may have meant by words that are misspelt: said as a question, never taken."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache

from ankita_desktop.automation.plain import NUMBERS
from ankita_desktop.automation.words import DAYS, MONTHS

SHORTEST = 3  # letters of a word that can be recognised
NEAR = 0.75  # how alike two words are: 1 is the same
_OTHERS = """
    every each other next this last first second third fourth fifth tomorrow today tonight yesterday
    week weeks weekday weekdays weekend weekends workday workdays day days daily hour hours hourly
    minute minutes month months monthly year years yearly weekly fortnight fortnightly quarter quarterly
    morning mornings afternoon evening evenings night nightly noon midday midnight half past until till
    between and from after before starting ending beginning start end except business working alternate
    couple once twice times clock lunchtime christmas easter eve new year's ago the for but not now soon
    later then when
"""
WORDS = frozenset(
    [
        *_OTHERS.split(),
        *NUMBERS,
        *(name.lower() for name in (*DAYS, *MONTHS)),
        *(f"{day.lower()}s" for day in DAYS),
    ]
)


def corrected(text: str) -> str | None:
    """The text with each word that is nearly one about time replaced by it; None when there is none."""
    found = re.sub(r"[^\W\d_]+(?:'[a-z]+)?", lambda word: _nearest(word[0]), " ".join(text.lower().split()))
    return found if found != " ".join(text.lower().split()) else None


@lru_cache(maxsize=1024)  # a line is tried as a time from each of its words on
def _nearest(word: str) -> str:
    if word in WORDS or len(word) < SHORTEST:
        return word
    near = get_close_matches(word, sorted(WORDS), n=3, cutoff=NEAR)
    return next((one for one in near if _begins_as(word, one)), word)


def _begins_as(word: str, one: str) -> bool:
    """The first letter is seldom wrong: right, in the second place, or left out."""
    return word[0] == one[0] or word[1::-1] == one[:2] or (word[0] == one[1] and len(word) < len(one))
