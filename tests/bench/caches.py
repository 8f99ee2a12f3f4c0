"""What services keep of a conversation between requests, and what they bill: simulated from their documentation.

A prompt is a list of parts (a tool, the system text, a message) in the order in which services read them: tools,
system, messages. Each part is known by a number; equal texts have equal numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from ankita_desktop.catalog.counting import token_count


@dataclass(frozen=True, slots=True)
class Prompt:
    """``marks`` are the ends of the tools, of the system text and of the messages."""

    parts: tuple[int, ...]
    marks: tuple[int, int, int]


class Parts:
    """Numbers and token counts of texts."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.tokens: list[int] = []

    def number(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.tokens)
            self.tokens.append(token_count(text))
        return self._numbers[text]

    def total(self, parts: Sequence[int]) -> int:
        return sum(self.tokens[part] for part in parts)


@dataclass(frozen=True, slots=True)
class Rates:
    """Prices relative to a token of new input."""

    cached: float
    written: float
    output: float


class Prefixes:
    """OpenAI: the longest beginning in common with what was sent before, from 1,024 tokens on in steps of 128."""

    rates = Rates(0.1, 1.0, 8.0)
    step, least, life = 128, 1_024, 600.0

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._last: tuple[int, ...] = ()
        self._until = 0.0

    def cached(self, prompt: Prompt, now: float) -> int:
        """Tokens of the prompt that are read from the cache."""
        known = self._last if now < self._until else ()
        same = self._parts.total(prompt.parts[: in_common(known, prompt.parts)])
        self._last, self._until = prompt.parts, now + self.life
        return 0 if same < self.least else self.least + (same - self.least) // self.step * self.step


@dataclass
class Breakpoints:
    """Anthropic: written at marks after tools, system and messages; read by looking back up to 20 parts from each
    mark for what was written in the last five minutes."""

    parts: Parts
    rates = Rates(0.1, 1.25, 5.0)
    step, least, life, look_back = 1, 1_024, 300.0, 20
    _written: dict[int, float] = field(default_factory=dict)

    def cached(self, prompt: Prompt, now: float) -> int:
        """Tokens of the prompt that are read from the cache."""
        beginnings = list(accumulate(prompt.parts, lambda known, part: hash((known, part)), initial=0))
        best = 0
        for mark in prompt.marks:
            for end in range(mark, max(-1, mark - self.look_back - 1), -1):
                if self._written.get(beginnings[end], 0.0) > now:
                    best = max(best, end)
                    self._written[beginnings[end]] = now + self.life
                    break
        self._written |= {beginnings[mark]: now + self.life for mark in prompt.marks}
        cached = self.parts.total(prompt.parts[:best])
        return cached if cached >= self.least else 0


def in_common(one: Sequence[int], other: Sequence[int]) -> int:
    """With how many equal items two sequences begin."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


Cache = Prefixes | Breakpoints
CACHES = {"OpenAI": Prefixes, "Anthropic": Breakpoints}
