"""Public reports about keys in the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.ui.conftest import Desk, desk, qt, quiet_qt, wait

__all__ = ["desk", "qt", "quiet_qt"]
Open = Callable[..., Desk]


def test_enter_while_an_input_method_composes_sends_nothing(desk: Open) -> None:
    """omnigent#433, claudecodeui#58"""
    there = desk("Hi.")
    composer = there.find("composer")
    composer.setFocus()
    QApplication.sendEvent(composer, QInputMethodEvent("にほん", []))
    QTest.keyClick(composer, Qt.Key.Key_Return)
    assert not there.engine.store.sessions()
    done = QInputMethodEvent("", [])
    done.setCommitString("日本")
    QApplication.sendEvent(composer, done)
    assert composer.toPlainText() == "日本"
    QTest.keyClick(composer, Qt.Key.Key_Return)
    wait(lambda: there.engine.store.sessions())
