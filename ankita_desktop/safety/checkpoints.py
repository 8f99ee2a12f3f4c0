"""Undo: what the agent's changes replaced, kept outside the person's folders.

Two plain files per change in one folder: a JSON manifest, the recorded paths as they were before and after, and a
pack with the contents of before. Restoring touches recorded paths only, and only where
they still are as the agent left them. Thread-safe; several processes may share the folder.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ankita_desktop.protocol import new_id
from ankita_desktop.safety.around import FolderLook, Picture
from ankita_desktop.safety.pack import CheckpointError, Pack
from ankita_desktop.safety.restore import Restore, World
from ankita_desktop.safety.snapshot import State, missing_parents, scan
from ankita_desktop.safety.undoing import Outlook, outlook
from ankita_desktop.toolkit import disk
from ankita_desktop.toolkit.cancel import Cancel

__all__ = ["Checkpoint", "CheckpointError", "CheckpointStore", "Restored"]

KEPT_BYTES = 1024**3  # of all checkpoints
KEPT_SECONDS = 30 * 24 * 3600
PRUNE_EVERY = 600  # seconds
UNFINISHED = 24 * 3600  # seconds after which nobody goes on with a pack
CUT = "Some of it was too much to be kept and stays as it is: "


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One recorded change. ``restored`` is set while it is undone; ``undoes`` names what it took back itself
    (empty: it is no undo)."""

    id: str
    time: float
    session: str
    call_id: str
    label: str
    paths: tuple[str, ...]
    restored: bool = False
    undoes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    """What an undo did. ``back`` are the checkpoints whose restoring leads back (none: nothing was to be done);
    ``undone`` and ``redone`` are changes that are taken back now, or there again; ``left`` are folders that stay
    because something else is in them."""

    label: str
    paths: tuple[str, ...]
    back: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()
    redone: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


@dataclass(slots=True)
class _Open:
    """A command that runs: the folder as it was, and what its checkpoint will be called."""

    picture: Picture
    words: dict[str, str]
    began: float = field(default_factory=time.time)


class CheckpointStore:
    """Implements ``toolkit.services.Checkpoints`` below ``root``."""

    def __init__(self, root: Path, *, most_bytes: int = KEPT_BYTES, most_seconds: float = KEPT_SECONDS) -> None:
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._root = root
        self._folders = FolderLook(root)
        self._running: dict[str, _Open] = {}
        self._most_bytes = most_bytes
        self._most_seconds = most_seconds
        self._lock = threading.RLock()
        self._pruned = 0.0

    # --- recording ----------------------------------------------------------------------

    def before(self, paths: Iterable[Path], *, session: str, call_id: str, label: str) -> str:
        """Keep what stands at ``paths`` (folders with all they hold, up to a limit). Returns the id.

        Raises ``CheckpointError`` when it can't be kept, so that nothing is changed without undo.
        """
        return self._begin(paths, {"session": session, "call_id": call_id, "label": label})

    def around(self, folder: Path, *, session: str, call_id: str, label: str, cancel: Cancel) -> str:
        """Keep what stands in a folder before a command runs there, within limits. Returns the id; there is a
        checkpoint under it only when ``after`` finds a change."""
        words = {"session": session, "call_id": call_id, "label": label}
        try:
            picture = self._folders.before(folder, cancel)
        except OSError as error:
            raise CheckpointError(f"The folder can't be kept for undo: {error}.") from error
        checkpoint = _new_name()
        with self._lock:
            self._running[checkpoint] = _Open(picture, words)
        return checkpoint

    def after(self, checkpoint: str) -> bool:
        """The change is made: remember what stands there now. A change that changed nothing is forgotten; false
        then."""
        with self._lock:
            running = self._running.pop(checkpoint, None)
            try:
                return self._end_command(checkpoint, running) if running else self._end(checkpoint)
            except OSError as error:
                raise CheckpointError(f"The change can't be undone later: {error}.") from error

    def _begin(self, paths: Iterable[Path], words: Mapping[str, str], **more: Any) -> str:
        roots = list(dict.fromkeys(root for path in paths for root in (*missing_parents(path), path)))
        with self._lock:
            try:
                self._prune()
                manifest = _manifest(_new_name(), words, roots)
                pack = self._pack(manifest)
                manifest |= {"before": _rows(_keep(roots, pack)), **more}
                self._save(manifest, pack)
            except OSError as error:
                raise CheckpointError(
                    f"The old state can't be kept for undo: {error}. Nothing was changed."
                ) from error
        return str(manifest["id"])

    def _end(self, checkpoint: str) -> bool:
        manifest = self._load(checkpoint)
        before = _states(manifest["before"])
        after = dict(scan((Path(root) for root in manifest["roots"]), before))
        if not Restore(before, after, self._pack(manifest).get).touched():
            self._forget(checkpoint)
            return False
        self._save({**manifest, "after": _rows(after)})
        return True

    def _end_command(self, checkpoint: str, running: _Open) -> bool:
        """What a command changed; what other calls changed meanwhile is theirs to undo."""
        found = self._folders.after(running.picture, Cancel())
        taken = self._paths_since(running.began)
        before = {path: state for path, state in found.before.items() if str(path) not in taken}
        if not before:
            return False
        manifest = _manifest(checkpoint, running.words, before)
        after = {path: found.after[path] for path in before}
        manifest |= {"before": _rows(before), "after": _rows(after), "unkept": list(found.unkept[:100])}
        self._prune()
        pack = self._pack(manifest)
        for state in before.values():
            if state.kept:
                pack.put(self._folders.content(running.picture, state.mark))
        self._save({**manifest, "renames": False}, pack)
        return True

    def _paths_since(self, moment: float) -> frozenset[str]:
        manifests = (_parsed(self._root / f"{row.id}.json") for row in self.list() if row.time >= moment)
        return frozenset(path for manifest in manifests if manifest for path in manifest["before"])

    # --- reading and undoing ------------------------------------------------------------

    def list(self, session: str = "") -> tuple[Checkpoint, ...]:
        """Recorded changes, newest first; of one session when it is named."""
        manifests = [found for path in self._root.glob("*.json") if (found := _parsed(path))]
        rows = [_row(manifest) for manifest in manifests if not session or manifest["session"] == session]
        return tuple(sorted(rows, key=lambda row: (row.time, row.id), reverse=True))

    def outlook(self, *checkpoints: str) -> Outlook:
        """What undoing these together would do, as changes to look at; why it can't be done, if so."""
        manifests = self._newest_first(checkpoints)
        world, works = World(), self._works(manifests)
        conflicts = [text for work in works for text in work.imagine(world)]
        notes = [CUT + ", ".join(kept[:5]) + "." for each in manifests if (kept := each.get("unkept"))]
        touched = dict.fromkeys(path for work in works for path in work.touched())
        return outlook(touched, world, self._contents(manifests), conflicts=conflicts, notes=notes)

    def restore(self, *checkpoints: str) -> Restored:
        """Put back what stood at the recorded paths: bytes, names and modes. What the changes created goes,
        unless something else was put into it. Several are undone together, the newest first. Raises
        ``CheckpointError`` and touches nothing when any path was changed since by somebody else."""
        manifests = self._newest_first(checkpoints)
        world, works = World(), self._works(manifests)
        if conflicts := [text for work in works for text in work.imagine(world)]:
            raise CheckpointError("Not undone, since this changed later: " + "; ".join(conflicts[:5]) + ".")
        touched = dict.fromkeys(path for work in works for path in work.touched())
        label = "; ".join(manifest["label"] for manifest in manifests[:3])
        words = {key: str(manifests[0][key]) for key in ("session", "call_id")}
        plain = len(manifests) == 1 and manifests[0].get("renames", True)
        how = {"undoes": [manifest["id"] for manifest in manifests], "renames": plain}
        safety = self._begin(touched, {**words, "label": f"Undo: {label}"}, **how)
        left: list[str] = []
        try:
            for work in works:
                left += work.run()
        except OSError as error:
            raise CheckpointError(f"Undone in part only: {error}.") from error
        finally:
            changed = self.after(safety)
        return self._settled(manifests, safety if changed else "", [str(path) for path in touched], left)

    def _newest_first(self, checkpoints: Sequence[str]) -> Sequence[dict[str, Any]]:
        manifests = [self._load(checkpoint) for checkpoint in dict.fromkeys(checkpoints)]
        if not manifests:
            raise CheckpointError("There is nothing to undo.")
        if any(manifest["after"] is None for manifest in manifests):
            raise CheckpointError("The change was interrupted before it was complete; look at the files first.")
        return sorted(manifests, key=lambda manifest: (manifest["time"], manifest["id"]), reverse=True)

    def _works(self, manifests: Sequence[Mapping[str, Any]]) -> Sequence[Restore]:
        return [
            Restore(
                _states(each["before"]),
                _states(each["after"]),
                self._pack(each).get,
                renames=each.get("renames", True),
            )
            for each in manifests
        ]

    def _contents(self, manifests: Sequence[Mapping[str, Any]]) -> Callable[[str], bytes]:
        packs = [self._pack(each) for each in manifests]
        return lambda mark: next((pack for pack in packs if mark in pack.places), packs[0]).get(mark)

    def _settled(
        self, manifests: Sequence[dict[str, Any]], safety: str, paths: Sequence[str], left: Sequence[str]
    ) -> Restored:
        """Note what is undone now. Undoing an undo needs no record of its own: the first changes are back."""
        undone = [each["id"] for each in manifests if not each.get("undoes")]
        redone = [name for each in manifests for name in each.get("undoes", ())]
        for each in manifests:
            if each.get("undoes"):
                self._forget(each["id"])
            else:
                self._mark(each["id"], True)
        for name in redone:
            self._mark(name, False)
        if redone and not undone and safety:
            self._forget(safety)
        back = tuple(redone) if redone and not undone else (safety,) if safety else ()
        return Restored(str(manifests[0]["label"]), tuple(paths), back, tuple(undone), tuple(redone), tuple(left))

    def _mark(self, checkpoint: str, restored: bool) -> None:
        with self._lock:
            manifest = _parsed(self._root / f"{checkpoint}.json")
            if manifest is not None:
                self._save({**manifest, "restored": restored})

    # --- manifests and limits -------------------------------------------------------------

    def _pack(self, manifest: Mapping[str, Any]) -> Pack:
        places = {mark: (start, length) for mark, (start, length) in manifest.get("contents", {}).items()}
        return Pack(self._root / f"{manifest['id']}.pack", places)

    def _save(self, manifest: Mapping[str, Any], pack: Pack | None = None) -> None:
        """The manifest names what its pack holds, so the pack comes first."""
        if pack is not None:
            pack.close()
            manifest = {**manifest, "contents": pack.places, "size": pack.size}
        text = json.dumps(manifest, ensure_ascii=True)
        disk.write(self._root / f"{manifest['id']}.json", text.encode(), mode=0o600)

    def _load(self, checkpoint: str) -> dict[str, Any]:
        path = self._root / f"{checkpoint}.json"
        if checkpoint in self._running:
            raise CheckpointError("The command still runs. Stop it first, then its changes can be undone.")
        if path.parent != self._root or not path.is_file():
            raise CheckpointError(f"There is no checkpoint {checkpoint}: nothing was changed, or it is too old.")
        manifest = _parsed(path)
        if manifest is None:
            raise CheckpointError(f"The record of checkpoint {checkpoint} can't be read: {path}.")
        return manifest

    def _forget(self, checkpoint: str) -> None:
        for kind in ("json", "pack"):
            (self._root / f"{checkpoint}.{kind}").unlink(missing_ok=True)

    def _prune(self) -> None:
        """Forget the oldest beyond age and size. Only our own files are ever deleted."""
        now = time.time()
        if now - self._pruned < PRUNE_EVERY:
            return
        self._pruned, room = now, self._most_bytes
        for row in self.list():
            pack = self._root / f"{row.id}.pack"
            room -= pack.stat().st_size if pack.exists() else 0
            if now - row.time > self._most_seconds or room < 0:
                self._forget(row.id)
        for pack in self._root.glob("*.pack"):
            alone = not pack.with_suffix(".json").exists()  # its process ended while it was written
            if alone and now - pack.stat().st_mtime > UNFINISHED:
                pack.unlink(missing_ok=True)


def _keep(roots: Iterable[Path], pack: Pack) -> dict[Path, State]:
    states: dict[Path, State] = {}
    for path, state in scan(roots):
        if state.kind == "file" and not state.quick:
            state = replace(state, mark=pack.put(path.read_bytes()), kept=True)
        states[path] = state
    return states


def _new_name() -> str:
    return time.strftime("%Y%m%d-%H%M%S-") + new_id()[:8]


def _manifest(checkpoint: str, words: Mapping[str, str], roots: Iterable[Path]) -> dict[str, Any]:
    places = [str(root) for root in roots]
    now = {"id": checkpoint, "time": time.time(), "restored": False, "after": None}
    return {**now, **words, "roots": places}


def _parsed(path: Path) -> dict[str, Any] | None:
    try:
        manifest = json.loads(path.read_bytes())
        return manifest if _row(manifest) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _row(manifest: Mapping[str, Any]) -> Checkpoint:
    roots = [root for root in manifest["roots"] if manifest["before"].get(root)]
    words = {key: manifest[key] for key in ("id", "time", "session", "call_id", "label", "restored")}
    return Checkpoint(**words, paths=tuple(roots), undoes=tuple(manifest.get("undoes", ())))


def _rows(states: Mapping[Path, State]) -> dict[str, Any]:
    return {str(path): asdict(state) for path, state in states.items()}


def _states(rows: Mapping[str, Any] | None) -> dict[Path, State]:
    return {Path(path): State(**row) for path, row in (rows or {}).items()}
