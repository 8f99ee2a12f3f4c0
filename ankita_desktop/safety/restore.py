"""Turning recorded paths back to an earlier state: checked first, then done, nothing else touched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ankita_desktop.safety.snapshot import ABSENT, State, at
from ankita_desktop.toolkit import disk, places

FORCED = 50  # files that are forced to the disk one by one; with more, a power cut leaves them to be undone again


class World:
    """The disk as it would be after some steps that are only imagined."""

    def __init__(self) -> None:
        self.states: dict[Path, State] = {}
        self.moves: list[tuple[Path, Path]] = []  # (from, to), in order

    def at(self, path: Path, *, quick: bool = False) -> State:
        """What would stand there."""
        if path in self.states:
            return self.states[path]
        for old, new in reversed(self.moves):
            if places.within(path, old):
                return ABSENT
            if places.within(path, new):
                path = old / path.relative_to(new)
        return at(path, quick=quick)

    def move(self, old: Path, new: Path) -> None:
        moved = {path for path in self.states if places.within(path, old)}
        self.states |= {new / path.relative_to(old): self.states.pop(path) for path in moved}
        self.moves.append((old, new))


class Restore:
    """From ``after`` (as the change left it) back to ``before``; ``get`` gives kept bytes by their mark.
    ``renames``: what only has another name now is moved back instead of written anew."""

    def __init__(
        self,
        before: Mapping[Path, State],
        after: Mapping[Path, State],
        get: Callable[[str], bytes],
        *,
        renames: bool = True,
    ) -> None:
        self._get = get
        self._moves = _moved(before, after) if renames else []
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

    def imagine(self, world: World) -> list[str]:
        """Do it in ``world`` only. Returns why it can't be done, per path; empty: it can. Raises what ``get``
        raises for lost content."""
        self._contents()
        found = [text for path, step in self._steps.items() if (text := _conflict(world, path, *step))]
        found += [f"{path} is a folder with other things in it" for path in self._blocked()]
        for old, new in self._moves:
            if world.at(new).kind == "absent":
                found.append(f"{new} is no longer there")
            if world.at(old).kind != "absent":
                found.append(f"{old} exists again")
            world.move(new, old)
        world.states |= {path: before for path, (before, _) in self._steps.items()}
        return found

    def _blocked(self) -> list[Path]:
        """Folders that would have to give way to a file, but hold what the change did not put there."""
        ways = (path for path, (before, after) in self._steps.items() if _gives_way(path, before, after))
        return [path for path in ways if any(child not in self._steps for child in path.iterdir())]

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
            _bring_back(path, before, contents.get(path), sync=len(contents) <= FORCED)
        for path, (before, _) in reversed(self._steps.items()):
            if before.kind == "folder":
                path.chmod(before.mode)
        return tuple(map(str, left))


def _conflict(world: World, path: Path, before: State, after: State) -> str:
    now = world.at(path, quick=after.quick or (after.kind == "absent" and before.quick))
    if places.real(path.parent) != path.parent:
        return f"{path} now leads elsewhere through a link"
    if before.kind in ("file", "other") and not before.kept and not now.same(before):
        return f"{path} was too large to be kept (look in the trash)"
    if now.same(before) or now.same(after) or (now.kind == after.kind == "folder"):
        return ""
    return f"{path} was changed" if now.kind != "absent" else f"{path} was removed"


def _gives_way(path: Path, before: State, after: State) -> bool:
    file = before.kind in ("file", "link")
    return file and after.kind == "folder" and path.is_dir() and not path.is_symlink()


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


def _bring_back(path: Path, before: State, data: bytes | None, *, sync: bool) -> None:
    if before.kind == "absent" or at(path, quick=before.quick).same(before):
        return
    if before.kind == "folder":
        if at(path).kind == "file":
            path.unlink()
        disk.make_folders(path)
        return
    disk.make_folders(path.parent)
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    if before.kind == "link":
        path.unlink(missing_ok=True)
        path.symlink_to(before.mark)
    elif data is not None:
        if path.is_symlink():
            path.unlink()
        disk.write(path, data, mode=before.mode, sync=sync)
