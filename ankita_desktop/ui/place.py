"""Where the open conversation works: folder, branch and model in the bar. Main thread only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from ankita_desktop.assembly import Assembly
from ankita_desktop.protocol import SessionInfo
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.centre import Centre
from ankita_desktop.ui.topbar import branch

CONNECT = "connect"
"""The entry of the model menu that opens the settings."""


@dataclass(frozen=True, slots=True)
class Found:
    """What has to be looked up, on the worker: it reads files and the keyring."""

    branch: str
    model: str
    choices: Sequence[str]
    offline: bool


class Place(QObject):
    """Shows the folder at once and the rest as soon as it is known. ``shown`` carries the folder."""

    shown = Signal(str)

    def __init__(self, assembly: Assembly, bridge: Bridge, centre: Centre) -> None:
        super().__init__()
        self._models, self._bridge, self._centre = assembly.models, bridge, centre
        self._folder = ""

    def show(self, folder: str, info: SessionInfo | None) -> None:
        """For a stored conversation, or (None) for a new chat."""
        self._folder = folder
        self._centre.bar.show_folder(folder)
        self._centre.welcome.show_folder(folder)
        self.shown.emit(folder)
        self._bridge.do(lambda: self._look(folder, info), lambda found: self._show(folder, found))

    def _look(self, folder: str, info: SessionInfo | None) -> Found:
        models = self._models
        return Found(branch(folder), models.model_name(info), models.choices(), models.provider() == "offline")

    def _show(self, folder: str, found: Found) -> None:
        if folder != self._folder:
            return
        self._centre.bar.show_folder(folder, found.branch)
        entries = [(each, each) for each in dict.fromkeys([*found.choices, found.model])]
        self._centre.bar.show_models([*entries, (CONNECT, "Connect a model…")], found.model)
        self._centre.welcome.show_offline(found.offline)
