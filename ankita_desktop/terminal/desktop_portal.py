"""A picture of the screen by the desktop's portal, which asks the person itself: the way on Wayland."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import new_id

NAME, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
SECONDS = 60.0  # the portal may ask first


def screenshot() -> bytes | None:
    """The screen as PNG; None where no portal answers. Raises ``ToolError`` when the person said no there."""
    if not sys.platform.startswith("linux") or not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return None
    from jeepney import DBusAddress, DBusErrorResponse, MatchRule, message_bus, new_method_call
    from jeepney.io.blocking import Proxy, open_dbus_connection

    token = f"ankita{new_id()}"
    try:
        with open_dbus_connection() as bus:
            sender = re.sub(r"[.]", "_", str(bus.unique_name).lstrip(":"))
            rule = MatchRule(
                type="signal",
                interface="org.freedesktop.portal.Request",
                member="Response",
                path=f"{PATH}/request/{sender}/{token}",
            )
            # listened for before it is asked: the answer may come at once
            Proxy(message_bus, bus, timeout=5).AddMatch(rule)
            address = DBusAddress(PATH, NAME, "org.freedesktop.portal.Screenshot")
            options = {"handle_token": ("s", token), "interactive": ("b", False)}
            with bus.filter(rule) as answers:
                call = new_method_call(address, "Screenshot", "sa{sv}", ("", options))
                reply = bus.send_and_get_reply(call, timeout=5)
                if reply.header.message_type.name == "error":
                    return None
                code, results = bus.recv_until_filtered(answers, timeout=SECONDS).body
    except (OSError, KeyError, ValueError, RuntimeError, TimeoutError, DBusErrorResponse):
        return None
    if code or "uri" not in results:
        raise ToolError("The desktop did not allow a picture of the screen.")
    return _taken(str(results["uri"][1]))


def _taken(uri: str) -> bytes:
    """The portal leaves a file in the person's pictures; it was made for us, and goes with us."""
    file = Path(unquote(urlsplit(uri).path))
    try:
        data = file.read_bytes()
        file.unlink()
    except OSError as error:
        raise ToolError(f"The picture of the screen can't be read: {error.strerror}.") from error
    return data
