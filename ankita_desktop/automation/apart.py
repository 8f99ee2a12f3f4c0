"""What and when in one line: "stretch in 20 minutes", "tomorrow at 9 to call mum"."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from ankita_desktop.automation import timetable
from ankita_desktop.errors import ToolError

LONGEST = 14  # words of a time
JOINTS = ("to", "that", "about")


def apart(line: str, now: float, zone: ZoneInfo) -> tuple[str, str]:
    """The words and the time of a line, the time "" when none stands at either end. The longest one counts."""
    words = line.split()
    for text, when in _cuts(words):
        if text and _is_time(when, now, zone):
            return text, when
    return " ".join(words), ""


def _cuts(words: list[str]) -> Iterator[tuple[str, str]]:
    for length in range(min(LONGEST, len(words)), 0, -1):
        rest, before = words[length:], words[:-length]
        yield " ".join(rest[1:] if rest and rest[0].lower() in JOINTS else rest), " ".join(words[:length])
        yield " ".join(before), " ".join(words[-length:])


def _is_time(when: str, now: float, zone: ZoneInfo) -> bool:
    try:
        timetable.understood(when, now, zone)
    except ToolError:
        return False
    return True
