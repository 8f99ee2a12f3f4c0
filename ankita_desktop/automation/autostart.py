"""Starting at login: opt-in, one file in the desktop's autostart folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ankita_desktop.errors import ConfigError

NAME = "ankita-desktop.desktop"


def turn_on(command: tuple[str, ...] = ("daemon",)) -> str:
    """Have ``ankita COMMAND`` started at login (no words: the window). Returns what was done. Raises
    ``ConfigError`` where the desktop has no such folder."""
    path = _file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(entry(command), "utf-8")
    except OSError as error:
        raise ConfigError(f"{path} can't be written: {error.strerror}.") from error
    return f"Ankita starts at login ({path})."


def turn_off() -> str:
    path = _file()
    if not path.exists():
        return "Ankita does not start at login."
    path.unlink()
    return f"Ankita starts at login no longer (removed {path})."


def is_on() -> bool:
    return sys.platform.startswith("linux") and _file().exists()


def entry(command: tuple[str, ...]) -> str:
    """The desktop entry: the interpreter's own path, since a login shell's PATH may lack our folder."""
    words = " ".join(_quoted(word) for word in (sys.executable, "-m", "ankita_desktop", *command))
    return (
        "[Desktop Entry]\nType=Application\nName=Ankita\nComment=Reminders, routines and watches\n"
        f"Exec={words}\nIcon=ankita-desktop\nTerminal=false\nX-GNOME-Autostart-enabled=true\n"
    )


def _quoted(word: str) -> str:
    """A word of an Exec line, as the Desktop Entry Specification wants it."""
    plain = all(char.isalnum() or char in "-_./+:=@" for char in word)
    escaped = "".join(f"\\\\{char}" if char in '"`$\\' else char for char in word).replace("%", "%%")
    return word if plain else f'"{escaped}"'


def _file() -> Path:
    if not sys.platform.startswith("linux"):
        raise ConfigError(
            "Starting at login is set up by hand on this system: add `ankita daemon` to its login items."
        )
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "autostart" / NAME
