"""On Wayland the screen is pictured by the portal, on a real bus."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ankita_desktop.errors import ToolError
from ankita_desktop.terminal.desktop import ProgramDesktop
from tests.terminal.shell import CHECKOUT

PNG = b"\x89PNG\r\n\x1a\nthe screen"


@pytest.fixture
def portal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], Path]]:
    """``portal(code)`` starts one that answers with this code; the file is the picture it took."""
    if shutil.which("dbus-daemon") is None:
        pytest.skip("dbus-daemon is not installed")
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True
    )
    assert bus.stdout
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.stdout.readline().strip())
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    monkeypatch.setenv("PATH", str(tmp_path))
    running = [bus]

    def start(code: int) -> Path:
        picture = tmp_path / "Screenshot 1.png"
        picture.write_bytes(PNG)
        argv = [sys.executable, "-m", "tests.terminal.portal", str(picture), str(code)]
        env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, env=env, cwd=CHECKOUT)
        running.append(process)
        assert process.stdout and process.stdout.readline().strip() == "ready"
        return picture

    yield start
    for process in reversed(running):
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()


def test_the_portal_takes_the_picture_and_leaves_no_copy(portal: Callable[[int], Path]) -> None:
    picture = portal(0)
    assert ProgramDesktop().screenshot() == PNG
    assert not picture.exists()


def test_a_no_at_the_portal_is_a_no(portal: Callable[[int], Path]) -> None:
    portal(1)
    with pytest.raises(ToolError, match="did not allow"):
        ProgramDesktop().screenshot()


def test_without_a_portal_the_text_says_what_to_install(portal: Callable[[int], Path]) -> None:
    with pytest.raises(ToolError, match="install grim"):
        ProgramDesktop().screenshot()
