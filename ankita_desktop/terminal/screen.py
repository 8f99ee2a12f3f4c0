"""What reaches the terminal: text made safe, colours only for people, JSON for scripts."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from typing import IO, Any

from ankita_desktop.toolkit.hidden import HIDDEN

# A whole escape sequence: CSI, the string kinds (OSC, DCS, SOS, PM, APC) up to their end, or a short one.
_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-OQ-WYZ\\`-~]"
    r"|\x9b[0-?]*[ -/]*[@-~]|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)"
)
# The beginning of one, at the end of a piece of a stream.
_BEGUN = re.compile(
    r"(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9c]{0,4096}\x1b?|[ -/]*)?"
    r"|\x9b[0-?]*[ -/]*|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c]{0,4096}\x1b?|\r)\Z"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_CONTROL_IN_JSON = re.compile(r"[\x7f-\x9f]")

COLOURS = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "dim": 2, "bold": 1}


def safe(text: str) -> str:
    """Text that can't steer the terminal: escape sequences and control characters are gone."""
    return _CONTROL.sub("", _SEQUENCE.sub("", text).replace("\r\n", "\n"))


def shown(text: str) -> str:
    """Text a person decides about: what could hide or move something is drawn as its code."""

    def sign(found: re.Match[str]) -> str:
        return found[0] if found[0] in "\t\n" else f"<{ord(found[0]):02X}>"

    return HIDDEN.sub(sign, text.replace("\r\n", "\n"))


class SafeStream:
    """Makes pieces of a stream safe; an escape sequence split between pieces is held back until it is whole."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        text = self._held + piece
        begun = _BEGUN.search(_SEQUENCE.sub(lambda found: "\0" * len(found[0]), text))
        cut = begun.start() if begun else len(text)
        self._held = text[cut:]
        return safe(text[:cut])

    def end(self) -> str:
        held, self._held = self._held, ""
        return safe(held)


def is_person(stream: IO[str]) -> bool:
    """Whether a stream is a terminal with a person before it."""
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def painted(text: str, colour: str, stream: IO[str] | None = None) -> str:
    """Coloured on a terminal, plain elsewhere and under NO_COLOR."""
    if not is_person(stream or sys.stdout) or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m"


def say(text: str) -> None:
    """A line of progress or a notice: standard error, so that standard output is the answer alone. The answer
    doesn't depend on it: nobody may be reading there."""
    with contextlib.suppress(OSError):
        print(safe(text), file=sys.stderr, flush=True)


def show_json(value: Any) -> None:
    """One JSON document on standard output."""
    print(as_json(value, indent=2))


def as_json(value: Any, indent: int | None = None) -> str:
    """JSON with Unicode as it is, but for what could steer a terminal, which stays escaped."""
    return _CONTROL_IN_JSON.sub(
        lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False, indent=indent)
    )


def one_line(text: str, width: int = 100) -> str:
    """Text as one safe line of at most ``width`` characters."""
    line = " ".join(safe(text).split())
    return line if len(line) <= width else line[: width - 1] + "…"
