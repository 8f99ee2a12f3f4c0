"""iCalendar rules as text: ``RRULE:FREQ=WEEKLY;BYDAY=TU``, with or without a DTSTART line before it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from ankita_desktop.automation import rules
from ankita_desktop.automation.said import SentenceError
from ankita_desktop.automation.schedule import Schedule
from ankita_desktop.automation.words import moment_said, span_said
from ankita_desktop.automation.zones import TICK, face, resolve, zone

EXAMPLE = "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=19;BYMINUTE=0"
KNOWN = (
    *("FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYSETPOS", "BYMONTH", "BYMONTHDAY"),
    *("BYYEARDAY", "BYWEEKNO", "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND"),
)
FREQUENCIES = ("MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY")
LARGEST_OF = {
    "BYSETPOS": 366,
    "BYMONTH": 12,
    "BYMONTHDAY": 31,
    "BYYEARDAY": 366,
    "BYWEEKNO": 53,
    "BYHOUR": 23,
    "BYMINUTE": 59,
    "BYSECOND": 0,
}
FROM_ZERO = ("BYHOUR", "BYMINUTE", "BYSECOND")
FROM_BEHIND = ("BYSETPOS", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO")
DAY = r"([+-]?[1-9]\d?)?(MO|TU|WE|TH|FR|SA|SU)"
UNITS = {"MINUTELY": 60, "HOURLY": 3600}
LARGEST = 10_000  # of an interval or a count


def looks_like(text: str) -> bool:
    """Whether the text is meant as a rule."""
    return re.match(r"(RRULE|DTSTART|FREQ=|EXRULE|RDATE|BEGIN:)", text, re.IGNORECASE) is not None


def rule(text: str, *, now: datetime, tz: ZoneInfo) -> Schedule:
    """The schedule of an RRULE; without DTSTART it starts at ``now`` (UTC). SentenceError when it can't be."""
    found = re.fullmatch(r"(?:DTSTART(?:;TZID=([^:;]+))?:(\S+)\s+)?(?:RRULE:)?(\S+)", text.upper().strip())
    if not found:
        raise SentenceError("only DTSTART and one RRULE line can be read", EXAMPLE)
    if found[1]:
        tz = zone(re.search(r"TZID=([^:;]+)", text, re.IGNORECASE)[1])  # type: ignore[index]
    start = _stamp(found[2], tz) if found[2] else face(now, tz).replace(second=0, microsecond=0)
    parts = _parts(found[3])
    until = _until(parts.pop("UNTIL"), tz) if "UNTIL" in parts else None
    if set(parts) <= {"FREQ", "INTERVAL", "COUNT", "WKST"} and parts["FREQ"] in UNITS:
        return _spaced(parts, now if not found[2] else None, start, until, tz)
    return _on_calendar(parts, start, until, now, tz)


def _on_calendar(
    parts: dict[str, str], start: datetime, until: datetime | None, now: datetime, tz: ZoneInfo
) -> Schedule:
    parts.setdefault("BYSECOND", "0")
    line = ";".join(f"{name}={value}" for name, value in parts.items())
    text = f"DTSTART:{start.strftime(rules.STAMP)}\nRRULE:{line}"
    schedule = Schedule("interval", tz.key, f"by the rule {line}", rule=text, until=until)
    try:
        at = schedule.next(now)
    except (ValueError, TypeError, OverflowError) as error:
        raise SentenceError(f"the rule can't be read ({error})", EXAMPLE) from error
    if at is None:
        raise SentenceError("the rule never fires after now", EXAMPLE)
    return schedule


def _spaced(
    parts: dict[str, str], created: datetime | None, start: datetime, until: datetime | None, tz: ZoneInfo
) -> Schedule:
    """A rule that only counts minutes or hours is a true interval; DTSTART is its first firing."""
    seconds = UNITS[parts["FREQ"]] * int(parts.get("INTERVAL", "1"))
    step = timedelta(seconds=seconds)
    anchor = created.replace(microsecond=0) if created else resolve(start, tz) - step
    if "COUNT" in parts:
        until = anchor + step * int(parts["COUNT"])
    words = f"every {span_said(seconds)}, counted from {moment_said(face(anchor, tz))}"
    return Schedule("interval", tz.key, words, every=seconds, anchor=anchor, until=until)


def _parts(line: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in line.strip(";").split(";")]
    parts = {name: value for name, _, value in pairs}
    unknown = [name for name in parts if name not in KNOWN or not parts[name]]
    if unknown or len(parts) != len(pairs):
        raise SentenceError(
            f"{unknown[0] if unknown else 'a part'} is no part of a rule, or stands twice", EXAMPLE
        )
    if parts.get("FREQ") not in FREQUENCIES:
        raise SentenceError(f"FREQ is one of {', '.join(FREQUENCIES)}", EXAMPLE)
    for name in ("INTERVAL", "COUNT"):
        if name in parts and not (parts[name].isdecimal() and 1 <= int(parts[name]) <= LARGEST):
            raise SentenceError(f"{name} goes from 1 to {LARGEST}", EXAMPLE)
    for name, value in parts.items():
        if not all(_is_value(name, one) for one in value.split(",")):
            raise SentenceError(f"{name} can't be {value}", EXAMPLE)
    _bounded(parts)
    return parts


def _is_value(name: str, text: str) -> bool:
    if name in ("BYDAY", "WKST"):
        return re.fullmatch(DAY, text) is not None
    if name not in LARGEST_OF:
        return True
    if not re.fullmatch(r"[+-]?\d{1,3}", text, re.ASCII):
        return False
    number = int(text)
    lowest = 0 if name in FROM_ZERO else 1
    return lowest <= (abs(number) if name in FROM_BEHIND else number) <= LARGEST_OF[name]


def _bounded(parts: dict[str, str]) -> None:
    """Refuse what would be searched for ever, since it never comes."""
    if parts["FREQ"] != "YEARLY" and {"BYWEEKNO", "BYYEARDAY"} & set(parts):
        raise SentenceError("BYWEEKNO and BYYEARDAY need FREQ=YEARLY", EXAMPLE)
    if parts["FREQ"] in FREQUENCIES[:3] and "BYSETPOS" in parts:
        raise SentenceError("BYSETPOS needs FREQ=WEEKLY, MONTHLY or YEARLY", EXAMPLE)
    numbered = [len(day) > 2 for day in parts.get("BYDAY", "MO").split(",")]
    if any(numbered) and (not all(numbered) or parts["FREQ"] not in FREQUENCIES[4:]):
        raise SentenceError(
            "numbered days (1MO, -1FR) need FREQ=MONTHLY or YEARLY, and no others beside them", EXAMPLE
        )
    if "BYMONTHDAY" in parts and "BYMONTH" in parts:
        days, months = (map(int, parts[name].split(",")) for name in ("BYMONTHDAY", "BYMONTH"))
        if rules.never(days, months):
            raise SentenceError("that day never comes", EXAMPLE)


def _stamp(text: str, tz: ZoneInfo) -> datetime:
    """A DATE or DATE-TIME as a wall time in ``tz``."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise SentenceError(f"{text!r} is no date of iCalendar (20261201T190000)", EXAMPLE) from error
    return face(found, tz) if found.tzinfo else found


def _until(text: str, tz: ZoneInfo) -> datetime:
    wall = _stamp(text, tz)
    at = resolve(wall if "T" in text else wall + timedelta(days=1), tz)
    return (at if "T" in text else at - TICK).astimezone(UTC)
