"""Next times: what they cost, beside bare croniter, and a whole year of minutes against a walk over each of them.

Run: python -m tests.bench.bench_when [year]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from croniter import croniter

from ankita_desktop.automation import cron
from ankita_desktop.automation.schedule import Schedule
from ankita_desktop.automation.when import read
from tests.automation.oracle import START, ZONES, Minute, Plan, fired, plans, walk

ROUTINES = 10_000
EACH_ZONE = 34  # 204 schedules
TEXTS = (
    "every weekday at 8",
    "every 90m",
    "*/5 * * * *",
    "0 9 1 * 1",
    "every other Tuesday at 19",
    "last day of the month",
)


def main() -> None:
    """Print both tables; the year only when asked for, it takes minutes."""
    print(f"{'schedule':<28}{'read':>10}{'next':>10}{'croniter':>10}   (microseconds)")
    for text in TEXTS:
        _cost(text)
    _routines()
    if "year" in sys.argv[1:]:
        _year()


def _cost(text: str) -> None:
    tz, now = ZoneInfo("Europe/Berlin"), datetime(2026, 11, 30, 9, 15, tzinfo=UTC)
    schedule = read(text, now=now, tz=tz)
    reading = _each(lambda: read(text, now=now, tz=tz), 200)
    following = _each(lambda: schedule.next(now), 2000)
    local = now.astimezone(tz)
    bare = f"{_each(lambda: croniter(schedule.cron, local).get_next(datetime), 500):.1f}" if schedule.cron else "-"
    print(f"{text:<28}{reading:>10.1f}{following:>10.1f}{bare:>10}")


def _each(work: Callable[[], object], times: int) -> float:
    """Microseconds a call, the best of five rounds."""
    best = float("inf")
    for _ in range(5):
        before = time.perf_counter()
        for _ in range(times):
            work()
        best = min(best, time.perf_counter() - before)
    return best / times * 1e6


def _routines() -> None:
    """The next due of many routines, as after a start."""
    found: list[Schedule] = []
    for zone in ZONES:
        tz = ZoneInfo(zone)
        found += [read(plan.text, now=START, tz=tz) for plan in plans(ROUTINES // len(ZONES) + 1, 2, zone)]
    texts = [one.to_json() for one in found[:ROUTINES]]
    now = datetime(2026, 11, 30, tzinfo=UTC)
    cron.parsed.cache_clear()
    before = time.perf_counter()
    loaded = [Schedule.from_json(text) for text in texts]
    print(f"\n{len(loaded):,} routines (random, all different): loaded in {time.perf_counter() - before:.2f} s")
    for name in ("the first time, parsing all", "again"):
        before = time.perf_counter()
        due = min(at for one in loaded if (at := one.next(now)) is not None)
        print(f"the next due of them, {name}: {time.perf_counter() - before:.2f} s ({due:%d %b %H:%M} UTC)")


def _year() -> None:
    for zone in ZONES:
        before = time.perf_counter()
        minutes = list(walk(zone, START, START + timedelta(days=365)))
        checks = [_differs(zone, plan, minutes) for plan in plans(EACH_ZONE, 1, zone)]
        seconds = time.perf_counter() - before
        firings, differing = sum(count for count, _ in checks), sum(bad for _, bad in checks)
        print(
            f"{zone:<24}{len(checks):>4} schedules, {len(minutes):,} minutes: {firings:,} firings, "
            f"{differing} differ from the walk ({seconds:.0f} s)"
        )


def _differs(zone: str, plan: Plan, minutes: list[Minute]) -> tuple[int, bool]:
    expected = [at for at in fired(plan, minutes) if at > START]
    schedule, ours = read(plan.text, now=START, tz=ZoneInfo(zone)), []
    at = schedule.next(START)
    while at is not None and at < START + timedelta(days=365):
        ours.append(at)
        at = schedule.next(at)
    return len(ours), ours != expected


if __name__ == "__main__":
    main()
