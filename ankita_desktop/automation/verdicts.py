"""Whether what a watch saw is worth telling: only a difference that can be seen is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ankita_desktop.automation.looking import ABSENT, Absent, Seen, number_in
from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.automation import Reading, Watch
from ankita_desktop.toolkit.net import Offline

LINES = 6
WIDTH = 160


@dataclass(frozen=True, slots=True)
class News:
    """``changed`` are the fields of the watch to store, ``reading`` is for its history, ``title`` and ``text``
    are what to tell (empty: nothing)."""

    changed: dict[str, object] = field(default_factory=dict)
    reading: Reading | None = None
    title: str = ""
    text: str = ""


def judge(watch: Watch, seen: Seen | ToolError, now: float) -> News:
    """What one look means; an error is why it failed."""
    if isinstance(seen, ToolError):
        return _missed(watch, seen, now)
    value = watch.value or "" if seen.same else seen.value
    changed: dict[str, object] = {"checked": now, "misses": 0, "problem": ""}
    if not seen.same:
        changed |= {"value": value, "etag": seen.etag, "modified": seen.modified, "kind": seen.kind}
    reading = Reading(now, value, seen.number) if value != watch.value else None
    text = difference(watch, watch.told, value)
    if watch.told == ABSENT:
        return News(changed | {"told": value, "told_at": now}, reading, f"{watch.name} is there", value[:WIDTH])
    if text and now - watch.told_at < watch.cooldown:
        return News(changed, reading)  # the difference since the last telling is told when it is time
    if not text:
        return News(changed | {"told": value}, reading)
    return News(changed | {"told": value, "told_at": now}, reading, f"{watch.name} changed", text)


def _missed(watch: Watch, problem: ToolError, now: float) -> News:
    """A look that failed. Only some in a row mean that it is gone; while we are offline none means anything."""
    misses = watch.misses + (not isinstance(problem, Offline))
    changed: dict[str, object] = {"checked": now, "misses": misses, "problem": str(problem)}
    if misses == watch.misses:
        return News(changed)
    if misses != watch.patience or watch.told == ABSENT:
        return News(changed)
    gone = {"value": ABSENT, "told": ABSENT, "told_at": now, "etag": "", "modified": ""}
    how = "is gone" if isinstance(problem, Absent) else "can't be read"
    return News(changed | gone, Reading(now, ABSENT), f"{watch.name} {how}", str(problem))


def difference(watch: Watch, before: str | None, after: str) -> str:
    """What a person can see of the change; empty when there is nothing to see or it isn't asked for."""
    if before is None or before == after:
        return ""
    old, new = number_in(before), number_in(after)
    if watch.above is not None or watch.below is not None:
        return _crossed(watch, old, new)
    if old is not None and new is not None and "\n" not in before + after:
        return "" if old == new else f"{before} → {after} ({new - old:+g})"
    return _lines(watch, before, after)


def _crossed(watch: Watch, old: float | None, new: float | None) -> str:
    if new is None:
        return ""
    if watch.below is not None and new < watch.below and (old is None or old >= watch.below):
        return f"{new:g} is below {watch.below:g}" + (f" (was {old:g})" if old is not None else "")
    if watch.above is not None and new > watch.above and (old is None or old <= watch.above):
        return f"{new:g} is above {watch.above:g}" + (f" (was {old:g})" if old is not None else "")
    return ""


def _lines(watch: Watch, before: str, after: str) -> str:
    """Lines that came and went. Of a feed only what came counts; a page may put its lines in another order."""
    old, new = Counter(before.splitlines()), Counter(after.splitlines())
    came = list((new - old).elements())
    went = [] if watch.kind == "feed" else list((old - new).elements())
    if not came and not went:
        return "The order of its lines changed." if watch.kind in ("file", "command") else ""
    if watch.kind == "feed":
        return _shown("New: ", came)
    return "\n".join(filter(None, (_shown("+ ", came), _shown("− ", went))))


def _shown(mark: str, some: Iterable[str]) -> str:
    found = [mark + (line if len(line) <= WIDTH else line[: WIDTH - 1] + "…") for line in some]
    more = [f"and {len(found) - LINES} more lines"] if len(found) > LINES else []
    return "\n".join([*found[:LINES], *more])
