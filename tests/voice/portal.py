"""A session bus of our own, and on it a desktop's portal that hands out keys as the real one does: it asks the
person, answers each request by a signal, and tells only the program whose session it is."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_error, new_method_return, new_signal
from jeepney.io.blocking import DBusConnection, Proxy, open_dbus_connection

NAME, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"


@contextmanager
def session_bus() -> Iterator[str]:
    """Gives the bus's address."""
    read, write = os.pipe()
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", f"--print-address={write}"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as told:
            yield told.readline().strip()
    finally:
        daemon.terminate()
        daemon.wait()


class Portal:
    """``says``: yes, no (the person dismisses the question), or nothing (the question stays open). ``trigger`` is
    what the person chose instead of what was proposed. Without ``shortcuts`` it is an older portal."""

    def __init__(self, bus: str, *, says: str = "yes", trigger: str = "", shortcuts: bool = True) -> None:
        self._bus: DBusConnection = open_dbus_connection(bus)
        Proxy(message_bus, self._bus).RequestName(NAME)
        self._says, self._trigger, self._shortcuts = says, trigger, shortcuts
        self.asked: list[tuple[str, Any]] = []
        self.apps: list[str] = []
        self._session = self._client = ""
        self._work = threading.Thread(target=self._serve, daemon=True)
        self._work.start()

    def press(self) -> None:
        self._tell(SHORTCUTS, "Activated", "osta{sv}", (self._session, "talk", 1, {}))

    def release(self) -> None:
        self._tell(SHORTCUTS, "Deactivated", "osta{sv}", (self._session, "talk", 2, {}))

    def press_of_another(self) -> None:
        """A key of another session or with another name."""
        self._tell(SHORTCUTS, "Activated", "osta{sv}", (f"{PATH}/session/x/y", "talk", 1, {}))
        self._tell(SHORTCUTS, "Activated", "osta{sv}", (self._session, "other", 1, {}))

    def end_session(self) -> None:
        self._tell("org.freedesktop.portal.Session", "Closed", "", (), path=self._session)

    def close(self) -> None:
        self._bus.sock.shutdown(2)
        self._work.join(5)
        self._bus.close()

    # --- inside

    def _tell(self, interface: str, name: str, signature: str, body: Any, path: str = PATH) -> None:
        signal = new_signal(DBusAddress(path, interface=interface), name, signature, body)
        signal.header.fields[HeaderFields.destination] = self._client
        self._bus.send(signal)

    def _serve(self) -> None:
        while True:
            try:
                call = self._bus.receive()
            except OSError:
                return
            if call.header.message_type == MessageType.method_call:
                self._answer(call)

    def _answer(self, call: Any) -> None:
        fields = call.header.fields
        method, interface = fields[HeaderFields.member], fields[HeaderFields.interface]
        if method == "Register":
            self.apps.append(call.body[0])
            self._bus.send(new_method_return(call))
        elif interface != SHORTCUTS or not self._shortcuts:
            self._bus.send(
                new_error(call, "org.freedesktop.DBus.Error.UnknownMethod", "s", ("No such interface",))
            )
        else:
            self._request(call, method)

    def _request(self, call: Any, method: str) -> None:
        """Every question is a request: its path goes back at once, its answer comes as a signal on it."""
        self._client = call.header.fields[HeaderFields.sender]
        caller = self._client.lstrip(":").replace(".", "_")
        options = call.body[-1]
        request = f"{PATH}/request/{caller}/{options['handle_token'][1]}"
        self._bus.send(new_method_return(call, "o", (request,)))
        code, results = 0, {}
        if method == "CreateSession":
            self._session = f"{PATH}/session/{caller}/{options['session_handle_token'][1]}"
            results = {"session_handle": ("s", self._session)}  # a text, though it is a path: so it is
        else:
            session, shortcuts, _window, _options = call.body
            assert session == self._session
            self.asked += shortcuts
            if self._says == "nothing":
                return
            code = int(self._says == "no")
            given = [(name, {"trigger_description": ("s", self._trigger or "Press <Control><Shift>m")})
                     for name, _ in shortcuts]  # fmt: skip
            results = {} if code else {"shortcuts": ("a(sa{sv})", given)}
        response = (code, results)
        self._tell("org.freedesktop.portal.Request", "Response", "ua{sv}", response, path=request)
