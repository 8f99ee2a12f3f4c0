"""Runs recorded results of other cron libraries through ours: each vector gives its differences, or none."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from ankita_desktop.automation.schedule import Schedule, WhenError
from ankita_desktop.automation.when import read
from tests.conftest import shared

Vector = dict[str, Any]


def vectors() -> list[Vector]:
    """All vectors, each with ``line`` (file and number) added."""
    found = []
    for lib in ("croniter", "cronsim"):
        lines = (shared("cron") / f"{lib}_vectors.jsonl").read_text("utf-8").splitlines()
        found += [json.loads(line) | {"line": f"{lib}:{number}"} for number, line in enumerate(lines, 1)]
    return found


def difference(vector: Vector) -> str:
    """What ours does otherwise: "" when it agrees."""
    schedule = _schedule(vector)
    if "error" in vector:
        return "" if schedule is None else "accepted"
    if schedule is None:
        return "refused"
    start, expected = _at(vector["start"]), [_at(one) for one in vector["result"]]
    back = vector.get("dir") == "prev" or vector.get("reverse")
    if None in expected:
        return "fires" if back or schedule.next(start) else ""
    return _backward(schedule, start, expected) if back else _forward(schedule, start, expected)


def _forward(schedule: Schedule, start: datetime, expected: list[Any]) -> str:
    ours = schedule.upcoming(start, len(expected))
    return "" if ours == expected else f"{[str(at) for at in ours]}"


def _backward(schedule: Schedule, start: datetime, expected: list[Any]) -> str:
    """Ours only goes forward: from the last result it must lead through the others to the start."""
    ours = schedule.upcoming(expected[-1], len(expected))
    agrees = ours[:-1] == expected[-2::-1] and ours[-1] >= start if len(expected) > 1 else ours[0] >= start
    return "" if agrees else f"{[str(at) for at in ours]}"


def _schedule(vector: Vector) -> Schedule | None:
    tz = ZoneInfo((vector.get("start") or {}).get("tz") or "UTC")
    try:
        return read(vector["expr"], now=datetime(2000, 1, 1, tzinfo=UTC), tz=tz)
    except WhenError:
        return None


def _at(one: Any) -> Any:
    if not isinstance(one, dict):
        return None
    at = datetime.fromisoformat(one["iso"]).replace(fold=one["fold"])
    return at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC)
