"""Making approved changes: exactly what was agreed to, all or nothing, with undo."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ankita_desktop.errors import AnkitaError, ToolError
from ankita_desktop.protocol import Approved, Decision, ToolResult
from ankita_desktop.toolkit import disk, places
from ankita_desktop.toolkit.changes import Change, look
from ankita_desktop.toolkit.diff import apply_hunks, count, hunk_text, hunks, unified
from ankita_desktop.toolkit.reach import Reach
from ankita_desktop.toolkit.services import Checkpoints
from ankita_desktop.toolkit.text import Form, encode, main_end, plain, with_ends_of

# Two conversations may want the same file: looking and writing is one step in this process.
_WRITING = threading.Lock()
SHOWN = 20_000  # characters of diff in a card
TOLD = 4_000  # characters of what wasn't applied, for the model
_PAST = {"create": "Created", "modify": "Changed", "delete": "Deleted", "move": "Moved", "mkdir": "Created folder"}


@dataclass(frozen=True, slots=True)
class _Settled:
    """A change after the person's answer; ``notes`` say how it differs from what was proposed."""

    change: Change
    applied: bool = True
    notes: tuple[str, ...] = ()


class Commit:
    """One use per call."""

    def __init__(self, files: Reach, approved: Approved | None, checkpoints: Checkpoints | None) -> None:
        self._files = files
        self._approved = approved
        self._checkpoints = checkpoints

    def run(self, changes: Sequence[Change], *, session: str, call_id: str) -> ToolResult:
        self._as_approved(changes)
        settled = [self._settle(change) for change in changes]
        todo = [item.change for item in settled if item.applied]
        with _WRITING:
            for change in todo:
                self._still(change)
            checkpoint = self._keep(todo, session, call_id) if todo else ""
            try:
                self._perform(todo)
            finally:
                unkept = self._recorded(checkpoint)
        result = self._result(settled, "" if unkept else checkpoint)
        return replace(result, text=f"{result.text}\n{unkept}") if unkept else result

    def _still(self, change: Change) -> None:
        """Raise ``ToolError`` unless everything is as it was when the change was planned."""
        follow = change.action in ("create", "modify", "mkdir")
        now = look(change.path, follow=follow)
        same_place = places.real(change.path.parent) == change.path.parent
        free = change.destination is None or not disk.exists(change.destination)
        if now.mark != change.before.mark or not same_place or not free:
            raise ToolError(
                f"{self._files.name(change.path)} changed on disk meanwhile. Nothing was written. "
                "Read it again and repeat the call."
            )

    def _keep(self, todo: Sequence[Change], session: str, call_id: str) -> str:
        """Have the old state kept for undo; without that nothing is changed."""
        if self._checkpoints is None:
            return ""
        label = "; ".join(self._line(change) for change in todo[:3])
        touched = [place for change in todo for place in change.places]
        try:
            return self._checkpoints.before(touched, session=session, call_id=call_id, label=label)
        except AnkitaError as error:
            raise ToolError(str(error)) from error

    def _recorded(self, checkpoint: str) -> str:
        """Tell the undo store that the change is over; why it can't be undone ("" = it can)."""
        try:
            if checkpoint and self._checkpoints:
                self._checkpoints.after(checkpoint)
        except AnkitaError as error:
            return str(error)
        return ""

    def _as_approved(self, changes: Sequence[Change]) -> None:
        if self._approved is None or not self._approved.preview.changes:
            return
        if tuple(change.shown() for change in changes) != self._approved.preview.changes:
            raise ToolError("The files changed since this was approved. Nothing was written. Repeat the call.")

    # --- the person's answer ------------------------------------------------------------

    def _settle(self, change: Change) -> _Settled:
        decision = self._approved.decision if self._approved else Decision(allow=True)
        path = str(change.path)
        if path in decision.edited and change.after is not None:
            return self._edited(change, decision.edited[path])
        if path in decision.hunks:
            return self._partial(change, frozenset(decision.hunks[path]))
        return _Settled(change)

    def _edited(self, change: Change, text: str) -> _Settled:
        """The person's own text. Editors show no line ends: those of the proposal stay."""
        name, proposal = self._files.name(change.path), change.after or ""
        text = with_ends_of(proposal, plain(text, proposal), main_end(proposal))
        difference = _cut(unified(proposal, text, name))
        note = f"The person edited {name} first. Their changes to your version:\n{difference}"
        return _Settled(replace(change, after=text), notes=(note,) if difference else ())

    def _partial(self, change: Change, accepted: frozenset[int]) -> _Settled:
        found = hunks(change.before.text, change.after)
        left = [hunk for hunk in found if hunk.index not in accepted]
        if found and not left:
            return _Settled(change)
        if len(left) == len(found):
            note = f"Not applied, the person declined: {self._line(change, future=True)}."
            return _Settled(change, False, (note,))
        text = apply_hunks(change.before.text, change.after, accepted)
        refused = _cut("".join(hunk_text(hunk) for hunk in left))
        taken = f"{len(found) - len(left)} of {len(found)} hunks of {self._files.name(change.path)}"
        note = f"The person accepted {taken}. Not applied:\n{refused}"
        return _Settled(replace(change, after=text), notes=(note,))

    # --- the disk -----------------------------------------------------------------------

    def _perform(self, changes: Sequence[Change]) -> None:
        """Deletes last: they are the hardest to take back."""
        undo: list[Callable[[], None]] = []
        ready = [(change, self._bytes(change)) for change in changes]
        try:
            for change, data in sorted(ready, key=lambda item: item[0].action == "delete"):
                _apply(change, data, undo)
        except (OSError, ToolError) as error:
            for step in reversed(undo):
                step()
            raise ToolError(f"Nothing was changed: {error}") from error

    def _bytes(self, change: Change) -> bytes | None:
        if change.after is None:
            return change.data
        form = change.before.form if change.before.text is not None else Form()
        return encode(change.after, form)

    # --- words --------------------------------------------------------------------------

    def _line(self, change: Change, *, future: bool = False) -> str:
        name = self._files.name(change.path)
        word = change.action if future else _PAST[change.action]
        if change.action == "move" and change.destination:
            return f"{word} {name} to {self._files.name(change.destination)}"
        if change.action == "delete" and not change.permanent and not future:
            return f"Moved {name} to the trash"
        return f"{word} {name}"

    def _result(self, settled: Sequence[_Settled], checkpoint: str) -> ToolResult:
        lines: list[str] = []
        cards: list[dict[str, Any]] = []
        for item in settled:
            if item.applied:
                card = self._card(item.change)
                counts = f" (+{card['added']} -{card['removed']})" if item.change.after is not None else ""
                lines.append(self._line(item.change) + counts + ".")
                cards.append(card)
            lines += item.notes
        whole = "".join(card["diff"] for card in cards)
        details = {
            "path": str(settled[0].change.destination or settled[0].change.path) if settled else "",
            "files": [{key: value for key, value in card.items() if key != "diff"} for card in cards[:100]],
            "added": sum(card["added"] for card in cards),
            "removed": sum(card["removed"] for card in cards),
            "diff": whole[:SHOWN],
            "diff_cut": len(whole) > SHOWN,
            "checkpoint": checkpoint,
        }
        return ToolResult("\n".join(lines), details)

    def _card(self, change: Change) -> dict[str, Any]:
        before, after = change.before.text, change.after
        shown = change.action == "delete" or after is not None
        added, removed = count(before, after) if shown else (0, 0)
        name = self._files.name(change.path)
        return {
            "path": str(change.path),
            "action": change.action,
            "destination": str(change.destination) if change.destination else None,
            "added": added,
            "removed": removed,
            "diff": unified(before, after, name) if shown else "",
        }


def _apply(change: Change, data: bytes | None, undo: list[Callable[[], None]]) -> None:
    path, before = change.path, change.before
    if change.action == "delete":
        (disk.remove if change.permanent else disk.trash)(path)
        if before.kind == "file":
            undo.append(lambda: _put_back(change))
        return
    target = change.destination or path
    for folder in disk.make_folders(path if change.action == "mkdir" else target.parent):
        undo.append(folder.rmdir)
    if change.action == "mkdir":
        return
    if data is None:
        disk.rename(path, target)
        undo.append(lambda: disk.rename(target, path))
        return
    disk.write(target, data, like=path if before.kind == "file" else None, mode=change.mode)
    undo.append(target.unlink if before.kind == "absent" or change.destination else lambda: _put_back(change))
    if change.destination:
        path.unlink()
        undo.append(lambda: _put_back(change))


def _put_back(change: Change) -> None:
    disk.write(change.path, change.before.data)
    change.path.chmod(change.before.mode)


def _cut(text: str) -> str:
    return text if len(text) <= TOLD else text[:TOLD] + f"\n… {len(text) - TOLD} more characters"
