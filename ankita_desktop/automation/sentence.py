"""A sentence about time, read phrase by phrase from left to right into what was said.

Every word must belong to a phrase: a word that doesn't is an error that names it, never skipped.
"""

from __future__ import annotations

import re
from datetime import date

from ankita_desktop.automation import days, edges, hours, named, offsets, often, without
from ankita_desktop.automation.clock import PARTS, Clock, settle
from ankita_desktop.automation.phrases import SPANS
from ankita_desktop.automation.said import Said, SentenceError

_GLUE = re.compile(r"(?:,|and\b|at\b|on\b|the\b|of\b|in\b|by\b)")
_PHRASES = tuple(  # tried in this order
    module.phrase for module in (offsets, edges, named, without, often, days, hours)
)


def scan(text: str, today: date) -> Said:
    """Read a whole plain text. SentenceError when a part of it belongs to no phrase."""
    said = Said(today)
    if re.fullmatch(SPANS, text):
        whole = re.fullmatch(r"[1-9]\d{0,2}[^.]*", text) and "half" not in text
        instead = f"in {text}" if whole else "in 20 minutes"
        raise SentenceError(f'"{text}" may be how far away or how often', instead, "every 20 minutes")
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
    without.left(said)
    _in_parts(said)
    return said


def _in_parts(said: Said) -> None:
    """ "every morning and evening (at 8)": a time in each part of the day."""
    if len(said.parts) < 2:
        return
    if len(said.times) not in (0, 1, len(said.parts)) or (said.times and said.times[0].sure):
        raise SentenceError(
            f"it names {' and '.join(said.parts)} beside other times", "every day at 8:00 and 20:00"
        )
    if said.times:
        times = said.times * (len(said.parts) if len(said.times) == 1 else 1)
        said.times = [settle([one], part)[0] for one, part in zip(times, said.parts, strict=True)]
    else:
        parts = sorted(said.parts, key=list(PARTS).index)
        said.times = [Clock(PARTS[part]) for part in parts]
        read = (f'"{part}" was read as {time}' for part, time in zip(parts, said.times, strict=True))
        said.notes.append(f"{', '.join(read)}.")
    said.part = ""
