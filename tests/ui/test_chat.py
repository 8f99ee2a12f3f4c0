"""What is promised about the page of a conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QScrollArea, QStackedWidget, QWidget

from ankita_desktop.events import (
    ApprovalAsked,
    ApprovalClosed,
    CallEnded,
    CallStarted,
    Event,
    MessageAdded,
    TextDelta,
    TextReset,
    TurnEnded,
)
from ankita_desktop.protocol import (
    ApprovalRequest,
    Attachment,
    JobInfo,
    Message,
    Preview,
    ToolCall,
    ToolResult,
)
from ankita_desktop.ui.blocks_message import Markdown
from ankita_desktop.ui.blocks_prose import Prose
from ankita_desktop.ui.blocks_select import Selection
from ankita_desktop.ui.cards import CallGroup, ToolCard
from ankita_desktop.ui.chat import ChatView
from ankita_desktop.ui.chat_items import AssistantItem, UserItem
from ankita_desktop.ui.code import CodeBlock
from ankita_desktop.ui.markdown import plain
from ankita_desktop.ui.markdown_stream import parse
from ankita_desktop.ui.theme import theme
from tests.ui.conftest import settle, wait
from tests.ui.test_markdown import examples, letters

LONG = "\n\n".join(f"Paragraph {number} of a long answer that fills the page." for number in range(80))


@pytest.fixture
def chat(qt: QApplication) -> Iterator[ChatView]:
    view = ChatView()
    view.resize(760, 600)
    view.show()
    yield view
    view.close()
    view.deleteLater()
    QApplication.processEvents()


def bar(view: ChatView) -> Any:
    return view.findChild(QScrollArea).verticalScrollBar()


def tell(view: ChatView, *events: Event) -> None:
    for event in events:
        view.handle(event)
    wait(lambda: not view.painting)
    QApplication.processEvents()


def reads(number: int) -> ToolCall:
    return ToolCall(f"r{number}", "read_file", {"path": f"src/{number}.py"})


def looking(count: int) -> list[Message]:
    calls = tuple(reads(number) for number in range(count))
    return [Message("assistant", calls=calls), *(Message("tool", "text", call_id=call.id) for call in calls)]


# --- what is on the page ------------------------------------------------------------------------


def test_no_commonmark_example_raises_or_loses_text_as_widgets(qt: QApplication) -> None:
    root = QWidget()
    for example in examples():
        shown = Markdown(Selection(root), root)
        shown.write(example["markdown"])
        shown.finish(example["markdown"])
        assert letters(shown.toPlainText()) == letters(plain(parse(example["markdown"]))), example["example"]
        shown.setParent(None)


def test_what_the_person_said_stands_as_typed_in_a_box_at_the_right(chat: ChatView) -> None:
    chat.show_messages([Message("user", "**not** bold\n  indented <b>")])
    item = chat.findChild(UserItem)
    assert "**not** bold\n  indented <b>" in chat.toPlainText()
    assert item is not None
    box = item.findChild(Prose).parentWidget()
    assert box.geometry().right() == item.rect().right() and box.width() < item.width()


def test_the_text_column_is_between_620_and_680_pixels_in_a_wide_window(chat: ChatView) -> None:
    chat.resize(1400, 600)
    chat.show_messages([Message("assistant", "word " * 200)])
    QApplication.processEvents()
    item = chat.findChild(AssistantItem)
    assert item is not None and 620 <= item.width() <= 680


def test_streamed_text_appears_and_the_stored_message_is_the_truth(chat: ChatView) -> None:
    chat.show_messages([Message("user", "hi")])
    tell(chat, TextDelta("s", "Hel"), TextDelta("s", "lo **wor"))
    assert "Hello **wor" in chat.toPlainText()
    tell(chat, MessageAdded("s", Message("assistant", "Hello **world**, and more")))
    assert chat.toPlainText() == "hi\nHello world, and more"


def test_text_that_is_tried_again_leaves_nothing_behind(chat: ChatView) -> None:
    tell(chat, TextDelta("s", "first try"), TextReset("s", "again"), TextDelta("s", "second"))
    assert chat.toPlainText() == "second"


def test_what_streamed_before_stop_goes_unless_it_was_stored(chat: ChatView) -> None:
    tell(chat, TextDelta("s", "half"), TurnEnded("s", "t", "cancelled", reason="Stopped."))
    assert chat.toPlainText() == "Stopped."


def test_links_defined_below_the_text_work_once_the_message_is_complete(chat: ChatView) -> None:
    text = "See [the docs][d].\n\nMore.\n\n[d]: https://example.com/x\n"
    for at in range(0, len(text), 5):
        tell(chat, TextDelta("s", text[at : at + 5]))
    tell(chat, MessageAdded("s", Message("assistant", text)))
    assert "See the docs (example.com)." in chat.toPlainText()


def test_a_note_is_one_dim_line_and_nobodys_speech(chat: ChatView) -> None:
    chat.show_messages([Message("user", "The limit is reached.", source="note")])
    assert chat.findChild(UserItem) is None and chat.findChild(AssistantItem) is None
    assert chat.toPlainText() == "The limit is reached."


def test_reasoning_is_folded_until_it_is_asked_for(chat: ChatView) -> None:
    tell(chat, TextDelta("s", "secret thoughts", reasoning=True), TextDelta("s", "The answer."))
    item = chat.findChild(AssistantItem)
    assert item is not None and chat.toPlainText() == "The answer."
    fold = next(child for child in item.findChildren(QWidget) if child.accessibleName() == "Reasoning")
    QTest.keyClick(fold, Qt.Key.Key_Space)
    assert any(part.toPlainText() == "secret thoughts" and part.isVisible() for part in item.findChildren(Prose))


def test_an_attached_picture_is_shown_from_this_machine_only(chat: ChatView, tmp_path: Any) -> None:
    picture = tmp_path / "p.png"
    QImage(900, 400, QImage.Format.Format_RGB32).save(str(picture))
    remote = Attachment("//server/share/p.png", "image/png", "remote.png")
    chat.show_messages(
        [Message("user", "look", attachments=(Attachment(str(picture), "image/png", "p.png"), remote))]
    )
    labels = {child.accessibleName(): child for child in chat.findChildren(QWidget) if child.accessibleName()}
    assert labels["p.png"].pixmap().width() == 220  # type: ignore[attr-defined]
    assert labels["remote.png"].text() == "remote.png"  # type: ignore[attr-defined]


def test_an_ending_says_why_and_offers_to_go_on(chat: ChatView) -> None:
    tell(chat, TurnEnded("s", "t", "limit", reason="Stopped after 50 rounds.", can_continue=True))
    wanted: list[bool] = []
    chat.continueRequested.connect(lambda: wanted.append(True))
    button = next(each for each in chat.findChildren(QPushButton) if each.text() == "Continue")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert "Stopped after 50 rounds." in chat.toPlainText() and wanted == [True]


def test_a_turn_that_is_done_adds_no_line(chat: ChatView) -> None:
    chat.show_messages([Message("user", "hi")])
    tell(chat, TurnEnded("s", "t", "done", text="x"))
    assert chat.toPlainText() == "hi"


# --- cards on the page --------------------------------------------------------------------------


def test_more_than_four_calls_that_only_look_are_one_line(chat: ChatView) -> None:
    chat.show_messages(looking(7))
    assert chat.toPlainText() == "Looked at 7 files"
    chat.show_messages(looking(4))
    assert chat.findChild(CallGroup) is None or chat.toPlainText().count("Read src/") == 4


def test_calls_fold_while_they_happen_too(chat: ChatView) -> None:
    chat.show_messages([Message("user", "look")])
    for number in range(6):
        call = reads(number)
        tell(chat, MessageAdded("s", Message("assistant", calls=(call,))), CallStarted("s", call))
        tell(chat, CallEnded("s", call, ToolResult("text")))
    assert chat.toPlainText() == "look\nLooked at 6 files"


def test_a_call_that_failed_is_not_hidden_in_a_group(chat: ChatView) -> None:
    messages = looking(7)
    messages[4] = Message("tool", "No such file", call_id="r3", ok=False)
    chat.show_messages(messages)
    assert "No such file" in chat.toPlainText()


def test_a_card_says_that_it_waits_for_an_answer_and_then_that_it_was_approved(chat: ChatView) -> None:
    call = ToolCall("1", "run_command", {"command": "make"})
    request = ApprovalRequest("q", "s", call, "ask", Preview("command", "Run?"))
    tell(chat, CallStarted("s", call), ApprovalAsked("s", request))
    assert "waits for your answer" in chat.toPlainText()
    tell(chat, ApprovalClosed("s", "q", "allowed"), CallEnded("s", call, ToolResult("ok", {"exit_code": 0}), 1.4))
    assert chat.toPlainText() == "Ran make · approved · exit 0 · 1.4 s"


def test_undo_and_stop_reach_the_window(chat: ChatView) -> None:
    undone: list[str] = []
    stopped: list[bool] = []
    chat.undoRequested.connect(undone.append)
    chat.stopRequested.connect(lambda: stopped.append(True))
    edit, run = ToolCall("1", "edit_file", {"path": "a"}), ToolCall("2", "run_command", {"command": "x"})
    tell(chat, CallEnded("s", edit, ToolResult("", {"checkpoint": "c1"})), CallStarted("s", run))
    for name in ("undoButton", "stopCallButton"):
        button = next(each for each in chat.findChildren(QPushButton, name) if each.isVisible())
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (undone, stopped) == (["c1"], [True])


# --- long conversations and scrolling -----------------------------------------------------------


def conversation(count: int) -> list[Message]:
    return [Message("user" if n % 2 == 0 else "assistant", f"Message {n}: " + "words " * 30) for n in range(count)]


def test_a_long_conversation_builds_only_what_is_near_and_still_gives_all_its_text(chat: ChatView) -> None:
    chat.show_messages(conversation(1000))
    assert len(chat.findChildren(Prose)) < 80
    text = chat.toPlainText()
    assert all(f"Message {number}: " in text for number in range(1000))
    assert bar(chat).value() == bar(chat).maximum()


def test_a_long_conversation_opened_out_of_sight_builds_only_its_end_until_it_is_seen(qt: QApplication) -> None:
    pages = QStackedWidget()
    pages.addWidget(QWidget())
    view = ChatView()
    pages.addWidget(view)
    pages.resize(760, 900)
    pages.show()
    view.show_messages([Message("user" if n % 2 == 0 else "assistant", f"Message {n}") for n in range(1000)])
    assert len(view.findChildren(Prose)) < 40
    pages.setCurrentWidget(view)
    wait(lambda: bar(view).value() == bar(view).maximum() >= view.height() - 100)
    wait(lambda: not view.painting)
    assert len(view.findChildren(Prose)) < 200
    pages.close()
    pages.deleteLater()


def test_scrolling_up_builds_more_and_keeps_the_place(chat: ChatView) -> None:
    chat.show_messages(conversation(200))
    QApplication.processEvents()
    first = chat.findChildren(UserItem)
    bar(chat).setValue(10)
    before = {item: item.mapTo(chat, QPoint()).y() for item in first}
    wait(lambda: bar(chat).value() > 10)
    QApplication.processEvents()
    moved = {item.mapTo(chat, QPoint()).y() - y for item, y in before.items()}
    assert len(chat.findChildren(UserItem)) > len(first) and moved == {0}


def test_the_end_stays_in_sight_while_text_arrives(chat: ChatView) -> None:
    chat.show_messages([Message("user", "go")])
    for part in LONG.split(" "):
        chat.handle(TextDelta("s", part + " "))
    tell(chat, MessageAdded("s", Message("assistant", LONG)))
    assert bar(chat).maximum() > 500 and bar(chat).value() == bar(chat).maximum()


def test_scrolling_up_is_not_undone_and_a_button_leads_to_the_new(chat: ChatView) -> None:
    chat.show_messages([Message("user", "go"), Message("assistant", LONG)])
    wait(lambda: not chat.painting)
    QApplication.processEvents()
    bar(chat).setValue(bar(chat).maximum() // 2)
    place = bar(chat).value()
    tell(chat, TextDelta("s", "and here is more\n\n" * 20))
    button = chat.findChild(QPushButton, "newMessagesButton")
    assert bar(chat).value() == place and button is not None and button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert bar(chat).value() == bar(chat).maximum() and not button.isVisible()


def test_a_huge_stored_message_is_painted_in_slices(chat: ChatView) -> None:
    chat.show_messages([Message("assistant", LONG * 20)])
    assert chat.painting
    assert chat.toPlainText() == plain(parse(LONG * 20))


# --- reading, selecting, copying ----------------------------------------------------------------


def drag(start: QWidget, to: QWidget) -> None:
    """The mouse goes from the first to the last character."""
    steps = (
        (QEvent.Type.MouseButtonPress, start, QPoint(0, 4)),
        (QEvent.Type.MouseMove, to, to.rect().bottomRight()),
    )
    for kind, widget, point in (*steps, (QEvent.Type.MouseButtonRelease, to, to.rect().bottomRight())):
        place = widget.mapToGlobal(point)
        local = QPointF(start.mapFromGlobal(place))
        event = QMouseEvent(
            kind,
            local,
            QPointF(place),
            Qt.MouseButton.LeftButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(start, event)


def test_a_selection_goes_over_text_and_code_as_over_one_page(chat: ChatView) -> None:
    chat.show_messages([Message("assistant", "before\n\n```python\nx = 1\n```\n\nafter")])
    QApplication.processEvents()
    texts = chat.findChildren(Prose)
    drag(texts[0], texts[1])
    QTest.keyClick(chat, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "before\nx = 1\nafter"


def test_a_click_opens_a_link_and_only_a_link_that_may_be_opened(chat: ChatView) -> None:
    chat.show_messages([Message("assistant", "[docs](https://example.com/a) and [bad](ms-word:x)")])
    QApplication.processEvents()
    opened: list[str] = []
    chat.linkActivated.connect(opened.append)
    text = chat.findChildren(Prose)[0]
    QTest.mouseClick(text, Qt.MouseButton.LeftButton, pos=QPoint(8, 10))
    assert opened == ["https://example.com/a"] and text.links() == ["https://example.com/a"]


def test_links_can_be_reached_and_opened_with_the_keyboard(chat: ChatView) -> None:
    chat.show_messages([Message("assistant", "[a](https://a.example) then [b](https://b.example)")])
    QApplication.processEvents()
    opened: list[str] = []
    chat.linkActivated.connect(opened.append)
    text = chat.findChildren(Prose)[0]
    chat.activateWindow()
    text.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(text, Qt.Key.Key_Tab)
    QTest.keyClick(text, Qt.Key.Key_Return)
    assert opened == ["https://b.example"]


def test_a_message_can_be_copied_as_it_was_written(chat: ChatView) -> None:
    chat.show_messages([Message("assistant", "**bold** and `code`")])
    QApplication.processEvents()
    text = chat.findChildren(Prose)[0]
    menu = chat.menu_at(text.mapToGlobal(QPoint(5, 5)))
    action = next(each for each in menu.actions() if "Markdown" in each.text())
    action.trigger()
    assert QGuiApplication.clipboard().text() == "**bold** and `code`"


def test_code_names_its_language_gets_colours_and_can_be_copied(chat: ChatView) -> None:
    chat.show_messages([Message("assistant", "```python\ndef f():\n    return 1\n```")])
    code = chat.findChild(CodeBlock)
    assert code is not None and code.language == "python" and code.accessibleName() == "Code, python"
    wait(lambda: code._colours)
    assert {run.token for line in code._colours for run in line} >= {"code_keyword", "code_number"}
    QTest.mouseClick(code.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "def f():\n    return 1"


@pytest.mark.parametrize("name", ["light", "dark", "high-contrast"])
def test_another_theme_repaints_everything_and_loses_nothing(chat: ChatView, name: Any) -> None:
    messages: Sequence[Message] = [
        Message("user", "hi"),
        Message("assistant", "# T\n\n| a |\n|---|\n| b |\n\n`x`"),
    ]
    chat.show_messages(messages)
    before = chat.toPlainText()
    try:
        theme().prefer(name)
        QApplication.processEvents()
        chat.grab()
        assert chat.toPlainText() == before
    finally:
        theme().prefer("system")


def test_every_text_has_words_for_those_who_cannot_see_it(chat: ChatView) -> None:
    call = ToolCall("1", "run_command", {"command": "make"})
    chat.show_messages([Message("user", "please"), Message("assistant", "done", calls=(call,))])
    names = {child.accessibleName() for child in chat.findChildren(QWidget)}
    card = chat.findChild(ToolCard)
    assert "You: please" in names and card is not None and card.head.accessibleName().startswith("Will run make")


def test_an_error_in_a_folded_group_stays_in_sight(chat: ChatView) -> None:
    for number in range(6):
        tell(chat, CallStarted("s", reads(number)))
    for number in range(6):
        ok = number != 2
        tell(chat, CallEnded("s", reads(number), ToolResult("" if ok else "No such file", ok=ok)))
    text = chat.toPlainText()
    assert "Looked at 6 files" in text and "No such file" in text and "src/3.py" not in text


def test_a_job_of_a_stored_call_moves_only_while_it_is_known_to_run(chat: ChatView) -> None:
    call = ToolCall("1", "run_command", {"command": "npm run dev"})
    details = {"job_id": "j1", "exit_code": None}
    chat.show_messages([Message("assistant", calls=(call,)), Message("tool", "x", call_id="1", details=details)])
    card = chat.findChild(ToolCard)
    assert card is not None and not card.busy
    chat.show_jobs([JobInfo("j1", "npm run dev", "/", 1, 0.0)])
    assert card.busy


def test_what_was_selected_may_go_from_the_page(chat: ChatView) -> None:
    tell(chat, TextDelta("s", "one\n\ntwo"))
    QTest.keyClick(chat, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    tell(chat, TextReset("s", "again"))
    settle()
    assert not chat.findChildren(Prose)
    QTest.keyClick(chat, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    chat.show_messages([Message("assistant", "new")])
    assert chat.toPlainText() == "new"


def test_a_text_with_links_is_reached_with_tab(chat: ChatView) -> None:
    chat.show_messages([Message("assistant", "no links here"), Message("assistant", "[a](https://a.example)")])
    policies = [each.focusPolicy() for each in chat.findChildren(Prose)]
    assert policies == [Qt.FocusPolicy.ClickFocus, Qt.FocusPolicy.StrongFocus]


def test_a_huge_pasted_text_shows_its_beginning_and_the_rest_on_request(chat: ChatView) -> None:
    text = "".join(f"log line {number}\n" for number in range(20_000))
    chat.show_messages([Message("user", text)])
    QApplication.processEvents()
    item = chat.findChild(UserItem)
    assert item is not None and item.height() < 2_000 and text in chat.toPlainText()
    button = chat.findChild(QPushButton, "showAllButton")
    assert button is not None and button.text() == "Show all 20001 lines"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    pane = item.findChild(QPlainTextEdit)
    assert pane is not None and pane.toPlainText() == text and pane.isVisible()


def test_dragging_beyond_the_edge_scrolls(chat: ChatView) -> None:
    chat.show_messages([Message("assistant", LONG)])
    wait(lambda: not chat.painting)
    chat.go_to_end()
    place = bar(chat).value()
    text = chat.findChildren(Prose)[-1]
    local = text.mapFromGlobal(chat.mapToGlobal(QPoint(60, 200)))
    QTest.mousePress(text, Qt.MouseButton.LeftButton, pos=local)
    far = chat.mapToGlobal(QPoint(60, -40))
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    move = QMouseEvent(QEvent.Type.MouseMove, QPointF(text.mapFromGlobal(far)), QPointF(far), left, left, none)
    QApplication.sendEvent(text, move)
    assert bar(chat).value() == place - 40
