"""Which rows the session list shows: groups by folder and by time. No widgets here."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from ankita_desktop import paths
from ankita_desktop.protocol import SessionInfo

RECENT_DAYS = 7
ROUTINES, EARLIER = "Routines", "Earlier"


@dataclass(frozen=True, slots=True)
class Row:
    """A heading (``session`` None) or a conversation with what stands at its right end."""

    text: str
    session: SessionInfo | None = None
    when: str = ""


def short_path(path: str) -> str:
    """A folder as people write it: with ``~`` for their home."""
    home = str(Path.home())
    if path == home or path.startswith(home + os.sep):
        return "~" + path[len(home) :]
    return path


def when(moment: float, now: datetime) -> str:
    """11:20 today, Fri within a week, Nov 21 this year, Nov 2025 before."""
    then = datetime.fromtimestamp(moment)
    if then.date() == now.date():
        return f"{then:%H:%M}"
    if now - then < timedelta(days=RECENT_DAYS):
        return f"{then:%a}"
    return f"{then:%b} {then.day}" if then.year == now.year else f"{then:%b %Y}"


def title(session: SessionInfo) -> str:
    return session.title.strip() or "New chat"


def heading(session: SessionInfo, now: datetime) -> str:
    """The group a conversation of a person belongs to: its folder while it is recent, else Earlier."""
    then = datetime.fromtimestamp(session.updated)
    if now - then >= timedelta(days=RECENT_DAYS):
        return EARLIER
    if session.cwd != str(paths.default_folder()):
        return f"{Path(session.cwd).name or session.cwd} · {short_path(session.cwd)}"
    return "Today" if then.date() == now.date() else "This week"


def rows(
    sessions: Iterable[SessionInfo],
    *,
    query: str = "",
    found: frozenset[str],
    now: datetime,
    routines: frozenset[str] = frozenset(),
) -> list[Row]:
    """Headings and conversations, newest first. With a query: those whose title has every word of it,
    and those in ``found`` (ids whose messages contain it). ``routines`` are in a group of their own."""
    words = query.casefold().split()
    groups: dict[str, list[Row]] = {}
    for session in sorted(sessions, key=lambda each: each.updated, reverse=True):
        if words and session.id not in found and not _has(session, words):
            continue
        row = Row(title(session), session, when(session.updated, now))
        group = ROUTINES if session.id in routines else heading(session, now)
        groups.setdefault(group, []).append(row)
    for last in (ROUTINES, EARLIER):
        if last in groups:
            groups[last] = groups.pop(last)
    return [row for name, members in groups.items() for row in (Row(name), *members)]


def _has(session: SessionInfo, words: list[str]) -> bool:
    text = f"{title(session)} {session.cwd}".casefold()
    return all(word in text for word in words)
