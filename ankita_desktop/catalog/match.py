"""From a sentence to evidence for groups, by the phrasebook alone. Pure and synchronous."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ankita_desktop.catalog.phrasebook import Pattern, Phrasebook, compile_book
from ankita_desktop.catalog.typos import SHORTEST, Speller
from ankita_desktop.catalog.words import ASKED, COMMA, STOP, parts, stem

THRESHOLD = 1.0
RELATIVE_CUT = 0.4
CAP = 2.5
FURTHER = 0.5  # what each further piece of sure evidence adds
BREAKS = frozenset(
    {"and", "then", "also", "plus", "afterwards", "y", "et", "und", "aur", "e", "luego", "puis", "dann", COMMA}
)
ALWAYS = frozenset({"core", "personal", "skills"})
FILLERS = frozenset({"please", "also", "then", "just", "to", "i", "can", "you"})
BETWEEN = frozenset({"between", "entre", "zwischen"})  # "between merge and rebase" is one thing
HARD_BREAKS = frozenset({"then", "afterwards", "luego", "puis", "dann", "phir"})

Correct = Callable[[str], str]


@dataclass(slots=True)
class Evidence:
    """Words at ``at`` speak for ``pattern.group``."""

    pattern: Pattern
    at: frozenset[int]
    clause: int


@dataclass(slots=True)
class Reading:
    """A sentence taken apart: its words, the clause of each, and where each concept stands (start, end)."""

    words: list[str]
    clauses: list[int] = field(default_factory=list)
    spans: dict[int, list[tuple[int, int]]] = field(default_factory=dict)


def read(book: Phrasebook, text: str, correct: Correct) -> Reading:
    """Where the concepts stand. ``correct`` turns a misspelt word into the one that is meant."""
    reading = Reading(parts(text))
    keys = [_key(book, word, correct) for word in reading.words]
    for at, (word, key) in enumerate(zip(reading.words, keys, strict=True)):
        for number in _concepts(book, word, key):
            reading.spans.setdefault(number, []).append((at, at + 1))
        if word in book.deeds and not (at and reading.words[at - 1] in book.determiners):
            for number in book.deeds[word]:
                reading.spans.setdefault(number, []).append((at, at + 1))
        for number, end in _phrases(book, reading.words, keys, at):
            reading.spans.setdefault(number, []).append((at, end))
    reading.clauses = _clauses(book, reading)
    return reading


def _phrases(book: Phrasebook, words: list[str], keys: list[str], at: int) -> Iterable[tuple[int, int]]:
    """The concepts of the phrases that begin here, and where each ends."""
    if words[at] in book.openings and _opens(book, words, at):
        yield from _as_written(book.openings[words[at]], words, at)
    if at + 1 == len(words):
        return
    here, after = {words[at], keys[at]}, {words[at + 1], keys[at + 1]}
    yield from _as_written(book.exact.get((words[at], words[at + 1]), ()), words, at)
    for pair in product(here, after):
        for phrase, number in book.phrases.get(pair, ()):
            if _stands(phrase, words, keys, at):
                yield number, at + len(phrase)


def _as_written(
    phrases: Iterable[tuple[tuple[str, ...], int]], words: list[str], at: int
) -> Iterable[tuple[int, int]]:
    for phrase, number in phrases:
        if tuple(words[at : at + len(phrase)]) == phrase:
            yield number, at + len(phrase)


def _opens(book: Phrasebook, words: list[str], at: int) -> bool:
    """Whether a sentence begins here, but for a greeting or a sigh."""
    while at and words[at - 1] in book.interjections:
        at -= 1
    return at == 0 or words[at - 1] in (STOP, ASKED)


def _stands(phrase: tuple[str, ...], words: list[str], keys: list[str], at: int) -> bool:
    if at + len(phrase) > len(words):
        return False
    return all(part == keys[at + i] or part == words[at + i] for i, part in enumerate(phrase))


def _key(book: Phrasebook, word: str, correct: Correct) -> str:
    """The word as the tables know it: only words that begin like a known one are worth stemming."""
    known = book.stem_of.get(word)
    if known is not None:
        return known
    if word in book.foreign:
        return f"={word}"  # compared as written: "Termin" is no form of "terminate"
    if not (word.isascii() and word.isalpha()):
        return word
    if word[:3] in book.beginnings:
        stemmed = stem(word)
        if stemmed in book.known_stems:
            return stemmed
    if len(word) < SHORTEST:
        return word
    meant = correct(word)
    return book.stem_of.get(meant, meant)


def _concepts(book: Phrasebook, word: str, key: str) -> Iterable[int]:
    yield from book.stems.get(key, ())
    yield from book.words.get(word, ())
    for length in book.lengths:
        if length > len(word):
            break
        yield from book.prefixes.get(word[:length], ())


def _clauses(book: Phrasebook, reading: Reading) -> list[int]:
    """A clause ends at a full stop, at "then", and at "and" or a comma before a new deed.

    No comma ends one that began with a condition ("when it changes, tell me"), and reading goes on with what was
    opened.
    """
    deeds, follows = _starts(reading, book.verbs), _starts(reading, book.follows)
    joins, opens = _starts(reading, book.joins), _starts(reading, book.opens)
    clauses, clause, began, pending = [], 0, 0, ""
    for at, word in enumerate(reading.words):
        head = set(range(began, began + 3))
        joined = (pending == COMMA and head & joins) or (at in follows and head & opens)
        if word == STOP or word in HARD_BREAKS or (pending and at in deeds and not joined):
            clause, began = clause + 1, at
        if word in BREAKS and not BETWEEN & set(reading.words[max(0, at - 4) : at]):
            pending = word
        elif word not in FILLERS:
            pending = ""
        clauses.append(clause)
        if word == ASKED:
            clause, began = clause + 1, at + 1
    return clauses


def _starts(reading: Reading, numbers: Iterable[int]) -> set[int]:
    return {start for number in numbers for start, _ in reading.spans.get(number, ())}


def evidence(book: Phrasebook, reading: Reading) -> list[Evidence]:
    """Every pattern that holds, before they are weighed against each other."""
    found = []
    for number in reading.spans:
        for pattern in book.lead.get(number, ()):
            found += _held(pattern, reading)
    return found


def _held(pattern: Pattern, reading: Reading) -> list[Evidence]:
    """The pattern's occurrences, at most one per occurrence of its first part."""
    spans, clauses = reading.spans, reading.clauses
    if any(number not in spans for number in pattern.needs) or any(number in spans for number in pattern.nowhere):
        return []
    found = []
    for first in spans[pattern.needs[0]]:
        clause = clauses[first[0]]
        at = _complete(pattern, reading, first, clause)
        if at and not _barred(pattern, reading, clause):
            found.append(Evidence(pattern, at, clause))
    return found


def _complete(pattern: Pattern, reading: Reading, first: tuple[int, int], clause: int) -> frozenset[int]:
    used = list(range(*first))
    end = first[1]
    for number in pattern.needs[1:]:
        for span in reading.spans[number]:
            apart = span[0] >= end if pattern.ordered else not set(range(*span)) & set(used)
            if apart and reading.clauses[span[0]] == clause:
                used += range(*span)
                end = span[1]
                break
        else:
            return frozenset()
    return frozenset(used)


def _barred(pattern: Pattern, reading: Reading, clause: int) -> bool:
    return any(
        reading.clauses[start] == clause for number in pattern.bars for start, _ in reading.spans.get(number, ())
    )


def weigh(found: list[Evidence]) -> list[Evidence]:
    """What is left after rules, carriers and longer readings took their words."""
    kept = [one for one in found if one.pattern.kind == "group"]
    kept = _after_rules(kept, [one for one in found if one.pattern.kind == "rule"])
    kept = _after_carriers(kept, [one for one in found if one.pattern.kind == "carrier"])
    return [one for one in kept if not any(_longer(other, one) for other in kept)]


def _after_rules(kept: list[Evidence], rules: list[Evidence]) -> list[Evidence]:
    """A rule takes its words from the groups it names, as long as its own group still stands on one of them.

    What is said first decides: a wish begins with its deed.
    """
    for rule in sorted(rules, key=_first):
        group, others = rule.pattern.group, rule.pattern.others
        if not group or any(one.pattern.group == group and one.at & rule.at for one in kept):
            kept = [one for one in kept if one.pattern.group not in others or not one.at & rule.at]
    return kept


def _after_carriers(kept: list[Evidence], carriers: list[Evidence]) -> list[Evidence]:
    """What a carrier carries is content: "remind me to push the branch" is about reminding alone. That goes for
    other carriers too: what a todo says doesn't make it work on code."""
    for carrier in sorted(_uncarried(carriers, kept), key=_first):
        start = -1 if carrier.pattern.whole else min(carrier.at)
        group = carrier.pattern.group
        if not _carries(carrier, kept):
            continue
        kept = [
            one
            for one in kept
            if one.pattern.group == group or one.clause != carrier.clause or max(one.at) <= start
        ]
    return kept


def _uncarried(carriers: list[Evidence], kept: list[Evidence]) -> list[Evidence]:
    """Without core's carriers that lean on words past a "called" or ":" that carries them."""
    borders = [(min(one.at), one.clause) for one in carriers if not one.pattern.group and _carries(one, kept)]
    return [
        one
        for one in carriers
        if one.pattern.group != "core"
        or not any(one.clause == at and max(one.at) > border for border, at in borders)
    ]


def _first(one: Evidence) -> tuple[int, int]:
    """What begins first, and of those the longest."""
    return min(one.at), -len(one.at)


def _carries(carrier: Evidence, kept: list[Evidence]) -> bool:
    """Whether a wish stands that the carrier belongs to: its group's, or one before it; core's always do."""
    group, here = carrier.pattern.group, [one for one in kept if one.clause == carrier.clause]
    if group in ALWAYS:
        return True
    if group:
        return any(one.pattern.group == group for one in here)
    return any(max(one.at) < min(carrier.at) and one.pattern.weight >= THRESHOLD for one in here)


def _longer(other: Evidence, one: Evidence) -> bool:
    """A longer reading of the same words wins: "pull request" over "pull"."""
    return (
        other.pattern.group != one.pattern.group
        and one.at < other.at
        and other.pattern.weight >= one.pattern.weight
    )


def scores(found: Iterable[Evidence]) -> tuple[dict[str, float], dict[str, tuple[str, ...]]]:
    """Per group its score and the patterns that spoke for it. Each word counts once per group."""
    score: dict[str, float] = {}
    why: dict[str, tuple[str, ...]] = {}
    used: dict[str, set[int]] = {}
    for one in sorted(found, key=lambda one: (-one.pattern.weight, -len(one.at))):
        group = one.pattern.group
        taken = used.setdefault(group, set())
        if one.at <= taken or one.pattern.text in why.get(group, ()):
            continue
        taken |= one.at
        first = score.get(group, 0.0) < THRESHOLD
        gain = one.pattern.weight if first else one.pattern.weight * FURTHER
        score[group] = min(CAP, score.get(group, 0.0) + gain)
        why[group] = (*why.get(group, ()), one.pattern.text)
    return score, why


def choose(score: dict[str, float]) -> list[str]:
    """The groups that pass the threshold and the cut relative to the best, best first."""
    best = max(score.values(), default=0.0)
    chosen = [group for group, value in score.items() if value >= THRESHOLD and value >= best * RELATIVE_CUT]
    return sorted(chosen, key=lambda group: -score[group])


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the phrasebook makes of a sentence: scores and reasons per group, and whether core's tools claim it."""

    scores: dict[str, float]
    why: dict[str, tuple[str, ...]]
    claimed: bool


class Matcher:
    """The phrasebook of one ``catalog.toml`` and its speller. Thread-safe."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.book = compile_book(settings)
        self.speller = Speller(self.book.stem_of)

    def judge(self, query: str) -> Verdict:
        """Every group that anything speaks for, with its score and its reasons."""
        reading = read(self.book, query, self.speller.correct)
        found = evidence(self.book, reading)
        score, why = scores(weigh(found))
        claimed = any(one.pattern.group in ALWAYS and one.pattern.weight >= THRESHOLD for one in found)
        return Verdict(score, why, claimed)

    def knows(self, word: str) -> bool:
        """Whether any concept or phrase has this word or a form of it."""
        return word in self.book.words or stem(word) in self.book.known_stems

    def phrases(self) -> list[str]:
        """The English words and phrases that decide for a group by themselves."""
        sure = [
            pattern for pattern in self.book.patterns() if pattern.kind == "group" and pattern.weight >= THRESHOLD
        ]
        alone = {pattern.needs[0] for pattern in sure if len(pattern.needs) == 1 and pattern.group not in ALWAYS}
        return [phrase for number, phrase in self.book.english if number in alone]
