"""The window and its tray on a real screen: ``python -m tests.ui.on_screen_tray SCENE FOLDER``.

``panel`` has a tray of the X kind, ``bus`` and ``end`` one over D-Bus, ``none`` has none.
Prints what it saw as one JSON object.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PySide6.QtGui import QColor, QGuiApplication

from ankita_desktop.app import Application
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.ui.notify import Note
from ankita_desktop.ui.staying import MADE_SMALL, TRAY_GONE
from ankita_desktop.ui.theme import theme
from tests.ui.on_screen import open_window, shown, wait
from tests.ui.screen import program, programs


class Host:
    """A tray over D-Bus in a process of its own. Our events go on while it is listened to: it asks us things."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._lines: list[str] = []
        threading.Thread(target=lambda: self._lines.extend(process.stdout or ()), daemon=True).start()

    def heard(self) -> str:
        """The next line it says; "" when none comes."""
        return self._lines.pop(0).strip() if wait(lambda: self._lines) else ""

    def tell(self, words: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(words + "\n")
        self._process.stdin.flush()

    def choose(self, words: str) -> str:
        """Choose the entry of the icon's menu that begins with the words. Returns all of its text."""
        self.tell(words)
        return self.heard()


@contextmanager
def host() -> Iterator[Host]:
    command = [sys.executable, "-u", "-m", "tests.ui.tray_host"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            made = Host(process)
            if made.heard() != "ready":
                raise RuntimeError("the tray does not start")
            yield made
        finally:
            process.kill()


def hidden(application: Application) -> bool:
    """Close the window, and wait whether it hides."""
    application.window.close()
    return wait(lambda: not application.window.isVisible())


def told() -> bool:
    """Whether a notification is shown; it is put away."""
    there = wait(lambda: shown() > 0)
    subprocess.run(["dunstctl", "close-all"], check=False)
    return there and wait(lambda: shown() == 0)


def remind(application: Application) -> str:
    """A reminder for later; its id."""
    made = application.assembly.automation.reminders.add("Tea", "in 3 hours")
    wait(lambda: application.window.automating.agenda.next)
    return made.id


def marked(application: Application) -> bool:
    """Whether the panel shows the icon with its mark: pixels in the colour of attention where it stands."""
    icon = application.tray._icon
    assert icon
    place = icon.geometry()
    picture = QGuiApplication.primaryScreen().grabWindow(0, *place.getRect()).toImage()
    wanted = theme().color("attention")
    points = ((x, y) for x in range(picture.width()) for y in range(picture.height()))
    return sum(_near(picture.pixelColor(x, y), wanted) for x, y in points) > 4


def _near(one: QColor, other: QColor) -> bool:
    return max(abs(a - b) for a, b in zip(one.getRgb(), other.getRgb(), strict=True)) < 40


def panel(folder: Path) -> dict[str, Any]:
    """Without a tray, with one that comes late, hidden in it, after it went, and after it came again."""
    saw: dict[str, Any] = {}
    with programs("openbox", "dunst"):
        application = open_window("--cwd", str(folder))
        saw["at first"] = application.tray.there
        with program("tint2"):
            saw["later"] = wait(lambda: application.tray.there)
            saw["hidden"] = hidden(application)
            saw["told"] = told()
            reminder = remind(application)
            saw["unmarked"] = wait(lambda: not marked(application))
            application.assembly.store.update_reminder(reminder, rang=time.time(), due=None)
            saw["marked"] = wait(lambda: marked(application))
        saw["back without a tray"] = wait(application.window.isVisible)
        saw["says why"] = application.window.centre.notice.text() == TRAY_GONE
        with program("tint2"):
            saw["again"] = wait(lambda: application.tray.there)
            saw["hidden again"] = hidden(application)
            application.assembly.automation.reminders.done(reminder)
            application.close()
            saw["after a restart"] = _restarted(folder)
    return saw


def _restarted(folder: Path) -> dict[str, Any]:
    """What is shown after it hides once more: only the note that is sent by hand, not where the window went."""
    application = open_window("--cwd", str(folder))
    wait(lambda: application.tray.there)
    saw: dict[str, Any] = {"hidden": hidden(application)}
    application.notifier.say(Note("Tea", "It is five."))
    saw["notes"] = wait(lambda: shown() > 0) and shown()
    application.close()
    return saw


def bus(folder: Path) -> dict[str, Any]:
    """A tray over D-Bus that comes late: its clicks, what its menu says and does, its end."""
    saw: dict[str, Any] = {}
    with programs("openbox"):
        application = open_window("--cwd", str(folder))
        window, routines = application.window, application.assembly.automation.routines
        remind(application)
        routine, _ = routines.add("Look", "Look", "every day at 5", cwd=str(folder))
        saw["at first"] = application.tray.there
        with host() as tray:
            saw["later"] = wait(lambda: application.tray.there) and tray.heard()
            saw["hidden"] = hidden(application)
            tray.tell("click")
            saw["a click shows it"] = wait(window.isVisible)
            saw["hidden again"] = hidden(application)
            saw["chosen"] = tray.choose("Pause all")
            saw["paused"] = wait(lambda: routines.find(routine.id).paused)
            wait(lambda: window.automating.agenda.paused)
            saw["next"] = tray.choose("Next").partition(",")[0]
            saw["next shows it"] = wait(window.isVisible)
            saw["hidden at the end"] = hidden(application)
        saw["back without a tray"] = wait(window.isVisible)
        application.close()
    return saw


def end(folder: Path) -> dict[str, Any]:
    """The real program, with a tray over D-Bus: Quit in the icon's menu."""
    with programs("openbox"), host() as tray:
        command = [sys.executable, "-m", "ankita_desktop", "--cwd", str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
            saw: dict[str, Any] = {"there": tray.heard(), "chosen": tray.choose("Quit")}
            saw["ended"] = wait(lambda: running.poll() is not None)
            running.kill()
            saw["code"], saw["said"] = running.wait(), running.stdout.read() if running.stdout else ""
    return saw


def none(folder: Path) -> dict[str, Any]:
    """No tray, and something that goes on: made small, said once, and the second close is the end."""
    with programs("openbox", "dunst"):
        application = open_window("--cwd", str(folder))
        window = application.window
        seen = folder / "seen.txt"
        seen.write_text("1")
        watches = application.assembly.automation.watches
        watches.add(watches.draft(path=str(seen), every="60s"), Cancel())
        wait(lambda: application.staying.needed)
        window.close()
        saw: dict[str, Any] = {"small": wait(window.isMinimized), "told": told(), "runs": not application.closed}
        window.raise_up()
        wait(lambda: not window.isMinimized())
        saw["says so"] = window.centre.notice.text() == MADE_SMALL
        window.close()
        saw["ended"] = wait(lambda: application.closed)
    return saw


if __name__ == "__main__":
    scenes = {"panel": panel, "bus": bus, "end": end, "none": none}
    print(json.dumps(scenes[sys.argv[1]](Path(sys.argv[2]))))
