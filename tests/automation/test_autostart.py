"""Starting at login on each system: one entry, made and taken back."""

from __future__ import annotations

import plistlib
import sys
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ankita_desktop.automation import autostart
from ankita_desktop.errors import ConfigError

WORDS = [sys.executable, "-m", "ankita_desktop", "daemon"]


class Registry(ModuleType):
    """The part of ``winreg`` that is used, over a dictionary: key and name to type and value."""

    HKEY_CURRENT_USER, KEY_SET_VALUE, REG_SZ = "HKCU", 2, 1

    def __init__(self) -> None:
        super().__init__("winreg")
        self.values: dict[tuple[str, str], tuple[int, str]] = {}
        self.closed = False

    @contextmanager
    def CreateKeyEx(self, root: str, path: str, reserved: int, access: int) -> Any:
        assert (reserved, access) == (0, self.KEY_SET_VALUE)
        if self.closed:
            raise PermissionError(13, "Access is denied")
        yield f"{root}\\{path}"

    def SetValueEx(self, key: str, name: str, reserved: int, kind: int, value: str) -> None:
        assert reserved == 0
        self.values[key, name] = (kind, value)

    def DeleteValue(self, key: str, name: str) -> None:
        if (key, name) not in self.values:
            raise FileNotFoundError(2, "not found")
        del self.values[key, name]


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    made = Registry()
    monkeypatch.setitem(sys.modules, "winreg", made)
    return made


def test_on_windows_it_is_a_value_of_the_persons_own_run_key(registry: Registry) -> None:
    assert "Run" in autostart.turn_on(platform="win32")
    ((key, name), (kind, value)) = next(iter(registry.values.items()))
    assert key == r"HKCU\Software\Microsoft\Windows\CurrentVersion\Run"
    assert (name, kind) == ("Ankita", Registry.REG_SZ)
    assert value.endswith("-m ankita_desktop daemon")
    assert autostart.turn_off(platform="win32") == "Ankita starts at login no longer."
    assert not registry.values
    assert autostart.turn_off(platform="win32") == "Ankita does not start at login."


def test_on_windows_no_console_is_opened_and_folders_with_blanks_are_quoted(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "Program Files"
    folder.mkdir()
    (folder / "pythonw.exe").touch()
    monkeypatch.setattr(sys, "executable", str(folder / "python.exe"))
    autostart.turn_on(platform="win32")
    ((_, value),) = registry.values.values()
    assert value == f'"{folder / "pythonw.exe"}" -m ankita_desktop daemon'


def test_a_registry_that_can_not_be_written_is_said(registry: Registry) -> None:
    registry.closed = True
    with pytest.raises(ConfigError, match="Access is denied"):
        autostart.turn_on(platform="win32")


def test_on_macos_it_is_an_agent_that_launchd_starts_at_login(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    autostart.turn_on(platform="darwin")
    (file,) = (tmp_path / "Library" / "LaunchAgents").iterdir()
    job = plistlib.loads(file.read_bytes())
    assert (file.stem, job["ProgramArguments"], job["RunAtLoad"]) == (job["Label"], WORDS, True)
    assert "KeepAlive" not in job, "what was ended stays ended"
    assert str(file) in autostart.turn_off(platform="darwin")
    assert not file.exists()


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_a_folder_that_can_not_be_written_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be")
    monkeypatch.setenv("HOME", str(blocked))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(blocked))
    with pytest.raises(ConfigError, match="can't be written"):
        autostart.turn_on(platform=platform)
    assert autostart.turn_off(platform=platform) == "Ankita does not start at login."
