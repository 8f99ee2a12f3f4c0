"""The one question about a folder: whether what its people wrote for assistants may be read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ankita_desktop.terminal.options import somebody_is_there
from ankita_desktop.terminal.screen import say, shown
from ankita_desktop.toolkit.agents_file import asks_for_trust

if TYPE_CHECKING:
    from ankita_desktop.store.settings import Settings


def settle_trust(settings: Settings, cwd: str) -> None:
    """Ask once whether the folder is trusted, and keep the answer. Where nobody is there, say what is not read."""
    folders = settings.values.folders
    waiting = asks_for_trust(Path(cwd), folders.trusted, folders.not_trusted)
    if waiting is None:
        return
    folder, what = waiting
    if not somebody_is_there():
        say(f"{', '.join(what)} of {folder} is not read, since nobody has said that the folder is trusted.")
        return
    say(f"{shown(str(folder))} has {', '.join(what)}: words for assistants that its people wrote.")
    say("Trust this folder, so that they are read and followed? [y/N]")
    answer = sys.stdin.readline().strip().lower()
    key = "trusted" if answer in ("y", "yes") else "not_trusted"
    settings.set(f"folders.{key}", "\n".join([*getattr(folders, key), str(folder)]))
    say("Trusted." if key == "trusted" else "Not trusted. `ankita config set folders.trusted` can change that.")
