"""What is promised about the approval dialog."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QWidget

from ankita_desktop.protocol import ApprovalRequest, Decision, FileChange, Level, Preview, ToolCall
from ankita_desktop.toolkit.diff import apply_hunks
from ankita_desktop.ui import approval
from ankita_desktop.ui.approval import ApprovalDialog
from ankita_desktop.ui.diff import DiffView
from tests.ui.conftest import wait

BEFORE = "".join(f"line {number}\n" for number in range(40))
AFTER = BEFORE.replace("line 3\n", "line three\n").replace("line 30\n", "line thirty\n")
DIFF = Preview(
    "diff",
    "Change f.txt?",
    effect="edit",
    where="/w",
    changes=(FileChange("/w/f.txt", "modify", BEFORE, AFTER, facts="UTF-8, LF, mode 644"),),
    grant_key="edit:/w/f.txt",
    grant_label="Change f.txt",
)
COMMAND = Preview("command", "Run this command?", effect="run", text="make all", where="/w", grant_key="run:make")
DANGER = Preview("command", "Run this command?", effect="run", text="rm -rf x", danger="x and all in it is lost.")


class Asked:
    """A dialog on the screen and the answers it gave."""

    def __init__(self, preview: Preview, level: Level = "ask") -> None:
        request = ApprovalRequest("q", "s", ToolCall("1", "t"), level, preview, why="make the date test pass")
        self.dialog = ApprovalDialog(request)
        self.answers: list[Decision] = []
        self.dialog.decided.connect(self.answers.append)
        self.dialog.show()
        self.dialog.activateWindow()
        QApplication.processEvents()

    def find(self, name: str) -> Any:
        found = self.dialog.findChild(QWidget, name)
        assert found is not None, name
        return found

    def key(self, key: Qt.Key) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.dialog, key)

    def click(self, name: str) -> None:
        QTest.mouseClick(self.find(name), Qt.MouseButton.LeftButton)


@pytest.fixture
def ask(qt: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Asked]]:
    """``ask(preview)``: a dialog that takes keys at once; ``ask(preview, wait=True)`` one that doesn't yet."""
    opened: list[Asked] = []

    def make(preview: Preview, level: Level = "ask", *, armed: bool = True) -> Asked:
        monkeypatch.setattr(approval, "ARMED_AFTER", 0.0 if armed else 0.7)
        opened.append(Asked(preview, level))
        return opened[-1]

    yield make
    for one in opened:
        one.dialog.close()
        one.dialog.deleteLater()
    QApplication.processEvents()


# --- what it says -------------------------------------------------------------------------------


def test_a_second_question_says_so_and_why(qt: QApplication) -> None:
    many = replace(DIFF, changes=DIFF.changes * 2)
    for preview, words in (
        (DIFF, "The file changed"),
        (many, "The files changed"),
        (COMMAND, "What this would do"),
    ):
        for again in (False, True):
            dialog = ApprovalDialog(ApprovalRequest("q", "s", ToolCall("1", "t"), "ask", preview, again=again))
            line = dialog.findChild(QLabel, "againLine")
            assert (line is not None) == again
            if line is not None:
                assert line.text().startswith(words)
                assert line.text().endswith("since you were asked; this is what would happen now.")
            dialog.deleteLater()
    QApplication.processEvents()


def test_it_asks_in_words_and_says_why_and_where(ask: Callable[..., Asked]) -> None:
    one = ask(DIFF)
    texts = [getattr(child, "text", str)() for child in one.dialog.findChildren(QWidget) if hasattr(child, "text")]
    assert {"Change f.txt?", "“make the date test pass”", "· /w"} <= set(texts)
    assert "UTF-8, LF, mode 644 kept. Undo stays available." in texts
    assert one.dialog.objectName() == "approvalDialog" and one.dialog.accessibleName() == "Change f.txt?"


def is_whole(line: QLabel) -> bool:
    """Nothing of the words is cut, neither at the right nor below."""
    wide = line.wordWrap() or line.sizeHint().width() <= line.width()
    return wide and line.heightForWidth(line.width()) <= line.height()


@pytest.mark.parametrize("preview", [DIFF, COMMAND], ids=["diff", "command"])
def test_the_question_is_whole_in_a_dialog_as_narrow_as_it_gets_and_on_one_line_in_a_wide_one(
    ask: Callable[..., Asked], preview: Preview
) -> None:
    words = "Send this to somebody.example.org/a/long/place/of-it, and all of it?"
    dialog = ask(replace(preview, question=words, where="/a/rather/long/place/of/the/work")).dialog
    question = next(each for each in dialog.findChildren(QLabel) if each.text() == words)
    dialog.resize(dialog.minimumWidth(), 600)
    wait(lambda: dialog.width() == dialog.minimumWidth() and is_whole(question))
    dialog.resize(2400, 600)
    wait(lambda: not question.wordWrap() and is_whole(question))
    dialog.resize(dialog.minimumWidth(), 600)
    wait(lambda: question.wordWrap() and is_whole(question))


@pytest.mark.parametrize(
    "preview", [DIFF, replace(COMMAND, boxable=True), DANGER], ids=["diff", "command", "danger"]
)
def test_it_needs_no_more_than_a_laptop_at_twice_the_size_has(ask: Callable[..., Asked], preview: Preview) -> None:
    dialog = ask(preview).dialog
    assert dialog.minimumWidth() <= 660 and dialog.minimumSizeHint().width() <= 660


def test_the_whole_change_can_be_read(ask: Callable[..., Asked]) -> None:
    text = ask(DIFF).find("diffView").toPlainText()
    assert "-line 3\n+line three" in text and "-line 30\n+line thirty" in text


def test_a_command_is_shown_whole_with_what_cannot_be_seen(ask: Callable[..., Asked]) -> None:
    one = ask(Preview("command", "Run?", effect="run", text="echo a\u202eb \nsecond " + "x" * 5000))
    assert one.find("proposal").toPlainText() == "echo a‹U+202E›b·\nsecond " + "x" * 5000


def test_a_question_about_something_else_is_its_text(ask: Callable[..., Asked]) -> None:
    one = ask(Preview("text", "Allow remember?", text='remember {"text":"x"}'))
    one.click("approveButton")
    assert one.find("approveButton").text() == "Allow" and one.answers == [Decision(True)]


def test_several_files_stand_in_a_list(ask: Callable[..., Asked]) -> None:
    other = FileChange("/w/sub/g.txt", "create", None, "x\n", facts="UTF-8, LF")
    one = ask(Preview("diff", "Change 2 files?", effect="edit", where="/w", changes=(*DIFF.changes, other)))
    files = next(child for child in one.dialog.findChildren(QWidget) if child.accessibleName() == "Files")
    assert [files.item(row).text() for row in range(files.count())] == ["f.txt", "sub/g.txt"]  # type: ignore[attr-defined]
    files.setCurrentRow(1)  # type: ignore[attr-defined]
    assert one.find("diffView").current_hunk == 2
    one.find("diffView").setFocus()
    one.key(Qt.Key.Key_K)
    assert files.currentRow() == 0  # type: ignore[attr-defined]


def test_a_protected_place_is_named_above_the_diff(ask: Callable[..., Asked]) -> None:
    one = ask(Preview("diff", "Change .bashrc?", changes=DIFF.changes, text=".bashrc: runs at every login"))
    assert one.find("attentionLine").text() == ".bashrc: runs at every login"


def test_danger_is_said_in_red_and_nothing_is_the_default(ask: Callable[..., Asked]) -> None:
    one = ask(DANGER)
    assert one.find("dangerLine").text() == "x and all in it is lost."
    assert one.find("dangerLine").property("tone") == "danger"
    one.key(Qt.Key.Key_Return)
    assert one.answers == []
    one.key(Qt.Key.Key_Y)
    assert one.answers == [Decision(True)]


# --- answers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (Qt.Key.Key_Y, Decision(True)),
        (Qt.Key.Key_Return, Decision(True)),
        (Qt.Key.Key_N, Decision(False)),
        (Qt.Key.Key_S, Decision(True, "session")),
        (Qt.Key.Key_A, Decision(True, "always")),
    ],
)
@pytest.mark.parametrize("preview", [DIFF, COMMAND])
def test_each_answer_has_a_key(ask: Callable[..., Asked], preview: Preview, key: Qt.Key, answer: Decision) -> None:
    one = ask(preview)
    one.key(key)
    assert one.answers == [answer] and not one.dialog.isVisible()


@pytest.mark.parametrize(
    ("button", "answer"),
    [
        ("approveButton", Decision(True)),
        ("denyButton", Decision(False)),
        ("approveSessionButton", Decision(True, "session")),
        ("alwaysButton", Decision(True, "always")),
    ],
)
def test_each_answer_has_a_button(ask: Callable[..., Asked], button: str, answer: Decision) -> None:
    one = ask(COMMAND)
    if button == "alwaysButton":
        one.find(button).click()
    else:
        one.click(button)
    assert one.answers == [answer]


def test_a_question_is_answered_once(ask: Callable[..., Asked]) -> None:
    one = ask(COMMAND)
    one.find("denyButton").click()
    one.find("approveButton").click()
    assert one.answers == [Decision(False)]


def test_a_reason_goes_with_the_no(ask: Callable[..., Asked]) -> None:
    one = ask(DIFF)
    reason = one.find("denyReason")
    assert reason.isVisible()
    reason.setFocus()
    QTest.keyClicks(reason, "yes but say so")
    assert one.answers == [] and reason.text() == "yes but say so"
    QTest.keyClick(reason, Qt.Key.Key_Return)
    assert one.answers == [Decision(False, reason="yes but say so")]


def test_what_can_not_be_remembered_is_not_offered(ask: Callable[..., Asked]) -> None:
    for one in (ask(DANGER), ask(COMMAND, "always")):
        assert one.find("approveSessionButton").isHidden() and one.find("moreAnswersButton").isHidden()
        one.key(Qt.Key.Key_S)
        one.key(Qt.Key.Key_A)
        assert one.answers == []


def test_what_a_lasting_yes_covers_is_said(ask: Callable[..., Asked]) -> None:
    one = ask(DIFF)
    words = [getattr(child, "text", str)() for child in one.dialog.findChildren(QWidget) if hasattr(child, "text")]
    assert "“This file, this chat” covers: Change f.txt" in words
    assert one.find("approveSessionButton").text() == "This file, this chat"


def test_hunks_are_taken_one_by_one(ask: Callable[..., Asked]) -> None:
    one = ask(DIFF)
    assert one.find("approveButton").text() == "Apply"
    one.click("hunk-1")
    assert one.find("approveButton").text() == "Apply 1 of 2"
    one.click("approveButton")
    assert one.answers == [Decision(True, hunks={"/w/f.txt": (0,)})]


def test_nothing_accepted_is_nothing_to_apply(ask: Callable[..., Asked]) -> None:
    one = ask(DIFF)
    one.find("diffView").setFocus()
    for key in (Qt.Key.Key_Space, Qt.Key.Key_J, Qt.Key.Key_Space, Qt.Key.Key_Y):
        one.key(key)
    assert one.answers == [] and not one.find("approveButton").isEnabled()


def test_a_change_that_is_still_compared_can_not_be_approved(ask: Callable[..., Asked]) -> None:
    long = "".join(f"line {number} of a long file\n" for number in range(20_000))
    one = ask(Preview("diff", "Change?", changes=(FileChange("/w/f", "modify", long, long + "x\n"),)), armed=True)
    view = one.dialog.findChild(DiffView)
    assert view is not None
    if view.comparing:
        one.key(Qt.Key.Key_Y)
        assert one.answers == []
    wait(lambda: not view.comparing)
    one.key(Qt.Key.Key_Y)
    assert one.answers == [Decision(True)]


# --- another text -------------------------------------------------------------------------------


def test_the_proposed_text_can_be_changed_before_it_is_accepted(ask: Callable[..., Asked]) -> None:
    one = ask(DIFF)
    one.key(Qt.Key.Key_E)
    editor = one.find("proposalEditor")
    assert editor.toPlainText() == AFTER and not one.find("approveButton").isEnabled()
    mine = AFTER.replace("line three", "line 3, mine")
    editor.setPlainText(mine)
    one.click("editDoneButton")
    assert "+line 3, mine" in one.find("diffView").toPlainText()
    one.key(Qt.Key.Key_Y)
    assert one.answers == [Decision(True, edited={"/w/f.txt": mine})]


def test_letters_write_in_the_editor_and_escape_leaves_it(ask: Callable[..., Asked]) -> None:
    one = ask(DIFF)
    one.key(Qt.Key.Key_E)
    QTest.keyClicks(one.find("proposalEditor"), "yn")
    assert one.answers == [] and one.find("proposalEditor").toPlainText().startswith("yn")
    one.key(Qt.Key.Key_Escape)
    one.key(Qt.Key.Key_Y)
    assert one.answers == [Decision(True)]


def test_hunks_of_an_edited_text_can_be_refused_too(ask: Callable[..., Asked]) -> None:
    one = ask(DIFF)
    one.key(Qt.Key.Key_E)
    mine = AFTER.replace("line three", "line 3, mine")
    one.find("proposalEditor").setPlainText(mine)
    one.click("editDoneButton")
    one.click("hunk-1")
    one.key(Qt.Key.Key_Y)
    assert one.answers == [Decision(True, edited={"/w/f.txt": apply_hunks(BEFORE, mine, [0])})]


def test_an_edited_text_keeps_its_line_ends(ask: Callable[..., Asked]) -> None:
    change = FileChange("/w/f", "modify", "a\r\n", "b\r\n")
    one = ask(Preview("diff", "Change?", changes=(change,)))
    one.key(Qt.Key.Key_E)
    one.find("proposalEditor").setPlainText("c\nd\n")
    one.click("editDoneButton")
    one.key(Qt.Key.Key_Y)
    assert one.answers == [Decision(True, edited={"/w/f": "c\r\nd\r\n"})]


# --- keys ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key", [Qt.Key.Key_Y, Qt.Key.Key_N, Qt.Key.Key_S, Qt.Key.Key_A, Qt.Key.Key_Return, Qt.Key.Key_Space]
)
def test_no_key_counts_in_the_first_moments(ask: Callable[..., Asked], key: Qt.Key) -> None:
    one = ask(DIFF, armed=False)
    one.key(key)
    assert one.answers == [] and one.find("diffView").choice.taken == 2
    wait(lambda: one.dialog.armed, 5)
    one.key(Qt.Key.Key_Y)
    assert one.answers == [Decision(True)]


def test_focus_starts_in_the_diff(ask: Callable[..., Asked]) -> None:
    one = ask(DIFF)
    assert QApplication.focusWidget() is one.find("diffView")


def test_a_button_with_the_focus_is_pressed_by_enter(ask: Callable[..., Asked]) -> None:
    one = ask(DIFF)
    one.find("denyButton").setFocus()
    one.key(Qt.Key.Key_Return)
    assert one.answers == [Decision(False)]


def test_a_key_with_a_modifier_is_no_answer(ask: Callable[..., Asked]) -> None:
    one = ask(DIFF)
    for modifier in (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier):
        QTest.keyClick(one.find("diffView"), Qt.Key.Key_Y, modifier)
    assert one.answers == []


def test_escape_leaves_the_question_waiting(ask: Callable[..., Asked]) -> None:
    one = ask(DIFF)
    one.key(Qt.Key.Key_Escape)
    assert not one.dialog.isVisible() and one.answers == []


def test_everything_can_be_reached_with_tab(ask: Callable[..., Asked]) -> None:
    one = ask(DIFF)
    reached = set()
    for _ in range(20):
        one.key(Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        reached.add(focus.objectName() if focus is not None else "")
    wanted = {"denyReason", "denyButton", "editButton", "approveSessionButton", "approveButton", "diffView"}
    assert wanted <= reached
    assert isinstance(one.find("denyReason"), QLineEdit)
