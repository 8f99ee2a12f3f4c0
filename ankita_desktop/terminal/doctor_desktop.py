"""What `ankita doctor` looks at in the desktop around it: notifications, tray, portal, microphone.

Each look gives (there, what was found, the fix).
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from ankita_desktop.store.secrets import Secrets
from ankita_desktop.store.settings import Settings

Look = tuple[bool, str, str]

NOTIFICATIONS = "org.freedesktop.Notifications"
TRAY = "org.kde.StatusNotifierWatcher"
PORTAL = "org.freedesktop.portal.Desktop"
TIMEOUT = 2.0  # seconds for the desktop's bus


def looks() -> dict[str, Callable[[], Look]]:
    """The looks by name. The three of the desktop's bus are Linux's alone."""
    desktop = {"notify": _notifications, "tray": _tray, "portal": _portal} if sys.platform == "linux" else {}
    return {**desktop, "microphone": _microphone}


def _notifications() -> Look:
    there = NOTIFICATIONS in _services()
    fix = "Start a notification service (dunst, or your desktop's own). Reminders ring in the terminal until then."
    return there, "the desktop shows them" if there else "no service for notifications", fix


def _tray() -> Look:
    there = TRAY in _services()
    fix = (
        "Start a panel with a tray (GNOME: the AppIndicator extension). Closing the window ends Ankita until then."
    )
    return there, "the desktop has one" if there else "no tray of the new kind; an older one may still serve", fix


def _portal() -> Look:
    there = PORTAL in _services()
    fix = "Install xdg-desktop-portal for screenshots and shortcuts on Wayland."
    return there, "the desktop has one" if there else "none", fix


def _microphone() -> Look:
    from ankita_desktop.assembly import open_voice

    voice = open_voice(Settings(), Secrets())
    try:
        found = voice.check()
    finally:
        voice.close()
    problem = found.problems[0] if found.problems else ""
    return bool(found.input), found.input or "none", problem


def _services() -> frozenset[str]:
    """The names on the session bus, running or startable; none where there is no bus."""
    from jeepney import message_bus
    from jeepney.io.blocking import Proxy, open_dbus_connection

    try:
        with open_dbus_connection() as connection:
            bus = Proxy(message_bus, connection, timeout=TIMEOUT)
            (running,), (startable,) = bus.ListNames(), bus.ListActivatableNames()
    except (OSError, KeyError, ValueError, RuntimeError):
        return frozenset()
    return frozenset([*running, *startable])
