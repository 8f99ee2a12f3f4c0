"""What is promised about the card of a tool call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton

from ankita_desktop import paths
from ankita_desktop.protocol import Attachment, JobInfo, ToolCall
from ankita_desktop.toolkit.diff import unified
from ankita_desktop.ui.blocks import Stack
from ankita_desktop.ui.cards import ToolCard
from ankita_desktop.ui.cards_words import WORDS, duration, facts, looked, size, what, words
from ankita_desktop.ui.diff import DiffView
from ankita_desktop.ui.pictures import Gallery

BEFORE, AFTER = "a\nb\nc\n", "a\nB\nc\n"


@pytest.fixture
def page(qt: QApplication) -> Iterator[Stack]:
    stack = Stack()
    stack.resize(660, 100)
    stack.show()
    yield stack
    stack.close()
    stack.deleteLater()
    QApplication.processEvents()


def card(page: Stack, name: str, **arguments: object) -> ToolCard:
    made = ToolCard(ToolCall("1", name, dict(arguments)))
    page.add(made)
    QApplication.processEvents()
    return made


def button(one: ToolCard, name: str) -> QPushButton:
    found = one.findChild(QPushButton, name)
    assert found is not None
    return found


def test_every_bundled_tool_has_words() -> None:
    names = {path.stem for path in Path(paths.bundled("tools")).glob("*/*.py")}
    assert names and names - set(WORDS) == set()


def test_verbs_read_as_sentences() -> None:
    for name, said in WORDS.items():
        assert said.done[0].isupper() and said.doing.split()[0].endswith("ing") and said.wish[0].islower(), name


def test_a_tool_nobody_knows_is_named_with_what_it_was_given() -> None:
    call = ToolCall("1", "make_coffee", {"cups": 2, "kind": "black"})
    assert (words(call).done, what(call)) == ("Used", "make_coffee 2")


def test_what_a_call_is_about_is_one_bounded_line() -> None:
    assert what(ToolCall("1", "run_command", {"command": "a\n  b\t" + "x" * 900})).startswith("a b xxx")
    assert len(what(ToolCall("1", "run_command", {"command": "x" * 900}))) == 300


def test_facts_are_short_and_only_those_that_are_known() -> None:
    call = ToolCall("1", "run_command", {"command": "x"})
    assert facts(call, {"exit_code": 0, "seconds": 1.42}, None) == ["exit 0", "1.4 s"]
    assert facts(call, {"exit_code": None}, 0.001) == ["still running"]
    assert facts(call, {"timed_out": True, "exit_code": -9}, 3.0) == ["timed out", "3.0 s"]
    assert facts(call, {"added": 2, "removed": 1}, None) == ["+2 −1"]
    assert facts(call, {}, None) == []
    assert (duration(125), size(1200), size(12)) == ("2 min 5 s", "1.2 KB", "12 B")


def test_a_group_says_files_only_when_all_are_files() -> None:
    reads = [ToolCall("1", "read_file")] * 5
    assert looked(reads, running=False) == "Looked at 5 files"
    assert looked([*reads, ToolCall("2", "glob")], running=True) == "Looking at 6 things"


def test_a_card_is_one_line_while_it_is_closed(page: Stack) -> None:
    one = card(page, "run_command", command="pytest -q")
    one.finish("4 passed", {"exit_code": 0, "seconds": 1.4, "output": "4 passed"}, ok=True)
    QApplication.processEvents()
    assert one.toPlainText() == "Ran pytest -q · exit 0 · 1.4 s"
    assert one.height() < 40


def test_it_unfolds_with_the_mouse_and_with_the_keyboard(page: Stack) -> None:
    one = card(page, "run_command", command="pytest -q")
    one.finish("4 passed", {"exit_code": 0, "output": "4 passed"}, ok=True)
    QTest.mouseClick(one.head, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert one.unfolded and "4 passed" in one.toPlainText() and one.height() > 80
    QTest.keyClick(one.head, Qt.Key.Key_Space)
    QApplication.processEvents()
    assert not one.unfolded and one.height() < 40
    assert one.head.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_a_running_card_moves_shows_live_output_and_can_be_stopped(page: Stack) -> None:
    one = card(page, "run_command", command="make")
    one.start()
    assert one.busy and one.line() == "Running make"
    stopped: list[bool] = []
    one.stopRequested.connect(lambda: stopped.append(True))
    QTest.mouseClick(button(one, "stopCallButton"), Qt.MouseButton.LeftButton)
    one.unfold(True)
    one.progress("step 1")
    one.progress("step 1\nstep 2")
    output = one.findChildren(QPlainTextEdit)[-1]
    assert stopped == [True] and output.toPlainText() == "step 1\nstep 2"


def test_a_finished_card_stands_still(page: Stack) -> None:
    one = card(page, "run_command", command="make")
    one.start()
    one.finish("", {"exit_code": 0}, ok=True)
    assert not one.busy and not one._timer.isActive() and button(one, "stopCallButton").isHidden()


def test_a_job_that_goes_on_can_be_stopped_from_its_card_until_it_ends(page: Stack) -> None:
    one = card(page, "run_command", command="npm run dev")
    one.finish("[still running as job j1]", {"job_id": "j1", "exit_code": None}, ok=True, seconds=1.0)
    stopped: list[str] = []
    one.jobStopRequested.connect(stopped.append)
    QTest.mouseClick(button(one, "stopCallButton"), Qt.MouseButton.LeftButton)
    assert stopped == ["j1"] and one.busy
    one.job(JobInfo("j1", "npm run dev", "/", 1, 0.0, exit_code=-15))
    assert not one.busy and "exit -15" in one.toPlainText()


def test_a_failed_card_keeps_the_first_line_of_its_error_in_sight(page: Stack) -> None:
    one = card(page, "read_file", path="x.py")
    one.finish("There is no x.py.\nIts folder has: y.py", {"error": "There is no x.py.\nmore"}, ok=False)
    QApplication.processEvents()
    assert one.toPlainText() == "Failed: Read x.py\nThere is no x.py."
    assert one.height() > 50


def test_a_failed_command_shows_the_last_thing_it_wrote(page: Stack) -> None:
    one = card(page, "run_command", command="make")
    one.finish("…", {"exit_code": 2, "output": "building\nmake: *** no rule\n\n"}, ok=False)
    assert "make: *** no rule" in one.toPlainText()


def test_a_denied_card_says_so(page: Stack) -> None:
    one = card(page, "run_command", command="rm x")
    one.finish("The person said no to this call. They said: later", {"denied": "person"}, ok=False)
    assert one.toPlainText().startswith("Not allowed: run rm x")


def test_an_edit_shows_its_diff_and_undo(page: Stack) -> None:
    one = card(page, "edit_file", path="f.txt")
    details = {"diff": unified(BEFORE, AFTER, "f.txt"), "added": 1, "removed": 1, "checkpoint": "c7"}
    one.finish("Changed f.txt", details, ok=True)
    QApplication.processEvents()
    undone: list[str] = []
    one.undoRequested.connect(undone.append)
    QTest.mouseClick(button(one, "undoButton"), Qt.MouseButton.LeftButton)
    diff = one.findChild(DiffView)
    assert diff is not None and diff.isVisible() and undone == ["c7"]
    assert "-b" in one.toPlainText() and "+B" in one.toPlainText() and "+1 −1" in one.toPlainText()


def test_without_a_checkpoint_there_is_no_undo(page: Stack) -> None:
    one = card(page, "edit_file", path="f.txt")
    one.finish("", {"checkpoint": ""}, ok=True)
    assert button(one, "undoButton").isHidden()


def test_a_long_diff_waits_folded_and_then_scrolls(page: Stack) -> None:
    one = card(page, "write_file", path="f.txt")
    text = "".join(f"line {number}\n" for number in range(300))
    one.finish("", {"diff": unified(None, text, "f.txt")}, ok=True)
    QApplication.processEvents()
    assert one.height() == 36
    one.unfold(True)
    QApplication.processEvents()
    diff = one.findChild(DiffView)
    assert (
        diff is not None and diff.isVisible() and diff.height() == 400 and diff.verticalScrollBar().maximum() > 0
    )


def test_scripts_find_a_card_by_its_name(page: Stack) -> None:
    one = card(page, "read_file", path="x")
    assert one.objectName() == "toolCard" and one.head.accessibleName() == "Will read x"


def test_a_change_that_was_taken_back_says_so_and_offers_no_second_undo(page: Stack) -> None:
    one = card(page, "edit_file", path="f.txt")
    one.finish("", {"checkpoint": "c1", "added": 1, "removed": 0}, ok=True)
    one.mark_undone(True)
    assert one.toPlainText() == "Edited f.txt · undone · +1" and button(one, "undoButton").isHidden()
    one.mark_undone(False)
    assert not button(one, "undoButton").isHidden()


def test_what_was_only_asked_for_does_not_read_as_done_or_running(page: Stack) -> None:
    one = card(page, "run_command", command="rm -rf x")
    assert one.line() == "Will run rm -rf x"
    one.ask()
    assert one.toPlainText() == "Wants to run rm -rf x · waits for your answer"
    one.finish("The person said no to this call.", {"denied": "person"}, ok=False)
    assert one.line() == "Not allowed: run rm -rf x"


def test_pictures_that_a_call_brings_stand_in_its_card_without_unfolding(page: Stack, tmp_path: Path) -> None:
    files = []
    for number in range(4):
        image = QImage(800, 600, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.darkGreen)
        files.append(tmp_path / f"green-{number}.png")
        assert image.save(str(files[-1]))
    one = card(page, "image_generate", prompt="something green")
    closed = page.heightForWidth(660)
    one.finish("Saved 4.", {}, ok=True)
    pictures = [
        *(Attachment(str(file), "image/png") for file in files),
        Attachment("https://x/a.png", "image/png"),
    ]
    one.attach(pictures)
    one.attach(pictures)  # the stored message brings them once more
    page.resize(660, page.heightForWidth(660))
    QApplication.processEvents()
    (gallery,) = one.findChildren(Gallery)
    shown = [item for item in gallery.shown if not item.pixmap().isNull()]
    assert len(gallery.shown) == 5 and [item.pixmap().width() for item in shown] == [220] * 4
    assert page.heightForWidth(660) > closed + 2 * 165 > page.heightForWidth(2000)  # rows follow the width
    assert all(gallery.rect().contains(item.geometry()) for item in shown)
    assert not one.unfolded and "green-0.png" in one.toPlainText()
