"""What a judge says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["safe", "ask", "dangerous", "blocked"]
ORDER: tuple[Level, ...] = ("safe", "ask", "dangerous", "blocked")


@dataclass(frozen=True, slots=True)
class Part:
    """One program of the line, as the text that starts it. ``words`` are what the program gets. ``outer``: the
    line itself names it, it isn't started by another part. ``plain``: its words say all that it does."""

    text: str
    level: Level
    reason: str = ""
    words: tuple[str, ...] = ()
    outer: bool = True
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a command line deserves, part by part, and why in a sentence."""

    verdict: Level
    parts: tuple[Part, ...]
    reason: str

    @classmethod
    def over(cls, parts: tuple[Part, ...]) -> Verdict:
        """The worst of the parts counts."""
        worst = max(parts, key=lambda part: ORDER.index(part.level))
        return cls(worst.level, parts, worst.reason or "It only reads.")
