"""Keeping keywords from drifting: candidates to curate, tools nothing finds, phrases two groups claim.

What stands behind ``ankita tools review``: data, and a diff on ``catalog.toml`` that a person edits and commits.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ankita_desktop.catalog.catalogue import ToolCatalogue
from ankita_desktop.catalog.everyday import everyday
from ankita_desktop.catalog.words import stem, tokens
from ankita_desktop.protocol import ToolSpec

MOST_CANDIDATES = 12
SHORTEST = 3  # letters of a word worth proposing


@dataclass(frozen=True, slots=True)
class Review:
    """What a person should look at: ``candidates`` per tool (words of its header that only its group uses and that
    ``catalog.toml`` doesn't know), ``unreachable`` tools (their own description doesn't find their group),
    ``fights`` (phrase, groups)."""

    candidates: dict[str, tuple[str, ...]]
    unreachable: tuple[str, ...]
    fights: tuple[tuple[str, tuple[str, ...]], ...]

    def ok(self) -> bool:
        """Whether continuous integration may pass: every tool has a path to it, no phrase is fought over."""
        return not self.unreachable and not self.fights


def review(catalogue: ToolCatalogue) -> Review:
    """Compare the headers of the bundled deferred tools with what ``catalog.toml`` says about their groups."""
    specs = [spec for spec in catalogue.specs() if not spec.always_on and spec.source == "bundled"]
    spoken = _spoken(spec for spec in catalogue.specs() if spec.source == "bundled")
    candidates = {spec.name: found for spec in specs if (found := _candidates(catalogue, spec, spoken))}
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


def _candidates(catalogue: ToolCatalogue, spec: ToolSpec, spoken: Mapping[str, set[str]]) -> tuple[str, ...]:
    """Words of the header that tell its group from all others and that no group is known by yet, longest first."""
    fresh = {
        stem(word): word
        for word in _header_words(spec)
        if spoken[stem(word)] == {spec.group} and not catalogue.knows(word)
    }
    return tuple(sorted(fresh.values(), key=lambda word: (-len(word), word)))[:MOST_CANDIDATES]


def _spoken(specs: Iterable[ToolSpec]) -> dict[str, set[str]]:
    """Every word of the headers, by its stem, with the groups that say it."""
    groups: dict[str, set[str]] = {}
    for spec in specs:
        for word in _header_words(spec):
            groups.setdefault(stem(word), set()).add(spec.group)
    return groups


def _header_words(spec: ToolSpec) -> list[str]:
    return [word for word in tokens(f"{spec.name.replace('_', ' ')} {spec.description}") if _is_telling(word)]


def _is_telling(word: str) -> bool:
    return len(word) >= SHORTEST and not any(word in everyday(kind) for kind in ("generic", "stop", "noise"))


def problems(found: Review) -> list[str]:
    """What must be settled before integration passes, one sentence each."""
    lost = [f"No sentence of its own finds {tool}: add a keyword to its header." for tool in found.unreachable]
    fought = [f"{' and '.join(groups)} both claim {phrase!r}: add a rule." for phrase, groups in found.fights]
    return lost + fought


def as_diff(found: Review, catalogue: ToolCatalogue) -> str:
    """The candidates as a change of ``catalog.toml``, one line a tool, for a person to cut down and apply
    (``git apply --recount``); "" when there is none."""
    file = catalogue.file
    if file is None or not file.is_file():
        return ""
    before = file.read_text("utf-8").splitlines(keepends=True)
    after = list(before)
    for tool, words in found.candidates.items():
        spec = catalogue.spec(tool)
        if spec is not None:
            _propose(after, spec, ", ".join(f'"{word}"' for word in words))
    name = f"{file.parent.name}/{file.name}"
    return "".join(difflib.unified_diff(before, after, f"a/{name}", f"b/{name}", n=1))


def _propose(lines: list[str], spec: ToolSpec, words: str) -> None:
    """Add a line to the group's ``maybe`` list; nothing when the catalogue doesn't know the group."""
    head = f"[groups.{spec.group}]\n"
    if head not in lines:
        return
    start = lines.index(head)
    new = f"  {words},  # {spec.name}\n"
    for at in range(start + 1, len(lines)):
        if lines[at].startswith("["):
            lines[start + 1 : start + 1] = ["maybe = [\n", new, "]\n"]
            return
        if lines[at].startswith("maybe = ["):
            break
    else:
        return
    end = next(n for n in range(at, len(lines)) if lines[n].rstrip().endswith("]"))
    kept = lines[end].rstrip()[:-1].rstrip()
    ends = [kept if not kept or kept.endswith((",", "[")) else f"{kept},"]
    lines[end : end + 1] = [f"{line}\n" for line in ends if line] + [new, "]\n"]
