"""Characters that can't be seen, made visible: a change nobody sees can't be agreed to."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

from ankita_desktop.toolkit.diff import Line

TAB = 4
BLANK = "\u00a0\u115f\u1160\u2800\u3164\uffa0"  # letters and spaces that look like nothing or like a space
_ENDS = {"\n": "␊", "\r\n": "␍␊", "\r": "␍"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A line as it is drawn. ``places[i]`` is where character i of the line stands in ``text``; ``quiet`` and
    ``loud`` are the stretches of signs that stand for something hidden."""

    text: str
    places: tuple[int, ...]
    quiet: tuple[tuple[int, int], ...] = ()
    loud: tuple[tuple[int, int], ...] = ()


def reveal(line: Line, *, ends: bool = False) -> Shown:
    """Tabs and trailing spaces of changed lines, line ends where they differ, and always: bidi controls,
    zero-width and other control characters, and a missing final line end."""
    changed = line.tag != " "
    tail = len(line.text.rstrip(" \t\u00a0\u3000")) if changed else len(line.text)
    if line.text.isascii() and line.text.isprintable() and tail == len(line.text):
        return _with_end(line, Shown(line.text, tuple(range(len(line.text) + 1))), ends=ends and changed)
    parts: list[str] = []
    places: list[int] = []
    quiet: list[tuple[int, int]] = []
    loud: list[tuple[int, int]] = []
    width = 0
    for at, character in enumerate(line.text):
        places.append(width)
        sign, weight = _sign(character, width, changed=changed, trailing=at >= tail)
        parts.append(sign)
        if weight:
            (loud if weight == "loud" else quiet).append((width, width + len(sign)))
        width += len(sign)
    places.append(width)
    shown = Shown("".join(parts), tuple(places), tuple(quiet), tuple(loud))
    return _with_end(line, shown, ends=ends and changed)


def _sign(character: str, width: int, *, changed: bool, trailing: bool) -> tuple[str, str]:
    if character == "\t":
        room = TAB - width % TAB
        return ("→" + " " * (room - 1), "quiet") if changed else (" " * room, "")
    if character == " ":
        return ("·", "quiet") if trailing else (" ", "")
    if is_hidden(character):
        return f"‹U+{ord(character):04X}›", "loud"
    return character, ""


def is_hidden(character: str) -> bool:
    """Takes no room of its own or changes how its neighbours are read."""
    return (
        unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        or character in "\u00a0\u115f\u3164\u2800"
    )


def _with_end(line: Line, shown: Shown, *, ends: bool) -> Shown:
    """The sign for the line's end after it, where one is called for."""
    end = _ENDS.get(line.end, "") if ends else ""
    if not line.end and line.tag != " ":
        end = " ⊘ no line end"
    if not end:
        return shown
    start = len(shown.text)
    return replace(shown, text=shown.text + end, quiet=(*shown.quiet, (start, start + len(end))))
