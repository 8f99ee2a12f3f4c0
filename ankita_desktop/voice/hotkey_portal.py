"""A key by the desktop's portal (org.freedesktop.portal.GlobalShortcuts): the way on Wayland.

The desktop asks the person once, and may give another key than the one we would like.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from typing import Any

from ankita_desktop.errors import VoiceError
from ankita_desktop.protocol import new_id
from ankita_desktop.toolkit.keys import MODIFIERS, Keys
from ankita_desktop.voice import hotkey

NAME, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
REQUEST, SESSION = "org.freedesktop.portal.Request", "org.freedesktop.portal.Session"
REGISTRY = "org.freedesktop.host.portal.Registry"
APP = "ankita-desktop"
TALK = "talk"
SECONDS = 10.0  # for an answer of the desktop itself
PATIENCE = 300.0  # for one of the person
TRIGGER = {"Ctrl": "CTRL", "Alt": "ALT", "Shift": "SHIFT", "Meta": "LOGO"}


class Portal:
    """A connection of its own to the session's bus."""

    def __init__(self) -> None:
        from jeepney.io.blocking import open_dbus_connection

        if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
            raise hotkey.none()
        try:
            self._bus = open_dbus_connection()
        except (OSError, KeyError, ValueError, RuntimeError) as error:
            raise hotkey.none() from error
        self._stopped = False
        self._session = ""

    def take(self, keys: Keys) -> str:
        try:
            return self._bind(keys)
        except (OSError, TimeoutError) as error:
            raise hotkey.none("The desktop did not answer about a key that works everywhere.") from error

    def presses(self) -> Iterator[bool]:
        try:
            while True:
                message = self._bus.receive()
                what = self._what(message)
                if what in ("Activated", "Deactivated"):
                    yield what == "Activated"
                elif what in ("Closed", "NameOwnerChanged"):
                    raise VoiceError("The desktop took the key to talk away. Switch it on again.", "key")
        except OSError as error:
            if not self._stopped:
                raise VoiceError("The desktop ended the key to talk.", "key") from error

    def stop(self) -> None:
        self._stopped = True
        try:
            self._bus.sock.shutdown(socket.SHUT_RDWR)  # a waiting read ends
        except OSError:
            pass

    def close(self) -> None:
        self._bus.close()  # and with it the session, the key and all

    # --- inside

    def _bind(self, keys: Keys) -> str:
        self._listen()
        self._call(REGISTRY, "Register", "sa{sv}", APP, {})  # older portals know programs in another way
        token = f"ankita{new_id()}"
        made = self._ask("CreateSession", "a{sv}", {"session_handle_token": ("s", token)})
        if made is None:
            raise hotkey.none()
        self._session = str(made["session_handle"][1])
        trigger = "+".join([*(TRIGGER[each] for each in MODIFIERS if each in keys.modifiers), keys.symbol])
        shortcut = {"description": ("s", "Talk while the key is held"), "preferred_trigger": ("s", trigger)}
        bound = self._ask("BindShortcuts", "oa(sa{sv})sa{sv}", self._session, [(TALK, shortcut)], "", {})
        given = dict(bound["shortcuts"][1]) if bound and "shortcuts" in bound else {}
        if TALK not in given:
            raise VoiceError(
                "The desktop was told not to give Ankita a key. Switch it on again to be asked once more, or bind "
                f"one to the command {hotkey.command()}.",
                "key",
            )
        return str(given[TALK].get("trigger_description", ("s", ""))[1]) or str(keys)

    def _listen(self) -> None:
        """For answers, keys and the end: before anything is asked, since answers may come at once."""
        from jeepney import MatchRule, message_bus
        from jeepney.io.blocking import Proxy

        bus = Proxy(message_bus, self._bus, timeout=SECONDS)
        for interface in (REQUEST, SHORTCUTS, SESSION):
            bus.AddMatch(MatchRule(type="signal", sender=NAME, interface=interface))
        owner = MatchRule(type="signal", interface="org.freedesktop.DBus", member="NameOwnerChanged")
        owner.add_arg_condition(0, NAME)
        bus.AddMatch(owner)

    def _ask(self, method: str, signature: str, *body: Any) -> Any:
        """Call a method that answers by a signal. None when the portal doesn't know it, or the person said no."""
        from jeepney import MatchRule

        token = f"ankita{new_id()}"
        body[-1]["handle_token"] = ("s", token)
        sender = str(self._bus.unique_name).lstrip(":").replace(".", "_")
        rule = MatchRule(
            type="signal", interface=REQUEST, member="Response", path=f"{PATH}/request/{sender}/{token}"
        )
        with self._bus.filter(rule) as answers:
            if not self._call(SHORTCUTS, method, signature, *body):
                return None
            code, results = self._bus.recv_until_filtered(answers, timeout=PATIENCE).body
        return None if code else results

    def _call(self, interface: str, method: str, signature: str, *body: Any) -> bool:
        from jeepney import DBusAddress, MessageType, new_method_call

        call = new_method_call(DBusAddress(PATH, NAME, interface), method, signature, body)
        answer = self._bus.send_and_get_reply(call, timeout=SECONDS)
        return bool(answer.header.message_type != MessageType.error)

    def _what(self, message: Any) -> str:
        """The name of a signal that concerns us, or ""."""
        from jeepney import HeaderFields, MessageType

        fields = message.header.fields
        name = str(fields.get(HeaderFields.member, ""))
        if message.header.message_type != MessageType.signal:
            return ""
        if name in ("Activated", "Deactivated"):
            ours = message.body[0] == self._session and message.body[1] == TALK
            return name if ours else ""
        if name == "Closed":
            return name if fields.get(HeaderFields.path) == self._session else ""
        if name == "NameOwnerChanged":
            return name if not message.body[2] else ""
        return ""
