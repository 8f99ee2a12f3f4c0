"""The person's desktop by the window: what belongs to Qt is done on the main thread, and waited for elsewhere."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from typing import Any, TypeVar

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication, QImage, QPainter

from ankita_desktop.automation.notify import Note
from ankita_desktop.errors import ToolError
from ankita_desktop.terminal.desktop import ProgramDesktop

T = TypeVar("T")
SECONDS = 5.0


class WindowDesktop(QObject):
    """Made on the main thread, used from any other. A window that is busy for ``SECONDS`` is an error in words."""

    noted = Signal(object)
    """A ``Note`` to be shown."""
    _asked = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._programs = ProgramDesktop()
        self._asked.connect(_answer, Qt.ConnectionType.QueuedConnection)

    def read_clipboard(self) -> str:
        return self._on_main(QGuiApplication.clipboard().text)

    def write_clipboard(self, text: str) -> None:
        self._on_main(lambda: QGuiApplication.clipboard().setText(text))

    def notify(self, title: str, text: str) -> None:
        self.noted.emit(Note(title, text))

    def open(self, target: str, app: str = "") -> None:
        if app or shutil.which("xdg-open"):  # which says what went wrong, as Qt doesn't
            self._programs.open(target, app)
            return
        url = QUrl(target) if target.startswith(("http:", "https:", "mailto:")) else QUrl.fromLocalFile(target)
        if not self._on_main(lambda: QDesktopServices.openUrl(url)):
            raise ToolError(f"No program opened {target}.")

    def screenshot(self) -> bytes:
        if QGuiApplication.platformName().startswith("wayland"):
            # only the compositor sees the screen there
            return self._programs.screenshot()
        return self._on_main(_grab)

    def _on_main(self, work: Callable[[], T]) -> T:
        if threading.current_thread() is threading.main_thread():
            return work()
        future: Future[T] = Future()
        self._asked.emit(work, future)
        try:
            return future.result(SECONDS)
        except TooLate as error:
            future.cancel()
            raise ToolError("The window is busy and did not answer. Try again.") from error


def _answer(work: Callable[[], Any], future: Future[Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work())
    except (ToolError, RuntimeError, TypeError, ValueError) as error:
        future.set_exception(error)


def _grab() -> bytes:
    """All screens, side by side as they stand."""
    screens = QGuiApplication.screens()
    whole = QGuiApplication.primaryScreen().virtualGeometry()
    image = QImage(whole.size(), QImage.Format.Format_RGB32)
    image.fill(0)  # where no screen is
    painter = QPainter(image)
    for screen in screens:
        picture = screen.grabWindow(0)
        if not picture.isNull():
            painter.drawPixmap(screen.geometry().translated(-whole.topLeft()), picture)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload] # the stub lacks what it takes
        raise ToolError("The picture of the screen can't be saved.")
    return bytes(data.data())
