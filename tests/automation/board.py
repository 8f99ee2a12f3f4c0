"""A bus of its own with a notification service on it, which a test reads and whose buttons it presses."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from jeepney import DBusAddress, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

from ankita_desktop.automation.notify import NAME, PATH
from tests.tools.calls import until

CLOSED_BY_CALL = 3


@dataclass
class Shown:
    """A notification; ``actions`` are the keys of its buttons."""

    id: int
    title: str
    text: str
    actions: list[str]
    stays: bool


class Board:
    """What stands there now is ``shown``; ``all`` is what was ever said."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.shown: dict[int, Shown] = {}
        self.all: list[Shown] = []
        self._connection = open_dbus_connection(address)
        self._sending = threading.Lock()
        self._from = DBusAddress(PATH, NAME, NAME)
        self._connection.send_and_get_reply(message_bus.RequestName(NAME), timeout=10)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def titles(self) -> list[str]:
        return [one.title for one in self.all]

    def find(self, words: str) -> Shown:
        """The one that stands there with these words in it, waiting for it if need be."""

        def found() -> list[Shown]:
            return [one for one in list(self.shown.values()) if words in f"{one.title} {one.text}"]

        until(lambda: bool(found()), 60)
        return found()[0]

    def press(self, one: Shown, action: str) -> None:
        self._send(new_signal(self._from, "ActionInvoked", "us", (one.id, action)))

    def join(self) -> None:
        self._thread.join(10)

    def _send(self, message: object) -> None:
        with self._sending:
            self._connection.send(message)

    def _serve(self) -> None:
        while True:
            try:
                call = self._connection.receive()
            except OSError:  # the bus is gone
                break
            if call.header.message_type == MessageType.method_call:
                self._answer(call)
        self._connection.close()

    def _answer(self, call: object) -> None:
        from jeepney import HeaderFields

        member, body = call.header.fields.get(HeaderFields.member), call.body  # type: ignore[attr-defined]
        if member == "Notify":
            keys = list(body[5][::2])
            one = Shown(len(self.all) + 1, body[3], body[4], keys, body[7] == 0)
            self.all.append(one)
            self.shown[one.id] = one
            self._send(new_method_return(call, "u", (one.id,)))
        elif member == "CloseNotification":
            self.shown.pop(body[0], None)
            self._send(new_method_return(call))
            self._send(new_signal(self._from, "NotificationClosed", "uu", (body[0], CLOSED_BY_CALL)))
        else:
            self._send(new_error(call, "org.freedesktop.DBus.Error.UnknownMethod"))


@contextmanager
def board() -> Iterator[Board]:
    """Needs the program dbus-daemon."""
    with subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address"],
        stdout=subprocess.PIPE,
        text=True,
    ) as bus:
        assert bus.stdout
        made = Board(bus.stdout.readline().strip())
        try:
            yield made
        finally:
            bus.terminate()
            made.join()
