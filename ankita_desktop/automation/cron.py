"""Cron expressions: five fields as croniter 7 spells them, checked, and their next wall time.

Fields are minute, hour, day of month, month, weekday (0 and 7 are Sunday), with names, ranges, steps and lists.
``L`` is the last day of the month, ``15W`` the weekday nearest to the 15th, ``1#1`` the first Monday and ``L5``
the last Friday. When both day fields are restricted, either one matching is enough (``0 9 1 * 1``: the 1st and
every Monday); with ``#``, ``L5`` or ``W`` both must match. Spellings of other dialects are translated where they
mean the same.
"""

from __future__ import annotations

import copy
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from ankita_desktop.automation.zones import Following

if TYPE_CHECKING:
    from croniter import croniter

ALIASES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
FIELDS = ("minute", "hour", "day of month", "month", "weekday")


class CronError(ValueError):
    """An expression that can't be kept; the text says why, ``instead`` is what to write."""

    def __init__(self, text: str, instead: str = "") -> None:
        super().__init__(text)
        self.instead = instead


def is_real(expression: str) -> bool:
    """Whether it follows real intervals: a wildcard or step in the hour."""
    hour = expression.split()[1]
    return "*" in hour or "/" in hour


def following(expression: str) -> Following:
    """The next matching wall time of a checked expression; None when there is none within 50 years."""
    from croniter import CroniterBadDateError

    parsed = _parsed(expression)

    def after(wall: datetime) -> datetime | None:
        try:
            found: datetime = copy.copy(parsed).get_next(datetime, start_time=wall)
        except CroniterBadDateError:
            return None
        return found

    return after


@lru_cache(maxsize=1024)
def _parsed(expression: str) -> croniter:
    from croniter import croniter as parse

    return parse(expression, datetime(2000, 1, 1))
