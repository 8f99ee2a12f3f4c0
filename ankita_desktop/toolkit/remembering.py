"""What is remembered, as values: facts about the person, and what a search in all of it finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

PINS = 12
PIN_LENGTH = 160
FACT_LENGTH = 1_000

RecallKind = Literal["fact", "note", "decision", "todo", "log", "said"]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something to be remembered about the person. ``id`` such as "m12"; times in seconds since the epoch."""

    id: str
    text: str
    pinned: bool = False
    created: float = 0.0
    updated: float = 0.0


@dataclass(frozen=True, slots=True)
class Saved:
    """What a change did. ``before`` is what stood there (None: nothing), ``similar`` what is near."""

    fact: Fact
    how: Literal["added", "merged", "replaced", "pinned", "unpinned"]
    before: Fact | None = None
    similar: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Recollection:
    """One thing that a search found. ``source`` says for a person where it stands, ``time`` when it was said."""

    kind: RecallKind
    text: str
    source: str
    time: float
    id: str = ""


class Memory(Protocol):
    """Facts about the person, and search in everything remembered. Thread-safe, stored on return."""

    def facts(self) -> Sequence[Fact]: ...
    def pins(self) -> Sequence[Fact]: ...
    def fact(self, fact: str) -> Fact | None: ...
    def find_facts(self, text: str, *, whole: bool = False) -> Sequence[Fact]:
        """Facts that hold all telling words of ``text``, or unless ``whole`` those that hold most of them, best
        first."""
        ...

    def add_fact(self, text: str, *, session: str = "") -> Saved: ...
    def change_fact(self, fact: str, text: str) -> Saved: ...
    def pin_fact(self, fact: str, pinned: bool = True) -> Saved: ...
    def forget_fact(self, fact: str) -> bool: ...
    def undo_fact(self, undo: dict[str, Any]) -> bool:
        """Take a save back: ``undo`` is the tool's ``details["undo"]``. False when it's changed since."""
        ...

    def recall(self, query: str, *, limit: int = 12, session: str = "") -> Sequence[Recollection]:
        """What fits best, each with source and time. Words of the ``session`` itself are left out."""
        ...
