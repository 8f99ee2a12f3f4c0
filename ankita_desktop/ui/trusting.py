"""The one question about a folder: whether what its people wrote for assistants counts. Main thread only; folders
and settings are read and written on the bridge's worker."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ankita_desktop.assembly import Assembly
from ankita_desktop.toolkit.agents_file import asks_for_trust
from ankita_desktop.ui.approval_parts import visible
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.centre import Centre
from ankita_desktop.ui.conversation import Conversation
from ankita_desktop.ui.session_rows import short_path

Waiting = tuple[Path, tuple[str, ...]]


class Trusting(QObject):
    """Asks in a line above the composer, once for each folder. ``answered``: the person has."""

    answered = Signal()

    def __init__(self, assembly: Assembly, bridge: Bridge, centre: Centre, conversation: Conversation) -> None:
        super().__init__()
        self._settings, self._bridge, self._line = assembly.settings, bridge, centre.trust
        self._conversation = conversation
        self._asked: Path | None = None
        conversation.placed.connect(lambda _folder: self.look())
        self._line.answered.connect(self._keep)

    def look(self) -> None:
        """Ask about the folder that is worked in, if there is something to ask."""
        folder = self._conversation.folder
        self._bridge.do(lambda: self._waiting(folder), lambda found: self._show(folder, found))

    def _waiting(self, folder: str) -> Waiting | None:
        """On the worker."""
        folders = self._settings.values.folders
        return asks_for_trust(Path(folder), folders.trusted, folders.not_trusted)

    def _show(self, folder: str, found: Waiting | None) -> None:
        if folder != self._conversation.folder:
            return
        self._asked = found[0] if found else None
        if found is None:
            self._line.hide()
            return
        place, what = found
        counts = "It counts" if len(what) == 1 else "They count"
        self._line.ask(f"{visible(short_path(str(place)))} brings {', '.join(what)}. {counts} once you trust it.")

    def _keep(self, trusted: bool) -> None:
        asked, self._asked = self._asked, None
        self._line.hide()
        if asked is not None:
            self._bridge.do(lambda: self._write("trusted" if trusted else "not_trusted", str(asked)))
            self.look()
            self.answered.emit()

    def _write(self, which: str, folder: str) -> None:
        """On the worker."""
        known = getattr(self._settings.values.folders, which)
        self._settings.set(f"folders.{which}", "\n".join([*known, folder]))
