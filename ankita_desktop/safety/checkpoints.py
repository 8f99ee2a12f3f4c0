"""Undo: what the agent's changes replaced, kept outside the person's folders.

Plain files below one folder: ``objects/`` holds bytes by their SHA-256, ``checkpoints/`` one JSON manifest per
change: the recorded paths as they were before and after. Restoring touches recorded paths only, and only where
they still are as the agent left them. Thread-safe; several processes may share the folder.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ankita_desktop.errors import AnkitaError
from ankita_desktop.protocol import new_id
from ankita_desktop.safety.restore import Restore
from ankita_desktop.safety.snapshot import State, missing_parents, scan
from ankita_desktop.toolkit import disk

KEPT_BYTES = 1024**3  # of all checkpoints
KEPT_SECONDS = 30 * 24 * 3600
YOUNG = 3600  # seconds in which an unreferenced object may still be about to be referenced
PRUNE_EVERY = 600  # seconds


class CheckpointError(AnkitaError):
    """A change can't be undone; the text says why. Nothing was touched."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One recorded change. ``restored`` is set once it was undone."""

    id: str
    time: float
    session: str
    call_id: str
    label: str
    paths: tuple[str, ...]
    restored: bool = False


@dataclass(frozen=True, slots=True)
class Restored:
    """What an undo did. ``checkpoint`` undoes the undo; ``left`` are folders that stay because something
    else is in them now."""

    checkpoint: str
    label: str
    paths: tuple[str, ...]
    left: tuple[str, ...] = ()


class CheckpointStore:
    """Implements ``toolkit.services.Checkpoints`` below ``root``."""

    def __init__(self, root: Path, *, most_bytes: int = KEPT_BYTES, most_seconds: float = KEPT_SECONDS) -> None:
        self._manifests = root / "checkpoints"
        self._objects = root / "objects"
        self._most_bytes = most_bytes
        self._most_seconds = most_seconds
        self._lock = threading.Lock()
        self._pruned = 0.0
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in (self._manifests, self._objects):
            folder.mkdir(exist_ok=True, mode=0o700)

    # --- recording ----------------------------------------------------------------------

    def before(self, paths: Iterable[Path], *, session: str, call_id: str, label: str) -> str:
        """Keep what stands at ``paths`` (folders with all they hold, up to a limit). Returns the id.

        Raises ``CheckpointError`` when it can't be kept, so that nothing is changed without undo.
        """
        roots = list(dict.fromkeys(root for path in paths for root in (*missing_parents(path), path)))
        with self._lock:
            try:
                states = self._keep(roots)
                self._prune()
                return self._record(roots, states, session=session, call_id=call_id, label=label)
            except OSError as error:
                raise CheckpointError(
                    f"The old state can't be kept for undo: {error}. Nothing was changed."
                ) from error

    def after(self, checkpoint: str) -> None:
        """The change is made: remember what stands there now. A change that changed nothing is forgotten."""
        with self._lock:
            manifest = self._load(checkpoint)
            try:
                before = _states(manifest["before"])
                after = dict(scan((Path(root) for root in manifest["roots"]), before))
            except OSError as error:
                raise CheckpointError(f"The change can't be undone later: {error}.") from error
            if not Restore(before, after, self._get).touched():
                (self._manifests / f"{checkpoint}.json").unlink()
                return
            self._save({**manifest, "after": _rows(after)})

    def _keep(self, roots: Sequence[Path]) -> dict[Path, State]:
        states: dict[Path, State] = {}
        for path, state in scan(roots):
            if state.kind == "file" and not state.quick:
                state = replace(state, mark=self._put(path.read_bytes()), kept=True)
            states[path] = state
        return states

    def _put(self, data: bytes) -> str:
        mark = disk.digest(data)
        place = self._object(mark)
        if not place.exists():
            place.parent.mkdir(exist_ok=True, mode=0o700)
            disk.write(place, data, mode=0o600)
        else:
            place.touch()  # young again: no pruning may take it before the manifest is written
        return mark

    def _object(self, mark: str) -> Path:
        return self._objects / mark[:2] / mark[2:]

    def _get(self, mark: str) -> bytes:
        try:
            data = self._object(mark).read_bytes()
        except OSError as error:
            raise CheckpointError("The old content is no longer in the undo store.") from error
        if disk.digest(data) != mark:
            raise CheckpointError("The old content in the undo store is damaged.")
        return data

    def _record(self, roots: Sequence[Path], states: Mapping[Path, State], **words: str) -> str:
        now = time.time()
        checkpoint = time.strftime("%Y%m%d-%H%M%S-", time.localtime(now)) + new_id()[:8]
        manifest: dict[str, Any] = {"id": checkpoint, "time": now, **words, "restored": False}
        manifest["roots"] = [str(root) for root in roots]
        manifest["before"] = _rows(states)
        manifest["after"] = None
        self._save(manifest)
        return checkpoint

    def _save(self, manifest: Mapping[str, Any]) -> None:
        text = json.dumps(manifest, ensure_ascii=True, indent=1)
        disk.write(self._manifests / f"{manifest['id']}.json", text.encode(), mode=0o600)

    def _load(self, checkpoint: str) -> dict[str, Any]:
        path = self._manifests / f"{checkpoint}.json"
        if path.parent != self._manifests or not path.is_file():
            raise CheckpointError(f"There is no checkpoint {checkpoint}.")
        manifest = _parsed(path)
        if manifest is None:
            raise CheckpointError(f"The record of checkpoint {checkpoint} can't be read: {path}.")
        return manifest

    # --- reading and undoing ------------------------------------------------------------

    def list(self, session: str = "") -> tuple[Checkpoint, ...]:
        """Recorded changes, newest first; of one session when it is named."""
        manifests = [found for path in self._manifests.glob("*.json") if (found := _parsed(path))]
        rows = [_row(manifest) for manifest in manifests if not session or manifest["session"] == session]
        return tuple(sorted(rows, key=lambda row: (row.time, row.id), reverse=True))

    def restore(self, checkpoint: str) -> Restored:
        """Put back what stood at the recorded paths: bytes, names and modes. What the change created goes,
        unless something else was put into it. Raises ``CheckpointError`` and touches nothing when any path
        was changed since by somebody else."""
        manifest = self._load(checkpoint)
        before, after = _states(manifest["before"]), _states(manifest["after"])
        if manifest["after"] is None:
            raise CheckpointError("The change was interrupted before it was complete; look at the files first.")
        work = Restore(before, after, self._get)
        if conflicts := work.conflicts():
            raise CheckpointError("Not undone, since this changed later: " + "; ".join(conflicts[:5]) + ".")
        label = f"Undo: {manifest['label']}"
        redo = self.before(work.touched(), session=manifest["session"], call_id=manifest["call_id"], label=label)
        try:
            left = work.run()
        except OSError as error:
            raise CheckpointError(f"Undone in part only: {error}.") from error
        finally:
            self.after(redo)
        with self._lock:
            self._save({**manifest, "restored": True})
        return Restored(redo, manifest["label"], tuple(str(path) for path in work.touched()), left)

    # --- limits -------------------------------------------------------------------------

    def _prune(self) -> None:
        """Forget the oldest beyond age and size. Only our own objects and manifests are ever deleted."""
        now = time.time()
        if now - self._pruned < PRUNE_EVERY:
            return
        self._pruned = now
        sizes = {f"{path.parent.name}{path.name}": path.stat().st_size for path in self._objects.glob("??/*")}
        used, room = set[str](), self._most_bytes
        for row in self.list():
            manifest = _parsed(self._manifests / f"{row.id}.json") or {"before": {}}
            marks = {state.mark for state in _states(manifest["before"]).values() if state.kept} - used
            room -= sum(sizes.get(mark, 0) for mark in marks)
            if now - row.time > self._most_seconds or room < 0:
                (self._manifests / f"{row.id}.json").unlink(missing_ok=True)
            else:
                used |= marks
        for mark in sizes.keys() - used:
            place = self._object(mark)
            if now - place.stat().st_mtime > YOUNG:
                place.unlink(missing_ok=True)


def _parsed(path: Path) -> dict[str, Any] | None:
    try:
        manifest = json.loads(path.read_bytes())
        return manifest if _row(manifest) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _row(manifest: Mapping[str, Any]) -> Checkpoint:
    roots = [root for root in manifest["roots"] if manifest["before"].get(root)]
    words = {key: manifest[key] for key in ("id", "time", "session", "call_id", "label", "restored")}
    return Checkpoint(**words, paths=tuple(roots))


def _rows(states: Mapping[Path, State]) -> dict[str, Any]:
    return {str(path): asdict(state) for path, state in states.items()}


def _states(rows: Mapping[str, Any] | None) -> dict[Path, State]:
    return {Path(path): State(**row) for path, row in (rows or {}).items()}
