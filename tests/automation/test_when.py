"""Promises on times in words: what each sentence means, said on Monday 30 November 2026 at 10:15 in Berlin."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from subprocess import run
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankita_desktop.automation.schedule import Schedule, WhenError
from ankita_desktop.automation.when import read

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 30, 10, 15, tzinfo=BERLIN)

# text, its cron expression or kind, its next times
SENTENCES = [
    ("in 20 minutes", "once", "26-11-30 10:35"),
    ("in an hour and a half", "once", "26-11-30 11:45"),
    ("in 1h30m", "once", "26-11-30 11:45"),
    ("in 2 hours and 15 minutes", "once", "26-11-30 12:30"),
    ("in half an hour", "once", "26-11-30 10:45"),
    ("in 45 seconds", "once", "26-11-30 10:15:45"),
    ("20 minutes from now", "once", "26-11-30 10:35"),
    ("in 3 days", "once", "26-12-03 10:15"),
    ("in 3 days at 9", "once", "26-12-03 09:00"),
    ("in 2 weeks", "once", "26-12-14 10:15"),
    ("tomorrow 9am", "once", "26-12-01 09:00"),
    ("tomorrow at 5", "once", "26-12-01 17:00"),
    ("quarter to 9 tomorrow", "once", "26-12-01 08:45"),
    ("day after tomorrow at 10:30", "once", "26-12-02 10:30"),
    ("tonight at 8", "once", "26-11-30 20:00"),
    ("this evening at 7", "once", "26-11-30 19:00"),
    ("tomorrow morning", "once", "26-12-01 09:00"),
    ("at 5", "once", "26-11-30 17:00"),
    ("at 9", "once", "26-11-30 21:00"),
    ("half past 5", "once", "26-11-30 17:30"),
    ("noon", "once", "26-11-30 12:00"),
    ("midnight", "once", "26-12-01 00:00"),
    ("next Friday at noon", "once", "26-12-04 12:00"),
    ("Monday at 9", "once", "26-12-07 09:00"),
    ("Monday at 11", "once", "26-11-30 11:00"),
    ("thursday 5pm", "once", "26-12-03 17:00"),
    ("Wednesday next week at 14:00", "once", "26-12-09 14:00"),
    ("on 3 March at 14:00", "once", "27-03-03 14:00"),
    ("Dec 24th, 2026", "once", "26-12-24 09:00"),
    ("24.12.2026 18:00", "once", "26-12-24 18:00"),
    ("the 15th at noon", "once", "26-12-15 12:00"),
    ("2026-12-24", "once", "26-12-24 09:00"),
    ("2026-12-24T18:00", "once", "26-12-24 18:00"),
    ("2026-12-24T18:00:00Z", "once", "26-12-24 19:00"),
    ("PT20M", "once", "26-11-30 10:35"),
    ("P1DT2H", "once", "26-12-01 12:15"),
    ("tomorrow at 9:00 UTC", "once", "26-12-01 09:00"),
    ("every 30m", "interval", "26-11-30 10:45, 26-11-30 11:15, 26-11-30 11:45"),
    ("every 90 minutes", "interval", "26-11-30 11:45, 26-11-30 13:15, 26-11-30 14:45"),
    ("every 2 hours", "interval", "26-11-30 12:15, 26-11-30 14:15, 26-11-30 16:15"),
    ("every hour", "interval", "26-11-30 11:15, 26-11-30 12:15, 26-11-30 13:15"),
    ("every 7d", "interval", "26-12-07 10:15, 26-12-14 10:15, 26-12-21 10:15"),
    ("every day", "interval", "26-12-01 10:15, 26-12-02 10:15, 26-12-03 10:15"),
    ("every 2 hours starting at 8", "interval", "26-11-30 20:00, 26-11-30 22:00, 26-12-01 00:00"),
    ("every 20 minutes starting tomorrow at 8", "interval", "26-12-01 08:00, 26-12-01 08:20, 26-12-01 08:40"),
    ("hourly", "0 * * * *", "26-11-30 11:00, 26-11-30 12:00, 26-11-30 13:00"),
    ("on the hour", "0 * * * *", "26-11-30 11:00, 26-11-30 12:00, 26-11-30 13:00"),
    ("every hour at :30", "30 * * * *", "26-11-30 10:30, 26-11-30 11:30, 26-11-30 12:30"),
    ("every 2 hours on the hour", "0 */2 * * *", "26-11-30 12:00, 26-11-30 14:00, 26-11-30 16:00"),
    ("daily 08:00", "0 8 * * *", "26-12-01 08:00, 26-12-02 08:00, 26-12-03 08:00"),
    ("daily at 8, 12 and 18", "0 8,12,18 * * *", "26-11-30 12:00, 26-11-30 18:00, 26-12-01 08:00"),
    ("every day at 8:00 and 20:30", "0 8 * * *; 30 20 * * *", "26-11-30 20:30, 26-12-01 08:00, 26-12-01 20:30"),
    ("every morning", "0 9 * * *", "26-12-01 09:00, 26-12-02 09:00, 26-12-03 09:00"),
    ("weekdays at 9:30", "30 9 * * 1-5", "26-12-01 09:30, 26-12-02 09:30, 26-12-03 09:30"),
    ("every weekday at 8 starting next Monday", "0 8 * * 1-5", "26-12-07 08:00, 26-12-08 08:00, 26-12-09 08:00"),
    ("every weekday at 9 and 5", "0 9,17 * * 1-5", "26-11-30 17:00, 26-12-01 09:00, 26-12-01 17:00"),
    ("mon-fri 18:00", "0 18 * * 1-5", "26-11-30 18:00, 26-12-01 18:00, 26-12-02 18:00"),
    ("Mon, Wed and Fri at 7:15", "15 7 * * 1,3,5", "26-12-02 07:15, 26-12-04 07:15, 26-12-07 07:15"),
    ("mondays at 9", "0 9 * * 1", "26-12-07 09:00, 26-12-14 09:00, 26-12-21 09:00"),
    ("every Monday and Thursday at 6pm", "0 18 * * 1,4", "26-11-30 18:00, 26-12-03 18:00, 26-12-07 18:00"),
    ("on weekends at 10", "0 10 * * 0,6", "26-12-05 10:00, 26-12-06 10:00, 26-12-12 10:00"),
    ("hourly between 9 and 17", "0 9-17 * * *", "26-11-30 11:00, 26-11-30 12:00, 26-11-30 13:00"),
    (
        "every 15 minutes between 9 and 17 on weekdays",
        "0 9-17 * * 1-5; 15,30,45 9-16 * * 1-5",
        "26-11-30 10:30, 26-11-30 10:45, 26-11-30 11:00",
    ),
    (
        "every 45 minutes between 9:00 and 12:00",
        "0 9,12 * * *; 15 11 * * *; 30 10 * * *; 45 9 * * *",
        "26-11-30 10:30, 26-11-30 11:15, 26-11-30 12:00",
    ),
    ("every 20 minutes on weekends", "*/20 * * * 0,6", "26-12-05 00:00, 26-12-05 00:20, 26-12-05 00:40"),
    ("every other Tuesday", "interval", "26-12-01 09:00, 26-12-15 09:00, 26-12-29 09:00"),
    ("every other Tuesday at 19", "interval", "26-12-01 19:00, 26-12-15 19:00, 26-12-29 19:00"),
    ("every 3 days at 7", "interval", "26-12-01 07:00, 26-12-04 07:00, 26-12-07 07:00"),
    ("every 2 weeks on Friday at 16:00", "interval", "26-12-04 16:00, 26-12-18 16:00, 27-01-01 16:00"),
    ("every 2 weeks on Monday and Thursday at 9", "interval", "26-12-03 09:00, 26-12-14 09:00, 26-12-17 09:00"),
    ("every 2nd and 4th friday at 3pm", "0 15 * * 5#2,5#4", "26-12-11 15:00, 26-12-25 15:00, 27-01-08 15:00"),
    ("every first and third monday at 9", "0 9 * * 1#1,1#3", "26-12-07 09:00, 26-12-21 09:00, 27-01-04 09:00"),
    ("the 1st and 3rd tuesday at 10", "0 10 * * 2#1,2#3", "26-12-01 10:00, 26-12-15 10:00, 27-01-05 10:00"),
    ("every first and last friday at 8", "0 8 * * 5#1,L5", "26-12-04 08:00, 26-12-25 08:00, 27-01-01 08:00"),
    ("every 1st and 15th at 9", "0 9 1,15 * *", "26-12-01 09:00, 26-12-15 09:00, 27-01-01 09:00"),
    ("first Monday of the month at 10", "0 10 * * 1#1", "26-12-07 10:00, 27-01-04 10:00, 27-02-01 10:00"),
    ("every second Tuesday of the month at 10", "0 10 * * 2#2", "26-12-08 10:00, 27-01-12 10:00, 27-02-09 10:00"),
    (
        "first and third Thursday of every month at 14:00",
        "0 14 * * 4#1,4#3",
        "26-12-03 14:00, 26-12-17 14:00, 27-01-07 14:00",
    ),
    ("last Friday of the month at 17:00", "0 17 * * L5", "26-12-25 17:00, 27-01-29 17:00, 27-02-26 17:00"),
    ("last day of the month", "0 9 L * *", "26-12-31 09:00, 27-01-31 09:00, 27-02-28 09:00"),
    ("last weekday of the month at 16:30", "30 16 31W * *", "26-11-30 16:30, 26-12-31 16:30, 27-01-29 16:30"),
    ("every month on the 15th at 8", "0 8 15 * *", "26-12-15 08:00, 27-01-15 08:00, 27-02-15 08:00"),
    ("on the 1st and 15th at 9", "0 9 1,15 * *", "26-12-01 09:00, 26-12-15 09:00, 27-01-01 09:00"),
    ("every month", "interval", "26-12-30 10:15, 27-01-30 10:15, 27-02-28 10:15"),
    ("every 2 months on the 1st at 9", "interval", "26-12-01 09:00, 27-02-01 09:00, 27-04-01 09:00"),
    ("quarterly", "interval", "27-02-28 10:15, 27-05-30 10:15, 27-08-30 10:15"),
    ("every Friday the 13th at 13:00", "interval", "27-08-13 13:00, 28-10-13 13:00, 29-04-13 13:00"),
    ("yearly on December 24 at 18:00", "0 18 24 12 *", "26-12-24 18:00, 27-12-24 18:00, 28-12-24 18:00"),
    ("every Monday in June at 9", "0 9 * 6 1", "27-06-07 09:00, 27-06-14 09:00, 27-06-21 09:00"),
    ("weekdays at 9:30 America/New_York", "30 9 * * 1-5", "26-11-30 09:30, 26-12-01 09:30, 26-12-02 09:30"),
    ("0 8 * * 1-5", "0 8 * * 1-5", "26-12-01 08:00, 26-12-02 08:00, 26-12-03 08:00"),
    ("0 9 1 * 1", "0 9 1 * 1", "26-12-01 09:00, 26-12-07 09:00, 26-12-14 09:00"),
    ("0 0 * * 5L", "0 0 * * L5", "26-12-25 00:00, 27-01-29 00:00, 27-02-26 00:00"),
    ("0 17 LW * *", "0 17 31W * *", "26-11-30 17:00, 26-12-31 17:00, 27-01-29 17:00"),
    ("@hourly", "0 * * * *", "26-11-30 11:00, 26-11-30 12:00, 26-11-30 13:00"),
    ("@every 90m", "interval", "26-11-30 11:45, 26-11-30 13:15, 26-11-30 14:45"),
    (
        "RRULE:FREQ=WEEKLY;BYDAY=TU;BYHOUR=19;BYMINUTE=0",
        "interval",
        "26-12-01 19:00, 26-12-08 19:00, 26-12-15 19:00",
    ),
    ("RRULE:FREQ=MINUTELY;INTERVAL=90", "interval", "26-11-30 11:45, 26-11-30 13:15, 26-11-30 14:45"),
]

# text, what the answer says is wrong, what it says to write instead
REFUSED = [
    ("banana", "nothing that says when", "in 20 minutes"),
    ("", "empty", "in 20 minutes"),
    ("soon", "nothing that says when", "tomorrow at 9"),
    ("when I get home", "nothing that says when", "in 20 minutes"),
    ("tomorrow at", "isn't complete", "tomorrow at 9"),
    ("at 25:00", "there is no 25:00", "tomorrow at 9"),
    ("at 13pm", "there is no 13pm", "tomorrow at 9"),
    ("yesterday at 9", "29 November 2026 at 09:00 has passed", "tomorrow at 09:00"),
    ("today at 9am", "30 November 2026 at 09:00 has passed", "tomorrow at 09:00"),
    ("2020-01-01T09:00", "has passed", "1 January 2027 at 09:00"),
    ("on 3 March 2020 at 14:00", "has passed", "3 March 2027 at 14:00"),
    ("30 February", "there is no 30th of February", "in 20 minutes"),
    ("2026-02-30", "no calendar", "2027-01-31T09:00"),
    ("3/4/2027", "may mean two days", "3 April 2027"),
    ("Friday 5 December 2026", "Saturday 5 December 2026 is no Friday", "5 December"),
    ("every third Friday", "may mean two things", "third Friday of the month"),
    ("every monday at 9:00 and friday at 10", "different days have different times", "every Monday at 9"),
    ("every 2 hours at 9", "both how often and at what time", "every 2 hours"),
    ("tomorrow at 9 and 17", "several times", "every day at 9 and 17"),
    ("every 5 seconds", "shortest interval is 15 seconds", "every 15 seconds"),
    ("every 0 minutes", "shortest interval", "every 15 seconds"),
    ("every 7 hours on weekdays", "can't be divided", "every 7 hours between 8 and 20"),
    ("every day except at noon", "days and months can be left out", "every hour between 9 and 12"),
    ("every day except holidays", "only weekdays, days of the month", "every weekday except Friday at 9"),
    ("every weekday except weekdays", "no day is left", "every weekday except Friday at 9"),
    ("tomorrow except Friday", "only what repeats", "every weekday except Friday at 9"),
    ("tomorrow the 15th at 9", "it names two days", "tomorrow at 9"),
    ("2nd weekend", "it names two days", "tomorrow at 9"),
    ("weekend Tuesdays at 9", "one day and a repetition", "every day at 9 starting tomorrow"),
    ("every weekday at 8 except on Fridays at 7", "different days have different times", "every weekday except"),
    ("20 minutes", "how far away or how often", "in 20 minutes"),
    ("twice a day hourly in the morning", "twice how often", "every hour"),
    ("twice a day at 8", "2 times a day, and names 1", "every day at 08:00 and 20:00"),
    ("twice a week", "not on which days", "every Monday and Thursday at 9"),
    ("3 times a month", "not on which days", "on the 1st and 15th of every month at 9"),
    ("twice a year", "not on which days", "every 6 months on the 1st at 9"),
    ("12 times a day", "can't be spread evenly", "every hour between 9 and 21"),
    ("Thanksgiving at 9", "differs by country or by year", "on 26 November at 9"),
    ("in a few minutes", "doesn't say how many", "in 5 minutes"),
    ("every hour on the quarter hour", "may mean two things", "every hour at :15"),
    ("a day and a half from Monday", "1.5 days is no clear distance", "10 days from Monday"),
    ("2 hours after Monday", "hours are counted from a time", "an hour before noon"),
    ("2 days before the end of every month", "a day that repeats", "on the 28th of every month at 9"),
    ("every morning and evening at 08:00", "beside other times", "every day at 8:00 and 20:00"),
    ("end of month", "that is today, and it doesn't say at what time", "today at 17:00"),
    ("2026-13-01 at 9", "no calendar shows 2026-13-01", "2027-01-31 at 9"),
    ("in 2 hours at 9", "both a distance", "in 3 days at 9"),
    ("every day at 9 until 1 March 2020", "has passed", "1 March 2027"),
    ("weekdays at 9 Europe/Berln", "no time zone 'Europe/Berln'", "every weekday at 8:00"),
    ("in 99999999999 days", "beyond the calendar", "in 20 minutes"),
    ("* * * *", "five fields", "0 8 * * 1-5"),
    ("0 30 8 * * 1-5", "this has 6", "30 8 * * 1-5"),
    ("61 * * * *", "there is no minute '61'", "0 8 * * 1-5"),
    ("-1 * * * *", "'-1' is no minute", "0 8 * * 1-5"),
    ("*/90 * * * *", "doesn't fit in the minute", "every 90 minutes"),
    ("0 0 30 2 *", "never comes", "0 9 L * *"),
    ("30 9 L-2 * *", "can't be counted back", "RRULE:FREQ=MONTHLY;BYMONTHDAY=-3;BYHOUR=9;BYMINUTE=30"),
    ("0 9 * * L", "no weekday", "0 9 * * 6"),
    ("0 9 * * 1,2#1", "can't stand in one list", "0 8 * * 1-5"),
    ("@reboot", "there is no @reboot", "every 5 minutes"),
    ("R 9 * * *", "no minute", "0 8 * * 1-5"),
    ("RRULE:FREQ=SECONDLY", "FREQ is one of", "RRULE:FREQ=WEEKLY"),
    ("RRULE:FREQ=DAILY;INTERVAL=0", "INTERVAL goes from 1", "RRULE:FREQ=WEEKLY"),
    ("RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "never comes", "RRULE:FREQ=WEEKLY"),
    ("RRULE:FREQ=DAILY;UNTIL=20200101", "never fires", "RRULE:FREQ=WEEKLY"),
]


def said(text: str) -> Schedule:
    return read(text, now=NOW, tz=BERLIN)


@pytest.mark.parametrize(("text", "means", "times"), SENTENCES)
def test_a_sentence_fires_at_the_times_it_means(text: str, means: str, times: str) -> None:
    schedule = said(text)
    shown = [f"{schedule.local(at):%y-%m-%d %H:%M:%S}".removesuffix(":00") for at in schedule.upcoming(NOW, 3)]
    assert (schedule.cron or schedule.kind, ", ".join(shown)) == (means, times)
    assert schedule.words


@pytest.mark.parametrize(("text", "reason", "instead"), REFUSED)
def test_what_is_no_time_is_refused_with_what_to_write_instead(text: str, reason: str, instead: str) -> None:
    with pytest.raises(WhenError) as caught:
        said(text)
    assert reason in str(caught.value)
    assert any(instead in example for example in caught.value.examples)


@pytest.mark.parametrize(("text", "reason", "instead"), REFUSED)
def test_what_is_said_to_write_instead_can_be_read(text: str, reason: str, instead: str) -> None:
    with pytest.raises(WhenError) as caught:
        said(text)
    for example in caught.value.examples:
        assert said(example).next(NOW) is not None


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("at 5", '"at 5" was read as 17:00 today.'),
        ("weekdays at 5", '"at 5" was read as 17:00.'),
        ("noon tomorrow", ""),
        ("09:00", '"at 09:00" was read as 09:00 tomorrow.'),
        ("tomorrow", "No time of day was said: 09:00."),
        ("next Friday at 9", '"next friday" was read as the coming one.'),
        ("Monday at 9", "09:00 has passed today: next week."),
        ("biweekly on Monday at 9", '"biweekly" was read as every 2 weeks.'),
        ("3 March at 9", "The next one is in 2027."),
        ("0 9 1 * 1", "Both day fields are set: a day that matches either one is enough."),
        ("on the 31st of every month at 8", "Months without a 31st are skipped; say: last day of the month."),
        ("28 March 2027 at 02:30", "Clocks skip 02:30 on that day: 03:00."),
        ("31 October 2027 at 02:30", "Clocks show 02:30 twice on that day: the first is meant."),
    ],
)
def test_what_had_to_be_guessed_is_said(text: str, note: str) -> None:
    assert said(text).note == note


@pytest.mark.parametrize(
    ("at", "hour", "expected"),
    [
        ("10:00", "5", "30. 17:00"),
        ("18:00", "5", "01. 17:00"),
        ("04:30", "5", "30. 05:00"),
        ("23:30", "2", "01. 02:00"),
        ("20:00", "8", "01. 08:00"),
        ("07:00", "8", "30. 08:00"),
        ("13:00", "12", "01. 12:00"),
    ],
)
def test_an_hour_without_its_half_is_the_next_plausible_one(at: str, hour: str, expected: str) -> None:
    now = datetime.fromisoformat(f"2026-11-30T{at}").replace(tzinfo=BERLIN)
    schedule = read(f"at {hour}", now=now, tz=BERLIN)
    assert [f"{schedule.local(one):%d. %H:%M}" for one in schedule.upcoming(now, 2)] == [expected]


def test_how_a_sentence_was_understood_is_said_back() -> None:
    assert said("weekdays at 9:30").words == "every weekday at 09:30"
    assert said("every other Tuesday at 19").words == "every 2 weeks on Tuesday at 19:00"
    assert said("last Friday of the month at 5pm").words == "on the last Friday of the month at 17:00"
    assert said("every 90m").words == "every 90 minutes, counted from 10:15 on Monday 30 November 2026"
    assert said("tomorrow at 9").words == "once, on Tuesday 1 December 2026 at 09:00"


def test_a_date_in_a_form_of_its_own_is_read_by_the_library_for_dates() -> None:
    schedule = said("5-Dec-2026 14:00")
    assert schedule.anchor == datetime(2026, 12, 5, 13, tzinfo=UTC)
    assert "was read as Saturday 5 December 2026 at 14:00" in schedule.note


def test_a_sentence_of_ours_is_read_without_loading_the_library_for_dates() -> None:
    code = (
        "import sys; from datetime import datetime, UTC; from zoneinfo import ZoneInfo\n"
        "from ankita_desktop.automation.when import read\n"
        "read('every weekday at 8', now=datetime.now(UTC), tz=ZoneInfo('UTC'))\n"
        "print('dateparser' in sys.modules)"
    )
    assert run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


WORDS = st.sampled_from(
    "every other in at on the of 9 9:30 17 20 1st minutes hours day days week month monday friday tomorrow next "
    "last first between and until starting noon midnight am pm march 2027 weekdays daily hourly , - * */5 0 1-5 "
    "L W # RRULE:FREQ=DAILY @daily half past quarter to a an 2026-12-24 T Z morning night except but end "
    "start eve christmas easter new year's twice 3 times before after ago from weekend each yesterday few "
    "lunchtime half".split()
)


@given(st.lists(WORDS, max_size=8).map(" ".join) | st.text(max_size=40))
def test_any_text_is_a_schedule_with_a_time_to_come_or_a_refusal(text: str) -> None:
    try:
        schedule = said(text)
    except WhenError:
        return
    at = schedule.next(NOW)
    assert at is not None and at > NOW
    assert Schedule.from_json(schedule.to_json()) == schedule
