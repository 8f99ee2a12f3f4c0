"""When something fires: one value, storable as JSON, that knows its next time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from ankita_desktop.automation import cron, rules
from ankita_desktop.automation.zones import TICK, next_fixed, next_real
from ankita_desktop.errors import UsageError

Kind = Literal["once", "cron", "interval"]
ALWAYS = ("kind", "tz", "words")
TIMES = ("anchor", "begin", "until")


class WhenError(UsageError):
    """A text that names no time we could keep. ``text`` is it, ``examples`` are texts to write instead, ``meant``
    is it with its words spelt right, if that makes it a time; ``passed`` when it is one that has passed."""

    meant = ""
    passed = False

    def __init__(self, message: str, *, text: str = "", examples: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.text = text
        self.examples = tuple(examples)


@dataclass(frozen=True)
class Schedule:
    """A schedule in its zone. Every datetime in and out is aware; those out are in UTC.

    once      fires at ``anchor``
    cron      fires as ``cron`` says on the clocks of ``tz`` (several expressions are joined by "; ")
    interval  fires every ``every`` seconds counted from ``anchor``, or, when ``rule`` is set, as this
              iCalendar rule (with DTSTART) says on the clocks of ``tz``
    """

    kind: Kind
    tz: str
    words: str  # how the text was understood, to say back: "every weekday at 08:00"
    note: str = ""  # what had to be guessed: '"at 5" was read as 17:00.'
    cron: str = ""
    rule: str = ""
    every: int = 0
    anchor: datetime | None = None
    begin: datetime | None = None  # nothing fires before
    until: datetime | None = None  # nothing fires after

    def next(self, after: datetime) -> datetime | None:
        """The least firing time strictly after ``after``, in UTC; None when it is over."""
        if after.tzinfo is None:
            raise ValueError("after needs a zone")
        after = after.astimezone(UTC)
        if self.begin is not None:
            after = max(after, self.begin - TICK)
        at = self._following(after)
        return None if at is None or (self.until is not None and at > self.until) else at

    def upcoming(self, after: datetime, count: int) -> list[datetime]:
        """The next ``count`` firing times after ``after``, in UTC; fewer when it ends."""
        found: list[datetime] = []
        at = self.next(after)
        while at is not None and len(found) < count:
            found.append(at)
            at = self.next(at) if len(found) < count else None
        return found

    def local(self, at: datetime) -> datetime:
        """The instant as the person's clocks show it."""
        return at.astimezone(ZoneInfo(self.tz))

    def to_json(self) -> str:
        """The schedule as one line of JSON; empty fields are left out."""
        fields = {key: value for key, value in asdict(self).items() if key in ALWAYS or value not in ("", 0, None)}
        for key in TIMES:
            if key in fields:
                fields[key] = fields[key].isoformat()
        return json.dumps(fields, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Schedule:
        """The schedule that ``to_json`` wrote; ValueError or TypeError when it wasn't."""
        fields = json.loads(text)
        for key in TIMES:
            if key in fields:
                fields[key] = datetime.fromisoformat(fields[key])
        return cls(**fields)

    def _following(self, after: datetime) -> datetime | None:
        if self.cron:
            found = (self._cron_after(one, after) for one in self.cron.split("; "))
            return min((at for at in found if at is not None), default=None)
        if self.rule:
            step = next_real if rules.is_real(self.rule) else next_fixed
            return step(after, ZoneInfo(self.tz), rules.following(self.rule))
        if self.anchor is None:
            return None
        if not self.every:
            return self.anchor if self.anchor > after else None
        passed = max(0, (after - self.anchor) // timedelta(seconds=self.every))
        return self.anchor + timedelta(seconds=self.every) * (passed + 1)

    def _cron_after(self, expression: str, after: datetime) -> datetime | None:
        step = next_real if cron.is_real(expression) else next_fixed
        return step(after, ZoneInfo(self.tz), cron.following(expression))
