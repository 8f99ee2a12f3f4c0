"""What and when in one line: "stretch in 20 minutes", "tomorrow at 9 to call mum"."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from ankita_desktop.automation.schedule import WhenError
from ankita_desktop.automation.when import read
from ankita_desktop.errors import UsageError

LONGEST = 14  # words of a time
JOINTS = ("to", "that", "about")
OWNED = ("of", "from", "since")  # before a time that belongs to the thing: "the invoice of 12 March 2024"
QUOTES = ('"', "“", "”")


def apart(line: str, now: float, zone: ZoneInfo) -> tuple[str, str]:
    """The words and the time of a line, the time "" when none stands at either end. The longest one counts.

    UsageError when that time has passed, or is one but for its spelling: it would ring never, and look as if it
    were on the list on purpose. Words in quotes are taken as they stand.
    """
    words = line.split()
    if len(line) > 2 and line[0] in QUOTES and line[-1] in QUOTES:
        return " ".join(line[1:-1].split()), ""
    for text, when in _cuts(words):
        if text and (found := _time(text, when, datetime.fromtimestamp(now, UTC), zone)) is not None:
            return (text, when) if found else (" ".join(words), "")
    return " ".join(words), ""


def _cuts(words: list[str]) -> Iterator[tuple[str, str]]:
    for length in range(min(LONGEST, len(words)), 0, -1):
        rest, before = words[length:], words[:-length]
        yield " ".join(rest[1:] if rest and rest[0].lower() in JOINTS else rest), " ".join(words[:length])
        yield " ".join(before), " ".join(words[-length:])


def _time(text: str, when: str, now: datetime, zone: ZoneInfo) -> bool | None:
    """Whether it is the time of a reminder; None when it is none, False when it belongs to the thing itself."""
    try:
        read(when, now=now, tz=zone)
    except WhenError as error:
        words = when.lower().split()
        if error.passed and (words[0] in OWNED or text.split()[-1].lower() in OWNED):
            return False
        if error.passed or (error.meant and len(words) > 1):
            raise UsageError(f"{error} To put the line on your list as it stands, write it in quotes.") from error
        return None
    return True
