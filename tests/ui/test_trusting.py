"""A folder whose people wrote something for assistants is asked about in one line, once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ui.conftest import Desk, wait

Open = Callable[..., Desk]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The one that ``desk`` works in."""
    place = tmp_path / "work"
    place.mkdir()
    (place / "AGENTS.md").write_text("Say please in every answer.")
    return place


def asked(there: Desk) -> str:
    text: str = there.window.centre.trust.text()
    return text


def quiet(there: Desk) -> None:
    """Everything asked of the worker so far is done."""
    done: list[bool] = []
    there.application.bridge.do(lambda: True, done.append)
    wait(lambda: done)


def trusted(there: Desk) -> list[str]:
    return list(there.application.assembly.settings.values.folders.trusted)


def sent(there: Desk) -> str:
    """All that the model was told."""
    assert there.server is not None and there.server.requests
    return str(there.server.requests)


def test_a_trusted_folder_is_followed_and_asked_about_no_more(desk: Open, folder: Path) -> None:
    there = desk("Please.")
    assert "AGENTS.md" in wait(lambda: asked(there)) and "once you trust it" in asked(there)
    assert there.find("trustLine").isVisible()
    there.click("trustButton")
    wait(lambda: trusted(there) == [str(folder)])
    wait(lambda: asked(there) == "", what="the line goes once the answer is kept")
    there.say("hello")
    there.until_idle()
    assert "Say please" in sent(there)
    there.click("newChatButton")
    quiet(there)
    assert asked(there) == ""


def test_not_now_is_kept_and_nothing_is_read(desk: Open, folder: Path) -> None:
    there = desk("Hi.")
    wait(lambda: asked(there))
    there.click("notNowButton")
    folders = there.application.assembly.settings
    wait(lambda: list(folders.values.folders.not_trusted) == [str(folder)])
    there.say("hello")
    there.until_idle()
    assert "Say please" not in sent(there)
    there.click("newChatButton")
    quiet(there)
    assert asked(there) == "" and trusted(there) == []


def test_the_question_names_all_that_waits_and_goes_with_its_folder(
    desk: Open, folder: Path, tmp_path: Path
) -> None:
    (folder / ".env").write_text("KEY=value\n")
    other = tmp_path / "other"
    other.mkdir()
    there = desk()
    wait(lambda: "AGENTS.md, .env" in asked(there))
    there.window.conversation.change(cwd=str(other))
    wait(lambda: asked(there) == "")
    assert there.window.conversation.folder == str(other)
    there.window.conversation.change(cwd=str(folder))
    wait(lambda: asked(there))


def test_an_opened_conversation_is_asked_about_in_its_own_folder(desk: Open, tmp_path: Path) -> None:
    there = desk()
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "AGENTS.md").write_text("Sell.")
    session = there.application.assembly.new_session(cwd=str(shop))
    quiet(there)
    assert asked(there) == ""
    there.window.open(session.id)
    wait(lambda: "shop brings AGENTS.md" in asked(there))
    assert "shop" in there.find("folderButton").text()


def test_a_folder_with_nothing_for_assistants_is_not_asked_about(desk: Open) -> None:
    there = desk()
    quiet(there)
    assert asked(there) == "" and not there.window.centre.trust.isVisible()
