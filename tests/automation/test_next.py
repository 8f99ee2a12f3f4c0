"""Promises on firing times: exactly those that a walk over every minute finds, whatever clocks do."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankita_desktop.automation.schedule import Schedule
from ankita_desktop.automation.when import read
from tests.automation.oracle import MINUTE, START, TURNS, ZONES, changes, fired, plans, sentence, walk

EACH_ZONE = 34  # 204 schedules
SENTENCES = 40  # and 240 of those alone that name their days


@pytest.mark.parametrize("zone", ZONES)
def test_what_fires_around_clock_changes_is_what_a_walk_over_every_minute_finds(zone: str) -> None:
    tz = ZoneInfo(zone)
    windows = [(day - timedelta(days=1), day + timedelta(days=2)) for day in changes(zone)]
    assert len(windows) == 2, "this zone changes twice a year"
    windows.append((START, START + timedelta(days=2)))
    walks = [list(walk(zone, start, end)) for start, end in windows]
    for plan in plans(EACH_ZONE, 1, zone):
        schedule = read(plan.text, now=START, tz=tz)
        for (start, end), minutes in zip(windows, walks, strict=True):
            ours = between(schedule, start - MINUTE, end)
            assert ours == [at for at in fired(plan, minutes) if at > START - MINUTE], plan.text


@pytest.mark.parametrize("zone", ZONES)
def test_a_sentence_that_names_its_days_fires_on_them_around_clock_changes_and_ends_of_months(zone: str) -> None:
    """Days left out, ends of months, quarters and years, days with a name, several times a day."""
    tz, dice = ZoneInfo(zone), random.Random(zone)
    turns = [*changes(zone), *TURNS.values()]
    walks = [list(walk(zone, day - timedelta(days=1), day + timedelta(days=2))) for day in turns]
    fired_at_all = 0
    for plan in [sentence(dice, zone) for _ in range(SENTENCES)]:
        schedule = read(plan.text, now=START, tz=tz)
        for minutes in walks:
            start, end = minutes[0].at, minutes[-1].at + MINUTE
            expected = fired(plan, minutes)
            assert between(schedule, start - MINUTE, end) == expected, plan.text
            fired_at_all += len(expected)
    assert fired_at_all > SENTENCES, "the windows have such days"


def between(schedule: Schedule, after: datetime, end: datetime) -> list[datetime]:
    found, at = [], schedule.next(after)
    while at is not None and at < end:
        found.append(at)
        at = schedule.next(at)
    return found


@given(
    st.sampled_from(("0 8 * * 1-5", "*/30 * * * *", "30 2 * * *", "0 9 L * *", "15 */3 * * *", "0 9 1 * 1")),
    st.sampled_from(ZONES),
    st.datetimes(datetime(2025, 1, 1), datetime(2028, 1, 1)),
    st.integers(0, 10_000),
)
def test_next_is_the_least_firing_after_now(cron: str, zone: str, now: datetime, earlier: int) -> None:
    """Asked from any time between, the answer is the same: nothing is skipped after an edit or a restart."""
    schedule = Schedule("cron", zone, "", cron=cron)
    moment = now.replace(tzinfo=UTC)
    following = schedule.next(moment)
    assert following is not None and following > moment
    just_before = schedule.next(following - timedelta(seconds=1))
    assert just_before == following
    from_earlier = schedule.next(moment - timedelta(minutes=earlier))
    assert from_earlier is not None and from_earlier <= following
    assert from_earlier == following or from_earlier <= moment


def berlin(text: str) -> Schedule:
    return read(text, now=datetime(2026, 1, 1, tzinfo=UTC), tz=ZoneInfo("Europe/Berlin"))


def shown(schedule: Schedule, after: str, count: int) -> list[str]:
    start = datetime.fromisoformat(after).replace(tzinfo=ZoneInfo(schedule.tz))
    return [f"{schedule.local(at):%d. %H:%M %Z}" for at in schedule.upcoming(start, count)]


def test_a_fixed_time_that_spring_skips_fires_at_the_next_valid_minute() -> None:
    assert shown(berlin("30 2 * * *"), "2026-03-28T12:00", 2) == ["29. 03:00 CEST", "30. 02:30 CEST"]


def test_a_fixed_time_that_autumn_repeats_fires_once_at_the_first() -> None:
    assert shown(berlin("30 2 * * *"), "2026-10-24T12:00", 2) == ["25. 02:30 CEST", "26. 02:30 CET"]


def test_a_wildcard_goes_on_at_every_real_interval_through_both_folds() -> None:
    assert shown(berlin("*/30 * * * *"), "2026-10-25T01:30", 5) == [
        "25. 02:00 CEST",
        "25. 02:30 CEST",
        "25. 02:00 CET",
        "25. 02:30 CET",
        "25. 03:00 CET",
    ]
    assert shown(berlin("*/30 * * * *"), "2026-03-29T01:00", 3) == [
        "29. 01:30 CET",
        "29. 03:00 CEST",
        "29. 03:30 CEST",
    ]


def test_half_an_hour_that_lord_howe_repeats_is_kept_too() -> None:
    schedule = read("*/15 * * * *", now=START, tz=ZoneInfo("Australia/Lord_Howe"))
    assert shown(schedule, "2026-04-05T01:20", 6) == [
        "05. 01:30 +11",
        "05. 01:45 +11",
        "05. 01:30 +1030",
        "05. 01:45 +1030",
        "05. 02:00 +1030",
        "05. 02:15 +1030",
    ]
    once = read("45 1 * * *", now=START, tz=ZoneInfo("Australia/Lord_Howe"))
    assert shown(once, "2026-04-04T12:00", 2) == ["05. 01:45 +11", "06. 01:45 +1030"]


def test_an_interval_with_a_time_of_day_keeps_the_wall_clock_over_a_change() -> None:
    schedule = read("every 2 days at 7", now=datetime(2026, 3, 27, 12, tzinfo=UTC), tz=ZoneInfo("Europe/Berlin"))
    assert shown(schedule, "2026-03-27T13:00", 3) == ["28. 07:00 CET", "30. 07:00 CEST", "01. 07:00 CEST"]


def test_an_interval_without_one_counts_real_hours_from_its_creation() -> None:
    schedule = read("every 2 days", now=datetime(2026, 3, 28, 12, tzinfo=UTC), tz=ZoneInfo("Europe/Berlin"))
    assert shown(schedule, "2026-03-28T13:00", 2) == ["30. 14:00 CEST", "01. 14:00 CEST"]


def test_a_schedule_is_the_same_after_it_was_stored() -> None:
    texts = (
        "every 90m",
        "0 8 * * 1-5",
        "in 20 minutes",
        "every other Tuesday at 19",
        "every day at 9 until 1 March",
    )
    for text in texts:
        schedule = berlin(text)
        assert Schedule.from_json(schedule.to_json()) == schedule


def test_a_time_without_a_zone_is_refused_instead_of_guessed() -> None:
    with pytest.raises(ValueError, match="zone"):
        berlin("@daily").next(datetime(2026, 1, 1))


def test_an_old_interval_answers_as_fast_as_a_new_one() -> None:
    """Years of firings behind it are not walked through."""
    schedule = read(
        "RRULE:FREQ=MINUTELY;INTERVAL=5;BYHOUR=9,10", now=datetime(1990, 1, 1, tzinfo=UTC), tz=ZoneInfo("UTC")
    )
    at = schedule.next(datetime(2026, 5, 1, 12, tzinfo=UTC))
    assert at == datetime(2026, 5, 2, 9, tzinfo=UTC)
