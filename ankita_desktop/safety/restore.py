"""Turning recorded paths back to an earlier state: checked first, then done, nothing else touched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ankita_desktop.safety.snapshot import ABSENT, State, at
from ankita_desktop.toolkit import disk, places


class Restore:
    """From ``after`` (as the change left it) back to ``before``; ``get`` gives kept bytes by their mark."""

    def __init__(
        self, before: Mapping[Path, State], after: Mapping[Path, State], get: Callable[[str], bytes]
    ) -> None:
        self._get = get
        self._moves = _moved(before, after)
        moved = [folder for pair in self._moves for folder in pair]
        self._steps = {
            path: (before.get(path, ABSENT), after.get(path, ABSENT))
            for path in sorted({*before, *after})
            if not any(places.within(path, folder) for folder in moved)
        }
        self._steps = {path: step for path, step in self._steps.items() if not step[0].same(step[1])}

    def touched(self) -> list[Path]:
        """The paths that an undo changes."""
        return [*self._steps, *(folder for pair in self._moves for folder in pair)]

    def conflicts(self) -> list[str]:
        """Why it can't be done, per path; empty: it can. Raises what ``get`` raises for lost content."""
        self._contents()
        found = [text for path, step in self._steps.items() if (text := self._conflict(path, *step))]
        for old, new in self._moves:
            if at(new).kind == "absent":
                found.append(f"{new} is no longer there")
            if at(old).kind != "absent":
                found.append(f"{old} exists again")
        return found

    def _conflict(self, path: Path, before: State, after: State) -> str:
        now = at(path, quick=after.quick or (after.kind == "absent" and before.quick))
        if places.real(path.parent) != path.parent:
            return f"{path} now leads elsewhere through a link"
        if before.kind in ("file", "other") and not before.kept and not now.same(before):
            return f"{path} was too large to be kept (look in the trash)"
        if now.same(before) or now.same(after) or (now.kind == after.kind == "folder"):
            return ""
        return f"{path} was changed" if now.kind != "absent" else f"{path} was removed"

    def _contents(self) -> dict[Path, bytes]:
        return {path: self._get(old.mark) for path, (old, _) in self._steps.items() if old.kept}

    def run(self) -> tuple[str, ...]:
        """Do it. Returns created folders that stay because something else is in them."""
        contents = self._contents()
        for old, new in self._moves:
            disk.make_folders(old.parent)
            disk.rename(new, old)
        gone = [path for path, (before, _) in self._steps.items() if before.kind == "absent"]
        left = [path for path in sorted(gone, key=lambda path: -len(path.parts)) if not _vanish(path)]
        for path, (before, _) in self._steps.items():
            _bring_back(path, before, contents.get(path))
        for path, (before, _) in reversed(self._steps.items()):
            if before.kind == "folder":
                path.chmod(before.mode)
        return tuple(map(str, left))


def _moved(before: Mapping[Path, State], after: Mapping[Path, State]) -> list[tuple[Path, Path]]:
    """What only has another name now: (old, new). Folders, and files too large to be kept."""
    gone = {
        state.place: path
        for path, state in before.items()
        if after.get(path, ABSENT).kind == "absent" and _by_name(state)
    }
    came = {state.place: path for path, state in after.items() if before.get(path, ABSENT).kind == "absent"}
    pairs = [(path, came[place]) for place, path in gone.items() if place in came]
    olds = {old for old, _ in pairs}
    return [(old, new) for old, new in pairs if olds.isdisjoint(old.parents)]


def _by_name(state: State) -> bool:
    return state.kind == "folder" or (state.kind == "file" and not state.kept)


def _vanish(path: Path) -> bool:
    """Remove what the change created; false for a folder that holds something else by now."""
    state = at(path)
    try:
        if state.kind == "folder":
            path.rmdir()
        elif state.kind != "absent":
            path.unlink()
    except OSError:
        if state.kind == "folder":
            return False
        raise
    return True


def _bring_back(path: Path, before: State, data: bytes | None) -> None:
    if before.kind == "absent" or at(path, quick=before.quick).same(before):
        return
    if before.kind == "folder":
        if at(path).kind == "file":
            path.unlink()
        disk.make_folders(path)
        return
    disk.make_folders(path.parent)
    if before.kind == "link":
        path.unlink(missing_ok=True)
        path.symlink_to(before.mark)
    elif data is not None:
        if path.is_symlink():
            path.unlink()
        disk.write(path, data, mode=before.mode)
