"""The window's desktop: asked from any thread, done on the main one, never waited for without end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ankita_desktop.automation.notify import Note
from ankita_desktop.errors import ToolError
from ankita_desktop.ui import desktop as module
from ankita_desktop.ui.desktop import WindowDesktop


def elsewhere(work: Callable[[], Any], *, turning: bool = True) -> Any:
    """What ``work`` gives on another thread, while the main one turns (or not)."""
    out: list[Any] = []

    def run() -> None:
        try:
            out.append(work())
        except ToolError as error:
            out.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    for _ in range(1000):
        if not thread.is_alive():
            break
        QTest.qWait(10) if turning else thread.join(0.01)
    thread.join(1)
    assert out, "it never came back"
    return out[0]


def test_the_clipboard_is_filled_and_read_from_another_thread(qt: QApplication) -> None:
    desktop = WindowDesktop()
    elsewhere(lambda: desktop.write_clipboard("Grüße"))
    assert QGuiApplication.clipboard().text() == "Grüße"
    assert elsewhere(desktop.read_clipboard) == "Grüße"


def test_a_picture_of_the_screen_is_a_png_of_its_size(qt: QApplication) -> None:
    data = elsewhere(WindowDesktop().screenshot)
    assert QImage.fromData(data, "PNG").size() == QGuiApplication.primaryScreen().virtualGeometry().size()


def test_a_window_that_is_busy_is_an_error_in_words_and_nothing_happens_later(
    qt: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.05)
    desktop = WindowDesktop()
    desktop.write_clipboard("before")
    answer = elsewhere(lambda: desktop.write_clipboard("late"), turning=False)
    assert isinstance(answer, ToolError)
    assert "busy" in str(answer)
    QTest.qWait(50)
    assert QGuiApplication.clipboard().text() == "before"


def test_a_notification_comes_out_as_a_note(qt: QApplication) -> None:
    desktop = WindowDesktop()
    heard: list[Note] = []
    desktop.noted.connect(heard.append)
    elsewhere(lambda: desktop.notify("Kitchen", "tea"))
    QTest.qWait(20)
    assert heard == [Note("Kitchen", "tea")]


def test_tools_of_a_window_reach_its_desktop(desk: Any) -> None:
    opened = desk()
    services = opened.application.engine._services
    assert isinstance(services.desktop, WindowDesktop)
