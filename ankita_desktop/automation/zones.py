"""Clock faces and instants: what a wall time means in a zone whose clocks jump.

Two policies, chosen by the schedule:

fixed   a time that spring skips fires at the next valid minute; one that autumn repeats fires once, at the first
real    a time that spring skips doesn't fire; one that autumn repeats fires both times, so that a schedule
        with a wildcard or step in the hour goes on at every real interval

All instants here are in UTC: two datetimes that share a zone compare by their clock faces, wrongly in autumn.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from ankita_desktop.errors import UsageError

Following = Callable[[datetime], datetime | None]  # a wall time -> the least matching wall time after it
TICK = timedelta(seconds=1)


def zone(name: str) -> ZoneInfo:
    """The IANA zone called ``name``; UsageError with near names when there is none."""
    try:
        if name and not name.startswith((".", "/")):
            return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        pass
    near = _near(name)
    hint = f"Did you mean {' or '.join(near)}?" if near else "Zones are named like Europe/Berlin."
    raise UsageError(f"There is no time zone {name!r}. {hint}")


def local_zone() -> ZoneInfo:
    """The machine's zone, UTC when the machine doesn't say."""
    import tzlocal

    try:
        return zone(tzlocal.get_localzone_name() or "UTC")
    except (UsageError, LookupError, OSError):
        return ZoneInfo("UTC")


def instants(wall: datetime, tz: ZoneInfo) -> tuple[datetime, ...]:
    """When clocks in ``tz`` show ``wall`` (naive): no time in a gap, two when repeated, else one."""
    found = (_utc(wall, tz, fold) for fold in (0, 1))
    return tuple(sorted({at for at in found if face(at, tz) == wall}))


def resolve(wall: datetime, tz: ZoneInfo) -> datetime:
    """The one instant of a fixed time: the first of two, the next valid minute of none."""
    first = _utc(wall, tz, 0)
    if face(first, tz) == wall:
        return first
    # In a gap the offset after it (fold 1) leads before the jump, the one before it (fold 0) behind.
    return _jump(_utc(wall, tz, 1), first, tz)


def face(at: datetime, tz: ZoneInfo) -> datetime:
    """What clocks in ``tz`` show at an instant (naive)."""
    return at.astimezone(tz).replace(tzinfo=None, fold=0)


def next_fixed(after: datetime, tz: ZoneInfo, following: Following) -> datetime | None:
    """The least instant after ``after`` of wall times that fire once whatever clocks do."""
    wall = following(face(after, tz))
    while wall is not None:
        at = resolve(wall, tz)
        if at > after:
            return at
        wall = following(wall)
    return None


def next_real(after: datetime, tz: ZoneInfo, following: Following) -> datetime | None:
    """The least instant after ``after`` at which clocks show a matching wall time, in both folds."""
    at = _next_shown(face(after, tz), after, tz, following)
    again = _second_pass(after, tz)
    if again is None:
        return at
    repeated = _next_shown(face(again, tz) - TICK, again - TICK, tz, following)
    return min((one for one in (at, repeated) if one is not None), default=None)


def _next_shown(wall: datetime, after: datetime, tz: ZoneInfo, following: Following) -> datetime | None:
    found = following(wall)
    while found is not None:
        for at in instants(found, tz):
            if at > after:
                return at
        found = following(max(found, face(resolve(found, tz), tz) - TICK))
    return None


def _second_pass(after: datetime, tz: ZoneInfo) -> datetime | None:
    """When clocks will go back, if they now show for the first time what they will show again."""
    shown = face(after, tz)
    both = instants(shown, tz)
    if len(both) == 2 and after < both[1]:
        return _jump(both[0], both[1], tz)
    return None


def _jump(before: datetime, behind: datetime, tz: ZoneInfo) -> datetime:
    """The first minute with another offset than at ``before``, between the two instants."""
    offset = before.astimezone(tz).utcoffset()
    low, high = 0, int((behind - before).total_seconds())
    while high - low > 1:
        middle = (low + high) // 2
        same = (before + timedelta(seconds=middle)).astimezone(tz).utcoffset() == offset
        low, high = (middle, high) if same else (low, middle)
    at = before + timedelta(seconds=high)
    return at if not at.second else at + timedelta(seconds=60 - at.second)


def _utc(wall: datetime, tz: ZoneInfo, fold: int) -> datetime:
    return wall.replace(tzinfo=tz, fold=fold).astimezone(UTC)


@lru_cache(maxsize=64)
def _near(name: str) -> tuple[str, ...]:
    from difflib import get_close_matches
    from zoneinfo import available_timezones

    cities = {known.rsplit("/", 1)[-1].lower(): known for known in sorted(available_timezones())}
    wanted = name.rsplit("/", 1)[-1].strip().lower().replace(" ", "_")
    return tuple(cities[found] for found in get_close_matches(wanted, cities, n=2, cutoff=0.75))
