"""`ankita doctor`: what this machine has and lacks, each with the fix."""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from ankita_desktop.errors import AnkitaError
from ankita_desktop.paths import NoFolder
from ankita_desktop.store.database import Store
from ankita_desktop.store.secrets import Secrets
from ankita_desktop.store.settings import Settings
from ankita_desktop.terminal import doctor_desktop
from ankita_desktop.terminal.options import Parser
from ankita_desktop.terminal.screen import one_line, painted, show_json

LIBRARIES = (
    "libegl1 libgl1 libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 "
    "libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xinerama0 libdbus-1-3 libfontconfig1"
)
WINDOW = "from PySide6.QtWidgets import QApplication; QApplication([])"
SESSION = "Start it in a desktop session, or correct DISPLAY and WAYLAND_DISPLAY. The terminal works."
FOLDERS = "See to what the message names; everything of yours is in one folder if ANKITA_HOME is set."
PATIENCE = 20.0  # seconds for Qt to start


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. ``fix`` says what to do when it isn't ``ok``; without a ``needed`` one
    something doesn't work at all."""

    name: str
    ok: bool
    text: str
    fix: str = ""
    needed: bool = False


def main(argv: list[str]) -> int:
    """Look at everything. Returns 0, or 1 when something needed is missing."""
    parser = Parser(prog="ankita doctor", description="What this machine has and lacks, each with the fix.")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")
    args: argparse.Namespace = parser.parse_args(argv)
    found = checks()
    if args.json:
        show_json([asdict(check) for check in found])
    else:
        print("\n".join(drawn(check) for check in found))
    return 1 if any(check.needed and not check.ok for check in found) else 0


def checks() -> list[Check]:
    """Every check, in the order of importance."""
    looks: dict[str, Callable[[], Check]] = {
        "python": _python,
        "database": _database,
        "settings": _settings,
        "own files": _own_files,
        "model": _model,
        "keyring": _keyring,
        "rg": _rg,
        "git": _git,
        "bwrap": _bwrap,
        "window": _window,
        "chromium": _chromium,
    }
    for name, look in doctor_desktop.looks().items():
        looks[name] = partial(_of_desktop, name, look)
    return [_looked(name, look) for name, look in looks.items()]


def _looked(name: str, look: Callable[[], Check]) -> Check:
    """What one look found. One that fails is a finding, too, and the others go on."""
    try:
        return look()
    except (AnkitaError, NoFolder, OSError) as error:
        return Check(name, False, one_line(str(error), 300), FOLDERS, isinstance(error, NoFolder))


def _of_desktop(name: str, look: Callable[[], doctor_desktop.Look]) -> Check:
    return Check(name, *look())


def drawn(check: Check) -> str:
    """A check in one line, and its fix in a second."""
    mark = painted("ok ", "green") if check.ok else painted("-- ", "red" if check.needed else "yellow")
    line = f"{mark} {check.name:<10} {check.text}"
    return line if check.ok else f"{line}\n               {check.fix}"


def _python() -> Check:
    fine = sys.version_info >= (3, 11)
    return Check(
        "python", fine, f"{platform.python_version()} in {sys.prefix}", "Install Python 3.11 or newer.", True
    )


def _database() -> Check:
    try:
        store = Store()
    except AnkitaError as error:
        return Check("database", False, str(error), "See the message; nothing was overwritten.", True)
    try:
        count = len(store.sessions())
        aside = sorted(store.path.parent.glob("*.broken-*"))
    except AnkitaError as error:
        return Check("database", False, str(error), f"Move {store.path} away; a new one is made.", True)
    finally:
        store.close()
    more = f"; set aside: {', '.join(path.name for path in aside)}" if aside else ""
    return Check("database", True, f"{store.path}, {count} conversations{more}", needed=True)


def _settings() -> Check:
    settings = Settings()
    if settings.notices:
        return Check("settings", False, " ".join(settings.notices), f"Correct {settings.path}.")
    return Check("settings", True, str(settings.path))


def _own_files() -> Check:
    """The person's own sentences, prices and tools."""
    from ankita_desktop.assembly import Models, Options
    from ankita_desktop.catalog import open_catalogue

    try:
        catalogue = open_catalogue()
        found = [*catalogue.problems, *Models(Settings(), Options(), catalogue, Secrets()).problems()]
    except AnkitaError as error:
        found = [str(error)]
    fix = "Correct or remove the file; what it says is left out meanwhile."
    return Check("own files", not found, " ".join(found) or "sentences, prices and tools can be read", fix)


def _model() -> Check:
    from ankita_desktop.assembly import OPENAI

    settings = Settings().values.model
    base = settings.base_url or os.environ.get("OPENAI_BASE_URL", "")
    has_key = bool(Secrets().get("OPENAI_API_KEY"))
    if settings.provider == "offline" or (settings.provider == "auto" and not base and not has_key):
        return Check(
            "model", True, "the built-in assistant, offline (connect one: ankita config set model.base_url …)"
        )
    address = base or OPENAI
    if not _is_reachable(address):
        return Check(
            "model", False, f"{address} can't be reached", "Start the service, or correct model.base_url."
        )
    if not has_key and not base:
        return Check("model", False, f"{address} without a key", "Set OPENAI_API_KEY.")
    return Check("model", True, f"{address} answers" + ("" if has_key else " (no key stored)"))


def _is_reachable(address: str) -> bool:
    parts = urlsplit(address)
    port = parts.port or (80 if parts.scheme == "http" else 443)
    try:
        socket.create_connection((parts.hostname or "", port), timeout=3.0).close()
    except OSError:
        return False
    return True


def _keyring() -> Check:
    secrets = Secrets()
    if secrets.keyring_works():
        return Check("keyring", True, "keys are kept in the system's keyring")
    fix = "Start a keyring (gnome-keyring, KWallet, KeePassXC) in your desktop session to keep keys there."
    return Check("keyring", False, f"none works here; keys go to the private file {secrets.path}", fix)


def _rg() -> Check:
    beside = Path(sys.executable).with_name("rg")
    found = str(beside) if beside.exists() else shutil.which("rg")
    return Check(
        "rg", bool(found), found or "not found; searching is slower", "Install ripgrep, or run make setup."
    )


def _git() -> Check:
    found = shutil.which("git")
    return Check("git", bool(found), found or "not found; the git tools can't work", "Install git.")


def _chromium() -> Check:
    """Nothing uses it yet, so nothing is amiss without it."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    return Check("chromium", True, f"{found or 'not found'}; not needed yet: no tool of this version uses it")


def _bwrap() -> Check:
    if sys.platform != "linux":
        return Check("bwrap", True, "commands can be boxed on Linux only")
    found = shutil.which("bwrap")
    fix = "Install bubblewrap to run commands in a closed box (approvals.sandbox)."
    return Check("bwrap", bool(found), found or "not found; commands can't be boxed", fix)


def _window() -> Check:
    """Whether Qt starts; tried in another process, since a missing library ends the one that tries."""
    if importlib.util.find_spec("PySide6") is None:
        return Check("window", False, "PySide6 is not installed; the terminal works", "Run make setup.")
    environ = dict(os.environ)
    shown = bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")) or sys.platform in ("win32", "darwin")
    if not shown:
        environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        done = subprocess.run(
            [sys.executable, "-c", WINDOW], env=environ, capture_output=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return Check("window", False, f"Qt did not start within {PATIENCE:.0f} s", "Is the display reachable?")
    if done.returncode:
        problem = _qt_problem(done.stderr)
        fix = f"Run make setup, or install: {LIBRARIES}"
        return Check("window", False, problem, SESSION if "display" in problem else fix)
    if not shown:
        return Check("window", False, "Qt starts, but DISPLAY and WAYLAND_DISPLAY are empty", SESSION)
    return Check("window", True, "Qt starts on this display")


def _qt_problem(stderr: str) -> str:
    missing = re.search(r"(lib[\w.+-]+\.so[.\d]*): cannot open", stderr)
    if missing:
        return f"Qt needs {missing[1]}"
    if "could not connect to display" in stderr or "wl_display" in stderr:
        return "no display answers, though DISPLAY or WAYLAND_DISPLAY names one; the terminal works"
    lines = [line for line in stderr.splitlines() if line.strip()]
    return one_line(lines[-1] if lines else "Qt does not start", 160)
