"""The key to talk in other programs: what the X server and a desktop's portal tell of it, and what is said where
neither does."""

from __future__ import annotations

import gc
import importlib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ankita_desktop.errors import VoiceError
from ankita_desktop.toolkit.keys import read_keys
from ankita_desktop.voice.hotkey import Hand, Hotkey
from tests.ui.screen import missing, program, x_server
from tests.voice.portal import Portal, session_bus
from tests.voice.rig import need_modules, wait_until

KEYS = "Ctrl+Shift+M"
needs_bus = pytest.mark.skipif(bool(missing("dbus-daemon")), reason="needs dbus-daemon")


class Finger:
    """What a hotkey tells."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.presses: list[bool] = []
        self.problems: list[VoiceError] = []
        self.hand = Hand(self.taken.append, self.presses.append, self.problems.append)

    @contextmanager
    def on(self, keys: str = KEYS) -> Iterator[Hotkey]:
        key = Hotkey(read_keys(keys), self.hand)
        try:
            wait_until(lambda: self.taken or self.problems, 10, "the key is taken, or not")
            yield key
        finally:
            key.close()

    def until(self, *presses: bool) -> None:
        wait_until(lambda: self.presses == list(presses), 10, f"{presses}, not {self.presses}")


@pytest.fixture
def finger() -> Finger:
    return Finger()


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    need_modules("Xlib")
    if gone := missing("Xvfb", "openbox", "xdotool"):
        pytest.skip(f"not installed: {', '.join(gone)}")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with x_server("800x600x24") as display:
        monkeypatch.setenv("DISPLAY", display)
        with program("openbox"):
            yield


def xdotool(*words: str) -> None:
    subprocess.run(["xdotool", *words], check=True, timeout=20)


@pytest.mark.screen
@pytest.mark.usefixtures("screen")
def test_a_key_that_is_held_is_one_press_and_one_release_however_often_it_repeats(finger: Finger) -> None:
    with finger.on():
        xdotool("keydown", "ctrl", "keydown", "shift", "keydown", "m", "sleep", "1.2")
        assert finger.presses == [True]
        xdotool("keyup", "m", "keyup", "shift", "keyup", "ctrl")
        finger.until(True, False)
        assert finger.taken == [KEYS]


@pytest.mark.screen
@pytest.mark.usefixtures("screen")
def test_letting_go_of_a_modifier_first_ends_the_talk_and_begins_none(finger: Finger) -> None:
    with finger.on():
        xdotool("keydown", "ctrl", "keydown", "shift", "keydown", "m", "keyup", "shift", "sleep", "0.8")
        finger.until(True, False)
        xdotool("keyup", "m", "keyup", "ctrl", "key", "ctrl+shift+m")
        finger.until(True, False, True, False)


@pytest.mark.screen
@pytest.mark.usefixtures("screen")
@pytest.mark.parametrize("lock", ["Num_Lock", "Caps_Lock"])
def test_the_key_works_whatever_lock_is_on(finger: Finger, lock: str) -> None:
    with finger.on():
        xdotool("key", lock)
        xdotool("key", "ctrl+shift+m")
        finger.until(True, False)
        xdotool("key", lock)


@pytest.mark.screen
@pytest.mark.usefixtures("screen")
def test_fewer_and_more_modifiers_are_another_key(finger: Finger) -> None:
    with finger.on():
        for keys in ("ctrl+m", "shift+m", "m", "ctrl+shift+alt+m", "ctrl+shift+n"):
            xdotool("key", keys)
        xdotool("key", "ctrl+shift+m")
        finger.until(True, False)


@pytest.mark.screen
@pytest.mark.usefixtures("screen")
def test_a_key_that_another_program_has_is_said_and_free_again_after_it_gives_it_back(finger: Finger) -> None:
    other = Finger()
    with other.on(), finger.on():
        assert finger.taken == []
        assert f"has {KEYS}" in str(finger.problems[0]) and "--talk" in str(finger.problems[0])
    again = Finger()
    wait_until(lambda: _taken(again), 10, "it is free")


def _taken(again: Finger) -> bool:
    again.taken.clear()
    with again.on():
        return bool(again.taken)


@needs_bus
@pytest.mark.parametrize("chosen", ["", "Super+Space"])
def test_the_portal_asks_the_person_and_tells_when_the_key_is_held(
    finger: Finger, monkeypatch: pytest.MonkeyPatch, chosen: str
) -> None:
    with desktop(monkeypatch, trigger=chosen) as portal, finger.on():
        assert finger.taken == [chosen or "Press <Control><Shift>m"]
        name, about = portal.asked[0]
        assert name == "talk" and about["preferred_trigger"] == ("s", "CTRL+SHIFT+m")
        assert portal.apps == ["ankita-desktop"]
        portal.press_of_another()
        portal.press()
        finger.until(True)
        portal.release()
        finger.until(True, False)


@needs_bus
def test_who_says_no_to_the_desktop_is_told_how_to_be_asked_again(
    finger: Finger, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desktop(monkeypatch, says="no"), finger.on():
        assert "asked once more" in str(finger.problems[0])


@needs_bus
def test_while_the_desktop_asks_the_key_can_be_given_up(finger: Finger, monkeypatch: pytest.MonkeyPatch) -> None:
    with desktop(monkeypatch, says="nothing") as portal:
        key = Hotkey(read_keys(KEYS), finger.hand)
        wait_until(lambda: portal.asked, 10, "it asks")
        key.close()
        wait_until(lambda: key._way is None, 10, "it ends")
        assert not finger.problems and not finger.taken


@needs_bus
@pytest.mark.parametrize("how", ["session", "portal"])
def test_a_key_that_the_desktop_takes_away_is_said(
    finger: Finger, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    with desktop(monkeypatch) as portal, finger.on():
        portal.end_session() if how == "session" else portal.close()
        wait_until(lambda: finger.problems, 10, "it is said")
        assert "took the key to talk away" in str(finger.problems[0])


@needs_bus
def test_a_portal_without_shortcuts_leaves_the_command_to_bind(
    finger: Finger, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desktop(monkeypatch, shortcuts=False), finger.on():
        assert "ankita --talk" in str(finger.problems[0])


@needs_bus
def test_a_bus_without_any_portal_leaves_the_command_to_bind(
    finger: Finger, monkeypatch: pytest.MonkeyPatch
) -> None:
    with session_bus() as bus:
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus)
        with finger.on():
            assert "ankita --talk" in str(finger.problems[0])


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # python-xlib forgets its sockets
@pytest.mark.parametrize("there", [{}, {"WAYLAND_DISPLAY": "wayland-0"}, {"DISPLAY": "unix/:4711"}], ids=str)
def test_where_nothing_gives_a_key_the_command_to_bind_is_named(
    finger: Finger, monkeypatch: pytest.MonkeyPatch, there: dict[str, str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in there.items():
        monkeypatch.setenv(name, value)
    with finger.on():
        assert "ankita --talk" in str(finger.problems.pop())
    gc.collect()


def test_without_python_xlib_the_fix_is_named(finger: Finger, monkeypatch: pytest.MonkeyPatch) -> None:
    importlib.import_module("ankita_desktop.voice.hotkey_x11")
    monkeypatch.setitem(__import__("sys").modules, "Xlib", None)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", "unix/:4711")
    with finger.on():
        assert "pip install python-xlib" in str(finger.problems[0])


@contextmanager
def desktop(
    monkeypatch: pytest.MonkeyPatch, *, says: str = "yes", trigger: str = "", shortcuts: bool = True
) -> Iterator[Portal]:
    """A Wayland desktop with a portal."""
    with session_bus() as bus:
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus)
        portal = Portal(bus, says=says, trigger=trigger, shortcuts=shortcuts)
        try:
            yield portal
        finally:
            if portal._work.is_alive():
                portal.close()
