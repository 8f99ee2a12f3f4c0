"""The secrets we know, replaced by their names: of the keyring and its file, and of the .env of trusted folders.

Known by value, so nothing is guessed: a text is looked through for each value as it is, as it stands in an address
and as it stands in JSON. See ``safety.scrub`` for what is guessed, in logs and exports.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from ankita_desktop.safety.dotenv import read_secrets
from ankita_desktop.toolkit.placeholder import PLACEHOLDER, placeholder

SHORTEST = 8  # characters; shorter values stand in ordinary words too
LOOKED = 0.5  # seconds until files are looked at again


@dataclass(frozen=True, slots=True)
class Table:
    """What is replaced, longest first: (text, placeholder); and what each placeholder stands for."""

    rows: tuple[tuple[str, str], ...] = ()
    values: Mapping[str, str] | None = None


class Redactor:
    """Implements ``core.ports.Redactor``. Thread-safe.

    ``known`` gives stored secrets as (name, value) and may take seconds: it is asked once, and again when
    ``version`` changes. ``files`` are the .env files that count now.
    """

    def __init__(
        self,
        known: Callable[[], Iterable[tuple[str, str]]],
        *,
        version: Callable[[], int] = lambda: 0,
        files: Callable[[], Iterable[Path]] = tuple,
    ) -> None:
        self._known = known
        self._version = version
        self._files = files
        self._lock = threading.Lock()
        self._stored: tuple[int, Sequence[tuple[str, str]]] | None = None
        self._table = Table()
        self._sign: object = None
        self._looked = 0.0

    def hide(self, text: str) -> str:
        """The text with every known secret replaced; the same object when there is none."""
        for secret, shown in self._rows():
            if secret in text:
                text = text.replace(secret, shown)
        return text

    def hide_loaded(self, text: str) -> str:
        """As ``hide``, with what is known by now: waits for nothing, for logs."""
        for secret, shown in self._table.rows:
            text = text.replace(secret, shown)
        return text

    def show(self, text: str) -> str:
        """The reverse."""
        self._rows()
        values = self._table.values or {}
        return PLACEHOLDER.sub(lambda found: values.get(found[0], found[0]), text) if "«" in text else text

    def held(self, text: str) -> int:
        """Characters at the end that are the beginning of a secret (not counting whole ones)."""
        return max((_overlap(text, secret) for secret, _ in self._rows()), default=0)

    # --- inside -------------------------------------------------------------------------

    def _rows(self) -> tuple[tuple[str, str], ...]:
        now = time.monotonic()
        if self._stored is None or now - self._looked > LOOKED:
            with self._lock:
                self._refresh()
                self._looked = now
        return self._table.rows

    def _refresh(self) -> None:
        version = self._version()
        if self._stored is None or self._stored[0] != version:
            self._stored = (version, tuple(self._known()))
        files = [(path, mark) for path in self._files() if (mark := _mark(path)) is not None]
        sign = (version, tuple(files))
        if sign != self._sign:
            named = [*self._stored[1], *(row for path, _ in files for row in read_secrets(path))]
            self._table, self._sign = table(named), sign


def table(named: Iterable[tuple[str, str]]) -> Table:
    """Of (name, value) rows. A value keeps its first name; a name with another value gets a number."""
    values: dict[str, str] = {}
    rows: dict[str, str] = {}
    for name, value in named:
        if len(value) < SHORTEST or value in rows or PLACEHOLDER.search(value):
            continue
        shown, count = placeholder(name), 2
        while shown in values:
            shown, count = placeholder(f"{name}-{count}"), count + 1
        values[shown] = value
        for form in _forms(value):
            rows.setdefault(form, shown)
    ordered = sorted(rows.items(), key=lambda row: -len(row[0]))
    return Table(tuple(ordered), values)


def _forms(value: str) -> list[str]:
    """The value, and how it looks in an address, in JSON, and line by line."""
    lines = [line for line in value.splitlines() if len(line) >= 3 * SHORTEST and not line.startswith("-----")]
    escaped = json.dumps(value, ensure_ascii=False)[1:-1]
    return list(dict.fromkeys([value, quote(value, safe=""), escaped, *(lines if "\n" in value else ())]))


def _overlap(text: str, secret: str) -> int:
    """The longest end of ``text`` with which ``secret`` begins."""
    longest = min(len(text), len(secret) - 1)
    tail = text[len(text) - longest :]
    at = tail.find(secret[0]) if longest else -1
    while at >= 0:
        if secret.startswith(tail[at:]):
            return longest - at
        at = tail.find(secret[0], at + 1)
    return 0


def _mark(path: Path) -> tuple[int, int] | None:
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_mtime_ns, info.st_size
