"""`ankita doctor` says what the desktop around it has, and the fix for what it lacks."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.terminal.shell import COMMAND, ankita, environ


def test_without_a_desktop_each_part_is_missing_with_its_fix() -> None:
    rows = {row["name"]: row for row in ankita("doctor", "--json").json}
    for name in ("notify", "tray", "portal"):
        assert not rows[name]["ok"] and rows[name]["fix"].endswith(".") and not rows[name]["needed"]
    assert "microphone" in rows


def test_a_running_notification_service_is_found() -> None:
    if not all(shutil.which(program) for program in ("dbus-run-session", "dunst", "Xvfb")):
        pytest.skip("needs dbus-run-session, dunst and Xvfb")
    # dunst announces itself as a service that the bus can start.
    words = ["dbus-run-session", "--", *COMMAND, "doctor", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, env=environ())
    assert '"name": "notify"' in done.stdout
    row = done.stdout.split('"name": "notify"')[1][:60]
    assert '"ok": true' in row
