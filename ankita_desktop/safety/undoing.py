"""What an undo would do, as changes a person can look at before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import FileChange
from ankita_desktop.safety.restore import World
from ankita_desktop.safety.snapshot import State
from ankita_desktop.toolkit import disk
from ankita_desktop.toolkit.changes import LARGEST, Document, look, size_name
from ankita_desktop.toolkit.text import NotText, decode


@dataclass(frozen=True, slots=True)
class Outlook:
    """``changes`` as undo would make them; ``conflicts`` why it won't (empty: it will); ``notes`` to know."""

    changes: tuple[FileChange, ...] = ()
    conflicts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def outlook(
    touched: Iterable[Path],
    world: World,
    get: Callable[[str], bytes],
    *,
    conflicts: Sequence[str],
    notes: Sequence[str],
) -> Outlook:
    """From the disk as it is to ``world``, path by path."""
    moves = [FileChange(str(old), "move", destination=str(new)) for old, new in world.moves]
    ends = {place for move in world.moves for place in move}
    found = [_change(path, world.at(path, quick=True), get) for path in touched if path not in ends]
    return Outlook((*moves, *(one for one in found if one is not None)), tuple(conflicts), tuple(notes))


def _change(path: Path, then: State, get: Callable[[str], bytes]) -> FileChange | None:
    try:
        now = look(path, follow=False)
    except ToolError as error:
        return FileChange(str(path), "modify", facts=str(error))
    if then.kind == "absent":
        gone = now.kind != "absent"
        return FileChange(str(path), "delete", now.text, None, now.mark, facts=now.facts) if gone else None
    if then.kind == "folder":
        return FileChange(str(path), "mkdir", facts=_modes(now, then)) if now.kind != "folder" else None
    if then.kind != "file" or not then.kept:
        return None
    data = get(then.mark)
    text, facts = _text(data), _modes(now, then) or now.facts or size_name(len(data))
    if now.kind == "absent":
        return FileChange(str(path), "create", None, text, facts=facts)
    if disk.digest(now.data) == then.mark and now.mode == then.mode:
        return None
    return FileChange(str(path), "modify", now.text, text, now.mark, facts=facts)


def _modes(now: Document, then: State) -> str:
    return f"mode {now.mode:o} → {then.mode:o}" if now.mode and now.mode != then.mode else ""


def _text(data: bytes) -> str | None:
    try:
        return decode(data)[0] if len(data) <= LARGEST else None
    except NotText:
        return None
