"""Played in a session bus of its own, on a real screen: ``python -m tests.automation.on_bus FOLDER CHOICE``.

A real daemon, a real notification service, for "Open" a real window; the person's answer is the menu of actions,
answered by a script. Prints what it saw as one JSON object.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ankita_desktop.automation.automation import Automation
from ankita_desktop.store.database import Store
from ankita_desktop.store.settings import Settings
from tests.ui.screen import program

OPEN, ELSEWHERE = "Open", "elsewhere"
ANKITA = [sys.executable, "-m", "ankita_desktop"]


def wait(true: Callable[[], Any], seconds: float = 20.0) -> bool:
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        time.sleep(0.05)
    return bool(true())


def shown() -> int:
    counted = subprocess.run(["dunstctl", "count", "displayed"], capture_output=True, text=True, check=False)
    return int(counted.stdout.strip() or 0)


def configure(folder: Path, choice: str) -> Path:
    """A dunst whose menu of actions is answered with the line that holds ``choice``."""
    menu = folder / "menu"
    menu.write_text(f"#!/bin/sh\ngrep -m1 '{choice}'\n")
    menu.chmod(0o755)
    config = folder / "dunstrc"
    config.write_text(f"[global]\ndmenu = {menu}\nfont = Sans 12\nwidth = 420\norigin = top-right\n")
    return config


def answered(folder: Path, choice: str, picture: str = "") -> dict[str, Any]:
    """A reminder rings on the desktop, and the person answers with one of its actions."""
    store, settings = Store(), Settings()
    reminders = Automation(store, lambda: settings.values.automation).reminders
    saw: dict[str, Any] = {}
    with program("dunst", "-conf", str(configure(folder, choice))), program(*ANKITA, "daemon"):
        wait(lambda: store.duty_of("scheduler", time.time()))
        made = reminders.add("Call the dentist", "in 1 second")
        saw["shown"] = wait(lambda: shown() == 1)
        saw["rings"] = reminders.find(made.id).rang is not None
        if picture:
            time.sleep(0.5)
            subprocess.run(["import", "-window", "root", picture], check=False)
        with program("dunstctl", "context"):
            if choice == ELSEWHERE:
                reminders.done(made.id)
            wait(lambda: not any(one.rang for one in reminders.list()))
        saw["gone"] = wait(lambda: shown() == 0)
        left = [one for one in reminders.list() if one.id == made.id]
        saw["open"] = len(left)
        saw["again in minutes"] = round((left[0].due - time.time()) / 60) if left and left[0].due else None
    store.close()
    return saw


def opened(folder: Path) -> dict[str, Any]:
    """A routine's result is told by the daemon, and opened: the window that runs shows its conversation."""
    from PySide6.QtCore import QCoreApplication

    from ankita_desktop.app import build

    saw: dict[str, Any] = {}
    with program("dunst", "-conf", str(configure(folder, OPEN))), program(*ANKITA, "daemon"):
        store, settings = Store(), Settings()
        routines = Automation(store, lambda: settings.values.automation).routines
        wait(lambda: store.duty_of("scheduler", time.time()))
        application = build(["ankita", "--cwd", str(folder)])
        application.single.listen()
        application.window.show()
        made, _ = routines.add("Clock", "what time is it", "every day at 8", cwd=str(folder))
        routines.want(made.id)
        saw["shown"] = wait(lambda: shown() == 1, 40)
        saw["open before"] = application.window.conversation.current

        def at_it() -> bool:
            QCoreApplication.processEvents()
            return application.window.conversation.current == store.routine(made.id).session  # type: ignore[union-attr]

        with program("dunstctl", "context"):
            saw["open after"] = wait(at_it, 40)
        application.close()
        store.close()
    return saw


if __name__ == "__main__":
    where = Path(sys.argv[1])
    os.environ["ANKITA_HOME"] = str(where / "home")
    print(json.dumps(opened(where) if sys.argv[2] == OPEN else answered(where, sys.argv[2], *sys.argv[3:])))
