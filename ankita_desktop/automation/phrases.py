"""Phrases of a sentence about time: patterns in the order they are tried, and words they share."""

from __future__ import annotations

import re
from collections.abc import Callable

from ankita_desktop.automation.said import SPAN, Said
from ankita_desktop.automation.words import WEEKDAY

AND = r"(?: ?, ?and |, ?| and | & |/(?=[a-z]))"
DAY_LIST = rf"{WEEKDAY}(?:(?:{AND}| or ){WEEKDAY})*"
EACH = r"(?:every|each)"
SPANS = rf"{SPAN}(?:{AND}?\s?{SPAN})*"
NTH = r"\d{1,2}(?:st|nd|rd|th)"
PART = r"(?:morning|afternoon|evening|night)"
YEAR = r"(?:19|20|21)\d\d"
WORKDAY = r"(?:weekday|working day|work day|workday|business day)"
Take = Callable[[Said, "re.Match[str]"], object]


class Phrases:
    """Phrases of one concern. Called with a pattern it decorates the function that reads what this matches."""

    def __init__(self) -> None:
        self._phrases: list[tuple[re.Pattern[str], Take]] = []

    def __call__(self, pattern: str) -> Callable[[Take], Take]:
        """Make a function read what ``pattern`` matches; it returns False when it isn't meant after all."""

        def register(take: Take) -> Take:
            self._phrases.append((re.compile(rf"(?:{pattern})(?!\w)"), take))
            return take

        return register

    def take(self, said: Said, rest: str) -> int:
        """Read the first phrase of the rest into ``said``: its length, 0 when there is none."""
        for pattern, take in self._phrases:
            found = pattern.match(rest)
            if found and take(said, found) is not False:
                said.ordered()
                return found.end()
        return 0
