"""Characters that can't be seen, made visible: a change nobody sees can't be agreed to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from ankita_desktop.toolkit.diff import Line
from ankita_desktop.toolkit.hidden import HIDDEN

TAB = 4
WHOLE = 600  # characters of a line that is laid out as a whole, of others what is in sight
SIGN = 8  # columns that the sign for a hidden character takes, most often
# A character with a sign of its own, a space, or all up to the next of these.
_PIECES = re.compile(rf"{HIDDEN.pattern}| |(?:(?!{HIDDEN.pattern}| )[\s\S])+")
_ENDS = {"\n": "␊", "\r\n": "␍␊", "\r": "␍"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A line as it is drawn. ``places[i]`` is where character i of the line stands in ``text``; ``quiet`` and
    ``loud`` are the stretches of signs that stand for something hidden."""

    text: str
    places: Sequence[int]
    quiet: tuple[tuple[int, int], ...] = ()
    loud: tuple[tuple[int, int], ...] = ()


def reveal(line: Line, *, ends: bool = False) -> Shown:
    """Tabs and trailing spaces of changed lines, line ends where they differ, and always: bidi controls,
    zero-width and other control characters, and a missing final line end."""
    changed = line.tag != " "
    tail = len(line.text.rstrip(" \t\u00a0\u3000")) if changed else len(line.text)
    if tail == len(line.text) and not _drawn_otherwise(line.text):
        return _with_end(line, Shown(line.text, range(len(line.text) + 1)), ends=ends and changed)
    parts: list[str] = []
    places: list[int] = []
    quiet: list[tuple[int, int]] = []
    loud: list[tuple[int, int]] = []
    width = 0
    for piece in _PIECES.finditer(line.text):
        drawn, weight = _sign(piece[0], width, changed=changed, trailing=piece.start() >= tail)
        places += range(width, width + len(drawn)) if drawn == piece[0] else [width] * len(piece[0])
        parts.append(drawn)
        if weight:
            (loud if weight == "loud" else quiet).append((width, width + len(drawn)))
        width += len(drawn)
    places.append(width)
    shown = Shown("".join(parts), places, tuple(quiet), tuple(loud))
    return _with_end(line, shown, ends=ends and changed)


def columns(text: str) -> int:
    """About how many characters a line takes with the signs for what is hidden in it; never too few to reach its
    end, where a long one is drawn from the character on to which it was scrolled."""
    if len(text) > WHOLE:
        return len(text) + WHOLE
    if text.isascii() and text.isprintable():
        return len(text)
    tabs = text.count("\t")
    return len(text) + (TAB - 1) * tabs + (SIGN - 1) * (sum(1 for _ in HIDDEN.finditer(text)) - tabs)


def _drawn_otherwise(text: str) -> bool:
    return not (text.isascii() and text.isprintable()) and HIDDEN.search(text) is not None


def _sign(piece: str, width: int, *, changed: bool, trailing: bool) -> tuple[str, str]:
    if piece == "\t":
        room = TAB - width % TAB
        return ("→" + " " * (room - 1), "quiet") if changed else (" " * room, "")
    if piece == " ":
        return ("·", "quiet") if trailing else (" ", "")
    if HIDDEN.fullmatch(piece):
        return sign(piece), "loud"
    return piece, ""


@cache
def sign(character: str) -> str:
    """What is drawn for a hidden character."""
    return f"‹U+{ord(character):04X}›"


def _with_end(line: Line, shown: Shown, *, ends: bool) -> Shown:
    """The sign for the line's end after it, where one is called for."""
    end = _ENDS.get(line.end, "") if ends else ""
    if not line.end and line.tag != " ":
        end = " ⊘ no line end"
    if not end:
        return shown
    start = len(shown.text)
    return replace(shown, text=shown.text + end, quiet=(*shown.quiet, (start, start + len(end))))
