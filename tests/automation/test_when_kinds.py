"""Promises on kinds of sentences, each worked out by hand or found by a walk over every day."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankita_desktop.automation.schedule import Schedule, WhenError
from ankita_desktop.automation.when import read

BERLIN = ZoneInfo("Europe/Berlin")
WEDNESDAY = datetime(2026, 11, 11, 14, 20, tzinfo=BERLIN)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

# said on Wednesday 11 November 2026 at 14:20: text, its next three times
KINDS = [
    # starts, middles and ends
    ("end of month", "26-11-30 09:00"),
    ("at the end of the month at 6pm", "26-11-30 18:00"),
    ("by the end of next month, 17:00", "26-12-31 17:00"),
    ("month end at noon", "26-11-30 12:00"),
    ("EOM", "26-11-30 09:00"),
    ("end of the week", "26-11-13 09:00"),
    ("start of next week at 8", "26-11-16 08:00"),
    ("end of next week", "26-11-20 09:00"),
    ("mid-month", "26-11-15 09:00"),
    ("end of the quarter", "26-12-31 09:00"),
    ("beginning of next quarter", "27-01-01 09:00"),
    ("end of the year at 23:00", "26-12-31 23:00"),
    ("start of next year at 10", "27-01-01 10:00"),
    ("end of february at 8", "27-02-28 08:00"),
    ("last day of next month", "26-12-31 09:00"),
    ("end of day", "26-11-11 17:00"),
    ("end of day tomorrow", "26-11-12 17:00"),
    ("friday end of day", "26-11-13 17:00"),
    ("every day at the end of the day", "26-11-11 17:00, 26-11-12 17:00, 26-11-13 17:00"),
    ("end of every month at 18:00", "26-11-30 18:00, 26-12-31 18:00, 27-01-31 18:00"),
    ("at the start of every month", "26-12-01 09:00, 27-01-01 09:00, 27-02-01 09:00"),
    ("at the end of each quarter at 10", "26-12-31 10:00, 27-03-31 10:00, 27-06-30 10:00"),
    ("every end of week at 4pm", "26-11-13 16:00, 26-11-20 16:00, 26-11-27 16:00"),
    ("end of every year", "26-12-31 09:00, 27-12-31 09:00, 28-12-31 09:00"),
    # how many times
    ("twice a day", "26-11-11 21:00, 26-11-12 09:00, 26-11-12 21:00"),
    ("three times a day", "26-11-11 15:00, 26-11-11 21:00, 26-11-12 09:00"),
    ("twice a day at 8 and 20", "26-11-11 20:00, 26-11-12 08:00, 26-11-12 20:00"),
    ("4 times daily between 8 and 20", "26-11-11 16:00, 26-11-11 20:00, 26-11-12 08:00"),
    ("2x a day on weekdays", "26-11-11 21:00, 26-11-12 09:00, 26-11-12 21:00"),
    ("twice an hour", "26-11-11 14:50, 26-11-11 15:20, 26-11-11 15:50"),
    ("twice a week on Tuesday and Friday at 9", "26-11-13 09:00, 26-11-17 09:00, 26-11-20 09:00"),
    ("twice a month on the 1st and 15th", "26-11-15 09:00, 26-12-01 09:00, 26-12-15 09:00"),
    ("once a day at 9", "26-11-12 09:00, 26-11-13 09:00, 26-11-14 09:00"),
    ("every morning and evening", "26-11-11 19:00, 26-11-12 09:00, 26-11-12 19:00"),
    ("every morning and evening at 8", "26-11-11 20:00, 26-11-12 08:00, 26-11-12 20:00"),
    # what is left out
    ("every weekday except Friday", "26-11-12 09:00, 26-11-16 09:00, 26-11-17 09:00"),
    ("every day except Sunday at 7", "26-11-12 07:00, 26-11-13 07:00, 26-11-14 07:00"),
    ("daily but not on weekends at 8", "26-11-12 08:00, 26-11-13 08:00, 26-11-16 08:00"),
    ("Mon-Fri apart from Thu and Fri at 10", "26-11-16 10:00, 26-11-17 10:00, 26-11-18 10:00"),
    ("except Thursdays, every weekday at 9", "26-11-13 09:00, 26-11-16 09:00, 26-11-17 09:00"),
    ("every Friday at 9 except in November", "26-12-04 09:00, 26-12-11 09:00, 26-12-18 09:00"),
    ("every day other than the 12th and 13th at 9", "26-11-14 09:00, 26-11-15 09:00, 26-11-16 09:00"),
    ("hourly between 9 and 15 except on Wednesdays", "26-11-12 09:00, 26-11-12 10:00, 26-11-12 11:00"),
    # days with a name
    ("new year's eve", "26-12-31 09:00"),
    ("New Years Eve at 11pm", "26-12-31 23:00"),
    ("christmas eve", "26-12-24 09:00"),
    ("noon on boxing day", "26-12-26 12:00"),
    ("Halloween at 18:00", "27-10-31 18:00"),
    ("valentine's day 2028 at 19", "28-02-14 19:00"),
    ("every new year's day at noon", "27-01-01 12:00, 28-01-01 12:00, 29-01-01 12:00"),
    ("yearly on Christmas Eve at 18:00", "26-12-24 18:00, 27-12-24 18:00, 28-12-24 18:00"),
    ("Good Friday at 10", "27-03-26 10:00"),
    ("every Easter Monday at 10", "27-03-29 10:00, 28-04-17 10:00, 29-04-02 10:00"),
    ("every Pentecost at 8 and 20", "27-05-16 08:00, 27-05-16 20:00, 28-06-04 08:00"),
    # distances from a day or time
    ("a week from Monday", "26-11-23 09:00"),
    ("Monday week at 10", "26-11-23 10:00"),
    ("two weeks from tomorrow at 9", "26-11-26 09:00"),
    ("a fortnight from today at noon", "26-11-25 12:00"),
    ("a month from today", "26-12-11 09:00"),
    ("3 days after Friday at 8", "26-11-16 08:00"),
    ("2 days before Christmas at 10", "26-12-23 10:00"),
    ("the day before new year's eve at 9", "26-12-30 09:00"),
    ("the night before christmas eve", "26-12-23 21:00"),
    ("a week after the end of the month", "26-12-07 09:00"),
    ("the Friday after next at 9", "26-11-20 09:00"),
    ("the week after next", "26-11-25 09:00"),
    ("the day after tomorrow at noon", "26-11-13 12:00"),
    ("10 minutes before noon tomorrow", "26-11-12 11:50"),
    ("an hour after midnight", "26-11-12 01:00"),
    ("every weekday half an hour before 9", "26-11-12 08:30, 26-11-13 08:30, 26-11-16 08:30"),
    ("every day at 9 starting a week from Friday", "26-11-20 09:00, 26-11-21 09:00, 26-11-22 09:00"),
    ("every 4 hours until the end of the week", "26-11-11 18:20, 26-11-11 22:20, 26-11-12 02:20"),
    # minutes of the hour
    ("every hour on the half hour", "26-11-11 14:30, 26-11-11 15:30, 26-11-11 16:30"),
    ("on the half hour", "26-11-11 14:30, 26-11-11 15:30, 26-11-11 16:30"),
    ("every hour at half past", "26-11-11 14:30, 26-11-11 15:30, 26-11-11 16:30"),
    ("at ten to every hour", "26-11-11 14:50, 26-11-11 15:50, 26-11-11 16:50"),
    ("every 2 hours at :30", "26-11-11 14:30, 26-11-11 16:30, 26-11-11 18:30"),
    ("on the quarter hour", "26-11-11 14:30, 26-11-11 14:45, 26-11-11 15:00"),
    ("hourly at :15 between 9 and 17 on weekdays", "26-11-11 15:15, 26-11-11 16:15, 26-11-12 09:15"),
    # parts of units
    ("in half an hour", "26-11-11 14:50"),
    ("in a half hour", "26-11-11 14:50"),
    ("in an hour and a half", "26-11-11 15:50"),
    ("in one and a half hours", "26-11-11 15:50"),
    ("in 2½ hours", "26-11-11 16:50"),
    ("in an hour and a quarter", "26-11-11 15:35"),
    ("in three quarters of an hour", "26-11-11 15:05"),
    ("in about 20 minutes", "26-11-11 14:40"),
    ("in 2 days' time at 9", "26-11-13 09:00"),
    # dates in words, and a moment that was read as one of every year
    ("the first of December at 9", "26-12-01 09:00"),
    ("1st of January 2027 at midnight", "27-01-01 00:00"),
    ("March third", "27-03-03 09:00"),
    ("on the twenty-first at 9", "26-11-21 09:00"),
    ("on the fifteenth of each month at 9", "26-11-15 09:00, 26-12-15 09:00, 27-01-15 09:00"),
    ("the 20th of next month at 9", "26-12-20 09:00"),
    ("next month on the 20th", "26-12-20 09:00"),
    ("on 3 December next year at 9", "27-12-03 09:00"),
    ("Christmas next year", "27-12-25 09:00"),
    ("every first of May at 9", "27-05-01 09:00, 28-05-01 09:00, 29-05-01 09:00"),
    ("24-12-2026 18:00", "26-12-24 18:00"),
    # ways of the office and of the clock
    ("M-F 9am", "26-11-12 09:00, 26-11-13 09:00, 26-11-16 09:00"),
    ("every m/w/f at 9", "26-11-13 09:00, 26-11-16 09:00, 26-11-18 09:00"),
    ("every last working day", "26-11-30 09:00, 26-12-31 09:00, 27-01-29 09:00"),
    ("at the top of every hour", "26-11-11 15:00, 26-11-11 16:00, 26-11-11 17:00"),
    ("bottom of the hour", "26-11-11 14:30, 26-11-11 15:30, 26-11-11 16:30"),
    ("this time tomorrow", "26-11-12 14:20"),
    ("same time next week", "26-11-18 14:20"),
    ("a week tomorrow at 9", "26-11-19 09:00"),
    ("0900 daily", "26-11-12 09:00, 26-11-13 09:00, 26-11-14 09:00"),
    ("1830 hrs tomorrow", "26-11-12 18:30"),
    ("around 5ish", "26-11-11 17:00"),
    ("no later than Friday at noon", "26-11-13 12:00"),
    ("from tomorrow every day at 9", "26-11-12 09:00, 26-11-13 09:00, 26-11-14 09:00"),
    ("until Friday, every day at 9", "26-11-12 09:00, 26-11-13 09:00"),
    ("at 7pm for the next 3 days", "26-11-11 19:00, 26-11-12 19:00, 26-11-13 19:00"),
]


def said(text: str, now: datetime) -> Schedule:
    return read(text, now=now, tz=BERLIN)


def shown(schedule: Schedule, now: datetime) -> str:
    return ", ".join(f"{schedule.local(at):%y-%m-%d %H:%M}" for at in schedule.upcoming(now, 3))


@pytest.mark.parametrize(("text", "times"), KINDS)
def test_a_sentence_of_each_kind_fires_at_the_times_it_means(text: str, times: str) -> None:
    assert shown(said(text, WEDNESDAY), WEDNESDAY) == times


@pytest.mark.parametrize(
    ("text", "words", "note"),
    [
        ("twice a day", "every day at 09:00 and 21:00", "No times of day were said: 09:00 and 21:00."),
        (
            "end of the week at 9",
            "once, on Friday 13 November 2026 at 09:00",
            '"end of the week" was read as Friday.',
        ),
        ("end of day", "once, on Wednesday 11 November 2026 at 17:00", '"end of day" was read as 17:00.'),
        (
            "end of the month at 9",
            "once, on Monday 30 November 2026 at 09:00",
            "Once. For each month say: end of every month.",
        ),
        (
            "at 9 until friday",
            "every day at 09:00, until Friday 13 November 2026 at 23:59:59",
            "Read as every day.",
        ),
        ("every day but Sunday at 9", "every day except Sunday at 09:00", ""),
        ("every weekday at 9 except in august", "every weekday in every month except August at 09:00", ""),
        ("every day except the 1st at 9", "every day except the 1st at 09:00", ""),
        ("every Good Friday at 9", "every year on Good Friday at 09:00", ""),
        (
            "every morning and night",
            "every day at 09:00 and 21:00",
            '"morning" was read as 09:00, "night" was read as 21:00.',
        ),
    ],
)
def test_what_was_chosen_for_a_person_is_said(text: str, words: str, note: str) -> None:
    schedule = said(text, WEDNESDAY)
    assert (schedule.words, schedule.note) == (words, note)


def _last(day: date) -> bool:
    return day.day == monthrange(day.year, day.month)[1]


EDGES = {
    "end of the month": _last,
    "start of next month": lambda day: day.day == 1,
    "end of the quarter": lambda day: _last(day) and day.month in (3, 6, 9, 12),
    "end of the year": lambda day: (day.month, day.day) == (12, 31),
    "end of february": lambda day: _last(day) and day.month == 2,
    "start of next year": lambda day: (day.month, day.day) == (1, 1),
    "start of next quarter": lambda day: day.day == 1 and day.month in (1, 4, 7, 10),
    "christmas eve": lambda day: (day.month, day.day) == (12, 24),
    "leap day": lambda day: (day.month, day.day) == (2, 29),
    "new year's day": lambda day: (day.month, day.day) == (1, 1),
}


@given(st.sampled_from(sorted(EDGES)), st.datetimes(datetime(2025, 1, 1), datetime(2029, 12, 31)))
def test_a_named_day_is_the_first_such_day_from_today_on(name: str, now: datetime) -> None:
    moment = now.replace(tzinfo=BERLIN)
    day = now.date() + timedelta(days="next" in name)
    while not EDGES[name](day):
        day += timedelta(days=1)
    expected = datetime(day.year, day.month, day.day, 18, 0)
    try:
        schedule = said(f"{name} at 18:00", moment)
    except WhenError as error:
        assert expected <= now and "has passed" in str(error)
    else:
        if day == now.date() and expected <= now:  # a date: its time has passed today, so the one of another year
            assert schedule.local(schedule.upcoming(moment, 1)[0]).date() > day
            return
        assert shown(schedule, moment) == f"{expected:%y-%m-%d %H:%M}"


@given(
    st.integers(0, 6), st.integers(1, 6), st.booleans(), st.datetimes(datetime(2025, 1, 1), datetime(2029, 12, 31))
)
def test_weeks_from_a_weekday_are_counted_from_the_coming_one(
    weekday: int, weeks: int, british: bool, now: datetime
) -> None:
    moment, day = now.replace(tzinfo=BERLIN), now.date()
    while day.weekday() != weekday:
        day += timedelta(days=1)
    day += timedelta(weeks=weeks)
    text = f"{weeks} weeks {'on' if british else 'from'} {DAYS[weekday]} at 9:30 am"
    assert shown(said(text, moment), moment) == f"{day:%y-%m-%d} 09:30"


@given(st.integers(1, 59), st.integers(1, 23), st.datetimes(datetime(2025, 1, 1), datetime(2029, 12, 31)))
def test_minutes_before_a_time_are_a_time(minutes: int, hour: int, now: datetime) -> None:
    moment = now.replace(tzinfo=BERLIN)
    schedule = said(f"every day {minutes} minutes before {hour:02}:00", moment)
    assert schedule.cron == f"{60 - minutes} {hour - 1} * * *"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("tomorow at 9", "tomorrow at 9"),
        ("every weekdy at 9", "every weekday at 9"),
        ("next wendesday", "next wednesday"),
        ("evry monday", "every monday"),
        ("thrusday at 5pm", "thursday at 5pm"),
        ("in 20 minuets", "in 20 minutes"),
        ("in 2 horus", "in 2 hours"),
        ("3 Febuary at 14:00", "3 february at 14:00"),
        ("frist monday of the month at 10", "first monday of the month at 10"),
        ("twcie a day", "twice a day"),
        ("weekdays exept friday", "weekdays except friday"),
        ("chrismas eve at 6", "christmas eve at 6"),
        ("in tenn minutes", "in ten minutes"),
        ("evry monday and fridy at 9 untill 3 march", "every monday and friday at 9 until 3 march"),
    ],
)
def test_a_misspelt_word_is_asked_about_and_never_guessed(text: str, meant: str) -> None:
    with pytest.raises(WhenError) as caught:
        said(text, WEDNESDAY)
    assert f"Did you mean “{meant}”?" in str(caught.value)
    assert caught.value.examples == (meant,)
    assert said(meant, WEDNESDAY).next(WEDNESDAY) is not None


@pytest.mark.parametrize(
    "text", ["soon", "banana", "when I get home", "call mum", "tomorow at 25:00", "the weather"]
)
def test_a_word_that_is_none_about_time_is_not_made_one(text: str) -> None:
    with pytest.raises(WhenError) as caught:
        said(text, WEDNESDAY)
    assert "Did you mean" not in str(caught.value)


@pytest.mark.parametrize(("text", "times"), KINDS)
def test_two_letters_that_changed_places_give_no_other_time(text: str, times: str) -> None:
    """Whatever was mistyped: it is read as before, refused, or asked about. It never becomes another time."""
    for at in range(len(text) - 1):
        pair = text[at : at + 2]
        if any(one.isdigit() for one in pair):
            continue  # other digits are another time
        slipped = f"{text[:at]}{pair[::-1]}{text[at + 2 :]}"
        try:
            schedule = said(slipped, WEDNESDAY)
        except WhenError:
            continue
        assert shown(schedule, WEDNESDAY) == times, slipped
