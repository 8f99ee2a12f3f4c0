"""Starting at login, opt-in: one entry where the system looks for them, which the person can see and take away."""

from __future__ import annotations

import importlib
import os
import plistlib
import subprocess
import sys
from pathlib import Path
from typing import Any

from ankita_desktop.errors import ConfigError

NAME = "ankita-desktop.desktop"
LABEL = "desktop.ankita.daemon"
RUN_KEY, RUN_VALUE = r"Software\Microsoft\Windows\CurrentVersion\Run", "Ankita"


def turn_on(command: tuple[str, ...] = ("daemon",), platform: str = sys.platform) -> str:
    """Have ``ankita COMMAND`` started at login. Returns what was done. Raises ``ConfigError`` where the system
    does not allow it."""
    # The interpreter's own path, since what is started at login may lack our folder on its PATH.
    words = (sys.executable, "-m", "ankita_desktop", *command)
    if platform == "win32":
        _registry("SetValueEx", RUN_VALUE, 0, 1, subprocess.list2cmdline(_without_console(words)))
        return f"Ankita starts at login (the value {RUN_VALUE} of HKEY_CURRENT_USER\\{RUN_KEY})."
    path = _file(platform)
    content = _agent(words) if platform == "darwin" else _entry(words)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    except OSError as error:
        raise ConfigError(f"{path} can't be written: {error.strerror}.") from error
    return f"Ankita starts at login ({path})."


def turn_off(platform: str = sys.platform) -> str:
    """Take the entry away. Returns what was done. Raises ``ConfigError`` where the system does not allow it."""
    if platform == "win32":
        was = _registry("DeleteValue", RUN_VALUE)
        return "Ankita starts at login no longer." if was else "Ankita does not start at login."
    path = _file(platform)
    if not path.exists():
        return "Ankita does not start at login."
    try:
        path.unlink()
    except OSError as error:
        raise ConfigError(f"{path} can't be removed: {error.strerror}.") from error
    return f"Ankita starts at login no longer (removed {path})."


def _file(platform: str) -> Path:
    """Where a desktop of freedesktop.org looks, or launchd."""
    if platform == "darwin":
        return Path.home() / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "autostart" / NAME


def _entry(words: tuple[str, ...]) -> str:
    return (
        "[Desktop Entry]\nType=Application\nName=Ankita\nComment=Reminders, routines and watches\n"
        f"Exec={' '.join(map(_quoted, words))}\nIcon=ankita-desktop\nTerminal=false\n"
        "X-GNOME-Autostart-enabled=true\n"
    )


def _quoted(word: str) -> str:
    """A word of an Exec line, as the Desktop Entry Specification wants it."""
    plain = all(char.isalnum() or char in "-_./+:=@" for char in word)
    escaped = "".join(f"\\\\{char}" if char in '"`$\\' else char for char in word).replace("%", "%%")
    return word if plain else f'"{escaped}"'


def _agent(words: tuple[str, ...]) -> str:
    """What launchd starts at login, and never again by itself: two at once are told apart by the database, but
    one that was ended is to stay so."""
    job = {"Label": LABEL, "ProgramArguments": list(words), "RunAtLoad": True, "ProcessType": "Background"}
    return plistlib.dumps(job).decode("utf-8")


def _without_console(words: tuple[str, ...]) -> tuple[str, ...]:
    quiet = Path(words[0]).with_name("pythonw.exe")
    return (str(quiet), *words[1:]) if quiet.exists() else words


def _registry(action: str, *values: Any) -> bool:
    """Do something to the person's own Run key; false when what is to be deleted isn't there."""
    winreg = importlib.import_module("winreg")
    try:
        with winreg.CreateKeyEx(winreg.HKEY_CURRENT_USER, RUN_KEY, 0, winreg.KEY_SET_VALUE) as key:
            getattr(winreg, action)(key, *values)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise ConfigError(f"The registry can't be changed: {error.strerror or error}.") from error
    return True
