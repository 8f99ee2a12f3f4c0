"""How one secret may be written: as it is, in an address, inside quotes, and in base64 wherever it begins there.

Each spelling has a needle, a piece of text without which it can't be there: to look for that costs almost nothing,
so the slower pattern is only tried on a text that holds it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

_SAME = re.compile(r"[A-Za-z0-9._~-]+")  # what is written alike everywhere
_ALIKE = re.compile(r"[A-Za-z0-9]+")  # and in every alphabet of base64
_CODED = {"+": r"(?:\+|-|%(?:25)*2[bB])", "/": r"(?:\\?/|_|%(?:25)*2[fF])"}
SHORTEST_CODED = 10  # characters of base64 that the shortest secret has for itself
_LONG_LINE = 24  # characters from which a line of a longer secret, such as a private key, is one itself


@dataclass(frozen=True)
class Spelling:
    """One way to write a secret, and what is shown in its place. ``coded``: in base64, perhaps over more lines."""

    text: str
    shown: str
    coded: bool = False

    @cached_property
    def needle(self) -> str:
        return max((_ALIKE if self.coded else _SAME).findall(self.text), key=len, default="")

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        if self.coded:
            return re.compile(r"[\r\n]*".join(_CODED.get(char, char) for char in self.text))
        return re.compile("".join(map(_written, re.findall(r"\r?\n|\\+|.", self.text, re.S))))

    def hide(self, text: str) -> str:
        """The text, which holds the needle, with this replaced."""
        if self.needle == self.text and not self.coded:
            return text.replace(self.text, self.shown)
        return self.pattern.sub(lambda _: self.shown, text)


def plainly(value: str) -> list[str]:
    """The value, and its long lines each for itself."""
    lines = value.splitlines() if "\n" in value else []
    return [value, *(line for line in lines if len(line) >= _LONG_LINE and not line.startswith("-----"))]


def in_base64(value: str) -> Iterator[str]:
    """What is always the same of it in base64, for each of the three places in a group where it can begin."""
    raw = value.encode("utf-8", "surrogatepass")
    for before in range(3):
        coded = base64.b64encode(bytes(before) + raw).decode()
        yield coded[-(-before * 8 // 6) : (before + len(raw)) * 8 // 6]


def _written(part: str) -> str:
    """A pattern for the ways to write a character (or backslashes, or a line's end), escaped once or more."""
    if _SAME.fullmatch(part):
        return re.escape(part)
    if part.startswith("\\"):
        return r"(?:\\|%(?:25)*5[cC])++"
    if part.endswith("\n"):
        return r"(?:\r?\n|(?:\\+r)?\\+n|(?:%(?:25)*0[dD])?%(?:25)*0[aA])"
    coded = "".join(f"%(?:25)*{_digits(f'{byte:02x}')}" for byte in part.encode("utf-8", "surrogatepass"))
    units = part.encode("utf-16-be", "surrogatepass").hex()
    escaped = "".join(rf"\\+u{_digits(units[at : at + 4])}" for at in range(0, len(units), 4))
    space = r"|\+" if part == " " else ""
    return rf"(?:\\*{re.escape(part)}|{coded}|{escaped}{space})"


def _digits(text: str) -> str:
    return "".join(f"[{char}{char.upper()}]" if char.isalpha() else char for char in text)
