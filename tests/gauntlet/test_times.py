"""Public bug reports about when things fire, which this product does not have."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from ankita_desktop.automation.schedule import Schedule
from ankita_desktop.automation.when import read

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 30, 10, 15, tzinfo=BERLIN)


def shown(schedule: Schedule, after: datetime, count: int) -> list[str]:
    return [f"{schedule.local(at):%m-%d %H:%M}" for at in schedule.upcoming(after, count)]


@pytest.mark.parametrize("restarted", ["2026-12-01T07:59:59", "2026-12-01T00:00", "2026-11-30T08:00:01"])
def test_after_an_edit_or_a_restart_the_next_day_is_skipped(restarted: str) -> None:
    """[E] openclaw#10086, openclaw#17852: next(now) is the least match after now, whenever it is asked."""
    schedule = read("every day at 8", now=NOW, tz=BERLIN)
    stored = Schedule.from_json(schedule.to_json())
    assert shown(stored, datetime.fromisoformat(restarted).replace(tzinfo=BERLIN), 1) == ["12-01 08:00"]


@pytest.mark.parametrize(
    ("zone", "cron", "day", "expected"),
    [
        ("Europe/Berlin", "30 2 * * *", "2026-03-28", ["03-28 02:30", "03-29 03:00", "03-30 02:30"]),
        ("America/New_York", "30 1 * * *", "2026-10-31", ["10-31 01:30", "11-01 01:30", "11-02 01:30"]),
        ("Australia/Lord_Howe", "15 2 * * *", "2026-10-03", ["10-03 02:15", "10-04 02:30", "10-05 02:15"]),
        ("Australia/Lord_Howe", "45 1 * * *", "2026-04-04", ["04-04 01:45", "04-05 01:45", "04-06 01:45"]),
    ],
)
def test_clock_changes_skip_a_run_in_spring_and_double_it_in_autumn(
    zone: str, cron: str, day: str, expected: list[str]
) -> None:
    """[E] node-cron#563, openclaw#118297: a fixed time fires once a day, in half-hour zones too."""
    tz = ZoneInfo(zone)
    start = datetime.fromisoformat(day).replace(tzinfo=tz)
    assert shown(read(cron, now=start, tz=tz), start, 3) == expected


def test_every_90_minutes_becomes_every_two_hours() -> None:
    """[E] from assistants that turn every interval into cron."""
    assert shown(read("every 90m", now=NOW, tz=BERLIN), NOW, 3) == ["11-30 11:45", "11-30 13:15", "11-30 14:45"]


def test_every_7_days_restarts_each_month() -> None:
    """[E] from assistants that turn every interval into cron: */7 of the day of month."""
    schedule = read("every 7d", now=NOW, tz=BERLIN)
    times = [NOW.astimezone(UTC), *schedule.upcoming(NOW, 60)]
    assert {later - sooner for sooner, later in pairwise(times)} == {timedelta(days=7)}


def test_names_of_months_and_days_never_match() -> None:
    """[E] from assistants that compare JAN with 1."""
    assert shown(read("0 9 1 JAN,jul *", now=NOW, tz=BERLIN), NOW, 2) == ["01-01 09:00", "07-01 09:00"]
    assert shown(read("0 9 * * Mon-FRI", now=NOW, tz=BERLIN), NOW, 1) == ["12-01 09:00"]
