"""Talking on a real screen, with real keys and a virtual microphone: ``python -m tests.ui.on_screen_talk FOLDER``.

Prints what it saw as one JSON object.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from ankita_desktop.app import Application
from ankita_desktop.store.settings import Settings
from tests.ui.on_screen import open_window, wait
from tests.ui.screen import program, programs
from tests.voice import rig

SAID = ("typed", "voice")
QUESTION = "what is two plus two"
OTHER = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication, QLineEdit
app = QApplication(["other"])
field = QLineEdit()
field.setWindowTitle("Other program")
field.textChanged.connect(lambda text: Path(sys.argv[1]).write_text(text))
field.show()
app.exec()
"""


def xdotool(*words: str) -> str:
    done = subprocess.run(["xdotool", *words], check=False, capture_output=True, text=True, timeout=20)
    return done.stdout.strip()


def hold() -> None:
    xdotool("keydown", "ctrl", "keydown", "shift", "keydown", "m")


def let_go() -> None:
    xdotool("keyup", "m", "keyup", "shift", "keyup", "ctrl")


class Room:
    """The window, what it shows, and somebody who speaks."""

    def __init__(self, application: Application, server: rig.SoundServer) -> None:
        self.application, self.server = application, server
        self.strip = application.window.centre.voice

    def asked(self) -> list[tuple[str, str]]:
        """(words, source) of every question so far."""
        session = self.application.window.conversation.current
        messages = self.application.assembly.store.messages(session) if session else []
        return [
            (" ".join(rig.words(each.text)), each.source)
            for each in messages
            if each.role == "user" and each.source in SAID
        ]

    def tray(self) -> str:
        """What the icon in the tray says."""
        icon = self.application.tray._icon
        return icon.toolTip() if icon else "no icon"

    def speaks(self) -> bool:
        """Whether it listened, and the tray showed that, to a question that was spoken then."""
        listened = wait(lambda: "Listening" in self.strip.text() and "Listening" in self.tray())
        self.server.speak(rig.said(QUESTION))
        return listened

    def becomes(self, count: int) -> str:
        """How the question came in, once it did and is answered."""
        wait(lambda: len(self.asked()) == count, 40)
        wait(lambda: not self.strip.text(), 40)
        return " ".join(self.asked()[-1]) if len(self.asked()) == count else f"{self.asked()} {self.notice()}"

    def notice(self) -> str:
        text: str = self.application.window.centre.notice.text()
        return text


@contextmanager
def room(folder: Path) -> Iterator[Room]:
    settings = Settings()
    for key, value in (("recogniser", "whisper"), ("confirm_seconds", "0.1"), ("answers", "never")):
        settings.set(f"voice.{key}", value)
    with (
        programs("openbox", "tint2"),
        closing(rig.SoundServer()) as server,
        rig.in_environment(server),
        closing(open_window("--cwd", str(folder))) as application,
    ):
        application.single.listen()
        wait(lambda: application.window.isActiveWindow() and application.tray.there)
        yield Room(application, server)


def keys(there: Room, folder: Path) -> dict[str, Any]:
    """In the window; then everywhere, while another program is in front."""
    window, typed = there.application.window, folder / "typed"
    hold()
    saw: dict[str, Any] = {"in the window": there.speaks()}
    let_go()
    saw["asked"] = there.becomes(1)
    saw["in the tray, then"] = there.tray()
    window.centre.composer.mic.everywhereAsked.emit(True)
    saw["everywhere"] = wait(lambda: "whichever program is in front" in there.notice())
    with program(sys.executable, "-c", OTHER, str(typed)):
        saw["behind"] = wait(lambda: xdotool("getactivewindow", "getwindowname") == "Other program")
        xdotool("type", "abc")
        wait(typed.exists)
        hold()
        saw["in another program"] = there.speaks()
        let_go()
        saw["asked there"] = there.becomes(2)
        saw["the other program got"] = typed.read_text()
        saw["still behind"] = not window.isActiveWindow()
    return saw


def command(there: Room) -> dict[str, Any]:
    """`ankita --talk` in a process of its own: once to begin, once to end."""
    saw: dict[str, Any] = {}
    count = len(there.asked())
    for what in ("begins", "ends"):
        second = subprocess.Popen([sys.executable, "-m", "ankita_desktop", "--talk"])
        wait(lambda second=second: second.poll() is not None)  # type: ignore[misc]
        saw[what] = second.returncode
        if what == "begins":
            saw["listens"] = there.speaks()
    saw["asked"] = there.becomes(count + 1)
    return saw


def main(folder: Path) -> None:
    with room(folder) as there:
        print(json.dumps({"keys": keys(there, folder), "command": command(there)}))
        QCoreApplication.processEvents()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
