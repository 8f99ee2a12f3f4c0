"""Qt's start: where it can't, it would abort the whole process; here the person is told why. Main thread only."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from ankita_desktop.errors import UsageError

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
ELSEWHERE = "`ankita chat` and `ankita -p` work here."


def application(argv: Sequence[str]) -> QApplication:
    """Qt itself. Raises ``UsageError`` where there is no display; ends the process with 2, and one line, where Qt
    itself can't go on."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    if sys.platform == "linux" and not any(os.environ.get(name) for name in DISPLAYS):
        raise UsageError(
            "There is no display here (DISPLAY and WAYLAND_DISPLAY are empty). Start the window in a desktop "
            f"session; {ELSEWHERE}"
        )
    said: list[str] = []

    def heed(kind: QtMsgType, _where: QMessageLogContext, text: str) -> None:
        said.append(text)
        if kind == QtMsgType.QtFatalMsg:  # after this it aborts, whatever we do
            sys.stderr.write(f"ankita: {why(said)}\n")
            sys.stderr.flush()
            os._exit(2)

    before = qInstallMessageHandler(heed)
    try:
        return QApplication(list(argv))
    finally:
        qInstallMessageHandler(before)


def why(said: Sequence[str]) -> str:
    """What Qt's last words mean, and what can be done."""
    words = " ".join(said)
    shown = {name: os.environ.get(name, "") for name in DISPLAYS}
    if "could not connect to display" in words or "wl_display" in words:
        named = " and ".join(f"{name}={value}" for name, value in shown.items() if value and "QT" not in name)
        return (
            f"The window can't be opened: no display answers ({named or 'none is named'}). Start it in a desktop "
            f"session, or correct the variable; {ELSEWHERE}"
        )
    if "Could not find the Qt platform plugin" in words:
        return f"QT_QPA_PLATFORM={shown['QT_QPA_PLATFORM']} is unknown to Qt. Unset it; {ELSEWHERE}"
    return f"Qt can't open a window here. `ankita doctor` says which library is missing; {ELSEWHERE}"
