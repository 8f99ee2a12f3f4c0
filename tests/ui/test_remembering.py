"""What is remembered shows as a card that takes it back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests import wire
from tests.ui.conftest import Desk, wait

Open = Callable[..., Desk]


def remember(**arguments: str) -> object:
    return wire.calls(("remember", arguments))


def undo_button(there: Desk) -> QWidget:
    return wait(lambda: next((b for b in there.window.findChildren(QWidget, "undoButton") if b.isVisible()), None))


def test_what_was_remembered_is_taken_back_with_its_card_once(desk: Open) -> None:
    there = desk(remember(action="add", text="I play the cello"), "Noted.")
    there.say("remember it")
    there.until_idle()
    store = there.engine.store
    assert [fact.text for fact in store.facts()] == ["I play the cello"]
    button = undo_button(there)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    wait(lambda: store.facts() == [])
    wait(lambda: "as it was before" in there.window.centre.notice.text())
    wait(lambda: not button.isVisible())


def test_what_has_changed_since_stays_and_that_is_said(desk: Open) -> None:
    there = desk(remember(action="add", text="I play the cello"), "Noted.")
    there.say("remember it")
    there.until_idle()
    store = there.engine.store
    store.change_fact(store.facts()[0].id, "I play the viola")
    QTest.mouseClick(undo_button(there), Qt.MouseButton.LeftButton)
    wait(lambda: "changed since" in there.window.centre.notice.text())
    assert [fact.text for fact in store.facts()] == ["I play the viola"]
