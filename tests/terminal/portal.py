"""A portal that takes pictures of no screen: it answers as the desktop's does. Started as a program on a bus of
its own; ``argv[1]`` is the picture, ``argv[2]`` the code of the answer (0: allowed)."""

from __future__ import annotations

import sys
from pathlib import Path

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_method_return, new_signal
from jeepney.io.blocking import Proxy, open_dbus_connection


def main(picture: str, code: int) -> None:
    with open_dbus_connection() as bus:
        Proxy(message_bus, bus).RequestName("org.freedesktop.portal.Desktop")
        print("ready", flush=True)
        while True:
            asked = bus.receive()
            fields = asked.header.fields
            if asked.header.message_type != MessageType.method_call:
                continue
            sender = fields[HeaderFields.sender].lstrip(":").replace(".", "_")
            token = asked.body[1]["handle_token"][1]
            handle = f"/org/freedesktop/portal/desktop/request/{sender}/{token}"
            request = DBusAddress(handle, interface="org.freedesktop.portal.Request")
            bus.send(new_method_return(asked, "o", (handle,)))
            answer = {"uri": ("s", Path(picture).as_uri())} if not code else {}
            bus.send(new_signal(request, "Response", "ua{sv}", (code, answer)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
