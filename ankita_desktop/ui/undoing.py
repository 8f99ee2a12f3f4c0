"""Taking back what the agent changed, from the chat: one change, the last one, a whole turn. Main thread only."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut

from ankita_desktop.assembly import Assembly
from ankita_desktop.safety.checkpoints import Checkpoint, CheckpointError, Restored
from ankita_desktop.safety.turns import changes_of, turn_of
from ankita_desktop.safety.undoing import Outlook
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.cards import FACT
from ankita_desktop.ui.centre import Centre
from ankita_desktop.ui.conversation import Conversation
from ankita_desktop.ui.parts import discard
from ankita_desktop.ui.undo_dialog import UndoDialog

NOTHING = "There is no change of this conversation left to undo."
NOT_HERE = "This request changed no file that could be put back."
UNLEARNT = "It is as it was before in what I remember."
CHANGED_SINCE = "What I remember there has changed since, so it stays."
Seen = tuple[Sequence[str], Outlook]


class Undoing(QObject):
    """Files are only touched on the bridge's worker. What can't be undone is shown with its reason."""

    def __init__(self, assembly: Assembly, bridge: Bridge, centre: Centre, conversation: Conversation) -> None:
        super().__init__()
        self._assembly, self._bridge, self._kept = assembly, bridge, assembly.checkpoints
        self._centre, self._conversation = centre, conversation
        self.dialog: UndoDialog | None = None
        chat = centre.chat
        chat.undoRequested.connect(self.undo)
        chat.undoLookRequested.connect(self.look)
        chat.turnUndoRequested.connect(self.look_at_turn)
        for keys, act in (
            (QKeySequence.StandardKey.Undo, self.undo_last),
            (QKeySequence.StandardKey.Redo, self.redo_last),
        ):
            shortcut = QShortcut(QKeySequence(keys), chat)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)

    # --- what the person wants ----------------------------------------------------------------

    def undo(self, *checkpoints: str) -> None:
        """Put files back as they were before these changes; offers the way back. Conflicts are shown instead."""
        facts = [one for one in checkpoints if one.startswith(FACT)]
        if facts:
            self._bridge.do(lambda: self._unlearnt(facts), self._tell_unlearnt)
            return
        self._bridge.do(lambda: self._attempt(checkpoints), self._settle)

    def undo_last(self) -> None:
        """The newest change of the open conversation that isn't undone yet."""
        self._last(lambda row: not row.restored and not row.undoes)

    def redo_last(self) -> None:
        """Bring back what the last undo took back."""
        self._last(lambda row: bool(row.undoes))

    def look(self, *checkpoints: str) -> None:
        """Show what undoing these would do, and ask."""
        self._bridge.do(lambda: self._looked(checkpoints), self._settle)

    def look_at_turn(self, message: str) -> None:
        """Show what undoing the whole turn of this message would do, and ask."""
        session = self._conversation.current

        def work() -> Seen:
            messages = self._assembly.store.messages(session)
            left = {row.id for row in self._kept.list(session) if not row.restored}
            names = [name for name in changes_of(turn_of(messages, message)) if name in left]
            if not names:
                raise CheckpointError(NOT_HERE)
            return self._looked(names)

        self._bridge.do(work, self._settle)

    # --- on the worker -----------------------------------------------------------------------

    def _last(self, fits: Callable[[Checkpoint], bool]) -> None:
        session = self._conversation.current

        def work() -> Restored | Seen:
            found = next((row for row in self._kept.list(session) if fits(row)), None)
            if found is None:
                raise CheckpointError(NOTHING)
            return self._attempt((found.id,))

        if session:
            self._bridge.do(work, self._settle)

    def _attempt(self, checkpoints: Sequence[str]) -> Restored | Seen:
        seen = self._looked(checkpoints)
        return seen if seen[1].conflicts else self._kept.restore(*checkpoints)

    def _unlearnt(self, facts: Sequence[str]) -> Sequence[str]:
        """Take back what was remembered. Returns what could be."""
        return [one for one in facts if self._assembly.store.undo_fact(json.loads(one.removeprefix(FACT)))]

    def _looked(self, checkpoints: Sequence[str]) -> Seen:
        return checkpoints, self._kept.outlook(*checkpoints)

    # --- back on the main thread ----------------------------------------------------------------

    def _settle(self, found: Restored | Seen) -> None:
        if isinstance(found, Restored):
            self._tell(found)
        else:
            self._ask(*found)

    def _tell(self, done: Restored) -> None:
        for name in done.undone:
            self._centre.chat.mark_undone(name)
        for name in done.redone:
            self._centre.chat.mark_undone(name, undone=False)
        more = f" and {len(done.paths) - 3} more" if len(done.paths) > 3 else ""
        names = ", ".join(Path(path).name for path in done.paths[:3]) + more
        words = f"Brought back: {names}." if done.redone else f"Undone: {names} as before."
        if done.left:
            words += f" {Path(done.left[0]).name} stays, since something else is in it."
        way = "Undo again" if done.redone else "Bring it back"
        self._centre.notice.tell(words, way if done.back else "", lambda: self.undo(*done.back))

    def _tell_unlearnt(self, facts: Sequence[str]) -> None:
        for one in facts:
            self._centre.chat.mark_undone(one)
        self._centre.notice.tell(UNLEARNT if facts else CHANGED_SINCE)

    def _ask(self, checkpoints: Sequence[str], seen: Outlook) -> None:
        self.close()
        dialog = UndoDialog(seen, self._conversation.folder, self._centre.window())
        self.dialog = dialog
        dialog.agreed.connect(lambda: self.undo(*checkpoints))
        dialog.finished.connect(lambda _code: self.close())
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def close(self) -> None:
        """Put the dialog away, undoing nothing."""
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.close()
            discard(dialog)
