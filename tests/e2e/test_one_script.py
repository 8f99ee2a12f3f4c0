"""One script through the core, the terminal and the window: the same requests, the same record, the same file.

The other end is a scripted HTTP server. The turn finds a tool that was not loaded, calls it, edits a file after a
yes, and answers in text.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ankita_desktop.assembly import Assembly, Options, assemble
from ankita_desktop.events import ApprovalAsked, Event, TextDelta, TextReset, TurnEnded
from ankita_desktop.protocol import Decision, Message
from ankita_desktop.store.database import Store
from tests.terminal.shell import at, terminal
from tests.ui.conftest import Desk, wait
from tests.wire import Step, WireServer, calls

Open = Callable[..., Desk]
BEFORE, AFTER = b"TODO one\r\nTODO two", b"DONE one\r\nTODO two"


@pytest.fixture
def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def script(port: int) -> list[Step | str]:
    return [
        calls(("find_tools", {"query": "what is listening on this port"})),
        calls(("port_status", {"port": port})),
        calls(("edit_file", {"path": "notes.txt", "old_string": "TODO one", "new_string": "DONE one"})),
        "The port is free and the note is done.",
    ]


def record(messages: list[Message]) -> list[tuple[Any, ...]]:
    """What a conversation says, without what differs by place and time."""
    return [(m.role, m.text, tuple((c.name, str(c.arguments)) for c in m.calls), m.name, m.ok) for m in messages]


def wire_record(requests: list[dict[str, Any]], folder: Path) -> str:
    """The requests as text, without the folder and the ids."""
    return re.sub(r"call_\w+|" + re.escape(str(folder)), "~", str(requests))


def stored() -> list[Message]:
    store = Store()
    try:
        return list(store.messages(store.sessions()[0].id))
    finally:
        store.close()


class Ear:
    """Hears an engine, answers yes, and tells what kind of events came."""

    def __init__(self, app: Assembly, *, answers: bool = True) -> None:
        self._app, self._answers = app, answers
        self.events: list[Event] = []
        app.engine.subscribe(self.hear)

    def hear(self, event: Event) -> None:
        self.events.append(event)
        if self._answers and isinstance(event, ApprovalAsked):
            self._app.engine.answer(event.request.id, Decision(True))

    def kinds(self) -> list[str]:
        """The kinds in order, up to the end of the turn (a window then marks it read); deltas fall as the network
        cuts them, so they don't count."""
        names = [type(e).__name__ for e in self.events if not isinstance(e, TextDelta | TextReset)]
        return names[: names.index("TurnEnded") + 1]


def through_core(folder: Path, port: int) -> tuple[list[str], str]:
    with WireServer(script(port)) as server:
        app = assemble(Options(cwd=str(folder), base_url=server.base_url, api_key="sk-test", model="scripted"))
        ear = Ear(app)
        try:
            app.engine.submit(app.new_session().id, "free the port and do the note")
            wait(lambda: any(isinstance(e, TurnEnded) for e in ear.events))
        finally:
            app.close()
        return ear.kinds(), wire_record(server.requests, folder)


def through_terminal(folder: Path, port: int) -> str:
    with WireServer(script(port)) as server:
        words = ["-p", "free the port and do the note", "--cwd", str(folder), *at(server)]
        with terminal(*words) as shown:
            shown.expect("DONE one")
            shown.expect("Allow?")
            shown.send("y\n")
            shown.expect("The port is free and the note is done.")
            assert shown.end() == 0
        return wire_record(server.requests, folder)


def through_window(desk: Open, port: int) -> tuple[list[str], str]:
    there = desk(*script(port))
    (there.folder / "notes.txt").write_bytes(BEFORE)
    ear = Ear(there.application.assembly, answers=False)
    there.say("free the port and do the note")
    dialog = there.dialog()
    assert "DONE one" in there.find("diffView", dialog).toPlainText()
    QTest.qWait(800)  # no key counts in the first 700 ms
    QTest.keyClick(there.find("diffView", dialog), Qt.Key.Key_Y)
    there.until_idle()
    wait(lambda: "The port is free and the note is done." in there.chat())
    assert (there.folder / "notes.txt").read_bytes() == AFTER
    assert there.server
    return ear.kinds(), wire_record(there.server.requests, there.folder)


def test_every_front_end_sends_the_same_requests_and_keeps_the_same_record(
    tmp_path: Path, desk: Open, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = {}
    for front in ("core", "terminal", "window"):
        monkeypatch.setenv("ANKITA_HOME", str(tmp_path / f"home-{front}"))
        folder = tmp_path / front
        folder.mkdir()
        (folder / "notes.txt").write_bytes(BEFORE)
        kinds: list[str] | None = None
        if front == "core":
            kinds, requests = through_core(folder, free_port)
        elif front == "terminal":
            requests = through_terminal(folder, free_port)
        else:
            kinds, requests = through_window(desk, free_port)
        if front != "window":
            assert (folder / "notes.txt").read_bytes() == AFTER
        seen[front] = (kinds, requests, record(stored()))
    assert seen["core"][0] == seen["window"][0]
    assert seen["core"][1] == seen["terminal"][1] == seen["window"][1]
    assert seen["core"][2] == seen["terminal"][2] == seen["window"][2]
    assert "port_status" in seen["core"][1]
