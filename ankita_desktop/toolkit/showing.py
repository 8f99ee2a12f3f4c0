"""Planned changes as the question a person is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ankita_desktop.protocol import Preview
from ankita_desktop.toolkit import places
from ankita_desktop.toolkit.changes import Change
from ankita_desktop.toolkit.reach import Reach

_MANY = {"create": "Create {} files?", "delete": "Move {} files to the trash?", "move": "Move {} files?"}


def shown(files: Reach, changes: Sequence[Change]) -> Preview:
    """What the person is shown before ``commit``."""
    guarded = {place: why for c in changes for place in c.places if (why := places.protected(place))}
    inside = all(files.inside(place) for change in changes for place in change.places)
    key, label = _grant(files, changes) if not guarded else ("", "")
    return Preview(
        "diff",
        _question(files, changes),
        effect="edit",
        where=str(files.root),
        changes=tuple(change.shown() for change in changes),
        grant_key=key,
        grant_label=label,
        inside=inside and not guarded,
        danger=_danger(files, changes, guarded),
    )


def _grant(files: Reach, changes: Sequence[Change]) -> tuple[str, str]:
    """What "this session" would cover: one path, one kind of change."""
    if len(changes) != 1 or changes[0].permanent:
        return "", ""
    change, name = changes[0], files.name(changes[0].path)
    if change.action in ("create", "modify"):
        return f"edit:{change.path}", f"Change {name}"
    if change.action == "mkdir":
        return f"mkdir:{change.path}", f"Create the folder {name}"
    return "", ""


def _question(files: Reach, changes: Sequence[Change]) -> str:
    if len(changes) != 1:
        return _MANY.get("".join({change.action for change in changes}), "Change {} files?").format(len(changes))
    change = changes[0]
    name = files.name(change.path)
    if change.action == "move":
        return f"Move {name} to {files.name(change.destination or change.path)}?"
    if change.action == "delete":
        what = f"the folder {name}" if change.before.kind == "folder" else name
        return f"Delete {what} for good?" if change.permanent else f"Move {what} to the trash?"
    words = {"create": f"Create {name}?", "modify": f"Change {name}?", "mkdir": f"Create the folder {name}?"}
    return words[change.action]


def _danger(files: Reach, changes: Sequence[Change], guarded: Mapping[Path, str]) -> str:
    lost = [f"{files.name(change.path)} ({change.before.facts})" for change in changes if change.permanent]
    lines = [f"Deleted for good, not to the trash: {', '.join(lost)}."] if lost else []
    return " ".join(lines + [f"{files.name(place)}: {why}." for place, why in guarded.items()])
