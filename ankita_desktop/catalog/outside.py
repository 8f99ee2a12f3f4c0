"""Which groups of uncurated tools a sentence means: those of servers and the person's own.

Their words are derived, and a server's are untrusted: a group needs words of the sentence that aren't of everyday
use, found in a tool's name or among the first words of its description, and most of what the sentence says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ankita_desktop.catalog.derived import DerivedIndex, query_words, related
from ankita_desktop.catalog.everyday import everyday
from ankita_desktop.catalog.words import stem
from ankita_desktop.protocol import ToolSpec

MOST_TOOLS, MOST_TOKENS = 24, 3_000
BYTES_PER_TOKEN = 4
MOST_GROUPS = 3
FIRST_WORDS = 40  # of a description: what stands behind them can't load a group
GENERIC = frozenset(map(stem, everyday("generic")))
COVERED = 0.4  # share of the sentence's telling words that a tool must have
COVERED_BESIDE = 0.5  # the same when a curated group already answers
RELATIVE_CUT = 0.75
LOOKED_AT = 12  # tools examined closely per source


@dataclass(frozen=True, slots=True)
class Found:
    """A group of uncurated tools that a sentence means; ``score`` is below a curated group's."""

    group: str
    score: float
    tools: tuple[str, ...]
    why: tuple[str, ...]


class Source:
    """The tools of one server, or the person's own. Immutable but for what it keeps of its own counting."""

    def __init__(self, specs: Iterable[ToolSpec]) -> None:
        self.index = DerivedIndex(specs)
        self._groups: dict[str, list[ToolSpec]] = {}
        for spec in self.index.specs:
            self._groups.setdefault(spec.group, []).append(spec)
        self._words: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        self._tokens: dict[str, int] = {}

    def find(self, query: str, said: Sequence[str], *, beside: bool) -> list[Found]:
        """The groups that ``said`` (the sentence's stems) means."""
        telling = [word for word in said if len(word) > 1 and word not in GENERIC]
        if not telling:
            return []
        ranked = [spec for spec, _ in self.index.search(query, 4 * MOST_TOOLS)]
        groups: dict[str, tuple[float, tuple[str, ...]]] = {}
        for spec in ranked[:LOOKED_AT]:
            share, words = self._share(spec, telling, beside=beside)
            if share > groups.get(spec.group, (0.0, ()))[0]:
                groups[spec.group] = (share, words)
        return [Found(group, share, self._portion(group, ranked), why) for group, (share, why) in groups.items()]

    def best(self, group: str, query: str) -> tuple[str, ...]:
        """Every tool of a small group; of a large one those that fit the query best, within the limits."""
        return self._portion(group, [spec for spec, _ in self.index.search(query, 4 * MOST_TOOLS)])

    def _portion(self, group: str, ranked: Sequence[ToolSpec]) -> tuple[str, ...]:
        tools = self._groups.get(group, [])
        if len(tools) <= MOST_TOOLS and sum(map(self._cost, tools)) <= MOST_TOKENS:
            return tuple(spec.name for spec in tools)
        chosen: list[str] = []
        room = MOST_TOKENS
        for spec in ranked:
            fits = spec.group == group and len(chosen) < MOST_TOOLS and self._cost(spec) <= room
            if fits or (spec.group == group and not chosen):
                chosen.append(spec.name)
                room -= self._cost(spec)
        return tuple(chosen)

    def _cost(self, spec: ToolSpec) -> int:
        cost = self._tokens.get(spec.name)
        if cost is None:
            cost = self._tokens[spec.name] = spec.schema_bytes() // BYTES_PER_TOKEN
        return cost

    def _share(self, spec: ToolSpec, telling: Sequence[str], *, beside: bool) -> tuple[float, tuple[str, ...]]:
        """How much of the sentence this tool's words cover, 0.0 when it isn't enough."""
        name, text = self._telling_words(spec)
        found = [word for word in telling if word in name or word in text or related().get(word, NONE) & name]
        named = [word for word in found if word in name or related().get(word, NONE) & name]
        share = len(found) / len(telling)
        enough = bool(named) or (len(found) > 1 and not beside)
        if not enough or share < (COVERED_BESIDE if beside else COVERED):
            return 0.0, ()
        return min(0.99, share * (0.9 if named else 0.7)), tuple(found)

    def _telling_words(self, spec: ToolSpec) -> tuple[frozenset[str], frozenset[str]]:
        known = self._words.get(spec.name)
        if known is None:
            name = stems_of(f"{spec.name} {spec.group} {' '.join(spec.keywords)}")
            text = stems_of(spec.description)[:FIRST_WORDS]
            known = self._words[spec.name] = (frozenset(name) - GENERIC, frozenset(text) - GENERIC)
        return known


NONE: frozenset[str] = frozenset()


def stems_of(text: str) -> list[str]:
    """The distinct stems of a text in order, without words of every sentence."""
    return query_words(text.replace("_", " ").replace("-", " "))


def best_groups(found: Iterable[Found]) -> list[Found]:
    """The few groups worth loading, best first."""
    ranked = sorted(found, key=lambda one: -one.score)
    return [one for one in ranked if one.score >= ranked[0].score * RELATIVE_CUT][:MOST_GROUPS]
