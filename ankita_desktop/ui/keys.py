"""The window's keys: what each does, in words, and how it is bound. Main thread only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class Key:
    """One binding: the action's name, its keys, what it does."""

    action: str
    keys: str
    words: str


KEYS = (
    Key("new", "Ctrl+N", "New chat"),
    Key("composer", "Ctrl+L", "Write"),
    Key("search", "Ctrl+Shift+F", "Search conversations"),
    Key("settings", "Ctrl+,", "Settings"),
    Key("stop", "Esc", "Stop or close"),
    Key("pane", "Ctrl+B", "Show or hide the conversations"),
    Key("panel", "Ctrl+Shift+B", "Show or hide the side panel"),
    Key("approvals", "Ctrl+Shift+A", "Approvals that wait"),
    Key("talk", "Ctrl+Shift+M", "Talk while the key is held"),
    Key("hands-free", "Ctrl+Shift+H", "Talk hands-free"),
    Key("quit", "Ctrl+Q", "Quit"),
)


def bind(widget: QWidget, acts: Mapping[str, Callable[[], None]]) -> None:
    """Give ``widget``'s window the keys of every named action."""
    for key in KEYS:
        if key.action in acts:
            action = QAction(key.words, widget)
            action.setAutoRepeat(key.action != "talk")
            action.setShortcut(QKeySequence(key.keys))
            action.setObjectName(f"{key.action}Action")
            action.triggered.connect(lambda _checked=False, act=acts[key.action]: act())
            widget.addAction(action)
