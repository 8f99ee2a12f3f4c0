"""Secrets in the window: replaced on the page and in questions, shown there on a click, never lost on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from ankita_desktop.automation.notify import offers, short
from ankita_desktop.events import Event, TextDelta
from ankita_desktop.protocol import ApprovalRequest, Preview, ToolCall
from ankita_desktop.ui import approval
from tests import wire
from tests.ui.conftest import Desk, wait

Open = Callable[..., Desk]
TOKEN = "env-token-9876543210"
ENV = f"API_TOKEN={TOKEN}\nPORT=3000\nHOST=x\n"
EDIT = wire.calls(("edit_file", {"path": ".env", "old_string": "PORT=3000", "new_string": "PORT=4000"}))


@pytest.fixture
def home(tmp_path: Path, ankita_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(approval, "ARMED_AFTER", 0.0)
    work = tmp_path / "work"
    work.mkdir()
    (work / ".env").write_text(ENV)
    (ankita_home / "config").mkdir()
    (ankita_home / "config" / "settings.toml").write_text(f'[folders]\ntrusted = ["{work}"]\n')
    return work


def test_a_question_hides_secrets_until_the_person_asks_for_them(desk: Open, home: Path) -> None:
    there = desk(EDIT, "Done.")
    there.say("change the port")
    dialog = there.dialog()
    assert "«secret:API_TOKEN»" in there.find("diffView", dialog).toPlainText()
    assert TOKEN not in there.find("diffView", dialog).toPlainText()
    there.click("showSecretsButton", dialog)
    wait(lambda: TOKEN in there.find("diffView", dialog).toPlainText())
    there.click("approveButton", dialog)
    there.until_idle()
    assert (home / ".env").read_text() == ENV.replace("3000", "4000")
    assert TOKEN not in there.chat()
    assert there.server and TOKEN not in str(there.server.requests)


@pytest.mark.parametrize("revealed", [False, True])
def test_a_text_edited_around_a_secret_keeps_it(desk: Open, home: Path, revealed: bool) -> None:
    there = desk(EDIT, "Done.")
    there.say("change the port")
    dialog = there.dialog()
    if revealed:
        there.click("showSecretsButton", dialog)
    QTest.keyClick(there.find("diffView", dialog), Qt.Key.Key_E)
    editor = there.find("proposalEditor", dialog)
    assert (TOKEN in editor.toPlainText()) is revealed
    editor.setPlainText(editor.toPlainText().replace("4000", "5000"))
    there.click("editDoneButton", dialog)
    there.click("approveButton", dialog)
    there.until_idle()
    assert (home / ".env").read_text() == ENV.replace("3000", "5000")
    kept = b"".join(path.read_bytes() for path in home.parent.rglob("ankita.db*"))
    assert TOKEN.encode() not in kept


def test_what_was_chosen_stays_chosen_when_secrets_are_shown(desk: Open, home: Path) -> None:
    lines = "".join(f"line {number}\n" for number in range(40))
    (home / ".env").write_text(ENV + lines)
    edits = [
        {"old_string": "PORT=3000", "new_string": "PORT=4000"},
        {"old_string": "line 30\n", "new_string": "line thirty\n"},
    ]
    there = desk(wire.calls(("edit_file", {"path": ".env", "edits": edits})), "Done.")
    there.say("go")
    dialog = there.dialog()
    there.click("hunk-1", dialog)
    there.click("showSecretsButton", dialog)
    assert there.find("approveButton", dialog).text() == "Apply 1 of 2"
    there.click("approveButton", dialog)
    there.until_idle()
    assert (home / ".env").read_text() == ENV.replace("3000", "4000") + lines


def test_a_command_that_spells_out_a_secret_is_not_run(desk: Open, home: Path) -> None:
    """A model can't know it from us; wherever it got it from, it doesn't leave in a command line."""
    there = desk(wire.calls(("run_command", {"command": f"printf {TOKEN} > copy"})), "I can't.")
    there.say("go")
    there.until_idle()
    assert TOKEN not in there.chat() and "only stands for a secret" in there.chat()
    assert not (home / "copy").exists()


def test_what_streams_in_is_what_is_stored_in_the_end(desk: Open, home: Path) -> None:
    said: list[str] = []

    def hear(event: Event) -> None:
        if isinstance(event, TextDelta):
            said.append(event.text)

    there = desk(f"First {TOKEN}, then env-token-1 and the end env-tok")
    there.engine.subscribe(hear)
    there.say("say it")
    there.until_idle()
    stored = there.application.assembly.store.messages(there.window.conversation.current)[-1].text
    assert stored == "First «secret:API_TOKEN», then env-token-1 and the end env-tok"
    assert "".join(said) == stored
    wait(lambda: "«secret:API_TOKEN»" in there.chat())


def test_a_notification_shows_nothing_that_looks_like_a_secret() -> None:
    guess = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    assert guess not in short(f"Pushed with {guess}.")
    preview = Preview("command", "Run this command?", effect="run", text=f"curl -H 'token: {guess}' x")
    request = ApprovalRequest("q", "s", ToolCall("1", "t"), "ask", preview)
    assert offers(request) == (), "what isn't shown whole can't be allowed from there"


def test_a_question_without_secrets_has_no_such_line(desk: Open, home: Path) -> None:
    there = desk(wire.calls(("write_file", {"path": "a", "content": "x"})), "Done.")
    there.say("go")
    line: QWidget = there.find("secretsLine", there.dialog())
    assert line.isHidden()
    there.click("denyButton", there.dialog())
    there.until_idle()
