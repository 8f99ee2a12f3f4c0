"""Where a sentence speaks of a time. Which time is meant is read later, by whoever keeps the schedule."""

from __future__ import annotations

import re

from ankita_desktop.models.offline.slips import SHORTEST, is_slip

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
_NAMED = "christmas xmas easter halloween eve new year's years boxing good monday"
_EDGES = "end start beginning middle"
_PASSED = "yesterday last ago earlier"
_COUNTED = "once twice thrice times"
_ALONE = "tomorrow today tonight noon midday midnight daily weekly hourly monthly yearly weekdays weekends"
_FIRST = "in at on by next this last every each yesterday christmas easter halloween new twice"
_START = frozenset(f"{_FIRST} {_ALONE} {_DAYS}".split())
_DISTANCE = frozenset(
    "from before after ago".split()
)  # "a week from Monday", "the day after": many a thing starts so
_REPEAT = frozenset("every each daily weekly hourly monthly yearly weekdays weekends".split())
_VOCABULARY = frozenset(
    [
        *f"{_DAYS} {_MONTHS} {_UNITS} {_NUMBERS} {_BETWEEN} {_ALONE} next this every each".split(),
        *f"{_NAMED} {_EDGES} {_PASSED} {_COUNTED} by before except lunchtime".split(),
        *(f"{unit}s" for unit in (*_UNITS.split(), *_DAYS.split())),
    ]
)
_LONG = tuple(sorted(word for word in _VOCABULARY if len(word) > 4))
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
        if _starts(words[cut:]) and is_time(words[cut:]):
            return _parted(" ".join(words[:cut]), " ".join(words[cut:]))
    for cut in range(len(words) - 1, 0, -1):
        if _starts(words[:cut]) and is_time(words[:cut]):
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


def _starts(words: list[str]) -> bool:
    """Whether a time may begin with these words."""
    first = _bare(words[0])
    is_count = first in _NUMBERS.split() or first in ("the", "day") or first.isdigit()
    if is_count and any(_bare(word) in _DISTANCE for word in words):
        return True
    return first in _START or any(meant in _START for meant in _slips(first))


def _is_time_word(word: str) -> bool:
    bare = _bare(word)
    return bare in _VOCABULARY or bool(_CLOCK.fullmatch(bare)) or bool(_slips(bare))


def _slips(word: str) -> tuple[str, ...]:
    """The words about time that a misspelt one is near to. Who keeps the schedule asks which was meant."""
    if word in _VOCABULARY or len(word) < SHORTEST or not word.isalpha():
        return ()
    return tuple(known for known in _LONG if is_slip(word, known))
