"""The secrets we know, replaced by their names: of the keyring and its file, and of the .env of trusted folders.

Known by value, so nothing is guessed: a text is looked through for each value in every usual spelling. See
``safety.printed`` for what is told by its form in the output of programs, ``toolkit.scrub`` for logs and exports.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ankita_desktop.safety import printed
from ankita_desktop.safety.dotenv import read_secrets
from ankita_desktop.safety.spelled import SHORTEST_CODED, Spelling, in_base64, plainly
from ankita_desktop.toolkit.placeholder import PLACEHOLDER, placeholder

SHORTEST = printed.SHORTEST  # characters; shorter values stand in ordinary words too
LOOKED = 0.5  # seconds until files are looked at again


@dataclass(frozen=True, slots=True)
class Table:
    """What is replaced, longest first; its beginnings and ends that tell; what each placeholder stands for."""

    rows: tuple[Spelling, ...] = ()
    coded: tuple[Spelling, ...] = ()
    halves: tuple[tuple[str, str, int], ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)

    def hide(self, text: str) -> str:
        for row in self.rows:
            if row.needle in text:
                text = row.hide(text)
        if len(text) < SHORTEST_CODED or not self.coded:
            return text
        unbroken = text.replace("\r", "").replace("\n", "")
        for row in self.coded:
            if row.needle in unbroken:
                text = row.hide(text)
        return text


class Redactor:
    """Implements ``core.ports.Redactor``. Thread-safe.

    ``known`` gives stored secrets as (name, value) and may take seconds: it is asked once, and again when
    ``version`` changes. ``files`` are the .env files that count now, ``opened`` those which the person opened
    to the assistant.
    """

    def __init__(
        self,
        known: Callable[[], Iterable[tuple[str, str]]],
        *,
        version: Callable[[], int] = lambda: 0,
        files: Callable[[], Iterable[Path]] = tuple,
        opened: Callable[[], Iterable[Path]] = tuple,
    ) -> None:
        self._known = known
        self._version = version
        self._files = files
        self._opened = opened
        self._lock = threading.Lock()
        self._stored: tuple[int, Sequence[tuple[str, str]]] | None = None
        self._table = Table()
        self._sign: object = None
        self._looked = 0.0

    def hide(self, text: str) -> str:
        """The text with every known secret replaced; the same object when there is none."""
        return self._now().hide(text)

    def hide_printed(self, text: str, asked: str) -> str:
        """As ``hide``, of what a call printed (``asked`` is the call), with what only stands there: halves beside
        a cut, passwords in addresses, and a .env of former days."""
        known = self._now()
        text = printed.without_halves(known.hide(text), known.halves)
        return printed.without_old_env(printed.without_passwords(text), asked, self._opened())

    def hide_loaded(self, text: str) -> str:
        """As ``hide``, with what is known by now: waits for nothing, for logs."""
        return self._table.hide(text)

    def show(self, text: str) -> str:
        """The reverse."""
        values = self._now().values
        return PLACEHOLDER.sub(lambda found: values.get(found[0], found[0]), text) if "«" in text else text

    def held(self, text: str) -> int:
        """Characters at the end that are the beginning of a secret (not counting whole ones)."""
        return max((printed.overlap(text, row.text) for row in self._now().rows), default=0)

    # --- inside -------------------------------------------------------------------------

    def _now(self) -> Table:
        now = time.monotonic()
        if self._stored is None or now - self._looked > LOOKED:
            with self._lock:
                self._refresh()
                self._looked = now
        return self._table

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
    plain: dict[str, str] = {}
    coded: dict[str, str] = {}
    for name, value in named:
        if len(value) < SHORTEST or value in plain or PLACEHOLDER.search(value):
            continue
        shown = _stand_in(name, value, values)
        for text in plainly(value):
            plain.setdefault(text, shown)
        for core in in_base64(value):
            if core not in coded:
                coded[core] = _stand_in(f"{name}.base64", core, values)
    return Table(
        tuple(sorted((Spelling(*row) for row in plain.items()), key=lambda row: -len(row.text))),
        tuple(sorted((Spelling(*row, coded=True) for row in coded.items()), key=lambda row: -len(row.text))),
        printed.beginnings(
            (text, placeholder(f"{shown[8:-1]}.part")) for text, shown in [*plain.items(), *coded.items()]
        ),
        values,
    )


def _stand_in(name: str, value: str, values: dict[str, str]) -> str:
    """A placeholder that no other value has."""
    shown, count = placeholder(name), 2
    while shown in values:
        shown, count = placeholder(f"{name}-{count}"), count + 1
    values[shown] = value
    return shown


def _mark(path: Path) -> tuple[int, int] | None:
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_mtime_ns, info.st_size
