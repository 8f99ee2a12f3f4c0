"""From what a sentence said to the schedule that repeats as it means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from ankita_desktop.automation import cron, rules
from ankita_desktop.automation.clock import Clock, guessed, settle
from ankita_desktop.automation.count import counted
from ankita_desktop.automation.named import EASTER_DAYS
from ankita_desktop.automation.once import time_said
from ankita_desktop.automation.said import Said, SentenceError
from ankita_desktop.automation.schedule import Schedule
from ankita_desktop.automation.words import (
    DAYS,
    SECONDS,
    date_said,
    days_said,
    listed,
    months_said,
    nth_said,
    ordinal_said,
    span_said,
)
from ankita_desktop.automation.zones import face

SHORTEST = 15  # seconds between two firings
CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
FREQUENCIES = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}


def recurring(said: Said, *, now: datetime, tz: ZoneInfo) -> Schedule:
    """The schedule that repeats as the sentence says, from ``now`` (UTC) on. SentenceError when none does."""
    if said.span:
        raise SentenceError("it names both a distance and a repetition", "every 2 hours", "in 2 hours")
    if said.shift:
        raise SentenceError("a distance from a day that repeats can't be kept", "on the 28th of every month at 9")
    if said.count:
        counted(said)
    if said.easter is not None:
        return _easter(said, now, tz)
    count, name = said.every or (1, "")
    if name in ("second", "minute", "hour") or said.aligned is not None:
        return _within_day(said, now, tz)
    if said.window:
        raise SentenceError("it doesn't say how often between these times", "every 30 minutes between 9 and 17")
    bare = not (_on_days(said) or said.times or said.part or said.usual)
    if bare and name in ("day", "week"):
        return _interval(said, count * SECONDS[name], now, tz)
    if count != int(count):
        raise SentenceError(f"{count:g} {name}s can't be counted on a calendar", "every 36 hours")
    if count == 1 and not _needs_rule(said, bare):
        return _cron(said, _times(said), tz, now)
    return _rule(said, int(count), name or "month", now, tz, bare=bare)


def _on_days(said: Said) -> bool:
    return bool(said.weekdays or said.nth or said.monthdays or said.workday or said.months or said.date)


def _needs_rule(said: Said, bare: bool) -> bool:
    # Cron reads two restricted day fields as either one; a sentence means both.
    return bare or bool(said.monthdays and said.weekdays)


def _interval(said: Said, seconds: float, now: datetime, tz: ZoneInfo) -> Schedule:
    if seconds != int(seconds):
        raise SentenceError("intervals are whole seconds", "every 90 seconds")
    if seconds < SHORTEST:
        raise SentenceError(f"the shortest interval is {SHORTEST} seconds", f"every {SHORTEST} seconds")
    start = now.replace(microsecond=0)
    words = (
        f"every {span_said(int(seconds))}, counted from {face(start, tz):%H:%M} on {date_said(face(start, tz))}"
    )
    if seconds % SECONDS["day"] == 0:
        said.notes.append(f"For a time of day say: every {span_said(int(seconds))} at 9.")
    return Schedule("interval", tz.key, words, " ".join(said.notes), every=int(seconds), anchor=start)


def _within_day(said: Said, now: datetime, tz: ZoneInfo) -> Schedule:
    count, name = said.every or (1, "hour")
    seconds = count * SECONDS.get(name, 0)
    if said.part:
        raise SentenceError(
            f'"{said.part}" is no clear span of hours', f"every {span_said(round(seconds))} between 9 and 12"
        )
    if said.times:
        raise SentenceError(
            "it says both how often and at what time", f"every {span_said(round(seconds))}", "every day at 9"
        )
    if said.aligned is None and not said.window and not _on_days(said):
        return _interval(said, seconds, now, tz)
    if seconds % 60 or not seconds:
        raise SentenceError("on the clock, times go to the minute", "every 15 minutes between 9 and 17")
    step = int(seconds) // 60
    times = _in_window(said, step) if said.window else _all_day(said, step)
    return _cron(said, times, tz, now, every=step)


def _in_window(said: Said, step: int) -> list[Clock]:
    """The times from the window's start to its end, both included; hourly ones on their minute of the hour."""
    first = settle(said.window[:1])[0]
    start, last = _minutes(first), said.window[1]
    ends = [_minutes(last) + half for half in ((0, 720) if not last.sure and last.hour <= 12 else (0,))]
    if not last.sure and last.hour == 12:
        ends = [720]
    end = next((one for one in ends if one > start), ends[0] + 1440)
    said.notes += guessed(said.window[:1], [first])
    if not last.sure and end % 1440 != ends[0]:
        said.notes.append(f'"{last.text}" was read as {_clock(end)}.')
    if said.aligned is not None:
        start += (said.aligned - start) % min(step, 60)
    if start > end:
        raise SentenceError("no such time lies between these two", "hourly between 9 and 17")
    return [_clock(at) for at in range(start, end + 1, step)]


def _all_day(said: Said, step: int) -> list[Clock]:
    if 1440 % step:
        raise SentenceError(
            f"a day can't be divided into steps of {span_said(step * 60)}",
            f"every {span_said(step * 60)} between 8 and 20",
        )
    if said.aligned is None:
        said.notes.append("Counted on the clock, from 00:00.")
    return [_clock(at) for at in range((said.aligned or 0) % step, 1440, step)]


def _times(said: Said) -> list[Clock]:
    if len(said.times) < 2:
        return [time_said(said)]
    settled = settle(said.times, said.part)
    said.notes += guessed(said.times, settled)
    return settled


def _cron(said: Said, times: list[Clock], tz: ZoneInfo, now: datetime, *, every: int = 0) -> Schedule:
    if said.date is not None and said.date.weekday() not in said.weekdays:
        raise SentenceError("it names one day and a repetition", "every day at 9 starting tomorrow")
    name = said.every[1] if said.every else ""
    if name in ("week", "month", "year"):
        _fill_days(said, name, _first(times, face(now, tz)))
    day, weekday = _day_fields(said)
    month = _ranges(sorted(set(said.months))) or "*"
    fields = _fields(times, every)
    lines = [cron.checked(f"{minutes} {hours} {day} {month} {weekday}") for minutes, hours in fields]
    if 31 in said.monthdays and not (said.months or said.without_monthdays):
        said.notes.append("Months without a 31st are skipped; say: last day of the month.")
    return Schedule("cron", tz.key, _cron_words(said, times, every), " ".join(said.notes), "; ".join(lines))


def _first(times: Iterable[Clock], wall: datetime) -> datetime:
    """The next of these times of day."""
    today = [wall.replace(hour=one.hour, minute=one.minute, second=0, microsecond=0) for one in times]
    return min(at if at > wall else at + timedelta(days=1) for at in today)


def _fill_days(said: Said, name: str, first: datetime) -> None:
    """ "every week at 9" is on the weekday of its next time, "every month at 9" on its day."""
    if said.weekdays or said.monthdays or said.workday:
        return
    if name == "week":
        said.weekdays.append(first.weekday())
        said.notes.append(f"No day was said: {DAYS[first.weekday()]}.")
    else:
        said.monthdays.append(first.day)
        said.months += [first.month] if name == "year" and not said.months else []
        said.notes.append(f"No day was said: the {nth_said(first.day)}.")


def _day_fields(said: Said) -> tuple[str, str]:
    if said.workday:
        # The weekday nearest to the 31st is, in any month, the last one.
        return ("1W" if said.workday > 0 else "31W"), "*"
    if said.nth:
        days = ((day + 1) % 7 for day in said.weekdays)
        return "*", ",".join(f"L{day}" if nth < 0 else f"{day}#{nth}" for day in days for nth in said.nth)
    last = ["L"] if -1 in said.monthdays else []
    monthdays = [_ranges(sorted({day for day in said.monthdays if day > 0})), *last]
    weekdays = sorted({(day + 1) % 7 for day in said.weekdays})
    return ",".join(filter(None, monthdays)) or "*", "*" if len(weekdays) in (0, 7) else _ranges(weekdays)


def _fields(times: Iterable[Clock], every: int) -> list[tuple[str, str]]:
    """Minute and hour fields that give exactly these times: minutes with the same hours share an expression."""
    hours = defaultdict(set)
    for one in times:
        hours[one.minute].add(one.hour)
    minutes = defaultdict(list)
    for minute, at in sorted(hours.items()):
        minutes[tuple(sorted(at))].append(minute)
    return [(_stepped(at, 60, every), _stepped(list(hour), 24, every)) for hour, at in minutes.items()]


def _stepped(values: list[int], size: int, every: int) -> str:
    """A field: ``*/15`` or ``*`` where the values fill it evenly and a repetition was asked for, else a list."""
    step = size // len(values)
    if every and len(values) > 1 and values == list(range(0, size, step)):
        return "*" if step == 1 else f"*/{step}"
    return _ranges(values)


def _ranges(values: list[int]) -> str:
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs)


def _rule(said: Said, count: int, name: str, now: datetime, tz: ZoneInfo, *, bare: bool) -> Schedule:
    wall = face(now, tz).replace(second=0, microsecond=0)
    if name == "day" and (said.weekdays or said.monthdays or said.nth):
        raise SentenceError("days are counted or named, not both", f"every {count} days at 9", "every Monday at 9")
    times = [Clock(wall.hour, wall.minute)] if bare else _times(said)
    if said.workday or (said.nth and name != "month"):
        raise SentenceError(
            "this can't be combined with other steps than months", "every 2 months on the 1st at 9"
        )
    if not bare or name in ("month", "year"):
        _fill_rule(said, name, wall if bare else _first(times, face(now, tz)))
    if rules.never(said.monthdays, said.months):
        raise SentenceError("that day never comes", "last day of the month")
    line = f"FREQ={FREQUENCIES[name]};{_by_days(said, name, len(times))}{_by_times(times)}"
    start = wall if bare else rules.first(line, face(now, tz))
    if start is None:
        raise SentenceError("that day never comes", "last day of the month")
    rule = f"DTSTART:{start.strftime(rules.STAMP)}\nRRULE:{line};INTERVAL={count}"
    days = _days_words(said).replace(" every day ", " on each day ", 1)
    days = f" on {days.removeprefix(' every ')}" if days.startswith(" every ") else days
    words = f"every {name if count == 1 else f'{count} {name}s'}{days} at {listed([str(one) for one in times])}"
    return Schedule("interval", tz.key, words, " ".join(said.notes), rule=rule)


def _easter(said: Said, now: datetime, tz: ZoneInfo) -> Schedule:
    """Every year on a day that Easter moves, by the part that dateutil adds to iCalendar."""
    if said.every not in (None, (1, "year")) or said.weekdays or said.monthdays or said.window:
        raise SentenceError("such a day comes once a year", "every Good Friday at 9")
    times = _times(said)
    line = f"FREQ=YEARLY;BYEASTER={said.easter};{_by_times(times)}"
    start = rules.first(line, face(now, tz))
    assert start is not None  # there is an Easter every year
    rule = f"DTSTART:{start.strftime(rules.STAMP)}\nRRULE:{line};INTERVAL=1"
    words = f"every year on {EASTER_DAYS[said.easter or 0]} at {listed([str(one) for one in times])}"
    return Schedule("interval", tz.key, words, " ".join(said.notes), rule=rule)


def _fill_rule(said: Said, name: str, first: datetime) -> None:
    if name in ("month", "year") and not (said.weekdays or said.monthdays):
        said.monthdays.append(first.day)
        if name == "year":
            said.months = said.months or [first.month]
    elif name == "week" and not said.weekdays:
        said.weekdays.append(first.weekday())


def _by_days(said: Said, name: str, times: int) -> str:
    found, nths = "", [str(nth) for nth in said.nth] or [""]
    if said.months:
        found += f"BYMONTH={','.join(map(str, said.months))};"
    if said.weekdays:
        found += f"BYDAY={','.join(f'{nth}{CODES[day]}' for day in said.weekdays for nth in nths)};"
    if name == "month" and len(said.monthdays) == 1 and said.monthdays[0] > 28 and not said.weekdays:
        days = range(28, said.monthdays[0] + 1)
        said.notes.append("In shorter months it is the last day.")
        last = ",".join(str(-n) for n in range(1, times + 1))
        return f"{found}BYMONTHDAY={','.join(map(str, days))};BYSETPOS={last};"
    return found + (f"BYMONTHDAY={','.join(map(str, said.monthdays))};" if said.monthdays else "")


def _by_times(times: list[Clock]) -> str:
    hours, minutes = sorted({one.hour for one in times}), sorted({one.minute for one in times})
    if len(hours) * len(minutes) != len({str(one) for one in times}):
        raise SentenceError("these times have different minutes", "every 2 weeks on Monday at 9 and 17")
    return f"BYHOUR={','.join(map(str, hours))};BYMINUTE={','.join(map(str, minutes))};BYSECOND=0"


def _minutes(time: Clock) -> int:
    return time.hour * 60 + time.minute


def _clock(minutes: int) -> Clock:
    return Clock(minutes // 60 % 24, minutes % 60)


def _cron_words(said: Said, times: list[Clock], every: int) -> str:
    days = _days_words(said)
    if every:
        span = f"every {span_said(every * 60)} on the clock"
        if said.window:
            span += f", from {times[0]} to {times[-1]}"
        elif said.aligned:
            span += f", at {said.aligned} past"
        return span + (f", {days.strip()}" if days else "")
    return f"{days.strip() or 'every day'} at {listed([str(one) for one in times])}"


def _days_words(said: Said) -> str:
    months = f" in {months_said(said.months)}" if said.months else ""
    if said.without_monthdays and not said.weekdays:
        return f" every day except the {listed([nth_said(day) for day in sorted(said.without_monthdays)])}{months}"
    if said.workday:
        return f" on the {'first' if said.workday > 0 else 'last'} weekday of the month{months}"
    if said.nth:
        which = listed([ordinal_said(nth) for nth in said.nth])
        month = months.replace(" in ", " of ") if months else " of the month"
        return f" on the {which} {listed([DAYS[day] for day in said.weekdays])}{month}"
    if said.monthdays and said.weekdays:
        return f" on {days_said(said.weekdays)} the {listed([nth_said(day) for day in said.monthdays])}{months}"
    if said.monthdays:
        month = months.replace(" in ", " of ") if months else " of the month"
        return f" on the {listed([nth_said(day) for day in said.monthdays])}{month}"
    return f" every {days_said(said.weekdays)}{months}" if said.weekdays else months
