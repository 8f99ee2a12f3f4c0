"""ISO 8601: a date, a date with a time, or a duration from now."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from ankita_desktop.automation.once import MORNING, fixed, moment, once
from ankita_desktop.automation.said import PassedError, Said, SentenceError
from ankita_desktop.automation.schedule import Schedule
from ankita_desktop.automation.words import moment_said
from ankita_desktop.automation.zones import face

DATE = re.compile(r"(\d{4}-\d\d-\d\d|\d{8}(?=T|$)|\d{4}-?W\d\d-?\d)(?P<time>[T ]\d\d:?\d\d\S*)?", re.IGNORECASE)
DURATION = re.compile(
    r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", re.IGNORECASE
)
UNITS = ("year", "month", "week", "day", "hour", "minute", "second")


def looks_like(text: str) -> bool:
    """Whether the whole text is a date or duration of ISO 8601."""
    return DATE.fullmatch(text) is not None or (DURATION.fullmatch(text) is not None and len(text) > 2)


def iso(text: str, *, now: datetime, tz: ZoneInfo) -> Schedule:
    """The schedule of one such text. SentenceError when it has passed or no calendar has it."""
    lasting = DURATION.fullmatch(text)
    if lasting:
        span = [(float(count), name) for count, name in zip(lasting.groups(), UNITS, strict=True) if count]
        return once(Said(face(now, tz).date(), span=span), now=now, tz=tz)
    try:
        at = datetime.fromisoformat(text.upper())
    except ValueError as error:
        raise SentenceError(
            f"no calendar or clock shows {text}", f"{face(now, tz).year + 1}-01-31T09:00"
        ) from error
    if at.tzinfo is None:
        timed = DATE.fullmatch(text)["time"]  # type: ignore[index]
        notes = [] if timed else [f"No time of day was said: {MORNING}."]
        return moment(at if timed else at.replace(hour=MORNING.hour), notes, now=now, tz=tz)
    if at <= now:
        raise PassedError(f"{moment_said(face(at, tz))} has passed", "tomorrow at 9")
    return fixed(at.astimezone(UTC), [], tz)
