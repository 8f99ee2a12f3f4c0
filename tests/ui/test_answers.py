"""Questions in the window: read, denied with a reason, allowed, undone; and never in the way of typing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests import wire
from tests.ui.conftest import Desk, wait

Open = Callable[..., Desk]
EDIT = wire.calls(("edit_file", {"path": "notes.txt", "old_string": "TODO", "new_string": "DONE"}))
ALIVE_MS = 750
BEFORE, AFTER = b"milk\r\nTODO bread\r\n", b"milk\r\nDONE bread\r\n"


def with_notes(there: Desk) -> Desk:
    (there.folder / "notes.txt").write_bytes(BEFORE)
    return there


def last_tool_message(there: Desk) -> str:
    assert there.server
    messages: list[dict[str, Any]] = there.server.requests[-1]["messages"]
    return str(next(m["content"] for m in reversed(messages) if m["role"] == "tool"))


def awake(dialog: QWidget) -> QWidget:
    """The dialog past its first moment, in which no key counts."""
    QTest.qWait(ALIVE_MS)
    return dialog


def test_a_change_is_read_denied_with_a_reason_asked_again_allowed_and_undone(desk: Open) -> None:
    there = with_notes(desk(EDIT, "I'll leave it.", EDIT, "Done."))
    notes = there.folder / "notes.txt"

    there.say("replace TODO with DONE in notes.txt")
    dialog = awake(there.dialog())
    rows = there.find("diffView", dialog).toPlainText()
    assert "TODO bread" in rows and "DONE bread" in rows
    reason = there.find("denyReason", dialog)
    assert reason.isVisible()
    QTest.keyClicks(reason, "wait until Monday")
    there.click("denyButton", dialog)
    there.until_idle()
    assert notes.read_bytes() == BEFORE
    assert "wait until Monday" in last_tool_message(there)

    there.say("now please")
    dialog = awake(there.dialog())
    there.click("approveButton", dialog)
    there.until_idle()
    assert notes.read_bytes() == AFTER

    undo = wait(lambda: next((b for b in there.window.findChildren(QWidget, "undoButton") if b.isVisible()), None))
    QTest.mouseClick(undo, Qt.MouseButton.LeftButton)
    wait(lambda: notes.read_bytes() == BEFORE)
    wait(lambda: "Undone: notes.txt" in there.window.centre.notice.text())


def test_a_file_changed_while_the_question_stood_is_asked_about_again_as_it_is_now(desk: Open) -> None:
    there = with_notes(desk(EDIT, "Done."))
    notes = there.folder / "notes.txt"
    there.say("replace it")
    first = awake(there.dialog())
    notes.write_bytes(b"milk\r\nTODO bread and butter\r\n")
    there.click("approveButton", first)
    again = wait(
        lambda: (d := there.window.questions.dialog) is not None and d is not first and d.isVisible() and d
    )
    assert notes.read_bytes() == b"milk\r\nTODO bread and butter\r\n", "nothing is written"
    assert "DONE bread and butter" in there.find("diffView", again).toPlainText()
    there.click("approveButton", awake(again))
    there.until_idle()
    assert notes.read_bytes() == b"milk\r\nDONE bread and butter\r\n"


def test_every_question_that_waits_is_in_the_inbox_and_can_be_answered_from_there(desk: Open) -> None:
    there = with_notes(desk(EDIT, EDIT, "Done.", "Done."))
    for count in (1, 2):
        there.click("newChatButton")
        there.say("replace it")
        awake(there.dialog()).close()
        assert len(there.window.questions.pending) == count
    wait(lambda: len(there.window.questions.pending) == 2)
    there.click("approvalsButton")
    inbox = there.find("approvalsInbox")
    rows = [b for b in inbox.findChildren(QWidget) if b.accessibleName().startswith("Review")]
    assert len([row for row in rows if row.isVisible()]) == 2
    QTest.mouseClick(rows[0], Qt.MouseButton.LeftButton)
    there.click("denyButton", awake(there.dialog()))
    wait(lambda: len(there.window.questions.pending) == 1)


def test_ctrl_z_in_the_chat_takes_the_last_change_back_and_once(desk: Open) -> None:
    there = with_notes(desk(EDIT, "Done."))
    notes = there.folder / "notes.txt"
    there.window.sending.choose_mode("edits")
    there.say("replace it")
    there.until_idle()
    assert notes.read_bytes() == AFTER
    there.window.undoing.undo_last()
    wait(lambda: notes.read_bytes() == BEFORE)
    there.window.undoing.undo_last()
    wait(lambda: "left to undo" in there.window.centre.notice.text())
    assert notes.read_bytes() == BEFORE


def test_a_dialog_waits_until_the_person_stops_typing(desk: Open) -> None:
    there = with_notes(desk(EDIT, "Done."))
    there.say("replace it")
    composer = there.find("composer")
    wait(lambda: there.window.questions.pending)
    for letter in "yes and also":
        QTest.keyClick(composer, letter)
        QTest.qWait(60)
        assert there.window.questions.dialog is None
    assert composer.toPlainText() == "yes and also"
    assert there.dialog()


def test_a_dialog_waits_while_an_input_method_composes(desk: Open) -> None:
    there = with_notes(desk(EDIT, "Done."))
    there.say("replace it")
    composer = there.find("composer")
    QApplication.sendEvent(composer, QInputMethodEvent("にほ", []))
    wait(lambda: there.window.questions.pending)
    QTest.qWait(ALIVE_MS + 200)
    assert there.window.questions.dialog is None
    QApplication.sendEvent(composer, QInputMethodEvent("", []))
    assert there.dialog()


def test_another_conversations_question_goes_to_the_inbox_and_a_notice(desk: Open) -> None:
    there = with_notes(desk(EDIT, "Done.", "Hello."))
    there.say("replace it")
    there.click("newChatButton")
    wait(lambda: there.window.questions.pending)
    wait(lambda: "Another conversation asks" in there.window.centre.notice.text())
    QTest.qWait(ALIVE_MS + 300)
    assert there.window.questions.dialog is None
    assert "1 waiting" in there.find("approvalsButton").accessibleName()
    there.click("approvalsButton")
    inbox = there.find("approvalsInbox")
    assert inbox.isVisible()
    review = next(b for b in inbox.findChildren(QWidget) if b.accessibleName().startswith("Review"))
    QTest.mouseClick(review, Qt.MouseButton.LeftButton)
    there.click("approveButton", awake(there.dialog()))
    wait(lambda: (there.folder / "notes.txt").read_bytes() == AFTER)
    wait(lambda: "none waiting" in there.find("approvalsButton").accessibleName())


def test_a_dialog_that_is_closed_leaves_its_question_waiting(desk: Open) -> None:
    there = with_notes(desk(EDIT, "Done."))
    there.say("replace it")
    awake(there.dialog()).close()
    wait(lambda: "waiting for you" in there.window.centre.notice.text())
    assert len(there.window.questions.pending) == 1
    there.window.questions.review(there.window.questions.pending[0].id)
    there.click("approveButton", awake(there.dialog()))
    there.until_idle()
    assert (there.folder / "notes.txt").read_bytes() == AFTER


def test_stop_while_a_dialog_is_open_closes_it_and_changes_nothing(desk: Open) -> None:
    there = with_notes(desk(EDIT, "Done."))
    there.say("replace it")
    there.dialog()
    there.window.sending.stop()
    there.until_idle()
    wait(lambda: there.window.questions.dialog is None)
    assert not there.window.questions.pending
    assert (there.folder / "notes.txt").read_bytes() == BEFORE


def test_after_a_quit_with_a_dialog_open_the_question_is_there_again(desk: Open) -> None:
    there = with_notes(desk(EDIT))
    there.say("replace it")
    there.dialog()
    session = there.window.conversation.current
    there.application.close()
    again = desk("Done.")
    wait(lambda: len(again.window.questions.pending) == 1)
    again.window.open(session)
    there.click("approveButton", awake(again.dialog()))
    wait(lambda: (again.folder / "notes.txt").read_bytes() == AFTER)
    wait(lambda: "Done." in again.chat())


def test_an_answered_dialog_leaves_no_second_button_behind(desk: Open) -> None:
    there = with_notes(desk(EDIT, "Done."))
    there.say("replace it")
    there.click("approveButton", awake(there.dialog()))
    there.until_idle()
    wait(lambda: not there.window.findChildren(QWidget, "approveButton"))
    assert not [w for w in QApplication.allWidgets() if w.objectName() == "approvalDialog"]


def test_a_question_answered_elsewhere_goes_when_the_window_comes_to_front(desk: Open) -> None:
    there = with_notes(desk(EDIT))
    there.say("replace it")
    there.dialog()
    there.application.close()
    again = desk("Done.")
    request = wait(lambda: again.window.questions.pending)[0]
    again.engine.store.close_approval(request.id, "denied")
    again.window.refresh()
    wait(lambda: not again.window.questions.pending)
    assert "none waiting" in again.find("approvalsButton").accessibleName()
