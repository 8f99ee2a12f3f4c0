"""On a real screen, with a real window manager and notification service."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.screen import missing, play

NEEDED = ("Xvfb", "openbox", "dunst", "dunstctl", "dbus-run-session")
pytestmark = [
    pytest.mark.screen,
    pytest.mark.skipif(bool(missing(*NEEDED)), reason=f"needs {', '.join(missing(*NEEDED))}"),
]


def test_the_desktop_tells_of_an_answer_only_when_the_window_is_out_of_sight(tmp_path: Path) -> None:
    assert play("tests.ui.on_screen", "notice", str(tmp_path)) == {
        "in front": True,
        "told while in front": False,
        "told while hidden": True,
        "a click shows it": True,
    }
