"""Files dropped on the window: attached wherever they fall, read without a question, shown to the model in a size
that it takes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from tests.tools.test_images import png
from tests.ui.conftest import Desk, wait
from tests.wire import calls

Open = Callable[..., Desk]
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def drop(widget: QWidget, *urls: QUrl) -> bool:
    """Whether the widget takes them; dropped when it does."""
    data = QMimeData()
    data.setUrls(list(urls))
    entering = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, LEFT, NONE)
    entering.ignore()
    QApplication.sendEvent(widget, entering)
    if entering.isAccepted():
        QApplication.sendEvent(widget, QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, LEFT, NONE))
    return entering.isAccepted()


def test_files_may_fall_anywhere_on_the_conversation(desk: Open) -> None:
    there = desk()
    (there.folder / "a.txt").write_text("x")
    assert drop(there.window.centre, QUrl.fromLocalFile(str(there.folder / "a.txt")))
    assert there.window.centre.composer.files() == [str(there.folder / "a.txt")]


def test_what_is_no_file_of_this_machine_is_not_taken(desk: Open) -> None:
    there = desk()
    assert not drop(there.window.centre, QUrl("https://example.com/a.png"))
    assert not there.window.centre.composer.files()


def test_a_dropped_file_is_read_without_a_question(desk: Open, tmp_path: Path) -> None:
    notes = tmp_path / "elsewhere" / "notes.txt"
    notes.parent.mkdir()
    notes.write_text("three apples\n")
    there = desk(calls(("read_file", {"path": str(notes)})), "Three apples.")
    drop(there.window.centre, QUrl.fromLocalFile(str(notes)))
    there.say("what is in it")
    there.until_idle()
    messages = there.engine.store.messages(there.window.conversation.current)
    assert [m.ok for m in messages if m.role == "tool"] == [True]
    assert not there.window.findChildren(QWidget, "approvalDialog")


def test_a_large_dropped_picture_is_sent_small_and_the_conversation_goes_on(desk: Open, tmp_path: Path) -> None:
    large, bad = tmp_path / "large.png", tmp_path / "bad.png"
    large.write_bytes(png(9000, 3000))
    bad.write_bytes(b"no picture")
    there = desk("I see.", "Yes.")
    drop(there.window.centre, *(QUrl.fromLocalFile(str(path)) for path in (large, bad)))
    there.say("look")
    there.until_idle()
    there.say("still there?")
    there.until_idle()
    assert there.server
    wait(lambda: len(there.server.requests) == 2)
    for request in there.server.requests:
        assert str(request).count("data:image/png;base64,") == 1 and "bad.png" in str(request)
        assert len(str(request["messages"])) < 100_000
