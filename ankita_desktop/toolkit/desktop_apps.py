"""Programs of the desktop by the names that people know, and how they are started."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ankita_desktop.errors import ToolError

_PLACES = re.compile(r"%[fFuU]")
_FIELDS = re.compile(r"%[a-zA-Z]")


@dataclass(frozen=True, slots=True)
class App:
    """``name`` as menus show it; ``command`` with %-fields as its file has it."""

    id: str
    name: str
    command: str


def installed() -> list[App]:
    """The programs in the menus of a Linux desktop, the person's own first."""
    found: dict[str, App] = {}
    for folder in _folders():
        for file in sorted(folder.glob("**/*.desktop")):
            app = _read(file, file.relative_to(folder).as_posix().replace("/", "-").removesuffix(".desktop"))
            if app:
                found.setdefault(app.id, app)
    return list(found.values())


def _folders() -> Iterator[Path]:
    own = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    for place in (own, *shared.split(":")):
        if place and (folder := Path(place, "applications")).is_dir():
            yield folder


def _read(file: Path, identifier: str) -> App | None:
    parser = configparser.RawConfigParser(strict=False, comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    try:
        parser.read(file, encoding="utf-8")
        entry = parser["Desktop Entry"]
    except (configparser.Error, UnicodeDecodeError, KeyError, OSError):
        return None
    hidden = "true" in (entry.get("NoDisplay"), entry.get("Hidden")) or entry.get("Type") != "Application"
    name, command = entry.get("Name"), entry.get("Exec")
    return App(identifier, name, command) if name and command and not hidden else None


def find(name: str) -> App:
    """The program that is meant, by its name, its identifier or its command. Raises ``ToolError`` that names
    what is close, also when several are as close."""
    wanted = name.strip().casefold()
    apps = installed()
    for test in (_same, _begins, _holds):
        hits = [app for app in apps if test(app, wanted)]
        if len({app.command for app in hits}) == 1:
            return hits[0]
        if hits and test is not _same:
            named = ", ".join(sorted({app.name for app in hits})[:8])
            raise ToolError(f"{name!r} can be several programs: {named}. Name one of them.")
        if hits:
            return hits[0]
    if re.fullmatch(r"[\w.+-]+", name) and (program := shutil.which(name)):
        return App(name, name, shlex.quote(program))
    raise ToolError(f"There is no program called {name!r} in the menus.{_near(wanted, apps)}")


def _same(app: App, wanted: str) -> bool:
    program = Path(next(iter(_words(app.command)), "")).name.casefold()
    return wanted in (app.name.casefold(), app.id.casefold(), app.id.casefold().rpartition(".")[2], program)


def _begins(app: App, wanted: str) -> bool:
    return app.name.casefold().startswith(wanted)


def _holds(app: App, wanted: str) -> bool:
    return bool(re.search(rf"\b{re.escape(wanted)}\b", app.name.casefold()))


def _near(wanted: str, apps: list[App]) -> str:
    from difflib import get_close_matches

    names = {app.name.casefold(): app.name for app in apps}
    close = get_close_matches(wanted, list(names), 3, 0.6)
    return f" Did you mean {' or '.join(names[each] for each in close)}?" if close else ""


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def argv(app: App, target: str) -> list[str]:
    """How the program is started with a target ("" = without). No shell reads any of it."""
    out: list[str] = []
    taken = False
    for word in _words(app.command):
        if _PLACES.search(word):
            taken = True
            out += [_PLACES.sub(lambda _: target, word)] if target else []
        elif not _FIELDS.fullmatch(word):
            out.append(word.replace("%%", "%"))
    if not out:
        raise ToolError(f"{app.name} can't be started: its menu entry has no usable command.")
    return [*out, target] if target and not taken else out


def command_for(target: str, app: str, platform: str = sys.platform) -> list[str]:
    """The argument vector that opens ``target`` (an address, a path, or "" for the program alone)."""
    if platform == "darwin":
        return ["open", *(["-a", app] if app else []), *([target] if target else [])]
    if app:
        return argv(find(app), target)
    return ["xdg-open", target]
