"""Text into time: "in 20 minutes", "every weekday at 8", "0 8 * * 1-5", "RRULE:FREQ=WEEKLY;BYDAY=TU".

``read`` is the one entry: it gives a Schedule that says back how the text was understood, or a WhenError that
says what to write instead. Nothing is guessed in silence: what had to be chosen is in the schedule's ``note``.

Every "every N unit" is a true interval counted from its creation. With a time of day ("every 3 days at 7") it
starts at the next such time and keeps the wall clock. "hourly", "on the hour" and cron follow the clock.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from ankita_desktop.automation import cron, icalendar, iso
from ankita_desktop.automation.bounds import Bounds, bounded
from ankita_desktop.automation.clock import ClockError
from ankita_desktop.automation.compose import recurring
from ankita_desktop.automation.once import fixed, once, only_times
from ankita_desktop.automation.phrases import EACH
from ankita_desktop.automation.plain import plain
from ankita_desktop.automation.said import PassedError, Said, SentenceError
from ankita_desktop.automation.schedule import Schedule, WhenError
from ankita_desktop.automation.sentence import scan
from ankita_desktop.automation.spelling import corrected
from ankita_desktop.automation.words import WEEKDAY, moment_said, weekday
from ankita_desktop.automation.zones import TICK, face, resolve, zone
from ankita_desktop.errors import UsageError

__all__ = ["Schedule", "WhenError", "read"]

EXAMPLES = ("in 20 minutes", "tomorrow at 9", "every weekday at 8:00", "every 2 hours", "0 8 * * 1-5")
LONGEST = 300  # characters that can still be a time
ZONE = re.compile(r"(.+?),? \(?(?:in )?([a-z]+(?:/[\w+-]+)+|utc|gmt)\)?", re.IGNORECASE)


def read(text: str, *, now: datetime, tz: ZoneInfo) -> Schedule:
    """The schedule that ``text`` means when said at ``now`` (aware) in ``tz``; WhenError when it means none."""
    said = " ".join(text.split()) if "\n" not in text.strip() else text.strip()
    if not said or len(said) > LONGEST:
        raise _refused(text[:40], "it is empty" if not said else "it is too long for a time")
    try:
        return _read(said, now.astimezone(UTC), tz)
    except cron.CronError as error:
        raise _refused(text, str(error), error.instead or cron.EXAMPLE) from error
    except (SentenceError, ClockError) as error:
        refused = _misspelt(said, now, tz) or _refused(text, str(error), *getattr(error, "instead", ()))
        refused.passed = isinstance(error, PassedError)
        raise refused from error
    except UsageError as error:
        raise _refused(text, str(error).rstrip(".?")) from error
    except (OverflowError, ValueError) as error:
        raise _refused(text, "it leads beyond the calendar") from error


def _refused(text: str, reason: str, *instead: str) -> WhenError:
    examples = tuple(one for one in instead if one) or EXAMPLES
    quoted = [f'"{one}"' for one in examples]
    return WhenError(
        f'"{text}" can\'t be kept: {reason}. Write for example {", ".join(quoted)}.', text=text, examples=examples
    )


def _misspelt(text: str, now: datetime, tz: ZoneInfo) -> WhenError | None:
    """The refusal that asks for what was meant, when a time comes of the text with its words spelt right."""
    meant = corrected(text)
    if meant is None:
        return None
    try:
        _read(meant, now.astimezone(UTC), tz)
    except (SentenceError, ClockError, UsageError, ValueError):
        return None
    refused = WhenError(f'"{text}" can\'t be read. Did you mean “{meant}”?', text=text, examples=(meant,))
    refused.meant = meant
    return refused


def _read(text: str, now: datetime, tz: ZoneInfo) -> Schedule:
    if icalendar.looks_like(text):
        return icalendar.rule(text, now=now, tz=tz)
    if iso.looks_like(text):
        return iso.iso(text, now=now, tz=tz)
    if text.lower().startswith("@every "):
        text = text[1:]
    if cron.looks_like(text):
        return _cron(text, tz)
    zoned = ZONE.fullmatch(text)
    if zoned:
        text, tz = zoned[1], zone(zoned[2].upper() if "/" not in zoned[2] else zoned[2])
    return _sentence(plain(text), now, tz)


def _cron(text: str, tz: ZoneInfo) -> Schedule:
    lines = [cron.checked(one.strip()) for one in text.split(";")]
    either = any("*" not in line.split()[2] + line.split()[4] and "?" not in line for line in lines)
    note = "Both day fields are set: a day that matches either one is enough." if either else ""
    return Schedule("cron", tz.key, f"cron {'; '.join(lines)}", note, "; ".join(lines))


def _sentence(text: str, now: datetime, tz: ZoneInfo) -> Schedule:
    body, bounds = bounded(text, now, tz)
    try:
        said = scan(body, face(now, tz).date())
    except SentenceError as error:
        found = _dateparser(body, now, tz) if body == text and not re.search(EACH, text) else None
        if found is None:
            raise error
        return found
    if not said.recurring and bounds != Bounds() and only_times(said):
        said.repeat(1, "day")
        said.notes.append("Read as every day.")
    if not said.recurring:
        if bounds != Bounds():
            raise SentenceError("only what repeats has a start and an end", "every day at 9 until 1 March")
        return once(said, now=now, tz=tz)
    return _limited(said, bounds, now, tz)


def _limited(said: Said, bounds: Bounds, now: datetime, tz: ZoneInfo) -> Schedule:
    begin, until = bounds.begin, bounds.until
    if bounds.time and said.every and said.every[1] in ("day", "week", "month", "year"):
        said.times = said.times or [bounds.time]
    found = recurring(said, now=begin - TICK if begin else now, tz=tz)
    words = found.words
    if begin and found.every:
        found = replace(found, anchor=begin - timedelta(seconds=found.every))
        words = f"{words.partition(',')[0]}, the first on {moment_said(face(begin, tz))}"
    elif begin:
        words += f", from {moment_said(face(begin, tz))}"
    if until:
        words += f", until {moment_said(face(until, tz))}"
    found = replace(found, begin=begin, until=until, words=words)
    if found.next(now) is None:
        raise SentenceError("it would never fire", "every day at 9 until 1 March")
    return found


def _dateparser(text: str, now: datetime, tz: ZoneInfo) -> Schedule | None:
    """What dateparser makes of a sentence that isn't one of ours; only a moment to come is taken."""
    if not re.search(r"\d.*[a-z]|[a-z].*\d", text):
        return None
    import dateparser

    settings = {"RELATIVE_BASE": face(now, tz), "STRICT_PARSING": True, "PARSERS": ["absolute-time"]}
    found = dateparser.parse(text, languages=["en"], settings=settings)
    named = re.search(rf"\b{WEEKDAY}", text)
    if found is None or (named and weekday(named[0]) != found.weekday()):
        return None
    at = found.astimezone(UTC) if found.tzinfo else resolve(found.replace(microsecond=0), tz)
    if at <= now:
        return None
    return fixed(at, [f'"{text}" was read as {moment_said(face(at, tz))}.'], tz)
