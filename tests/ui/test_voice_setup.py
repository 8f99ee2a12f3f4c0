"""Getting a recogniser from the window: one click, progress, stop, a broken line, a file that is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton

from ankita_desktop.voice import setup
from tests.ui.conftest import Desk, wait
from tests.voice import rig
from tests.voice.test_setup import MODEL, Server

Open = Callable[..., Desk]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Publishes the model that the button fetches."""
    made = Server()
    monkeypatch.setattr(setup, "ENGLISH", made.download())
    yield made
    made.close()


@pytest.fixture
def there(desk: Open, server: Server) -> Desk:
    """A window that has no recogniser, after somebody tried to talk."""
    rig.need_modules("vosk")
    made = desk()
    made.application.assembly.settings.set("voice.recogniser", "vosk")
    made.window.voicing.dictation.press()
    wait(lambda: "vosk has no model" in notice(made))
    return made


def notice(there: Desk) -> str:
    text: str = there.find("noticeBar").text()
    return text


def click_set_up(there: Desk) -> None:
    buttons = there.find("noticeBar").findChildren(QAbstractButton)
    next(each for each in buttons if each.text().startswith("Set up (")).click()


def models(there: Desk) -> Path:
    return there.application.assembly.voice.models


def test_one_click_fetches_the_model_shows_how_far_it_is_and_says_when_it_is_ready(
    there: Desk, server: Server
) -> None:
    seen: list[tuple[int, int]] = []
    there.window.voicing.setup.progress.connect(lambda *at: seen.append(at))
    click_set_up(there)
    assert there.window.centre.voice.text().startswith("Setting up")
    wait(lambda: "ready" in notice(there), 20)
    assert seen[-1] == (len(MODEL), len(MODEL))
    assert not there.window.centre.voice.text()
    assert "vosk" in there.application.assembly.voice.choice().why


def test_what_broke_off_is_offered_again_and_goes_on_where_it_was(there: Desk, server: Server) -> None:
    server.cut = 200_000
    click_set_up(there)
    wait(lambda: "broke off" in notice(there), 20)
    server.cut = 0
    click_set_up(there)
    wait(lambda: "ready" in notice(there), 20)
    assert server.ranges[-1].startswith("bytes=")


def test_a_file_that_is_not_the_model_is_not_used_and_can_be_fetched_again(there: Desk, server: Server) -> None:
    server.content = MODEL[:-10] + b"0123456789"
    click_set_up(there)
    wait(lambda: "not the model" in notice(there), 20)
    assert list(models(there).iterdir()) == []
    server.content = MODEL
    click_set_up(there)
    wait(lambda: "ready" in notice(there), 20)


def test_escape_stops_the_fetching_and_keeps_what_came(there: Desk, server: Server) -> None:
    server.hold = 200_000
    click_set_up(there)
    wait(lambda: any(part.stat().st_size for part in models(there).glob("*.part")), 10)
    assert there.window.voicing.leave()
    server.resume()
    wait(lambda: "goes on from there" in notice(there), 20)
    server.hold = 0
    click_set_up(there)
    wait(lambda: "ready" in notice(there), 20)
    assert server.ranges[-1].startswith("bytes=")


def test_closing_the_window_while_it_fetches_leaves_nothing_half_used(there: Desk, server: Server) -> None:
    server.hold = 200_000
    click_set_up(there)
    wait(lambda: any(models(there).glob("*.part")), 10)
    there.application.close()
    server.resume()
    assert not any(path.is_dir() for path in models(there).iterdir())
