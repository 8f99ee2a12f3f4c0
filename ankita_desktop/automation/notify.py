"""Notifications of the desktop, for window and daemon alike: by its service over D-Bus, else by what is handed in.

One thread of its own speaks to the service: nothing here waits on the caller's.
"""

from __future__ import annotations

import logging
import queue
import re
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from typing import Any

from ankita_desktop.protocol import ApprovalRequest
from ankita_desktop.toolkit.scrub import scrub

log = logging.getLogger(__name__)

LONGEST = 240
# Where they are markdown's: C#, a < b > c and snake_case are words.
_MARKS = re.compile(r"^[ \t]*(?:#{1,6}|>+)[ \t]+|\*\*?|`+|\b__|__\b|(?<!\w)_|_(?!\w)", re.M)
SCRUBBED = 20_000  # characters that are looked at
TIMEOUT = 2.0
OPEN, ALLOW = "default", "allow"
EXPIRES, STAYS = -1, 0
NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"


@dataclass(frozen=True, slots=True)
class Note:
    """One notification. ``about`` comes back with a click; ``actions`` are (key, words) beside opening. One that
    ``stays`` is shown until the person reacts."""

    title: str
    text: str
    about: str = ""
    actions: tuple[tuple[str, str], ...] = ()
    stays: bool = False


def short(text: str) -> str:
    """The first words of a text on one line, without markdown's signs and without what looks like a secret."""
    words = " ".join(_MARKS.sub("", scrub(text[:SCRUBBED])).split())
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"


def offers(request: ApprovalRequest) -> tuple[tuple[str, str], ...]:
    """Allow is offered only where all of what will happen can be read in the notification, and nothing is
    unusual about it; else the person looks at it in the window."""
    preview = request.preview
    whole = f"{preview.question} {preview.text}".strip()
    plain = preview.kind == "command" and not preview.danger and request.level == "ask" and not request.again
    return ((ALLOW, "Allow"),) if plain and preview.text and short(whole) == whole else ()


def send(note: Note) -> bool:
    """One note, by whoever has no use for its clicks. Waits for the service; false: none took it."""
    if not sys.platform.startswith("linux"):
        return False
    from jeepney import DBusAddress, MessageType
    from jeepney.io.blocking import open_dbus_connection

    try:
        with open_dbus_connection() as bus:
            reply = bus.send_and_get_reply(_message(DBusAddress(PATH, NAME, NAME), note, []), timeout=TIMEOUT)
    except (OSError, KeyError, ValueError, RuntimeError, TimeoutError) as error:
        log.info("no notification service: %s", error)
        return False
    return bool(reply.header.message_type != MessageType.error)


def _message(address: Any, note: Note, actions: list[str]) -> Any:
    from jeepney import new_method_call

    stays = STAYS if note.stays else EXPIRES
    body: tuple[Any, ...] = (
        "Ankita",
        0,
        "ankita-desktop",
        note.title,
        escape(short(note.text)),
        actions,
        {},
        stays,
    )
    return new_method_call(address, "Notify", "susssasa{sv}i", body)


class Notifier:
    """``clicked`` is called with what the note was about and the key of the action the person took, ``unsaid``
    with a note that no service shows. Both on a thread of ours."""

    def __init__(self, clicked: Callable[[str, str], None], unsaid: Callable[[Note], None]) -> None:
        self._clicked = clicked
        self._unsaid = unsaid
        self._paused = False
        self._jobs: queue.SimpleQueue[Note | str] = queue.SimpleQueue()  # to be said, or to be withdrawn
        self._thread: threading.Thread | None = None

    def withdraw(self, about: str) -> None:
        """Take away what is shown about this: it was answered elsewhere. Returns at once."""
        if self._thread is not None:
            self._jobs.put(about)

    def pause(self, paused: bool) -> None:
        """Send none until told otherwise."""
        self._paused = paused

    def say(self, note: Note) -> None:
        """Tell the person something while they look elsewhere. Returns at once."""
        if self._paused:
            return
        if not sys.platform.startswith("linux"):
            self._unsaid(note)
            return
        self._jobs.put(note)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="notifications", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        desk: _Service | None = None
        while True:
            job = self._jobs.get()
            try:
                desk = desk or _Service(self._clicked)
                desk.withdraw(job) if isinstance(job, str) else desk.say(job)
            except (OSError, KeyError, ValueError, RuntimeError, TimeoutError) as error:
                log.info("no notification service: %s", error)
                desk = None
                if isinstance(job, Note):
                    self._unsaid(job)


class _Service:
    """org.freedesktop.Notifications on the session bus. Used on the notifier's thread."""

    def __init__(self, clicked: Callable[[str, str], None]) -> None:
        from jeepney import DBusAddress, MatchRule, message_bus
        from jeepney.io.threading import DBusRouter, Proxy, open_dbus_connection

        self._router = DBusRouter(open_dbus_connection())
        self._address = DBusAddress(PATH, bus_name=NAME, interface=NAME)
        self._about: dict[int, str] = {}
        self._saying = threading.Lock()
        self._clicked = clicked
        rule = MatchRule(type="signal", interface=NAME, member="ActionInvoked", path=PATH)
        Proxy(message_bus, self._router, timeout=TIMEOUT).AddMatch(rule)
        self._heard: queue.Queue[Any] = queue.Queue(maxsize=16)
        self._router.filter(rule, queue=self._heard)
        threading.Thread(target=self._listen, name="notification-clicks", daemon=True).start()

    def say(self, note: Note) -> None:
        from jeepney import MessageType

        self.withdraw(note.about)  # what is said again must not stand there twice
        call = _message(self._address, note, [OPEN, "Open", *(part for each in note.actions for part in each)])
        with self._saying:
            reply = self._router.send_and_get_reply(call, timeout=TIMEOUT)
            if reply.header.message_type == MessageType.error:
                raise RuntimeError(str(reply.body))
            self._about[reply.body[0]] = note.about

    def withdraw(self, about: str) -> None:
        for number in [number for number, each in self._about.copy().items() if about and each == about]:
            self._about.pop(number, None)
            self._close(number)

    def _close(self, number: int) -> None:
        from jeepney import new_method_call

        self._router.send(new_method_call(self._address, "CloseNotification", "u", (number,)))

    def _listen(self) -> None:
        while True:
            number, action = self._heard.get().body
            with self._saying:  # a click may be heard before the number that its note was given
                about = self._about.pop(number, None)
            if about is not None:
                with suppress(OSError):  # the bus is gone: so is what it showed
                    self._close(number)  # some services leave it there, with buttons that do nothing any more
                self._clicked(about, action)
