"""The one moment that a sentence without repetition means."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from ankita_desktop.automation.clock import NIGHT, PARTS, Clock, guessed, next_plausible, quoted, settle
from ankita_desktop.automation.said import PassedError, Said, SentenceError
from ankita_desktop.automation.schedule import Schedule
from ankita_desktop.automation.words import DAYS, MONTHS, SECONDS, date_said, listed, moment_said, nth_said
from ankita_desktop.automation.zones import face, instants, resolve

MORNING = Clock(9)
LATELY = timedelta(days=32)  # what passed so shortly ago is meant for the days to come
LEAP_CYCLE = 8  # years between two 29 February at most


def once(said: Said, *, now: datetime, tz: ZoneInfo) -> Schedule:
    """A schedule that fires once after ``now`` (UTC). SentenceError when that moment has passed or isn't one."""
    if len(said.times) > 1:
        raise SentenceError(
            "it names several times", f"every day at {listed([one.text or str(one) for one in said.times[:2]])}"
        )
    if said.window:
        raise SentenceError("a span of time is no moment", "every hour between 9 and 17", "tomorrow at 9")
    if said.span and not (said.date or said.monthdays):
        return _after_span(said, now, tz)
    if said.span:
        raise SentenceError("it names both a distance and a day", "in 3 days at 9")
    wall = face(now, tz)
    day = day_said(said, wall)
    if said.shift:
        return moment(_shifted(said, day), said.notes, now=now, tz=tz)
    return moment(_at(said, day, wall) if day else _soon(said, wall), said.notes, now=now, tz=tz)


def moment(wall: datetime, notes: list[str], *, now: datetime, tz: ZoneInfo) -> Schedule:
    """The schedule of one wall time; SentenceError when it has passed."""
    at = resolve(wall, tz)
    if at <= now:
        raise PassedError(f"{moment_said(wall)} has passed", *_later(wall, face(now, tz)))
    found = len(instants(wall, tz))
    if found == 0:
        notes = [*notes, f"Clocks skip {wall:%H:%M} on that day: {face(at, tz):%H:%M}."]
    elif found == 2:
        notes = [*notes, f"Clocks show {wall:%H:%M} twice on that day: the first is meant."]
    return fixed(at, notes, tz)


def fixed(at: datetime, notes: list[str], tz: ZoneInfo) -> Schedule:
    """The schedule of one instant (UTC)."""
    return Schedule("once", tz.key, f"once, on {moment_said(face(at, tz))}", " ".join(notes), anchor=at)


def only_times(said: Said) -> bool:
    """Whether it says at what time of the day, and nothing of which day."""
    day = said.date or said.monthdays or said.months or said.weekdays or said.span or said.shift
    return bool(said.times or said.part or said.usual) and not (day or said.window)


def time_said(said: Said) -> Clock:
    """The one time of day, settled or chosen; what was chosen is noted."""
    if said.times:
        settled = settle(said.times, said.part)
        said.notes += guessed(said.times, settled)
        return settled[0]
    if said.usual:
        return said.usual
    if said.part:
        found = Clock(PARTS[said.part])
        said.notes.append(f'"{said.part}" was read as {found}.')
        return found
    said.notes.append(f"No time of day was said: {MORNING}.")
    return MORNING


def _after_span(said: Said, now: datetime, tz: ZoneInfo) -> Schedule:
    from dateutil.relativedelta import relativedelta

    wall, seconds = face(now, tz).replace(microsecond=0), 0.0
    for count, name in said.span:
        if name in ("month", "year") or (name in ("day", "week") and count == int(count)):
            if count != int(count):
                raise SentenceError(f"{count:g} {name}s is no clear distance", "in 6 weeks", "in 2 months")
            wall += relativedelta(**{f"{name}s": int(count)})  # type: ignore[arg-type]
        else:
            seconds += count * SECONDS[name]
    if said.times or said.part:
        if seconds:
            raise SentenceError(
                "it names both a distance in hours and a time of day", "in 2 hours", "in 3 days at 9"
            )
        return moment(_joined(wall.date(), time_said(said)), said.notes, now=now, tz=tz)
    moved = wall != face(now, tz).replace(microsecond=0)
    start = resolve(wall, tz) if moved else now.replace(microsecond=0)
    if not moved and not seconds:
        raise SentenceError("no time lies between now and then", "in 20 minutes")
    return fixed(start + timedelta(seconds=round(seconds)), said.notes, tz)


def _shifted(said: Said, day: date | None) -> datetime:
    """The time said, this far from the day said."""
    from dateutil.relativedelta import relativedelta

    if day is None:
        raise SentenceError("it doesn't say from which day", "a week from Monday at 9")
    moved = datetime(day.year, day.month, day.day)
    for count, name in said.shift:
        if name in ("second", "minute", "hour"):
            if day == said.today and count < 0:
                raise PassedError("that has passed", "in 2 hours")
            raise SentenceError("hours are counted from a time, days from a day", "an hour before noon")
        if count != int(count):
            raise SentenceError(f"{abs(count):g} {name}s is no clear distance", "10 days from Monday")
        moved += relativedelta(**{f"{name}s": int(count)})  # type: ignore[arg-type]
    return _joined(moved.date(), time_said(said))


def day_said(said: Said, wall: datetime) -> date | None:
    """The day that was named, without the distance from it; None when none was."""
    if not said.monthdays:
        if said.months or said.year:
            raise SentenceError("it names a month without a day", "on 3 March at 14:00")
        return said.date
    if said.following and said.date:
        said.year = said.date.year
        said.months = said.months or ([said.date.month] if said.following == "month" else [])
        said.notes = [note for note in said.notes if f"next {said.following}" not in note]
    day = _calendar_date(said, wall)
    if said.date not in (None, day) and not (said.weekdays or said.following):
        raise SentenceError(f"it names two days, {date_said(said.date)} and {date_said(day)}")
    if said.weekdays and day.weekday() != said.weekdays[0]:
        raise SentenceError(
            f"{date_said(day)} is no {DAYS[said.weekdays[0]]}", f"{day.day} {MONTHS[day.month - 1]}"
        )
    return day


def _calendar_date(said: Said, wall: datetime) -> date:
    """The date with this day (and month, and year): the next one as far as they weren't said."""
    if len(said.monthdays) > 1 or len(said.months) > 1:
        raise SentenceError("it names several days", "on the 1st and 15th of every month at 9")
    wanted, today = said.monthdays[0], wall.date()
    months = range(12 * (said.year or today.year), 12 * ((said.year or today.year + LEAP_CYCLE) + 1))
    for index in months:
        year, number = divmod(index, 12)
        try:
            day = date(year, number + 1, wanted)
        except ValueError:
            continue
        if (not said.months or number + 1 == said.months[0]) and (said.year or _ahead(said, day, wall)):
            if not said.year and said.months and year > today.year:
                said.notes.append(f"The next one is in {year}.")
            return day
    name = MONTHS[said.months[0] - 1] if said.months else "month"
    raise SentenceError(f"there is no {nth_said(wanted)} of {name}{f' {said.year}' if said.year else ''}")


def _ahead(said: Said, day: date, wall: datetime) -> bool:
    if day != wall.date() or not said.times:
        return day > wall.date()
    return _joined(day, settle(said.times, said.part)[0]) > wall


def _at(said: Said, day: date, wall: datetime) -> datetime:
    """The time said, on its day; a weekday whose time has passed today is the one of next week."""
    if day == wall.date() and said.times and not (said.times[0].sure or said.part or said.weekdays):
        at = next_plausible(said.times[0], wall)
        if at.date() == day:
            said.notes.append(f"{quoted(said.times[0])} was read as {at:%H:%M}.")
            return at
    timed = said.times or said.part or said.usual
    if day == wall.date() and not timed and (said.weekdays or wall >= _joined(day, MORNING)):
        raise SentenceError("that is today, and it doesn't say at what time", "today at 17:00")
    time = time_said(said)
    at = _joined(day, time)
    if said.part == "night" and said.times and time.hour in NIGHT:
        at += timedelta(days=1)
        said.notes.append(f"That is in the night to {DAYS[at.weekday()]}.")
    if at <= wall and said.weekdays and not said.monthdays:
        said.notes.append(f"{at:%H:%M} has passed today: next week.")
        at += timedelta(weeks=1)
    return at


def _soon(said: Said, wall: datetime) -> datetime:
    """A time without a day: the next one that is plausible."""
    if not (said.times or said.part or said.usual):
        raise SentenceError("it doesn't say when", "in 20 minutes", "tomorrow at 9")
    if said.part or not said.times:
        time = time_said(said)
    else:
        time = settle(said.times)[0] if said.times[0].sure else said.times[0]
    at = next_plausible(time, wall)
    day = "today" if at.date() == wall.date() else "tomorrow"
    if said.usual and not said.times:
        said.notes += [f"{time} has passed today: tomorrow."] if day == "tomorrow" else []
    elif not time.sure or day == "tomorrow":
        said.notes.append(f"{quoted(time) if time.text else said.part} was read as {at:%H:%M} {day}.")
    return at


def _joined(day: date, time: Clock) -> datetime:
    return datetime(day.year, day.month, day.day, time.hour, time.minute)


def _later(wall: datetime, now: datetime) -> list[str]:
    """What the person may have meant instead of a time that has passed."""
    tomorrow = f"tomorrow at {wall:%H:%M}"
    if abs(now.date() - wall.date()) < LATELY:
        return [tomorrow]
    day = wall.day if (wall.month, wall.day) != (2, 29) else 28
    ahead = (year for year in (now.year, now.year + 1) if wall.replace(year=year, day=day) > now)
    return [f"{day} {MONTHS[wall.month - 1]} {next(ahead)} at {wall:%H:%M}", tomorrow]
