"""Values as text in the database, and text as it is searched."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from ankita_desktop.protocol import dump


def clean(text: str) -> str:
    """Text that UTF-8 can hold: halves of surrogate pairs are joined, lone ones become U+FFFD."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def to_json(value: Any) -> str:
    """A value of the protocol as compact JSON."""
    return clean(json.dumps(dump(value), ensure_ascii=False, separators=(",", ":")))


def fold(text: str) -> str:
    """Text as it is compared in a search: without case, accents and compatibility forms."""
    if text.isascii():
        return text.replace("\0", " ").lower()
    wide = unicodedata.normalize("NFKD", clean(text).replace("\0", " "))
    return "".join(char for char in wide if not "\u0300" <= char <= "\u036f").casefold()
