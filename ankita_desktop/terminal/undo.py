"""`ankita undo`: take back what the assistant changed in files, and bring it back again."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ankita_desktop import paths
from ankita_desktop.errors import StoreError, UsageError
from ankita_desktop.protocol import FileChange, Message
from ankita_desktop.safety.checkpoints import Checkpoint, CheckpointError, CheckpointStore, Restored
from ankita_desktop.safety.turns import turn_with
from ankita_desktop.store.database import Store
from ankita_desktop.terminal.options import Parser
from ankita_desktop.terminal.screen import one_line, safe, say, show_json
from ankita_desktop.toolkit.diff import unified

NAMED = 8  # paths that are named


def main(argv: list[str]) -> int:
    """Run `ankita undo …`. Returns the exit code: 1 when it can't be undone, nothing is touched then."""
    args = parser().parse_args(argv)
    kept = open_checkpoints()
    rows = kept.list()
    chosen = _again(rows) if args.redo else _chosen(rows, args.checkpoint)
    names = _with_turn(rows, chosen) if args.turn else (chosen.id,)
    if args.show:
        return _show(kept, names, as_json=args.json)
    done = kept.restore(*names)
    show_json(as_row(done)) if args.json else print(told(done))
    return 0


def parser() -> argparse.ArgumentParser:
    """The options of `ankita undo`."""
    parser = Parser(
        prog="ankita undo", description="Put files back as they were before the assistant changed them."
    )
    parser.add_argument("checkpoint", nargs="?", default="", help="which change (the last one)")
    parser.add_argument("--turn", action="store_true", help="all changes of the same request")
    parser.add_argument("--redo", action="store_true", help="bring back what the last undo took back")
    parser.add_argument("--show", action="store_true", help="only show what would be done")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")
    return parser


def open_checkpoints() -> CheckpointStore:
    return CheckpointStore(paths.data() / "checkpoints")


def undo_last(kept: CheckpointStore, session: str) -> Restored:
    """Take back the newest change of a conversation. Raises ``AnkitaError`` when there is none or it can't be."""
    return kept.restore(_newest(kept.list(session), "of this conversation ").id)


def redo_last(kept: CheckpointStore, session: str) -> Restored:
    """Bring back what the last undo of a conversation took back."""
    return kept.restore(_again(kept.list(session)).id)


def told(done: Restored) -> str:
    """What an undo did, for a person."""
    more = f" and {len(done.paths) - NAMED} more" if len(done.paths) > NAMED else ""
    names = ", ".join(one_line(path, 200) for path in done.paths[:NAMED]) + more
    lines = [f"Brought back: {names}" if done.redone else f"As before: {names}"]
    lines += [f"Kept, since something else is in it: {one_line(path, 200)}" for path in done.left]
    if done.undone:
        lines.append("(ankita undo --redo takes this back)")
    return "\n".join(lines)


def as_row(done: Restored) -> dict[str, Any]:
    return {
        "ok": True,
        "label": done.label,
        "paths": list(done.paths),
        "undone": list(done.undone),
        "redone": list(done.redone),
        "left": list(done.left),
    }


def _newest(rows: Sequence[Checkpoint], where: str = "") -> Checkpoint:
    for row in rows:
        if not row.restored and not row.undoes:
            return row
    raise CheckpointError(f"There is no change {where}left to undo.")


def _chosen(rows: Sequence[Checkpoint], name: str) -> Checkpoint:
    if not name:
        return _newest(rows)
    found = [row for row in rows if row.id.startswith(name) or row.id.endswith(name)]
    if len(found) != 1:
        many = f"{len(found)} changes fit" if found else "There is no change"
        raise UsageError(f"{many} {name}. `ankita checkpoints list` shows them.")
    return found[0]


def _again(rows: Sequence[Checkpoint]) -> Checkpoint:
    for row in rows:
        if row.undoes:
            return row
    raise CheckpointError("Nothing was undone that could be brought back.")


def _with_turn(rows: Sequence[Checkpoint], chosen: Checkpoint) -> Sequence[str]:
    known = {row.id for row in rows if not row.restored}
    return [name for name in turn_with(_messages(chosen.session), chosen.id) if name in known] or [chosen.id]


def _messages(session: str) -> Sequence[Message]:
    """Of a session; none when it was deleted or there never was one (a call by hand)."""
    store = Store()
    try:
        return store.messages(session)
    except StoreError:
        return ()
    finally:
        store.close()


def _show(kept: CheckpointStore, names: Sequence[str], *, as_json: bool) -> int:
    seen = kept.outlook(*names)
    if as_json:
        rows = [{"path": one.path, "action": one.action, "to": one.destination} for one in seen.changes]
        show_json({"ok": not seen.conflicts, "changes": rows, "conflicts": list(seen.conflicts)})
    else:
        for change in seen.changes:
            print(safe(_drawn(change)))
        for note in seen.notes:
            say(note)
        for conflict in seen.conflicts:
            say(f"Can't be undone: {conflict}")
    return 1 if seen.conflicts else 0


def _drawn(change: FileChange) -> str:
    if change.destination:
        return f"move {change.path} to {change.destination}"
    head = f"{change.action} {change.path}" + (f" ({change.facts})" if change.facts else "")
    texts = change.before is not None or change.after is not None
    return f"{head}\n{unified(change.before, change.after, change.path)}" if texts else head
