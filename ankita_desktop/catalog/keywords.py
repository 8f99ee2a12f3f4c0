"""Keeping keywords from drifting: candidates to curate, tools nothing finds, phrases two groups claim, and costs.

The functions behind ``ankita tools review`` and ``ankita tools audit``: each returns data, and ``*_text`` puts it
into lines for a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from ankita_desktop.catalog.catalogue import ToolCatalogue
from ankita_desktop.catalog.derived import DerivedIndex, query_words
from ankita_desktop.catalog.everyday import everyday
from ankita_desktop.catalog.match import THRESHOLD
from ankita_desktop.catalog.words import stem, tokens
from ankita_desktop.protocol import ToolSpec, compact_json

MOST_CANDIDATES = 12
BYTES_PER_TOKEN = 4.4  # of compact JSON schemas, measured with the o200k table


@dataclass(frozen=True, slots=True)
class Review:
    """What a person should look at: ``candidates`` per tool (words of its header its group doesn't know),
    ``unreachable`` tools (their own description doesn't find their group), ``fights`` (phrase, groups)."""

    candidates: dict[str, tuple[str, ...]]
    unreachable: tuple[str, ...]
    fights: tuple[tuple[str, tuple[str, ...]], ...]

    def ok(self) -> bool:
        """Whether continuous integration may pass: every tool has a path to it, no phrase is fought over."""
        return not self.unreachable and not self.fights


@dataclass(frozen=True, slots=True)
class Cost:
    """What one always-sent tool costs in every request. ``used`` counts calls in the stored sessions."""

    tool: str
    bytes: int
    tokens: int
    share: float
    used: int


@dataclass(frozen=True, slots=True)
class Audit:
    """``always`` dearest first; ``deferrable`` are always-sent tools that were never used; ``misses`` are searches
    that found nothing."""

    always: tuple[Cost, ...]
    bytes: int
    tokens: int
    deferred_bytes: int
    deferrable: tuple[str, ...]
    misses: tuple[str, ...]


def review(catalogue: ToolCatalogue) -> Review:
    """Compare the headers of the bundled deferred tools with what ``catalog.toml`` says about their groups."""
    specs = [spec for spec in catalogue.specs() if not spec.always_on and spec.source == "bundled"]
    index = DerivedIndex(specs)
    candidates = {spec.name: found for spec in specs if (found := _candidates(catalogue, spec, index))}
    unreachable = tuple(spec.name for spec in specs if not reachable(catalogue, spec))
    return Review(candidates, unreachable, fights(catalogue))


def reachable(catalogue: ToolCatalogue, spec: ToolSpec) -> bool:
    """Whether the tool's description, whole or by sentence, or a keyword of its own finds its group."""
    sentences = [
        spec.description,
        *spec.description.replace(";", ".").replace(":", ".").split("."),
        *spec.keywords,
    ]
    return any(spec.group in catalogue.match(text, planned=True).groups for text in sentences if text.strip())


def fights(catalogue: ToolCatalogue) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Phrases that by themselves mean two groups although no rule says which."""
    found = []
    for phrase in catalogue.phrases():
        groups = catalogue.match(phrase, planned=True).groups
        if len(groups) > 1:
            found.append((phrase, groups))
    return tuple(found)


def _candidates(catalogue: ToolCatalogue, spec: ToolSpec, index: DerivedIndex) -> tuple[str, ...]:
    """Words of the header that say nothing for its group yet, rarest first."""
    spelled = {stem(word): word for word in tokens(f"{spec.name.replace('_', ' ')} {spec.description}")}
    telling = [
        word for word in query_words(" ".join(spelled.values())) if spelled.get(word) not in everyday("generic")
    ]
    new = [
        word for word in telling if catalogue.speaks_for(spelled.get(word, word)).get(spec.group, 0.0) < THRESHOLD
    ]
    new.sort(key=lambda word: -index.idf.get(word, 0.0))
    return tuple(spelled[word] for word in new if word in spelled)[:MOST_CANDIDATES]


def review_text(found: Review, catalogue: ToolCatalogue) -> str:
    """The review as a diff on ``catalog.toml`` that a person edits, then what must be settled."""
    lines: list[str] = []
    for tool, words in found.candidates.items():
        spec = catalogue.spec(tool)
        listed = ", ".join(f'"{word}"' for word in words)
        lines += [f"@@ [groups.{spec.group if spec else ''}] {tool}", f"+maybe = [{listed}]"]
    lines += [f"No sentence of its own finds {tool}: add a keyword to its header." for tool in found.unreachable]
    lines += [f"{' and '.join(groups)} both claim {phrase!r}: add a rule." for phrase, groups in found.fights]
    return "\n".join(lines) or "Every tool is found by its own words, and no phrase is fought over."


def audit(specs: Iterable[ToolSpec], used: Mapping[str, int], misses: Sequence[str] = ()) -> Audit:
    """What is always sent, what it costs and what of it was used. ``used`` counts calls per tool name."""
    every = list(specs)
    always = [spec for spec in every if spec.always_on]
    total = len(compact_json([spec.entry() for spec in always]).encode())
    costs = [_cost(spec, total, used.get(spec.name, 0)) for spec in always]
    costs.sort(key=lambda cost: -cost.bytes)
    return Audit(
        always=tuple(costs),
        bytes=total,
        tokens=round(total / BYTES_PER_TOKEN),
        deferred_bytes=sum(spec.schema_bytes() for spec in every if not spec.always_on),
        deferrable=tuple(cost.tool for cost in costs if not cost.used and cost.tool != "find_tools")
        if used
        else (),
        misses=tuple(misses),
    )


def _cost(spec: ToolSpec, total: int, used: int) -> Cost:
    size = spec.schema_bytes()
    return Cost(spec.name, size, round(size / BYTES_PER_TOKEN), round(size / max(1, total), 3), used)


def audit_text(found: Audit) -> str:
    """The audit as a table and a few sentences."""
    lines = [f"{'tool':<16}{'bytes':>7}{'tokens':>8}{'share':>8}{'used':>7}"]
    for cost in found.always:
        lines.append(f"{cost.tool:<16}{cost.bytes:>7}{cost.tokens:>8}{cost.share:>8.1%}{cost.used:>7}")
    lines.append(f"Always sent: {found.bytes} bytes, about {found.tokens} tokens in every request.")
    lines.append(f"Deferred: {found.deferred_bytes} bytes that are sent only when a task needs them.")
    if found.deferrable:
        lines.append(f"Never used so far, could be deferred: {', '.join(found.deferrable)}.")
    if found.misses:
        lines += ["Searches that found nothing:", *(f"  {query}" for query in found.misses)]
    return "\n".join(lines)


def as_data(found: Review | Audit) -> dict[str, object]:
    """JSON-ready data for ``--json``."""
    return asdict(found)
