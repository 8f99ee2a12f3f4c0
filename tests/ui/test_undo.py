"""Undo in the window: of one change, of a turn after a look at it, and back again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from ankita_desktop.ui.cards import ToolCard
from ankita_desktop.ui.diff import DiffView
from tests import wire
from tests.ui.conftest import Desk, wait

Open = Callable[..., Desk]
WRITE = wire.calls(("write_file", {"path": "a.txt", "content": "agent\n"}))
RUN = wire.calls(("run_command", {"command": "rm b.txt; echo 1 > made"}))


def at_work(there: Desk) -> Desk:
    """A turn that wrote a file and ran a command."""
    for name in ("a.txt", "b.txt"):
        (there.folder / name).write_text("mine\n")
    there.window.sending.choose_mode("all")
    there.say("do it")
    there.until_idle()
    return there


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(folder.glob("[!.]*"))}


MINE = {"a.txt": "mine\n", "b.txt": "mine\n"}
DONE = {"a.txt": "agent\n", "made": "1\n"}


def menu_at(there: Desk, item: QWidget) -> dict[str, Any]:
    """The entries of the menu over a part of the page."""
    menu = there.window.centre.chat.menu_at(item.mapToGlobal(item.rect().center()))
    return {action.text(): action for action in menu.actions()}


def choose(there: Desk, find: Callable[[], QWidget], words: str) -> None:
    """Take an entry of that menu, as soon as the page is laid out."""
    wait(lambda: words in menu_at(there, find()), what=words)
    menu_at(there, find())[words].trigger()


def items(there: Desk, kind: str) -> list[QWidget]:
    return [each for each in there.find("chatView").findChildren(QWidget) if type(each).__name__ == kind]


def notice(there: Desk) -> str:
    text: str = there.window.centre.notice.text()
    return text


def test_a_turn_is_undone_after_a_look_at_it_and_brought_back(desk: Open) -> None:
    there = at_work(desk(WRITE, RUN, "Done."))
    assert texts(there.folder) == DONE
    choose(there, lambda: items(there, "UserItem")[0], "Undo this turn…")
    dialog = wait(lambda: there.window.undoing.dialog)
    shown = dialog.findChild(DiffView).toPlainText()
    assert "-agent" in shown and "+mine" in shown and "made" in shown
    assert texts(there.folder) == DONE, "looking changes nothing"
    there.click("undoNowButton", dialog)
    wait(lambda: texts(there.folder) == MINE)
    wait(lambda: "as before" in notice(there))
    cards = there.find("chatView").findChildren(ToolCard)
    assert all("undone" in card.toPlainText() for card in cards)
    there.window.centre.notice._action.click()
    wait(lambda: texts(there.folder) == DONE)
    wait(lambda: not any("undone" in card.toPlainText() for card in cards))


def test_the_look_can_be_left_without_undoing(desk: Open) -> None:
    there = at_work(desk(WRITE, RUN, "Done."))
    choose(there, lambda: items(there, "ToolCard")[1], "Show what Undo would do…")
    dialog = wait(lambda: there.window.undoing.dialog)
    shown = dialog.findChild(DiffView).toPlainText()
    assert "made" in shown and "a.txt" not in shown, "only what this command did"
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    wait(lambda: there.window.undoing.dialog is None)
    assert texts(there.folder) == DONE


def test_what_changed_since_is_shown_and_never_overwritten(desk: Open) -> None:
    there = at_work(desk(WRITE, RUN, "Done."))
    (there.folder / "a.txt").write_text("the person\n")
    there.window.undoing.undo(there.find("chatView").findChildren(ToolCard)[0].checkpoint)
    dialog = wait(lambda: there.window.undoing.dialog)
    words = " ".join(label.text() for label in dialog.findChildren(QWidget) if hasattr(label, "text"))
    assert "a.txt was changed" in words and not there.find("undoNowButton", dialog).isEnabled()
    assert (there.folder / "a.txt").read_text() == "the person\n"


def test_keys_undo_and_redo_the_last_change(desk: Open) -> None:
    there = at_work(desk(WRITE, RUN, "Done."))
    there.window.undoing.undo_last()
    wait(lambda: texts(there.folder) == {"a.txt": "agent\n", "b.txt": "mine\n"})
    there.window.undoing.undo_last()
    wait(lambda: texts(there.folder) == MINE)
    there.window.undoing.redo_last()
    wait(lambda: (there.folder / "a.txt").read_text() == "agent\n")


def test_a_conversation_opened_again_still_says_what_was_undone(desk: Open) -> None:
    there = at_work(desk(WRITE, RUN, "Done."))
    session = there.window.conversation.current
    there.window.undoing.undo_last()
    wait(lambda: texts(there.folder) == {"a.txt": "agent\n", "b.txt": "mine\n"})
    there.window.new()
    there.window.open(session)

    def said() -> list[bool]:  # cards of the page before are deleted later
        cards = there.find("chatView").findChildren(ToolCard)
        return ["undone" in card.toPlainText() for card in cards if card.isVisible()]

    wait(lambda: said() == [False, True], 30)


def test_a_turn_that_changed_nothing_says_so(desk: Open) -> None:
    there = desk("Hello.")
    there.say("hi")
    there.until_idle()
    choose(there, lambda: items(there, "UserItem")[0], "Undo this turn…")
    wait(lambda: "changed no file" in notice(there))
