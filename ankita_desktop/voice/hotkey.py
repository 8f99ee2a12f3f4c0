"""The key to talk while another program is in front: by the desktop's portal on Wayland, else by the X server."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ankita_desktop.errors import VoiceError
from ankita_desktop.toolkit.keys import Keys


class Way(Protocol):
    """How a desktop tells of a key. All but ``stop`` is called on one thread."""

    def take(self, keys: Keys) -> str:
        """Ask for the keys; may wait for the person. Returns them as the desktop calls them; raises
        ``VoiceError`` that says why not."""
        ...

    def presses(self) -> Iterator[bool]:
        """True when the key goes down, False when it is let go, until ``stop``. Raises ``VoiceError`` when the
        desktop takes it away."""
        ...

    def stop(self) -> None:
        """End what waits, from any thread."""
        ...

    def close(self) -> None:
        """Give the key back, as the last thing."""
        ...


@dataclass(frozen=True, slots=True)
class Hand:
    """What a front end wants to hear of; each is called on the key's own thread and must return at once."""

    on_taken: Callable[[str], None]
    on_press: Callable[[bool], None]
    on_problem: Callable[[VoiceError], None]


class Hotkey:
    """One combination, watched from now on until ``close``."""

    def __init__(self, keys: Keys, hand: Hand, way: Callable[[], Way] | None = None) -> None:
        self._keys, self._hand, self._choose = keys, hand, way or choose
        self._lock = threading.Lock()
        self._way: Way | None = None
        self._closed = False
        threading.Thread(target=self._work, name="hotkey", daemon=True).start()

    def close(self) -> None:
        """Give the key back. Any thread; more than once."""
        with self._lock:
            self._closed = True
            if self._way is not None:
                self._way.stop()

    def _work(self) -> None:
        try:
            way = self._choose()
        except VoiceError as problem:
            self._tell(self._hand.on_problem, problem)
            return
        with self._lock:
            self._way = None if self._closed else way
        try:
            self._watch(way)
        except VoiceError as problem:
            self._tell(self._hand.on_problem, problem)
        finally:
            with self._lock:
                self._way = None
            way.close()

    def _watch(self, way: Way) -> None:
        if self._closed:
            return
        self._tell(self._hand.on_taken, way.take(self._keys))
        for is_down in way.presses():
            self._tell(self._hand.on_press, is_down)

    def _tell(self, whom: Callable[..., None], what: object) -> None:
        if not self._closed:
            whom(what)


def choose() -> Way:
    """The way of this desktop. Raises ``VoiceError`` where there is none."""
    if sys.platform.startswith("linux") and os.environ.get("WAYLAND_DISPLAY"):
        from ankita_desktop.voice.hotkey_portal import Portal

        return Portal()
    if sys.platform.startswith("linux") and os.environ.get("DISPLAY"):
        from ankita_desktop.voice.hotkey_x11 import XServer

        return XServer()
    raise none()


def none(reason: str = "") -> VoiceError:
    """There is no key of ours here, and what to do instead."""
    first = reason or "This desktop gives programs no key that works everywhere."
    return VoiceError(
        f"{first} In its own keyboard settings, bind a key to the command {command()}: it begins to talk, and "
        "ends it when pressed again.",
        "key",
    )


def command() -> str:
    """The command line that a desktop's own settings can bind to a key."""
    beside = Path(sys.executable).with_name("ankita")
    program = "ankita" if shutil.which("ankita") or not beside.is_file() else str(beside)
    return f"{program} --talk"
