"""What git's words after a change mean, and the way on: in the terms of the git tool, not of its command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.git import Repository, checked, decode, without_credentials
from ankita_desktop.toolkit.limits import Outcome

LONGEST = 4_000
_DRAWN = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_REDRAWN = re.compile(r"(?m)^.*\r(?!\n)")
# What git says to those who type commands; what to do here stands after it.
_HINTS = re.compile(r"(?m)^hint: .*\n?")
_MARKER = "leftover conflict marker"
_WAYS = (
    (r"Not possible to fast-forward", "Both sides have new commits. Pull with op: merge or op: rebase."),
    (
        r"\[rejected\]|non-fast-forward|\(fetch first\)|stale info",
        "The remote has commits that this branch lacks. Pull first (op: merge or op: rebase), then push again; "
        "force: true would throw theirs away.",
    ),
    (r"src refspec .* does not match any", "There is no such branch or tag here, or it has no commit yet."),
    (r"no such ref was fetched", "The remote has no such branch yet. Push the branch to make it."),
    (
        r"does not appear to be a git repository|Could not read from remote|Repository not found",
        "Check the remote's name and address, and the right to use it.",
    ),
    (r"local changes .* would be overwritten|unstaged changes|uncommitted changes", "Commit or stash them first."),
)


def said(outcome: Outcome) -> str:
    """All that git said, as it would stand on a screen at the end."""
    text = "\n".join(filter(None, (decode(outcome.out).strip(), outcome.complaint)))
    return without_credentials(_DRAWN.sub("", _REDRAWN.sub("", text)).strip())


def accepted(outcome: Outcome, facts: Mapping[str, Any]) -> None:
    """Raise ``ToolError`` where git failed: what it said, and the way on. ``facts`` are of the status after it."""
    if not outcome.code or outcome.cut:
        checked(outcome)
        return
    words = said(outcome)
    if facts["conflicts"]:
        raise ToolError("\n".join(filter(None, (_HINTS.sub("", words).strip(), _conflicts(facts)))))
    way = next((way for pattern, way in _WAYS if re.search(pattern, words)), "")
    text = _HINTS.sub("", words).strip() if way else words
    raise ToolError(f"{text[-LONGEST:]}\n{way}".strip() or f"git ended with exit code {outcome.code}.")


def _conflicts(facts: Mapping[str, Any]) -> str:
    files = ", ".join(row["path"] for row in facts["conflicts"])
    action = next((name for name in ("merge", "rebase") if name in facts["state"]), "")
    skip = ", op: skip leaves this commit out" if action == "rebase" else ""
    rest = f"then {action} with op: continue{skip}; op: abort goes back" if action else "then commit"
    return f"Conflicts in {files}: edit them so that no marker is left, stage them, {rest}."


def refuse_markers(repository: Repository, state: str, *, force: bool) -> None:
    """Raise ``ToolError`` when a merge or rebase would be gone on with while conflicts only seem resolved."""
    if force or not any(name in state for name in ("merge", "rebase", "cherry-pick", "revert")):
        return
    found = decode(repository.read("diff", "--check", "--no-ext-diff", "--no-textconv", "HEAD").out)
    lines = [line.partition(f": {_MARKER}")[0] for line in found.splitlines() if _MARKER in line]
    if lines:
        named = ", ".join(lines[:6]) + (" and more" if len(lines) > 6 else "")
        raise ToolError(
            f"Conflict markers still stand at {named}. Edit the files, stage them, and go on then; force: true "
            "goes on with them as they are."
        )
