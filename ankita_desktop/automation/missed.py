"""Times of routines that pass without a run: recorded as runs that were missed, and told."""

from __future__ import annotations

from collections.abc import Sequence

from ankita_desktop.automation.ports import Desk
from ankita_desktop.protocol import new_id
from ankita_desktop.toolkit.automation import Routine, Run, Telling

ON_TIME = 90.0  # seconds within which a run counts as on time
ALL = 10  # missed times that are made up for at most


def allowance(routine: Routine) -> float:
    """How many seconds late it may still begin."""
    return ON_TIME if routine.late == "skip" else max(ON_TIME, routine.grace)


class Missed:
    """Used on the scheduler's thread."""

    def __init__(self, desk: Desk, owner: str) -> None:
        self._desk = desk
        self._owner = owner

    def miss(
        self, routine: Routine, slots: Sequence[float], then: float | None, why: str, *, tell: bool = True
    ) -> None:
        """The last of these times is recorded for all of them; ``why`` is the end of a sentence."""
        times = self._desk.at(slots[-1])
        if len(slots) > 1:
            times = f"{len(slots)} times up to {times}"
        self.record(routine, slots[-1], then, f"Missed {times}: {why}.", tell=tell)

    def record(self, routine: Routine, slot: float | None, then: float | None, reason: str, *, tell: bool) -> None:
        """A time that passes without a run."""
        now = self._desk.now
        run = Run(new_id(), routine.id, slot, now, self._owner, "missed", ended=now, reason=reason)
        note = Telling(f"run/{run.id}", routine.name, reason, late=True, created=now) if tell else None
        self._desk.book.claim_run(run, then=then, telling=note)
