"""Which values of a .env file are secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ankita_desktop.toolkit.scrub import entropy

LARGEST = 256 * 1024  # bytes of a file that is read
_NAME = re.compile(r"(?:export\s+)?([A-Za-z_][\w.]*)\s*=\s*")
_TELLING = re.compile(
    r"key|token|secret|pass(?:w(?:or)?d|phrase)?|pwd|credential|auth|private|salt|signature|cookie|session|webhook",
    re.I,
)
_PLAIN = re.compile(r"[A-Za-z]{1,11}|[\d.,:-]+|/[\w./-]*|\.{1,2}/[\w./-]*|(?:https?|file)://[^@\s?]*", re.I)
_UNTOLD = 20  # characters from which a value without a telling name counts when it looks made by a machine


def read_secrets(path: Path) -> list[tuple[str, str]]:
    """(name, value) of what looks like a secret. A file that can't be read has none."""
    try:
        data = path.read_bytes()
    except OSError:
        return []
    text = data.decode("utf-8", "replace") if len(data) <= LARGEST else ""
    found = []
    for name, value in assignments(text):
        password = _password(value)
        if password or is_secret(name, value):
            found.append((name, password or value))
    return found


def assignments(text: str) -> Iterator[tuple[str, str]]:
    """NAME=value lines, quoted or not; a quoted value may go over several lines."""
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        start = at + len(text[at:end]) - len(text[at:end].lstrip())
        found = _NAME.match(text, start, end)
        at = end + 1
        if found:
            value, at = _value(text, found.end(), end)
            yield found[1], value


def _value(text: str, start: int, end: int) -> tuple[str, int]:
    """The value from ``start``, and where the next line begins."""
    quote = text[start : start + 1]
    if quote in ("'", '"') and (close := _closing(text, start + 1, quote)) > 0:
        value = text[start + 1 : close]
        after = text.find("\n", close)
        plain = value.replace("\\n", "\n").replace('\\"', '"') if quote == '"' else value
        return plain, len(text) if after < 0 else after + 1
    value = text[start:end].split(" #", 1)[0].strip()
    return value, end + 1


def _closing(text: str, at: int, quote: str) -> int:
    while (at := text.find(quote, at)) > 0:
        if quote == "'" or text[at - 1] != "\\":
            return at
        at += 1
    return -1


def is_secret(name: str, value: str) -> bool:
    """By its name, unless it is a plain word, number, path or address; without one by how random it looks."""
    if not value or _PLAIN.fullmatch(value):
        return False
    return bool(_TELLING.search(name)) or looks_random(value)


def looks_random(value: str) -> bool:
    """Long, without spaces, of letters and digits mixed as only a machine does."""
    if len(value) < _UNTOLD or not re.fullmatch(r"[\w+/=.~-]+", value) or not re.search(r"\d", value):
        return False
    return entropy(value) > 3.5 and bool(re.search(r"[A-Za-z]", value)) and "://" not in value


def _password(value: str) -> str:
    """The password inside an address such as a database's; "" when there is none."""
    if "://" not in value or "@" not in value:
        return ""
    try:
        return unquote(urlsplit(value).password or "")
    except ValueError:
        return ""
