"""A command can be answered with "Run sandboxed": it runs, closed in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from ankita_desktop.protocol import ApprovalRequest, Decision, Preview, ToolCall
from ankita_desktop.toolkit.box import can_box
from ankita_desktop.ui import approval
from ankita_desktop.ui.approval import ApprovalDialog
from tests.ui.conftest import Desk
from tests.wire import calls

COMMAND = Preview("command", "Run this command?", effect="run", text="make", grant_key="run:make", boxable=True)
Shown = tuple[ApprovalDialog, list[Decision]]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys count as soon as a dialog stands there."""
    monkeypatch.setattr(approval, "ARMED_AFTER", 0.0)


def shown(preview: Preview) -> Shown:
    dialog = ApprovalDialog(ApprovalRequest("q", "s", ToolCall("1", "run_command"), "ask", preview))
    answers: list[Decision] = []
    dialog.decided.connect(answers.append)
    dialog.show()
    dialog.activateWindow()
    QApplication.processEvents()
    return dialog, answers


def button(dialog: QWidget) -> QWidget:
    found = dialog.findChild(QWidget, "sandboxButton")
    assert found is not None
    return found


def click(dialog: QWidget) -> None:
    QTest.mouseClick(button(dialog), Qt.MouseButton.LeftButton)


def press(dialog: QWidget) -> None:
    QTest.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_B)


@pytest.mark.parametrize("danger", ["", "make is lost."])
def test_the_button_and_its_key_answer_so(qt: QApplication, danger: str) -> None:
    for answer in (click, press):
        dialog, answers = shown(replace(COMMAND, danger=danger))
        assert button(dialog).isVisible()
        answer(dialog)
        assert answers == [Decision(True, boxed=True)]
        dialog.deleteLater()


def test_where_it_cannot_be_had_it_is_not_offered_and_the_key_is_dead(qt: QApplication) -> None:
    dialog, answers = shown(replace(COMMAND, boxable=False))
    assert not button(dialog).isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_B)
    assert answers == [] and dialog.isVisible()
    dialog.close()
    dialog.deleteLater()


@pytest.mark.skipif(not can_box(), reason="bubblewrap isn't there or may not make a box here")
def test_a_command_run_so_changes_its_folder_only(desk: Callable[..., Desk], tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    command = {"command": f"touch here; touch {outside}/there", "yield_ms": 20_000}
    there = desk(calls(("run_command", command)), "Done.")
    there.say("go")
    there.click("sandboxButton", there.dialog())
    there.until_idle(20)
    assert (there.folder / "here").exists() and list(outside.iterdir()) == []
    assert there.server is not None and "closed box" in there.server.requests[1]["messages"][-1]["content"]
