"""A tray as Plasma and others have it, over D-Bus: ``python -m tests.ui.tray_host``.

Says "ready", then the items that come, one a line; does what it is told on standard input: "click", or the words
of an entry of the menu.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

from jeepney import DBusAddress, HeaderFields, Message, MessageType, new_error, new_method_call, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io import blocking
from jeepney.io import threading as threaded

WATCHER, WATCHER_PATH = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"
ITEM, ITEM_PATH = "org.kde.StatusNotifierItem", "/StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"
KNOWN = {
    "IsStatusNotifierHostRegistered": ("b", True),
    "ProtocolVersion": ("i", 0),
    "RegisteredStatusNotifierItems": ("as", []),
}


def said(words: str) -> None:
    print(words, flush=True)


class Host:
    """Watcher and host in one: it answers on one connection, and asks the newest item on another."""

    def __init__(self) -> None:
        self._ours = blocking.open_dbus_connection()
        self._asking = threaded.DBusRouter(threaded.open_dbus_connection())
        self._item = ""
        self._ours.send_and_get_reply(message_bus.RequestName(WATCHER))

    def answer(self) -> None:
        """Until the bus goes."""
        while True:
            asked = self._ours.receive()
            if asked.header.message_type == MessageType.method_call:
                self._ours.send(self._reply(asked))

    def _reply(self, asked: Message) -> Message:
        fields = asked.header.fields
        match fields[HeaderFields.member]:
            case "Get":
                return new_method_return(asked, "v", (KNOWN[asked.body[1]],))
            case "GetAll":
                return new_method_return(asked, "a{sv}", (KNOWN,))
            case "RegisterStatusNotifierItem":
                self._item = fields[HeaderFields.sender]
                said("item")
                return new_method_return(asked)
            case _:
                return new_error(asked, "org.freedesktop.DBus.Error.UnknownMethod")

    # --- asking the item

    def _call(self, where: DBusAddress, member: str, signature: str, body: tuple[Any, ...]) -> Any:
        return self._asking.send_and_get_reply(new_method_call(where, member, signature, body), timeout=10).body

    def click(self) -> None:
        self._call(DBusAddress(ITEM_PATH, self._item, ITEM), "Activate", "ii", (0, 0))

    def choose(self, words: str) -> None:
        """An entry of the icon's menu, by its words' beginning."""
        where = DBusAddress(ITEM_PATH, self._item, PROPERTIES)
        (_, path) = self._call(where, "Get", "ss", (ITEM, "Menu"))[0]
        menu = DBusAddress(path, self._item, MENU)
        _, (_, _, entries) = self._call(menu, "GetLayout", "iias", (0, -1, []))
        for _, (number, found, _) in entries:
            label = found.get("label", ("s", ""))[1].replace("_", "")
            if label.startswith(words):
                self._call(menu, "Event", "isvu", (number, "clicked", ("s", ""), 0))
                said(label)
                return
        said(f"no {words}")


def main() -> None:
    host = Host()
    threading.Thread(target=host.answer, daemon=True).start()
    said("ready")
    for line in sys.stdin:
        host.click() if line.strip() == "click" else host.choose(line.strip())


if __name__ == "__main__":
    main()
