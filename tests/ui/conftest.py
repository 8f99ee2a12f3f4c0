"""What every window test gets: one QApplication per process, no Qt warning unnoticed, a window over a real
engine that asks a scripted server."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMessageLogContext,
    QObject,
    Qt,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from ankita_desktop.app import Application, build
from ankita_desktop.events import Event, TurnEnded
from tests.wire import Scripted, WireServer

HARMLESS = (
    "This plugin does not support",  # what the offscreen platform can't do
    "propagateSizeHints",
)


@pytest.fixture(scope="session")
def qt() -> QApplication:
    """The one application of this process, in our look."""
    from ankita_desktop.ui.theme import theme

    app = QApplication.instance() or QApplication(["ankita"])
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    app.setStyle("Fusion")
    theme().apply()
    return app


@pytest.fixture(autouse=True)
def quiet_qt(qt: QApplication) -> Iterator[list[str]]:
    """A warning of Qt fails the test in which it came up."""
    said: list[str] = []

    def hear(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
        if kind != QtMsgType.QtDebugMsg and kind != QtMsgType.QtInfoMsg and not any(w in text for w in HARMLESS):
            said.append(text)

    before = qInstallMessageHandler(hear)
    yield said
    settle()
    qInstallMessageHandler(before)
    assert not said, "Qt warned: " + "; ".join(said)


def settle() -> None:
    """Let everything that is queued happen, deletions too."""
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()
    gc.collect()


def wait(condition: Callable[[], Any], seconds: float = 10.0, what: str = "") -> Any:
    """Run the event loop until the condition holds; fails after ``seconds``."""
    until = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > until:
            raise AssertionError(f"waited {seconds} s in vain{': ' + what if what else ''}")
        QCoreApplication.processEvents()
        time.sleep(0.005)
    return found


class Desk:
    """A window on the screen and the hands before it."""

    def __init__(self, application: Application, folder: Path, server: WireServer | None) -> None:
        self.application = application
        self.window = application.window
        self.engine = application.engine
        self.folder = folder
        self.server = server
        self.ended: list[TurnEnded] = []
        self._ended_before = 0
        # Connected after the window's own: what is counted here, the window has already shown.
        application.bridge.arrived.connect(self._count)

    def _count(self, event: Event) -> None:
        if isinstance(event, TurnEnded):
            self.ended.append(event)

    def find(self, name: str, within: QObject | None = None) -> Any:
        """The widget of that objectName; fails when there is none."""
        found = (within or self.window).findChild(QWidget, name)
        assert found is not None, f"there is no {name}"
        return found

    def say(self, text: str) -> None:
        """Type a message and press Enter."""
        self._ended_before = len(self.ended)
        composer = self.find("composer")
        composer.setFocus()
        QTest.keyClicks(composer, text)
        QTest.keyClick(composer, Qt.Key.Key_Return)

    def click(self, name: str, within: QObject | None = None) -> None:
        QTest.mouseClick(self.find(name, within), Qt.MouseButton.LeftButton)

    def dialog(self, seconds: float = 10.0) -> QWidget:
        """The approval dialog, as soon as it stands there and takes keys."""
        found: QWidget = wait(
            lambda: next((d for d in self.window.findChildren(QWidget, "approvalDialog") if d.isVisible()), None),
            seconds,
            "the approval dialog",
        )
        return found

    def chat(self) -> str:
        text: str = self.find("chatView").toPlainText()
        return text

    def until_idle(self, seconds: float = 10.0) -> None:
        """Until the turn that the last message started has ended, and the window shows it."""
        wait(lambda: len(self.ended) > self._ended_before, seconds, "the end of the turn")
        wait(lambda: not self.find("stopButton").isVisible(), seconds, "Stop to go")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """``desk(*steps)``: a window whose model is a server that answers with the steps; without steps, offline."""
    opened: list[Application] = []
    servers: list[WireServer] = []

    def make(*steps: Scripted, argv: Sequence[str] = ()) -> Desk:
        folder = tmp_path / "work"
        folder.mkdir(exist_ok=True)
        words = ["ankita", "--cwd", str(folder), *argv]
        server = None
        if steps:
            server = WireServer(steps)
            server.__enter__()
            servers.append(server)
            words += ["--base-url", server.base_url, "--api-key", "sk-test", "--model", "scripted"]
        application = build(words)
        opened.append(application)
        application.window.show()
        application.window.activateWindow()
        QCoreApplication.processEvents()
        return Desk(application, folder, server)

    yield make
    for application in opened:
        application.close()
    for server in servers:
        server.__exit__(None, None, None)
    settle()
