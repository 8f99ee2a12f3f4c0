"""A combination of keys as people write it ("Ctrl+Shift+M"), for those who have to watch it."""

from __future__ import annotations

import re
from dataclasses import dataclass

MODIFIERS = ("Ctrl", "Alt", "Shift", "Meta")
ALONE = re.compile(r"F\d{1,2}|Pause|ScrollLock")
"""Keys that nobody types with: they need no modifier."""
NAMED = {
    "Space": "space",
    "Pause": "Pause",
    "ScrollLock": "Scroll_Lock",
    "Insert": "Insert",
    "Home": "Home",
    "End": "End",
    ",": "comma",
    ".": "period",
    "-": "minus",
    ";": "semicolon",
    "/": "slash",
}


@dataclass(frozen=True, slots=True)
class Keys:
    """``modifiers`` are of ``MODIFIERS``; ``symbol`` is the key's name as X11 and Wayland have it."""

    modifiers: frozenset[str]
    key: str
    symbol: str

    def __str__(self) -> str:
        return "+".join([*(each for each in MODIFIERS if each in self.modifiers), self.key])


def read_keys(text: str) -> Keys:
    """Raises ``ValueError`` that says what is wrong with it."""
    *before, key = [word.strip().capitalize() for word in text.replace(" ", "").split("+")]
    key = "ScrollLock" if key == "Scrolllock" else key
    unknown = [word for word in before if word not in MODIFIERS]
    symbol = _symbol(key)
    if unknown or not symbol:
        raise ValueError(
            f'"{text}" is no combination of keys: write it like Ctrl+Shift+M, with {", ".join(MODIFIERS)} and a '
            "letter, a digit, F1 to F24, Space, Pause, ScrollLock, Insert, Home or End"
        )
    modifiers = frozenset(before)
    if not modifiers - {"Shift"} and not ALONE.fullmatch(key):
        raise ValueError(f'"{text}" is needed for typing: add Ctrl, Alt or Meta to it')
    return Keys(modifiers, key, symbol)


def _symbol(key: str) -> str:
    if re.fullmatch(r"[A-Z0-9]", key):
        return key.lower()
    if re.fullmatch(r"F([1-9]|1\d|2[0-4])", key):
        return key
    return NAMED.get(key, "")
