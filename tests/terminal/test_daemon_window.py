"""How the daemon opens the window."""

from __future__ import annotations

import sys

import pytest

from ankita_desktop.terminal.daemon import window_command


def test_the_window_is_opened_on_the_conversation_that_was_told_of() -> None:
    assert window_command("c0ffee", {}) == [sys.executable, "-m", "ankita_desktop", "--session", "c0ffee"]
    assert window_command("", {}) == [sys.executable, "-m", "ankita_desktop"]


def test_a_window_that_a_service_opened_does_not_end_with_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda program: f"/usr/bin/{program}")
    words = window_command("c0ffee", {"INVOCATION_ID": "1"})
    assert words[:3] == ["systemd-run", "--user", "--scope"]
    assert words[-2:] == ["--session", "c0ffee"]
    monkeypatch.setattr("shutil.which", lambda program: None)
    assert window_command("", {"INVOCATION_ID": "1"})[0] == sys.executable
