"""What may be opened on the desktop, and what opening it would do."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote, urlsplit

from ankita_desktop.errors import ToolError

if TYPE_CHECKING:
    from ankita_desktop.toolkit.files import Files

SCHEMES = ("http", "https", "mailto")
# What starts a program, or is one, on one system or another.
_RUNS = frozenset(
    (
        *(".desktop", ".sh", ".bash", ".command", ".exe", ".bat", ".cmd", ".com", ".msi", ".ps1", ".scr", ".lnk"),
        *(".url", ".vbs", ".js", ".jse", ".wsf", ".hta", ".jar", ".appimage", ".run", ".app", ".py", ".pyw"),
        *(".rb", ".pl", ".reg", ".workflow", ".terminal", ".webloc", ".jnlp", ".deb", ".rpm", ".pkg", ".dmg"),
        *(".flatpakref", ".snap"),
    )
)


@dataclass(frozen=True, slots=True)
class Target:
    """``value`` is handed to the desktop: an address, or a real path. ``runs``: opening may start a program."""

    kind: Literal["address", "file", "folder", "app"]
    value: str
    runs: bool = False


def target_of(text: str, files: Files) -> Target:
    """What is meant: an address, or something on this machine that is there. Raises ``ToolError`` for schemes
    that a stranger's program would answer, and for what isn't there."""
    text = text.strip()
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+):", text)
    if scheme and scheme[1].lower() == "file":
        return _on_disk(unquote(urlsplit(text).path), files)
    if scheme and scheme[1].lower() in SCHEMES:
        return Target("address", _address(text))
    if scheme:
        raise ToolError(
            f"{scheme[1]}: addresses aren't opened; only {', '.join(SCHEMES)}, files, folders and apps."
        )
    if re.match(r"www\.[\w-]+\.\w", text, re.I):
        return Target("address", _address(f"https://{text}"))
    return _on_disk(text, files)


def _address(text: str) -> str:
    if text.lower().startswith("mailto:"):
        if any(ord(char) < 33 for char in text):
            raise ToolError("A mailto: address has no spaces or control characters; encode them (%20).")
        return text
    from ankita_desktop.toolkit.addresses import read_address

    return read_address(text).url


def _on_disk(text: str, files: Files) -> Target:
    from ankita_desktop.toolkit.changes import near_names

    path = files.resolve(text)
    if not path.exists():
        raise ToolError(f"There is nothing at {files.name(path)}.{near_names(path)}")
    if path.is_dir():
        return Target("folder", str(path), path.suffix.lower() == ".app")
    if not path.is_file():
        raise ToolError(f"{files.name(path)} is no file or folder.")
    return Target("file", str(path), _runs(path))


def _runs(path: Path) -> bool:
    return path.suffix.lower() in _RUNS or (os.name == "posix" and os.access(path, os.X_OK))
