"""What a person may rely on in the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests import wire
from tests.ui.conftest import Desk, wait

Open = Callable[..., Desk]


def test_a_sentence_is_answered_without_any_account(desk: Open) -> None:
    there = desk()
    (there.folder / "notes.txt").write_text("TODO\n")
    there.say("what's in this folder")
    wait(lambda: "notes.txt" in there.chat())
    there.until_idle()
    assert not there.find("composer").toPlainText()


def test_stop_is_there_only_while_a_turn_runs_and_ends_it(desk: Open) -> None:
    there = desk(wire.silent(60.0, "One moment"))
    assert not there.find("stopButton").isVisible()
    there.say("hello")
    wait(there.find("stopButton").isVisible)
    wait(lambda: "One moment" in there.chat())
    there.click("stopButton")
    there.until_idle()


def test_escape_stops_too(desk: Open) -> None:
    there = desk(wire.silent(60.0))
    there.say("hello")
    wait(there.find("stopButton").isVisible)
    assert there.server
    wait(lambda: len(there.server.requests) == 1)
    QTest.keyClick(there.find("composer"), Qt.Key.Key_Escape)
    there.until_idle()


def test_a_new_chat_has_no_row_before_its_first_message(desk: Open) -> None:
    there = desk("Hi.")
    there.click("newChatButton")
    QApplication.processEvents()
    assert not there.engine.store.sessions()
    there.say("hello")
    there.until_idle()
    assert [each.title for each in there.engine.store.sessions()] == ["hello"]


def test_two_messages_in_a_hurry_make_one_conversation(desk: Open) -> None:
    there = desk("Hi.", "Hi again.")
    there.say("first")
    there.say("second")
    wait(lambda: "second" in there.chat())
    assert len(there.engine.store.sessions()) == 1


def test_a_new_chat_asked_for_at_once_stays_a_new_chat(desk: Open) -> None:
    there = desk(wire.silent(60.0))
    there.say("hello")
    there.click("newChatButton")
    wait(lambda: there.engine.store.sessions())
    wait(lambda: there.server and there.server.requests)
    assert there.window.conversation.current == ""
    assert not there.find("stopButton").isVisible()


def test_a_draft_stays_with_its_conversation(desk: Open) -> None:
    there = desk("Hi.")
    there.say("hello")
    there.until_idle()
    session = there.window.conversation.current
    QTest.keyClicks(there.find("composer"), "half a thou")
    there.click("newChatButton")
    assert there.find("composer").toPlainText() == ""
    there.window.open(session)
    wait(lambda: there.find("composer").toPlainText() == "half a thou")


def test_the_conversation_in_front_carries_no_unread_mark(desk: Open) -> None:
    there = desk("Hi.")
    there.say("hello")
    there.until_idle()
    wait(lambda: not there.engine.store.sessions()[0].unread)


def test_what_is_said_during_a_turn_is_shown_and_can_be_taken_back(desk: Open) -> None:
    there = desk(wire.silent(60.0))
    there.say("first")
    wait(lambda: there.server.requests)  # what is said before the first request is sent goes with it
    there.say("second")
    wait(lambda: there.window.centre.queue.texts == ("second",))
    assert there.find("queueStrip").isVisible()
    there.window.sending.edit_queued(0)
    wait(lambda: there.window.centre.queue.texts == ())
    assert there.find("composer").toPlainText() == "second"


def test_shift_enter_breaks_the_line_and_the_field_grows_to_eight(desk: Open) -> None:
    there = desk()
    composer = there.find("composer")
    one = composer.height()
    QTest.keyClicks(composer, "a")
    QTest.keyClick(composer, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(composer, "b")
    assert composer.toPlainText() == "a\nb"
    assert composer.height() > one
    composer.setPlainText("\n".join("abcdefgh"))
    eight = composer.height()
    composer.setPlainText("\n".join("abcdefghijklmnop"))
    assert composer.height() == eight


def test_the_home_folder_is_refused_as_a_root_for_edits(desk: Open, ankita_home: object) -> None:
    there = desk(argv=["--cwd", str(ankita_home)])
    there.window.sending.choose_mode("edits")
    assert "home folder" in there.window.centre.notice.text()
    there.window.sending.take_folder(str(there.folder))
    there.window.sending.choose_mode("edits")
    assert "edit in this folder" in there.find("modeMenu").text()


def test_every_named_part_has_a_name_for_people_who_can_not_see_it(desk: Open) -> None:
    there = desk()
    names = [
        *("sessionList", "sessionSearch", "newChatButton", "chatView", "composer", "sendButton", "stopButton"),
        *("attachButton", "modelMenu", "modeMenu", "folderButton", "usageMeter", "sidePanel", "usagePanel"),
        *("jobsPanel", "approvalsInbox", "noticeBar", "mainWindow"),
    ]
    for name in names:
        widget = there.window if name == "mainWindow" else there.find(name)
        assert widget.accessibleName(), name


def test_the_meter_counts_what_the_server_said(desk: Open) -> None:
    usage = {"prompt_tokens": 14_210, "completion_tokens": 30, "prompt_tokens_details": {"cached_tokens": 11_900}}
    there = desk(wire.text("Hi.", usage=usage))
    there.say("hello")
    there.until_idle()
    wait(lambda: there.find("usageMeter").text().startswith("14.2k in · 11.9k cached"))


def test_search_finds_titles_and_words_in_messages(desk: Open) -> None:
    there = desk("The zebra is striped.", "Fine.")
    there.say("animals")
    there.until_idle()
    there.click("newChatButton")
    there.say("weather")
    there.until_idle()
    rows = lambda: [row.text for row in there.window.pane.model.rows if row.session]  # noqa: E731
    wait(lambda: len(rows()) == 2)
    there.find("sessionSearch").setText("weath")
    assert rows() == ["weather"]
    there.find("sessionSearch").setText("zebra")
    wait(lambda: rows() == ["animals"])
    there.find("sessionSearch").setText("giraffe")
    wait(lambda: rows() == [])


def test_a_deleted_conversation_goes_from_list_and_screen(desk: Open) -> None:
    there = desk("Hi.")
    there.say("hello")
    there.until_idle()
    there.window.pane.deleted.emit(there.window.conversation.current)
    wait(lambda: not there.window.pane.model.rows)
    assert there.window.conversation.current == ""


def test_a_conversation_opened_midway_shows_what_has_come_so_far(desk: Open) -> None:
    there = desk(wire.silent(60.0, "Half an answer"))
    there.say("hello")
    wait(lambda: "Half an answer" in there.chat())
    session = there.window.conversation.current
    there.click("newChatButton")
    assert "Half" not in there.chat()
    there.window.open(session)
    wait(lambda: "Half an answer" in there.chat())
    assert there.chat().count("hello") == 1
    assert there.find("stopButton").isVisible()


def test_a_click_in_the_list_opens_the_conversation(desk: Open) -> None:
    there = desk("The zebra is striped.", "Fine.")
    there.say("animals")
    there.until_idle()
    there.click("newChatButton")
    there.say("weather")
    there.until_idle()
    wait(lambda: len(there.window.pane.model.rows) == 3)
    first = next(r.session for r in there.window.pane.model.rows if r.session and r.text == "animals")
    view = there.find("sessionList")
    box = view.visualRect(there.window.pane.model.find(first.id))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(box.center()))
    wait(lambda: "zebra" in there.chat())


def test_links_other_than_web_and_mail_start_nothing(desk: Open) -> None:
    there = desk()
    there.window.sending.open_link("file:///etc/passwd")
    assert "Only web and mail" in there.window.centre.notice.text()


def test_offers_of_an_empty_chat_are_written_not_sent(desk: Open) -> None:
    there = desk()
    there.window.centre.welcome.tried.emit("What's in this folder?")
    assert there.find("composer").toPlainText() == "What's in this folder?"
    assert not there.engine.store.sessions()


def test_offline_says_so_and_offers_a_model(desk: Open) -> None:
    there = desk()
    wait(lambda: there.find("connectButton").isVisible())
    there.click("connectButton")
    settings: QWidget = wait(lambda: there.window.findChild(QWidget, "settingsDialog"))
    assert settings.isVisible()


def test_arrow_keys_walk_through_the_list_and_enter_goes_to_the_composer(desk: Open) -> None:
    there = desk("The zebra is striped.", "Fine.")
    there.say("animals")
    there.until_idle()
    there.click("newChatButton")
    there.say("weather")
    there.until_idle()
    view = there.find("sessionList")
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Down)
    wait(lambda: "zebra" in there.chat())
    assert view.hasFocus()
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert there.find("composer").hasFocus()


def test_pasted_files_and_pictures_go_with_the_message(desk: Open) -> None:
    there = desk("Nice.")
    report = there.folder / "report.pdf"
    report.write_bytes(b"%PDF-1.4")
    files, picture = QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(report))])
    image = QImage(4, 4, QImage.Format.Format_RGB32)
    image.fill(0)
    picture.setImageData(image)
    editor = there.window.centre.composer.editor
    editor.insertFromMimeData(files)
    editor.insertFromMimeData(files)
    editor.insertFromMimeData(picture)
    wait(lambda: len(there.window.centre.composer.files()) == 2)
    there.say("look")
    there.until_idle()
    messages = there.engine.store.messages(there.window.conversation.current)
    message = next(each for each in messages if each.text == "look")
    assert [each.mime for each in message.attachments] == ["application/pdf", "image/png"]
    assert QImage(message.attachments[1].path).size() == image.size()
    assert not there.window.centre.composer.files()


def test_an_answer_elsewhere_leaves_an_unread_mark_until_it_is_looked_at(desk: Open) -> None:
    there = desk(wire.text("Here it is.", wait=0.3))
    there.say("hello")
    session = wait(lambda: there.window.conversation.current)
    there.click("newChatButton")
    there.until_idle()
    mark = lambda: there.window.pane.session(session)  # noqa: E731
    wait(lambda: mark() and mark().unread)
    there.window.open(session)
    wait(lambda: not mark().unread)


def test_the_title_of_the_window_is_the_conversation(desk: Open) -> None:
    there = desk("Hi.")
    assert there.window.windowTitle() == "New chat"
    there.say("good morning")
    there.until_idle()
    wait(lambda: there.window.windowTitle() == "good morning")
