"""Characters nobody sees: what takes no room of its own, moves its neighbours, or looks like a plain space."""

from __future__ import annotations

import re

# Control and format characters, line and paragraph separators, halves of pairs, what is left out by default.
_NOTHING = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0d\ufeff\ufff0-\ufffb\ud800-\udfff"
    r"\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Spaces of other widths, and letters that are drawn as nothing.
_BLANK = r"\xa0\u1680\u2000-\u200a\u202f\u205f\u115f\u1160\u2800\u3164\uffa0"
# What makes a sign a picture or a plain sign belongs to it.
_STYLE = r"(?<![#*0-9\xa9\xae\u2000-\u3300\U0001f000-\U0001faff])[\ufe0e\ufe0f]"

HIDDEN = re.compile(f"[{_NOTHING}{_BLANK}]|{_STYLE}")


def is_hidden(character: str) -> bool:
    """Takes no room of its own, changes how its neighbours are read, or looks like a plain space."""
    return HIDDEN.fullmatch(character) is not None
