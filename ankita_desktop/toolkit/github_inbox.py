"""The notifications of a GitHub account: what they ask of a person, and which are news since the last look.

What was shown is remembered with the time it was updated at. A thread is news when that time has moved on, or when
it is unknown and younger than the last look; everything older was there before, whatever page it comes on.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from ankita_desktop import paths
from ankita_desktop.toolkit.github_cache import write

BUCKETS = ("review_requested", "mentioned", "assigned", "ci", "other")
_REASONS = {
    "review_requested": "review_requested",
    "mention": "mentioned",
    "team_mention": "mentioned",
    "assign": "assigned",
    "ci_activity": "ci",
}
MOST = 3000  # threads that are remembered
LATE = timedelta(minutes=10)  # GitHub may show a thread this much after it was updated
_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class Thread:
    """One notification. ``updated`` is GitHub's own text for a time (UTC), which sorts as it stands."""

    id: str
    repo: str
    kind: str
    title: str
    bucket: str
    reason: str
    updated: str
    url: str
    unread: bool = True
    new: bool = False


def read_thread(row: dict[str, Any], web: str) -> Thread:
    """A thread as the API gives it."""
    subject = row.get("subject") or {}
    repo = (row.get("repository") or {}).get("full_name") or "?"
    kind, reason = str(subject.get("type") or ""), str(row.get("reason") or "")
    bucket = "ci" if kind in ("CheckSuite", "WorkflowRun") else _REASONS.get(reason, "other")
    return Thread(
        id=str(row.get("id") or ""),
        repo=repo,
        kind=kind,
        title=" ".join(str(subject.get("title") or "").split()),
        bucket=bucket,
        reason=reason,
        updated=str(row.get("updated_at") or ""),
        url=_page(str(subject.get("url") or ""), f"{web}/{repo}", kind),
        unread=bool(row.get("unread", True)),
    )


def _page(api: str, repo: str, kind: str) -> str:
    """Where a person looks at it."""
    found = re.search(r"/repos/[^/]+/[^/]+/(issues|pulls|commits|discussions)/(\w+)$", api)
    if found:
        part = {"pulls": "pull", "commits": "commit"}.get(found[1], found[1])
        return f"{repo}/{part}/{found[2]}"
    return repo + {"CheckSuite": "/actions", "Release": "/releases", "Discussion": "/discussions"}.get(kind, "")


@dataclass(frozen=True, slots=True)
class Memory:
    """``looked`` is when everything was last looked at, ``seen`` and ``handled`` say of threads at which update
    they were shown, and read or done; ``shown`` is the last list. ``broken``: an unreadable file was set aside."""

    looked: str = ""
    seen: dict[str, str] | None = None
    handled: dict[str, str] | None = None
    shown: tuple[Thread, ...] = ()
    broken: str = ""

    def news(self, thread: Thread) -> bool:
        known = (self.seen or {}).get(thread.id)
        return thread.unread and bool(self.looked) and thread.updated > (known or self.looked)

    def open(self, thread: Thread) -> bool:
        """Whether the thread still waits: GitHub's lists lag behind what was marked."""
        return thread.updated > (self.handled or {}).get(thread.id, "")


def looked(before: Memory, found: Sequence[Thread], shown: Sequence[Thread], date: str) -> Memory:
    """The memory after a look. ``date``: GitHub's time of it."""
    first, whole = not before.looked, len(shown) == len(found)
    # Nothing that is there at the first look is ever news; later, what wasn't shown hasn't been seen.
    seen = (before.seen or {}) | {thread.id: thread.updated for thread in (found if first else shown)}
    now = _before(date) or max((thread.updated for thread in found), default="")
    when = now if first or whole else before.looked
    return replace(before, looked=when, seen=_youngest(seen), shown=tuple(shown), broken="")


def handled(before: Memory, threads: Iterable[Thread]) -> Memory:
    """The memory after threads were marked as read or done."""
    done = (before.handled or {}) | {thread.id: thread.updated for thread in threads}
    return replace(before, handled=_youngest(done))


def _youngest(times: dict[str, str]) -> dict[str, str]:
    return dict(sorted(times.items(), key=lambda item: item[1])[-MOST:])


def _before(date: str) -> str:
    """The time in GitHub's form, some minutes earlier; ``date`` is an HTTP date or already in that form."""
    with contextlib.suppress(ValueError):
        when = datetime.fromisoformat(date) if date[:4].isdigit() else parsedate_to_datetime(date)
        return (when.astimezone(UTC) - LATE).strftime("%Y-%m-%dT%H:%M:%SZ")
    return ""


# --- on disk --------------------------------------------------------------------------------


def _file(account: str) -> Path:
    return paths.data() / "github" / f"{account}.json"


def load(account: str) -> Memory:
    """What is remembered of an account. A file that can't be read is set aside."""
    file = _file(account)
    try:
        row = json.loads(file.read_text("utf-8"))
        threads = tuple(Thread(**each) for each in row["shown"])
        return Memory(str(row["looked"]), dict(row["seen"]), dict(row["handled"]), threads)
    except FileNotFoundError:
        return Memory()
    except (ValueError, KeyError, TypeError):
        aside = file.with_suffix(".broken")
        file.replace(aside)
        return Memory(broken=f"What was seen before could not be read; it was set aside as {aside}.")


def save(account: str, memory: Memory) -> None:
    """Raises ``OSError`` when the disk refuses."""
    row = asdict(memory)
    row.pop("broken")
    row["seen"], row["handled"] = memory.seen or {}, memory.handled or {}
    with _LOCK:
        write(_file(account), json.dumps(row))
