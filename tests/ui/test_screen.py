"""On a real screen, with a real window manager, tray and notification service."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.ui.screen import missing, x_server

NEEDED = ("Xvfb", "openbox", "tint2", "dunst", "dunstctl", "dbus-run-session")
pytestmark = [
    pytest.mark.screen,
    pytest.mark.skipif(bool(missing(*NEEDED)), reason=f"needs {', '.join(missing(*NEEDED))}"),
]


def play(scene: str, folder: Path) -> dict[str, Any]:
    """What the scene saw, played in a session of its own."""
    with x_server("1400x900x24") as display:
        environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
        command = ["dbus-run-session", "--", sys.executable, "-m", "tests.ui.on_screen", scene, str(folder)]
        root = Path(__file__).resolve().parents[2]
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, timeout=90, check=False
        )
    assert done.returncode == 0, done.stderr
    saw: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return saw


def test_the_window_hides_only_in_a_tray_that_is_there_and_comes_back_when_it_goes(tmp_path: Path) -> None:
    """aw-qt#97: a tray that starts after us. teams-for-linux#615: hidden to a tray that doesn't exist."""
    assert play("tray", tmp_path) == {
        "at first": False,
        "later": True,
        "hidden": True,
        "still runs": True,
        "back without a tray": True,
        "ended": True,
    }


def test_the_desktop_tells_of_an_answer_only_when_the_window_is_out_of_sight(tmp_path: Path) -> None:
    assert play("notice", tmp_path) == {
        "in front": True,
        "told while in front": False,
        "told while hidden": True,
        "a click shows it": True,
    }
