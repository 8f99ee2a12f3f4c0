"""A sentence about time, read phrase by phrase from left to right into what was said.

Every word must belong to a phrase: a word that doesn't is an error that names it, never skipped.
"""

from __future__ import annotations

import re
from datetime import date

from ankita_desktop.automation import days, hours, often
from ankita_desktop.automation.said import Said, SentenceError

_GLUE = re.compile(r"(?:,|and\b|at\b|on\b|the\b|of\b|in\b|by\b)")
_PHRASES = (often.phrase, days.phrase, hours.phrase)  # tried in this order


def scan(text: str, today: date) -> Said:
    """Read a whole plain text. SentenceError when a part of it belongs to no phrase."""
    said = Said(today)
    rest, glue = text, False
    while rest:
        length = next(filter(None, (phrase.take(said, rest) for phrase in _PHRASES)), 0)
        glue = length == 0
        if glue:
            found = _GLUE.match(rest)
            if not found:
                raise SentenceError(f'"{rest.split(",")[0][:40]}" is nothing that says when')
            length = found.end()
        rest = rest[length:].lstrip()
    if glue or not text:
        raise SentenceError("the sentence isn't complete")
    return said
