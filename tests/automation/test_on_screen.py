"""A reminder on a real desktop: shown by its notification service, answered there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.ui.screen import missing, x_server

NEEDED = ("Xvfb", "dunst", "dunstctl", "dbus-run-session")
ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.screen,
    pytest.mark.skipif(bool(missing(*NEEDED)), reason=f"needs {', '.join(missing(*NEEDED))}"),
]


def played(folder: Path, choice: str) -> dict[str, Any]:
    """What was seen when the person chose that, in a session of its own."""
    with x_server("1400x900x24") as display:
        done = subprocess.run(
            ["dbus-run-session", "--", sys.executable, "-m", "tests.automation.on_bus", str(folder), choice],
            cwd=ROOT,
            env={**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"},
            capture_output=True,
            text=True,
            timeout=140,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    saw: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return saw


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        ("In 10 minutes", {"open": 1, "again in minutes": 10}),
        ("In an hour", {"open": 1, "again in minutes": 60}),
        ("Done", {"open": 0, "again in minutes": None}),
        ("elsewhere", {"open": 0, "again in minutes": None}),
    ],
)
def test_a_reminder_rings_on_the_desktop_and_is_answered_there(
    tmp_path: Path, choice: str, left: dict[str, object]
) -> None:
    assert played(tmp_path, choice) == {"shown": True, "rings": True, "gone": True, **left}


def test_opening_what_a_daemon_tells_shows_its_conversation_in_the_window(tmp_path: Path) -> None:
    assert played(tmp_path, "Open") == {"shown": True, "open before": "", "open after": True}
