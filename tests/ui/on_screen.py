"""What is played on a real screen, in a process of its own: ``python -m tests.ui.on_screen SCENE FOLDER``.

Prints what it saw as one JSON object.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from ankita_desktop.app import Application, build
from tests import wire
from tests.ui.screen import programs


def wait(condition: Callable[[], Any], seconds: float = 15.0) -> bool:
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        QCoreApplication.processEvents()
        time.sleep(0.02)
    return bool(condition())


def open_window(*argv: str) -> Application:
    application = build(["ankita", *argv])
    application.tray._timer.setInterval(100)
    application.window.show()
    return application


def shown() -> int:
    counted = subprocess.run(["dunstctl", "count", "displayed"], capture_output=True, text=True, check=False)
    return int(counted.stdout.strip() or 0)


def notice(folder: Path) -> dict[str, Any]:
    """An answer while the window is hidden: told by the desktop, and a click brings the window back."""
    saw: dict[str, Any] = {}
    with programs("openbox", "dunst"), wire.WireServer(["First.", "The **second** answer."]) as server:
        service = ("--base-url", server.base_url, "--api-key", "sk-test", "--model", "scripted")
        application = open_window("--cwd", str(folder), *service)
        window = application.window
        window.raise_up()
        saw["in front"] = wait(window.isActiveWindow)
        window.centre.composer.write("one")
        window.sending.send()
        wait(lambda: len(server.requests) == 1 and "First." in window.centre.chat.toPlainText())
        saw["told while in front"] = wait(lambda: shown() > 0, 1.0)
        window.hide()
        application.engine.submit(window.conversation.current, "two")
        saw["told while hidden"] = wait(lambda: shown() > 0)
        history = ["dunstctl", "action", "0"]
        subprocess.run(history, check=False)
        saw["a click shows it"] = wait(window.isVisible)
        application.close()
    return saw


if __name__ == "__main__":
    print(json.dumps({"notice": notice}[sys.argv[1]](Path(sys.argv[2]))))
