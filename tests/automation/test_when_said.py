"""Promises on sentences as different people say them: two sets written down before either was tried.

Most are in the table of ``test_when`` in another wording; these keep the odd orders, clocks and notations.
"""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from ankita_desktop.automation.schedule import WhenError
from ankita_desktop.automation.when import read

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = datetime(2026, 11, 30, 10, 15, tzinfo=BERLIN)
THURSDAY = datetime(2027, 2, 4, 16, 40, tzinfo=BERLIN)

# text, its next three times as the clocks of its zone show them
ON_MONDAY = [
    ("half past seven tomorrow morning", "26-12-01 07:30"),
    ("in three quarters of an hour", "26-11-30 11:00"),
    ("at half eight tonight", "26-11-30 20:30"),
    ("Thursday week at 10", "26-12-10 10:00"),
    ("a fortnight from today at 8pm", "26-12-14 20:00"),
    ("this Friday, 16h30", "26-12-04 16:30"),
    ("next month on the 3rd at 11", "26-12-03 11:00"),
    ("the last Sunday in March at 10am", "27-03-28 10:00, 28-03-26 10:00, 29-03-25 10:00"),
    ("December 6th, 7 in the morning", "26-12-06 07:00"),
    ("on the 24th at 18h", "26-12-24 18:00"),
    ("8pm on Saturday", "26-12-05 20:00"),
    ("at 0730 on Wednesday", "26-12-02 07:30"),
    ("1st of January 2027 at midnight", "27-01-01 00:00"),
    ("by 5pm today", "26-11-30 17:00"),
    ("45 mins from now", "26-11-30 11:00"),
    ("end of the year at noon", "26-12-31 12:00"),
    ("an hour before midnight", "26-11-30 23:00"),
    ("first thing tomorrow", "26-12-01 09:00"),
    ("lunchtime tomorrow", "26-12-01 12:00"),
    ("in a week's time", "26-12-07 10:15"),
    ("2 days before Christmas at 10", "26-12-23 10:00"),
    ("easter sunday at 11", "27-03-28 11:00"),
    ("at 5 in the afternoon on the second of February", "27-02-02 17:00"),
    ("Sunday night at 9", "26-12-06 21:00"),
    ("each morning at 6:45", "26-12-01 06:45, 26-12-02 06:45, 26-12-03 06:45"),
    ("every night at 11", "26-11-30 23:00, 26-12-01 23:00, 26-12-02 23:00"),
    ("every weekday but Wednesday at 8:30", "26-12-01 08:30, 26-12-03 08:30, 26-12-04 08:30"),
    ("Monday through Thursday, 7:45 am", "26-12-01 07:45, 26-12-02 07:45, 26-12-03 07:45"),
    ("every 15 min 08:00-10:30", "26-11-30 10:30, 26-12-01 08:00, 26-12-01 08:15"),
    ("at 9, 13 and 17 on workdays", "26-11-30 13:00, 26-11-30 17:00, 26-12-01 09:00"),
    ("on Tuesdays and Thursdays at 18:15", "26-12-01 18:15, 26-12-03 18:15, 26-12-08 18:15"),
    ("once a month on the first Saturday at noon", "26-12-05 12:00, 27-01-02 12:00, 27-02-06 12:00"),
    ("every 4 hours from 6am to 10pm", "26-11-30 14:00, 26-11-30 18:00, 26-11-30 22:00"),
    ("once a year on 29 February at 9", "28-02-29 09:00, 32-02-29 09:00, 36-02-29 09:00"),
    ("every six months on the 1st at 8", "26-12-01 08:00, 27-06-01 08:00, 27-12-01 08:00"),
    ("alternate Fridays at 3pm", "26-12-04 15:00, 26-12-18 15:00, 27-01-01 15:00"),
    ("on the last working day of each month at 17:30", "26-11-30 17:30, 26-12-31 17:30, 27-01-29 17:30"),
    ("every year on May 1 at 10", "27-05-01 10:00, 28-05-01 10:00, 29-05-01 10:00"),
    ("saturday and sunday mornings at 10", "26-12-05 10:00, 26-12-06 10:00, 26-12-12 10:00"),
    ("every 1.5 hours", "26-11-30 11:45, 26-11-30 13:15, 26-11-30 14:45"),
    ("at 20 past every hour", "26-11-30 10:20, 26-11-30 11:20, 26-11-30 12:20"),
    ("every day at noon and midnight", "26-11-30 12:00, 26-12-01 00:00, 26-12-01 12:00"),
    ("nightly at 2:30", "26-12-01 02:30, 26-12-02 02:30, 26-12-03 02:30"),
    ("weekly on Sunday, 20:00 Europe/London", "26-12-06 20:00, 26-12-13 20:00, 26-12-20 20:00"),
    ("weekdays hourly from 9 to 17", "26-11-30 11:00, 26-11-30 12:00, 26-11-30 13:00"),
    ("from 8 to 12 every 30 minutes on Mondays", "26-11-30 10:30, 26-11-30 11:00, 26-11-30 11:30"),
    ("at 7pm for the next 3 days", "26-11-30 19:00, 26-12-01 19:00, 26-12-02 19:00"),
    ("7:00 every single day", "26-12-01 07:00, 26-12-02 07:00, 26-12-03 07:00"),
    ("on the 10th and the 25th, 8 o'clock", "26-12-10 08:00, 26-12-25 08:00, 27-01-10 08:00"),
    ("2026-12-31T23:59:30", "26-12-31 23:59:30"),
    ("2027-01-15 at 14:00", "27-01-15 14:00"),
    ("20261205T0700", "26-12-05 07:00"),
    ("2026-12-05T09:00+05:30", "26-12-05 04:30"),
    ("P2W", "26-12-14 10:15"),
    ("FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=16;BYMINUTE=0", "26-12-25 16:00, 27-01-29 16:00, 27-02-26 16:00"),
    ("RRULE:FREQ=DAILY;INTERVAL=3;BYHOUR=6;BYMINUTE=30;COUNT=2", "26-12-03 06:30, 26-12-06 06:30"),
    ("*/10 8-9 * * mon-fri", "26-12-01 08:00, 26-12-01 08:10, 26-12-01 08:20"),
    ("5 4 * * sun", "26-12-06 04:05, 26-12-13 04:05, 26-12-20 04:05"),
    ("0 12 */2 * *", "26-12-01 12:00, 26-12-03 12:00, 26-12-05 12:00"),
    ("@weekly", "26-12-06 00:00, 26-12-13 00:00, 26-12-20 00:00"),
]
ON_THURSDAY = [
    ("remind me at six", "27-02-04 18:00"),
    ("6 o'clock tomorrow morning", "27-02-05 06:00"),
    ("tomorrow, 15:45", "27-02-05 15:45"),
    ("on saturday around 11am", "27-02-06 11:00"),
    ("this sunday evening", "27-02-07 19:00"),
    ("next tuesday, quarter past three in the afternoon", "27-02-09 15:15"),
    ("in 36 hours", "27-02-06 04:40"),
    ("in ten days at 8am", "27-02-14 08:00"),
    ("five minutes before six", "27-02-04 17:55"),
    ("1 hour and 5 minutes from now", "27-02-04 17:45"),
    ("after 3 hours", "27-02-04 19:40"),
    ("the 28th at half past nine", "27-02-28 09:30"),
    ("twelve noon on the 10th", "27-02-10 12:00"),
    ("20 February, 7pm", "27-02-20 19:00"),
    ("Feb 20 19h00", "27-02-20 19:00"),
    ("March 1st 2027 @ 6:15am", "27-03-01 06:15"),
    ("28.02.2027 08:00", "27-02-28 08:00"),
    ("2027/02/28 08:00", "27-02-28 08:00"),
    ("tonight at half past ten", "27-02-04 22:30"),
    ("later today at 6pm", "27-02-04 18:00"),
    ("midnight tonight", "27-02-05 00:00"),
    ("tomorrow night at 11:30", "27-02-05 23:30"),
    ("the first saturday in april at 10", "27-04-03 10:00, 28-04-01 10:00, 29-04-07 10:00"),
    ("a week before new year's eve at noon", "27-12-24 12:00"),
    ("the weekend at 10", "27-02-06 10:00"),
    ("by the end of the week at 3pm", "27-02-05 15:00"),
    ("Friday the 12th at 9am", "27-02-12 09:00"),
    ("two fridays from now at 9", "27-02-12 09:00"),
    ("tomorrow 08:00 America/New_York", "27-02-05 08:00"),
    ("every other day at 7am", "27-02-05 07:00, 27-02-07 07:00, 27-02-09 07:00"),
    ("every third day at noon", "27-02-05 12:00, 27-02-08 12:00, 27-02-11 12:00"),
    ("each tuesday and thursday, 6:30 pm", "27-02-04 18:30, 27-02-09 18:30, 27-02-11 18:30"),
    ("Mondays, Wednesdays and Fridays 07:00", "27-02-05 07:00, 27-02-08 07:00, 27-02-10 07:00"),
    ("tue/thu 12:30", "27-02-09 12:30, 27-02-11 12:30, 27-02-16 12:30"),
    ("at 22:00 every night", "27-02-04 22:00, 27-02-05 22:00, 27-02-06 22:00"),
    ("weekday mornings at 7", "27-02-05 07:00, 27-02-08 07:00, 27-02-09 07:00"),
    ("on weekday evenings", "27-02-04 19:00, 27-02-05 19:00, 27-02-08 19:00"),
    ("every weekend at noon", "27-02-06 12:00, 27-02-07 12:00, 27-02-13 12:00"),
    ("every 20 mins from 9am to 10am on weekdays", "27-02-05 09:00, 27-02-05 09:20, 27-02-05 09:40"),
    ("between 8am and 8pm every 3 hours", "27-02-04 17:00, 27-02-04 20:00, 27-02-05 08:00"),
    ("hourly on weekdays from 9 until 17", "27-02-04 17:00, 27-02-05 09:00, 27-02-05 10:00"),
    ("every 2 weeks on wednesday at 14:00 starting 10 February", "27-02-10 14:00, 27-02-24 14:00, 27-03-10 14:00"),
    ("every month on the 5th and 20th at 10:00", "27-02-05 10:00, 27-02-20 10:00, 27-03-05 10:00"),
    ("the last thursday of every month at 4pm", "27-02-25 16:00, 27-03-25 16:00, 27-04-29 16:00"),
    ("2nd sunday of the month 11am", "27-02-14 11:00, 27-03-14 11:00, 27-04-11 11:00"),
    ("every quarter on the 1st at 9", "27-03-01 09:00, 27-06-01 09:00, 27-09-01 09:00"),
    ("annually on 15 august at 8", "27-08-15 08:00, 28-08-15 08:00, 29-08-15 08:00"),
    ("every january 2nd at 10", "28-01-02 10:00, 29-01-02 10:00, 30-01-02 10:00"),
    ("every leap day at noon", "28-02-29 12:00, 32-02-29 12:00, 36-02-29 12:00"),
    ("once every two hours", "27-02-04 18:40, 27-02-04 20:40, 27-02-04 22:40"),
    ("every fortnight on monday at 9", "27-02-08 09:00, 27-02-22 09:00, 27-03-08 09:00"),
    ("daily at 6am and 6pm until 7 february", "27-02-04 18:00, 27-02-05 06:00, 27-02-05 18:00"),
    ("20270301T061500Z", "27-03-01 07:15"),
    ("2027-02-05 07:30:15", "27-02-05 07:30:15"),
    ("PT1H30M", "27-02-04 18:10"),
    (
        "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=8;BYMINUTE=30;BYSECOND=0",
        "27-02-08 08:30, 27-02-10 08:30, 27-02-15 08:30",
    ),
    ("0 22 * * 1-5", "27-02-04 22:00, 27-02-05 22:00, 27-02-08 22:00"),
    ("15 14 1 * *", "27-03-01 14:15, 27-04-01 14:15, 27-05-01 14:15"),
    ("0 0,12 1 */2 *", "27-03-01 00:00, 27-03-01 12:00, 27-05-01 00:00"),
    ("tonight at 12:30", "27-02-05 00:30"),
    ("Friday night at 11:30", "27-02-05 23:30"),
    ("every evening at 08:00", "27-02-04 20:00, 27-02-05 20:00, 27-02-06 20:00"),
    ("2 Mondays from today at 9", "27-02-15 09:00"),
]
# text, what the answer says is wrong
REFUSED = [
    ("tomorrow at 9:75", "there is no 9:75"),
    ("next Blursday", '"next blursday" is nothing that says when'),
    ("every 0 days", "shortest interval"),
    ("the 32nd at noon", 'no month has a day "32nd"'),
    ("31 November at 9", "there is no 31st of November"),
    ("last Tuesday at 9", "24 November 2026 at 09:00 has passed"),
    ("3 hours ago", "has passed"),
    ("every day at 24:30", "there is no 24:30"),
    ("whenever I feel like it", "nothing that says when"),
    ("every sunrise", "nothing that says when"),
    ("between 9 and 17", "a span of time is no moment"),
    ("every second", "shortest interval is 15 seconds"),
    ("2026-13-01", "no calendar or clock shows"),
    ("60 9 * * *", "there is no minute '60'"),
    ("0 9 * * 8", "there is no weekday '8'"),
    ("FREQ=WEEKLY;BYDAY=XX", "BYDAY can't be XX"),
    ("monday at 9 or 10", '"or 10" is nothing'),
    ("last week", "23 November 2026 at 09:00 has passed"),
    ("29 February 2027", "there is no 29th of February 2027"),
    ("every 3 and a half months", "can't be counted on a calendar"),
    ("in -5 minutes", '"-5 minutes" is nothing'),
    ("at 99", "there is no 99"),
    ("the 0th at 9", 'no month has a day "0th"'),
    ("every 13th month", "nothing that says when"),
    ("monday and yesterday", "two days"),
    ("at 8pm am", '"am" is nothing'),
    ("in 3 bananas", '"3 bananas" is nothing'),
    ("every", "nothing that says when"),
    ("at", "isn't complete"),
    ("31st of april at 9", "there is no 31st of April"),
    ("2027-02-29", "no calendar or clock shows"),
    ("25:61", "there is no 25:61"),
    ("* * * * * * * *", "this has 8"),
    ("*/0 * * * *", "a step of 0"),
    ("0 9 31 2 *", "never comes"),
    ("RRULE:FREQ=DAILY;COUNT=0", "COUNT goes from 1"),
    ("P0D", "no time lies between"),
    ("someday", "nothing that says when"),
    ("2 days before yesterday", "has passed"),
    ("every day at 9 until 8 ago", '"8 ago" is nothing'),
    ("3pm CET tomorrow", "has several meanings"),
]


@pytest.mark.parametrize(
    ("text", "times", "now"),
    [(*one, MONDAY) for one in ON_MONDAY] + [(*one, THURSDAY) for one in ON_THURSDAY],
)
def test_a_sentence_as_people_say_it_fires_at_the_times_it_means(text: str, times: str, now: datetime) -> None:
    schedule = read(text, now=now, tz=BERLIN)
    shown = [f"{schedule.local(at):%y-%m-%d %H:%M:%S}".removesuffix(":00") for at in schedule.upcoming(now, 3)]
    assert ", ".join(shown) == times


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_nobody_could_keep_is_refused_with_what_to_write(text: str, reason: str) -> None:
    with pytest.raises(WhenError) as caught:
        read(text, now=MONDAY, tz=BERLIN)
    assert reason in str(caught.value)
    for example in caught.value.examples:
        assert read(example, now=MONDAY, tz=BERLIN).next(MONDAY) is not None
