"""Where a sentence speaks of a time. Which time is meant is read later, by whoever keeps the schedule."""

from __future__ import annotations

import re

_DAYS = "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun"
_MONTHS = (
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
_UNITS = (
    "second minute min hour day week weekday weekend workday fortnight month year morning evening afternoon night"
)
_NUMBERS = (
    "a an one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty "
    "half quarter couple few first second third fourth last other single"
)
_BETWEEN = (
    "at on in of the and from to past until till between after before o'clock oclock am pm time now about around"
)
_ALONE = "tomorrow today tonight noon midday midnight daily weekly hourly monthly yearly weekdays weekends"
_START = frozenset(f"in at on next this every each tomorrow today tonight {_ALONE} {_DAYS}".split())
_REPEAT = frozenset("every each daily weekly hourly monthly yearly weekdays weekends".split())
_VOCABULARY = frozenset(
    [
        *f"{_DAYS} {_MONTHS} {_UNITS} {_NUMBERS} {_BETWEEN} {_ALONE} next this every each".split(),
        *(f"{unit}s" for unit in (*_UNITS.split(), *_DAYS.split())),
    ]
)
_CLOCK = re.compile(r"\d{1,4}(?:[:.h]\d{2})?(?:st|nd|rd|th|s|m|h|am|pm|a\.m\.?|p\.m\.?|min|mins)?|\d{4}-\d\d-\d\d")
_LINK = re.compile(r"^(?:to|that|about|of|for|,)\s+", re.IGNORECASE)
_TRAILING = re.compile(r"\s+(?:to|that|about|for|and|,)$", re.IGNORECASE)
# With these a time ends only in the middle of something: "at the", "in a".
_OPEN = frozenset(
    "at on in of the and from to past until till between after before a an every each next this".split()
)


def is_time(words: list[str]) -> bool:
    """Whether these words are nothing but a time."""
    return (
        bool(words)
        and all(_is_time_word(word) for word in words)
        and _bare(words[-1]) not in _OPEN
        and any(_bare(word) not in _OPEN for word in words)
    )


def split(said: str) -> tuple[str, str] | None:
    """("call home", "tomorrow at 9") of "to call home tomorrow at 9" or "tomorrow at 9 to call home"; None when
    there is no time at either end, or nothing besides."""
    words = said.split()
    for cut in range(1, len(words)):
        if _bare(words[cut]) in _START and is_time(words[cut:]):
            return _parted(" ".join(words[:cut]), " ".join(words[cut:]))
    for cut in range(len(words) - 1, 0, -1):
        if _bare(words[0]) in _START and is_time(words[:cut]):
            return _parted(" ".join(words[cut:]), " ".join(words[:cut]))
    return None


def split_repeating(said: str) -> tuple[str, str] | None:
    """As ``split``, for a time that comes again and again."""
    found = split(said)
    return found if found and _bare(found[1].split()[0]) in _REPEAT else None


def _parted(text: str, when: str) -> tuple[str, str] | None:
    text = _TRAILING.sub("", _LINK.sub("", text.strip(" ,"))).strip(" ,")
    if not text or all(_is_time_word(word) for word in text.split()):
        return None  # "in 10 minutes" is all time
    return text, when.strip(" ,")


def _bare(word: str) -> str:
    return word.lower().strip(",.")


def _is_time_word(word: str) -> bool:
    bare = _bare(word)
    return bare in _VOCABULARY or bool(_CLOCK.fullmatch(bare))
