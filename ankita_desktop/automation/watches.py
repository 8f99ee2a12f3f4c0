"""Watches: drafted, kept, checked. ``looking`` reads what they look at, ``watching`` is the scheduler's side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ankita_desktop.automation import looking, watching
from ankita_desktop.automation.ports import Desk, named
from ankita_desktop.errors import StoreError, ToolError
from ankita_desktop.protocol import new_id
from ankita_desktop.toolkit.addresses import read_address
from ankita_desktop.toolkit.automation import DAY, HOUR, MINUTE, Reading, Watch, WatchKind
from ankita_desktop.toolkit.cancel import Cancel

FLOOR = 15.0
BARS, WIDEST = "▁▂▃▄▅▆▇█", 60
USUAL = 15 * MINUTE
KINDS: dict[str, WatchKind] = {"url": "page", "path": "file", "command": "command"}
UNITS = {"s": 1.0, "m": MINUTE, "h": HOUR, "d": DAY, "w": 7 * DAY}
_EVERY = re.compile(
    r"(?:every )?(\d+(?:\.\d+)?)? ?(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)",
    re.IGNORECASE,
)
_RELEASES = re.compile(r"https?://github\.com/([\w.-]+/[\w.-]+)/releases(?:/latest)?/?", re.IGNORECASE)


class Watches:
    """Implements ``toolkit.automation.Watches``. Thread-safe."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._book = desk.book

    def draft(self, **fields: Any) -> Watch:
        """Fields: name, url or path or command, selector, regex, every and cooldown (texts), above, below, cwd,
        private."""
        given = [key for key in ("url", "path", "command") if fields.get(key)]
        if len(given) != 1:
            raise ToolError("Give exactly one of url, path or command: that is what is watched.")
        selector, regex = fields.get("selector") or "", fields.get("regex") or ""
        if given[0] != "url" and selector:
            raise ToolError("selector picks a part of a page; for a file or a command use regex.")
        looking.check_pick(selector, regex)
        target = _target(given[0], fields)
        return Watch(
            id=new_id(),
            name=_name(fields.get("name") or target),
            kind=KINDS[given[0]],
            target=target,
            created=self._desk.now,
            every=interval(fields.get("every") or ""),
            selector=selector,
            regex=regex,
            cwd=(fields.get("cwd") or str(Path.home())) if given[0] == "command" else "",
            private=bool(fields.get("private")),
            above=fields.get("above"),
            below=fields.get("below"),
            cooldown=interval(fields["cooldown"]) if fields.get("cooldown") else 0.0,
        )

    def add(self, watch: Watch, cancel: Cancel) -> tuple[Watch, bool]:
        try:
            seen = looking.look(watch, cancel, fresh=True)
        except looking.Absent as error:
            if watch.kind != "file":
                raise ToolError(f"{error} Nothing was made.") from error
            seen = looking.Seen(looking.ABSENT, kind="file")
        now = self._desk.now
        first = replace(
            watch, kind=seen.kind, value=seen.value, told=seen.value, checked=now, due=now + watch.every
        )
        try:
            return self._book.add_watch(
                replace(first, etag=seen.etag, modified=seen.modified), Reading(now, seen.value, seen.number)
            )
        except StoreError as error:
            raise ToolError(str(error)) from error

    def list(self) -> Sequence[Watch]:
        return self._book.watches()

    def find(self, name: str) -> Watch:
        found: Watch = named(name, self._book.watches(), "watch")
        return found

    def check(self, name: str, cancel: Cancel) -> str:
        watch = self.find(name)
        seen = watching.seen_or_problem(watch, cancel, fresh=True)
        news = watching.keep(self._desk, watch, seen, tell=False)
        if news.text:
            return f"{news.title}: {news.text}"
        return (
            str(seen)
            if isinstance(seen, ToolError)
            else f"Nothing new. It is still: {_shown(watch.value or '(empty)')}"
        )

    def pause(self, name: str, paused: bool = True) -> Watch:
        """Paused: it isn't looked at. Resumed: it is looked at soon."""
        found = self.find(name)
        self._book.update_watch(found.id, paused=paused, due=self._desk.now + (found.every if paused else 0))
        return self.find(found.id)

    def remove(self, name: str) -> Watch:
        found = self.find(name)
        self._book.delete_watch(found.id)
        return found

    def history(self, name: str, limit: int = 50) -> Sequence[Reading]:
        return self._book.watch_history(self.find(name).id, limit)

    def told(self, reading: Reading) -> str:
        """A reading in one line."""
        return f"{self._desk.at(reading.time)}: {' '.join(reading.value.split())[:200]}"

    def chart(self, readings: Sequence[Reading]) -> str:
        numbers = [one.number for one in reversed(readings) if one.number is not None][-WIDEST:]
        if len(numbers) < 2:
            return ""
        low, high = min(numbers), max(numbers)
        steps = [round((each - low) / (high - low) * (len(BARS) - 1)) if high > low else 0 for each in numbers]
        return f"{''.join(BARS[step] for step in steps)}  {low:g} to {high:g}"

    def receipt(self, watch: Watch) -> str:
        every = words_of(watch.every)
        state = "paused" if watch.paused else f"looked at every {every}"
        lines = [f"{watch.name} ({watch.id}): {watch.kind}, {state}."]
        if watch.value is not None:
            lines.append(f"It is now: {_shown(watch.value) or '(empty)'}")
        lines.append(_beyond(watch))
        if watch.problem:
            lines.append(f"Last look failed: {watch.problem}")
        return " ".join(filter(None, [*lines, self._desk.idle_note()]))


def _beyond(watch: Watch) -> str:
    """That a bound is passed already: then it is told when it is crossed the next time."""
    number = looking.number_in(watch.value or "")
    if number is not None and watch.below is not None and number < watch.below:
        return f"That is below {watch.below:g} already: you are told when it falls below again."
    if number is not None and watch.above is not None and number > watch.above:
        return f"That is above {watch.above:g} already: you are told when it rises above again."
    return ""


def interval(text: str) -> float:
    """Seconds of "30s", "5 minutes", "hourly"; empty means the usual. Raises ``ToolError``."""
    words = text.strip().casefold()
    if not words:
        return USUAL
    named_ones = {"hourly": HOUR, "daily": DAY, "every minute": MINUTE, "every hour": HOUR, "every day": DAY}
    match = _EVERY.fullmatch(words)
    if words not in named_ones and match is None:
        raise ToolError(f"An interval is written like 30s, 5m, 2h or 1d, not {text!r}.")
    seconds = named_ones.get(words) or float(match[1] or 1) * UNITS[match[2][0]]  # type: ignore[index]
    if seconds < FLOOR:
        raise ToolError(f"The shortest interval is {FLOOR:.0f} s.")
    return seconds


def words_of(seconds: float) -> str:
    for unit, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min")):
        if seconds >= unit and seconds % unit == 0:
            return f"{seconds / unit:.0f} {name}"
    return f"{seconds:.0f} s"


def _target(given: str, fields: dict[str, Any]) -> str:
    if given == "path":
        return str((Path(fields.get("cwd") or ".") / Path(fields["path"]).expanduser()).absolute())
    if given == "command":
        return str(fields["command"]).strip()
    if match := _RELEASES.fullmatch(fields["url"].strip()):
        return f"https://github.com/{match[1]}/releases.atom"
    return read_address(fields["url"]).url


def _shown(value: str) -> str:
    return value if len(value) <= 300 else value[:300] + "…"


def _name(text: str) -> str:
    plain = re.sub(r"^https?://(www\.)?", "", " ".join(text.split())).rstrip("/")
    return plain if len(plain) <= 60 else plain[:59] + "…"
