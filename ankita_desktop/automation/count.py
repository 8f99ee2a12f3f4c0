"""How many times within a day, week or month: "twice a day", "3 times a day between 8 and 20"."""

from __future__ import annotations

from ankita_desktop.automation.clock import Clock, settle
from ankita_desktop.automation.said import Said, SentenceError
from ankita_desktop.automation.words import listed

DAY = (Clock(9), Clock(21))  # what several times a day are spread over
INSTEAD = {
    "week": ("every Monday and Thursday at 9", "every Monday, Wednesday and Friday at 9"),
    "month": ("on the 1st and 15th of every month at 9",),
    "year": ("every 6 months on the 1st at 9",),
}


def counted(said: Said) -> None:
    """Choose, and note, the times of a day when only their number was said. SentenceError when they differ."""
    name = said.every[1] if said.every else "day"
    if name not in ("day", *INSTEAD):
        raise SentenceError("it says twice how often", "every hour", "every day at 9:00 and 21:00")
    if name != "day":
        days = len(set(said.weekdays)) * max(1, len(set(said.nth))) or len(set(said.monthdays))
        if days != said.count:
            raise SentenceError(f"it says {said.count} times a {name}, but not on which days", *INSTEAD[name])
    elif said.times:
        if len(said.times) != said.count:
            first = settle(said.times[:1])[0]
            other = Clock((first.hour + 12) % 24, first.minute)
            raise SentenceError(
                f"it says {said.count} times a day, and names {len(said.times)}",
                f"every day at {first} and {other}",
            )
    elif said.part:
        raise SentenceError(f"it doesn't say at what times in the {said.part}", "every day at 8:00 and 10:00")
    else:
        said.times, said.window = _spread(said), []


def _spread(said: Said) -> list[Clock]:
    start, end = settle(said.window) if said.window else DAY
    first, last = start.hour * 60 + start.minute, end.hour * 60 + end.minute
    step, rest = divmod(last - first, said.count - 1)
    if last <= first or rest or step < 1:
        raise SentenceError(
            f"{said.count} times can't be spread evenly over these hours", "every hour between 9 and 21"
        )
    times = [Clock(at // 60, at % 60) for at in range(first, last + 1, step)]
    said.notes.append(f"No times of day were said: {listed([str(one) for one in times])}.")
    return times
