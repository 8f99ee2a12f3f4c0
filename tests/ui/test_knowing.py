"""The Memory, Project and Skills tabs, and the ways back in a conversation."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QLabel, QMenu, QMessageBox, QWidget

from ankita_desktop.protocol import Message
from ankita_desktop.ui.chat_items import AssistantItem, UserItem
from tests.ui.conftest import Desk, settle, wait

Open = Callable[..., Desk]
SKILL = "---\nname: deploy\ndescription: Deploy the shop to the staging server.\n---\nRun make deploy.\n"


def words(widget: QWidget) -> str:
    return "\n".join(each.text() for each in widget.findChildren(QLabel) if not each.isHidden())


def act(owner: QWidget, text: str) -> QAction:
    return next(each for menu in owner.findChildren(QMenu) for each in menu.actions() if each.text() == text)


def enter(there: Desk, field: str, text: str) -> None:
    QTest.keyClicks(there.find(field), text)
    QTest.keyClick(there.find(field), Qt.Key.Key_Return)


def agree(there: Desk, button: str) -> None:
    ask = wait(lambda: next((each for each in there.window.findChildren(QMessageBox) if each.isVisible()), None))
    next(each for each in ask.buttons() if each.text() == button).click()


def said(there: Desk) -> list[Message]:
    messages = there.application.assembly.store.messages(there.window.conversation.current)
    return [each for each in messages if each.source != "note"]


def menu_on(there: Desk, kind: type[QWidget], number: int = -1) -> QMenu:
    """The chat's menu over something that was said."""
    chat = there.find("chatView")
    item = wait(lambda: (found := chat.findChildren(kind)) and found[number])
    wait(lambda: item.isVisible() and item.height() > 10)
    settle()
    menu: QMenu = chat.menu_at(item.mapToGlobal(QPoint(item.width() - 10, item.height() // 2)))
    return menu


def choose(menu: QMenu, text: str) -> None:
    offered = {each.text(): each for each in menu.actions()}
    assert text in offered, f"not {text!r} among {list(offered)}"
    offered[text].trigger()


# --- memory --------------------------------------------------------------------------------------


def test_a_fact_can_be_written_pinned_changed_and_forgotten(desk: Open) -> None:
    there = desk()
    store = there.application.assembly.store
    panel = there.window.panel.memory
    there.window.panel.open(panel)
    enter(there, "memoryNew", "I drink tea with milk")
    fact = wait(store.facts)[0]
    card = wait(lambda: panel.findChild(QWidget, f"fact-{fact.id}"))
    act(card, "Pin").trigger()
    wait(lambda: "Pinned" in words(panel))
    act(there.find(f"fact-{fact.id}"), "Change…").trigger()
    ask = wait(lambda: there.window.findChild(QInputDialog))
    ask.setTextValue("I drink tea without milk")
    ask.accept()
    wait(lambda: "without milk" in words(panel))
    act(there.find(f"fact-{fact.id}"), "Forget…").trigger()
    agree(there, "Forget")
    wait(lambda: not store.facts())
    wait(lambda: "listed here" in words(panel))


# --- projects ------------------------------------------------------------------------------------


def test_a_project_of_the_folder_shows_its_todos_and_they_can_be_done(desk: Open) -> None:
    there = desk()
    store = there.application.assembly.store
    panel = there.window.panel.project
    there.window.panel.open(panel)
    there.click("newProjectButton")
    project = wait(store.projects)[0]
    assert project.place == str(there.folder)
    wait(lambda: panel.findChild(QWidget, "todoNew"))
    enter(there, "todoNew", "Write the offer")
    todo = wait(lambda: store.notes(project.id, "todo"))[0]
    box = wait(lambda: panel.findChild(QWidget, f"todo-{todo.id}"))
    box.click()
    wait(lambda: not store.notes(project.id, "todo"))
    wait(lambda: "Write the offer" not in words(panel))
    act(panel, "Put away").trigger()
    wait(lambda: store.projects(archived=True))


# --- skills --------------------------------------------------------------------------------------


def test_skills_of_a_project_count_only_once_its_folder_is_trusted(desk: Open) -> None:
    there = desk()
    file = there.folder / ".agents" / "skills" / "deploy" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(SKILL)
    panel = there.window.panel.skills
    there.window.knowing.look()
    there.window.panel.open(panel)
    wait(lambda: panel.findChild(QWidget, "trustFolderButton"))
    assert panel.findChild(QWidget, "skill-deploy") is None
    assert panel.findChild(QWidget, "skill-bug-repro"), "those that come along are there"
    there.click("trustFolderButton")
    wait(lambda: panel.findChild(QWidget, "skill-deploy"))
    assert str(there.folder) in there.application.assembly.settings.values.folders.trusted


def test_every_view_can_be_opened_from_the_menu_and_has_a_tab_then(desk: Open) -> None:
    there = desk()
    tabs = there.find("sideTabs")

    def shown() -> list[str]:
        return [tabs.tabText(n) for n in range(tabs.count()) if tabs.isTabVisible(n)]

    for view, panel in (("Memory", "memoryPanel"), ("Project", "projectPanel"), ("Skills", "skillsPanel")):
        act(there.find("moreViews"), view).trigger()
        wait(there.find(panel).isVisible)
        assert shown() == ["Usage", "Jobs", "Routines", view]


# --- ways back -----------------------------------------------------------------------------------


def test_what_was_said_can_be_changed_and_is_answered_anew(desk: Open) -> None:
    there = desk("It is cold.", "It is warm.")
    there.say("weather in Oslo")
    there.until_idle()
    choose(menu_on(there, UserItem), "Edit and send again")
    assert there.find("composer").toPlainText() == "weather in Oslo"
    there.find("composer").setPlainText("")
    there.say("weather in Rome")
    wait(lambda: [each.text for each in said(there)] == ["weather in Rome", "It is warm."])
    wait(lambda: "It is warm." in there.chat() and "Oslo" not in there.chat())


def test_a_change_can_be_given_up_and_the_draft_comes_back(desk: Open) -> None:
    there = desk("It is cold.", "Hello.")
    there.say("weather in Oslo")
    there.until_idle()
    there.find("composer").setPlainText("a draft")
    choose(menu_on(there, UserItem), "Edit and send again")
    there.window.rewriting.give_up()
    assert there.find("composer").toPlainText() == "a draft"
    QTest.keyClick(there.find("composer"), Qt.Key.Key_Return)
    wait(lambda: len(said(there)) == 4)
    assert said(there)[0].text == "weather in Oslo", "nothing was replaced"


def test_an_answer_can_be_had_again(desk: Open) -> None:
    there = desk("Heads.", "Tails.")
    there.say("toss a coin")
    there.until_idle()
    choose(menu_on(there, AssistantItem), "Answer again")
    wait(lambda: [each.text for each in said(there)] == ["toss a coin", "Tails."])
    wait(lambda: "Tails." in there.chat() and "Heads." not in there.chat())


def test_a_branch_is_another_conversation_and_leaves_the_first_as_it_is(desk: Open) -> None:
    there = desk("One.", "Two.")
    there.say("first")
    there.until_idle()
    there.say("second")
    there.until_idle()
    before = there.window.conversation.current
    choose(menu_on(there, AssistantItem, 0), "Go on from here in a new conversation")
    wait(lambda: there.window.conversation.current != before)
    assert [each.text for each in said(there)] == ["first", "One."]
    wait(lambda: "One." in there.chat() and "second" not in there.chat())
    assert len(there.application.assembly.store.messages(before)) >= 4


def test_what_only_the_model_is_told_is_not_in_the_chat(desk: Open) -> None:
    there = desk("Hello.")
    there.say("hi")
    there.until_idle()
    assert "skill(name)" not in there.chat()
