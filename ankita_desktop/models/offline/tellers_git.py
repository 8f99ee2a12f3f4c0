"""Results of git in a person's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ankita_desktop.models.offline.script import Wish
from ankita_desktop.models.offline.wording import fenced, plural
from ankita_desktop.protocol import Message

_LISTED = 40  # paths that are named


def told(wish: Wish, result: Message) -> str:
    """What git's result says; the plain output where nothing better is known."""
    teller = _GIT.get(str(wish.arguments.get("action")))
    text = teller(wish, result) if teller else ""
    return text or _block(result.text.strip("\n"))


def _block(text: str) -> str:
    return fenced(text) if "\n" in text else text


def _git_status(wish: Wish, result: Message) -> str:
    details, (first, *rest) = result.details, result.text.strip().split("\n")
    if "branch" not in details:
        return ""
    body = f"\n\n{fenced(chr(10).join(rest))}" if len(rest) > 1 else f" {rest[0]}" if rest else ""
    return f"{first}{body}"


def _git_diff(wish: Wish, result: Message) -> str:
    files = result.details.get("files")
    if not files:
        return "Nothing has changed." if files is not None else ""
    added = sum(row["added"] or 0 for row in files)
    removed = sum(row["removed"] or 0 for row in files)
    opening = f"{plural(len(files), 'file')} changed, {plural(added, 'line')} added and {removed:,} removed"
    return f"{opening}:\n\n{fenced(result.text.strip(chr(10)), 'diff')}"


def _git_log(wish: Wish, result: Message) -> str:
    commits = result.details.get("commits")
    if not commits:
        return "There are no commits." if commits is not None else ""
    rows = "\n".join(f"- {c['short']} {c['date'][:10]} {c['author']}: {c['subject']}" for c in commits)
    return f"The last {len(commits)} commits:\n\n{rows}" if len(commits) > 1 else f"The last commit:\n\n{rows}"


def _git_branches(wish: Wish, result: Message) -> str:
    branches = result.details.get("branches")
    if branches is None:
        return ""
    current = next((row["name"] for row in branches if row["current"]), "")
    rows = "\n".join(f"- {row['name']}" + (" (this one)" if row["current"] else "") for row in branches)
    opening = f"You are on {current}." if current else "No branch is checked out."
    return (
        f"{opening} {plural(len(branches), 'branch', 'branches')}:\n\n{rows}" if branches else "No branches yet."
    )


def _git_tags(wish: Wish, result: Message) -> str:
    tags = result.details.get("tags")
    if tags is None:
        return f"Tagged as {wish.arguments.get('ref')}."
    return (
        f"{plural(len(tags), 'tag')}:\n\n" + "\n".join(f"- {row['name']}" for row in tags)
        if tags
        else "No tags yet."
    )


def _git_left(wish: Wish, result: Message) -> str:
    """After staging and the like: what would be committed now."""
    status = result.details.get("status")
    if not status:
        return ""
    staged = [row["path"] for row in status["staged"]]
    shown = ", ".join(staged[:_LISTED]) + (" …" if len(staged) > _LISTED else "")
    return f"Ready to commit ({plural(len(staged), 'file')}): {shown}." if staged else "Nothing is staged now."


def _git_restore(wish: Wish, result: Message) -> str:
    return f"As before the changes: {', '.join(wish.arguments.get('paths', ()))}."


_COMMITTED = re.compile(r"\[(?P<branch>\S+).* (?P<hash>[0-9a-f]{7,})\] (?P<subject>.*)\n(?P<counts>.*changed.*)?")


def _git_commit(wish: Wish, result: Message) -> str:
    found = _COMMITTED.search(result.text)
    if found is None:
        return ""
    counts = f": {found['counts'].strip()}" if found["counts"] else ""
    return f"Committed “{found['subject']}” on {found['branch']} ({found['hash']}){counts}."


_GIT: Mapping[str, Callable[[Wish, Message], str]] = {
    "status": _git_status,
    "diff": _git_diff,
    "log": _git_log,
    "branch": _git_branches,
    "commit": _git_commit,
    "restore": _git_restore,
    "tag": _git_tags,
    "stage": _git_left,
    "unstage": _git_left,
}
