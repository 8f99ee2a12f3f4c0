"""Notifications of the desktop: by its service, else by the tray.

Qt's binding can't send the unsigned number that the service wants, so a small D-Bus library speaks to it,
on one thread of its own: nothing here waits on the main thread.
"""

from __future__ import annotations

import logging
import queue
import re
import sys
import threading
from collections.abc import Callable
from html import escape
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

log = logging.getLogger(__name__)

LONGEST = 240
TIMEOUT = 2.0
Fallback = Callable[[str, str], bool]
Job = tuple[str, str, str]


def short(text: str) -> str:
    """The first words of a text on one line, without markdown's signs."""
    words = " ".join(re.sub(r"[*_`#>]+", "", text).split())
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"


class Notifier(QObject):
    """``clicked`` carries the session of the notification the person clicked."""

    clicked = Signal(str)
    _unsaid = Signal(str, str)

    def __init__(self, fallback: Fallback) -> None:
        super().__init__()
        self._paused = False
        self._fallback = fallback
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._unsaid.connect(self._by_tray, Qt.ConnectionType.QueuedConnection)

    def pause(self, paused: bool) -> None:
        """Send none until told otherwise."""
        self._paused = paused

    def say(self, title: str, text: str, session: str = "") -> None:
        """Tell the person something while they look elsewhere. Returns at once."""
        if self._paused:
            return
        if not sys.platform.startswith("linux"):
            self._fallback(title, short(text))
            return
        self._jobs.put((title, short(text), session))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="notifications", daemon=True)
            self._thread.start()

    def _by_tray(self, title: str, text: str) -> None:
        self._fallback(title, text)

    def _run(self) -> None:
        desk: _Service | None = None
        while True:
            title, text, session = self._jobs.get()
            try:
                desk = desk or _Service(self.clicked.emit)
                desk.say(title, text, session)
            except (OSError, KeyError, ValueError, RuntimeError, TimeoutError) as error:
                log.info("no notification service: %s", error)
                desk = None
                self._unsaid.emit(title, text)


class _Service:
    """org.freedesktop.Notifications on the session bus. Used on the notifier's thread."""

    def __init__(self, clicked: Callable[[str], None]) -> None:
        from jeepney import DBusAddress, MatchRule, message_bus
        from jeepney.io.threading import DBusRouter, Proxy, open_dbus_connection

        name, path = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
        self._router = DBusRouter(open_dbus_connection())
        self._address = DBusAddress(path, bus_name=name, interface=name)
        self._sessions: dict[int, str] = {}
        self._clicked = clicked
        rule = MatchRule(type="signal", interface=name, member="ActionInvoked", path=path)
        Proxy(message_bus, self._router, timeout=TIMEOUT).AddMatch(rule)
        self._heard: queue.Queue[Any] = queue.Queue(maxsize=16)
        self._router.filter(rule, queue=self._heard)
        threading.Thread(target=self._listen, name="notification-clicks", daemon=True).start()

    def say(self, title: str, text: str, session: str) -> None:
        from jeepney import MessageType, new_method_call

        body: tuple[Any, ...] = ("Ankita", 0, "ankita-desktop", title, escape(text), ["default", "Open"], {}, -1)
        call = new_method_call(self._address, "Notify", "susssasa{sv}i", body)
        reply = self._router.send_and_get_reply(call, timeout=TIMEOUT)
        if reply.header.message_type == MessageType.error:
            raise RuntimeError(str(reply.body))
        self._sessions[reply.body[0]] = session

    def _listen(self) -> None:
        while True:
            number, _action = self._heard.get().body
            if number in self._sessions:
                self._clicked(self._sessions[number])
