"""``catalog.toml`` made ready for matching: which words mean which concept, and which concepts mean which group.

A *concept* is a list of words or phrases for one thing or deed; English ones are compared by stem, those of
other languages as they are written, ``word*`` by its beginning, ``^words`` where a sentence begins, ``~word``
where it is no noun (not after "the" or "my"). A *pattern* is what must stand in one clause: ``a + b`` in any
order, ``a .. b`` in this order, ``!a`` not there, ``!!a`` in no clause at all; ``@name`` is a concept, the rest a
phrase.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ankita_desktop.catalog.words import parts, stem
from ankita_desktop.errors import ConfigError

SURE, MAYBE = 1.0, 0.5
ENGLISH = "en"


@dataclass(slots=True)
class Pattern:
    """``needs``, ``bars`` and ``nowhere`` are concepts by number; the first need is the one a search starts from.

    ``kind`` is "group" (evidence for ``group``), "rule" (takes its words from ``others``) or "carrier" (the rest
    of its clause is content, not a wish; without a group: when something before it is already a wish).
    """

    text: str
    group: str
    weight: float = SURE
    needs: tuple[int, ...] = ()
    bars: tuple[int, ...] = ()
    nowhere: tuple[int, ...] = ()
    ordered: bool = False
    kind: str = "group"
    others: frozenset[str] = frozenset()
    whole: bool = False
    reason: str = ""


@dataclass(slots=True)
class Phrasebook:
    """Lookup tables; phrases stand under their first two words. Words are folded; ``stems`` holds English stems,
    ``words`` what is compared as written;
    ``stem_of`` has every English word of the book, so that only words that aren't in it need stemming."""

    words: dict[str, tuple[int, ...]] = field(default_factory=dict)
    stems: dict[str, tuple[int, ...]] = field(default_factory=dict)
    prefixes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    phrases: dict[tuple[str, str], list[tuple[tuple[str, ...], int]]] = field(default_factory=dict)
    exact: dict[tuple[str, str], list[tuple[tuple[str, ...], int]]] = field(default_factory=dict)
    openings: dict[str, list[tuple[tuple[str, ...], int]]] = field(default_factory=dict)
    interjections: frozenset[str] = frozenset()
    deeds: dict[str, tuple[int, ...]] = field(default_factory=dict)
    determiners: frozenset[str] = frozenset()
    lead: dict[int, list[Pattern]] = field(default_factory=dict)
    verbs: frozenset[int] = frozenset()
    joins: frozenset[int] = frozenset()
    opens: frozenset[int] = frozenset()
    follows: frozenset[int] = frozenset()
    beginnings: set[str] = field(default_factory=set)
    stem_of: dict[str, str] = field(default_factory=dict)
    known_stems: frozenset[str] = frozenset()
    foreign: frozenset[str] = frozenset()
    lengths: tuple[int, ...] = ()
    english: list[tuple[int, str]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def patterns(self) -> Iterable[Pattern]:
        for patterns in self.lead.values():
            yield from patterns


class _Builder:
    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings
        self.book = Phrasebook()
        self.numbers: dict[str, int] = {}

    def build(self) -> Phrasebook:
        for name, languages in self.settings.get("concepts", {}).items():
            self._concept(f"@{name}", languages if isinstance(languages, dict) else {ENGLISH: languages})
        for group, about in self.settings.get("groups", {}).items():
            for key, weight in (("sure", SURE), ("maybe", MAYBE)):
                for text in about.get(key, ()):
                    self._pattern(Pattern(text, group, weight))
        self._rules()
        book = self.book
        book.verbs = self._listed("verbs")
        book.joins = self._listed("joins")
        book.opens, book.follows = self._listed("opens"), self._listed("follows")
        book.interjections = frozenset(self.settings.get("interjections", ()))
        book.determiners = frozenset(self.settings.get("determiners", ()))
        book.lengths = tuple(sorted({len(prefix) for prefix in book.prefixes}))
        book.beginnings.update(word[:3] for word in book.stem_of)
        book.beginnings.update(word[:3] for word in book.stem_of.values())
        book.known_stems = frozenset(book.stem_of.values())
        book.foreign = frozenset(
            part for phrases in book.phrases.values() for words, _ in phrases for part in words
        )
        book.foreign = (book.foreign | book.words.keys()) - book.stem_of.keys()
        return book

    def _listed(self, key: str) -> frozenset[int]:
        return frozenset(self._number(f"@{name}") for name in self.settings.get(key, ()))

    def _rules(self) -> None:
        for rule in self.settings.get("rules", ()):
            others = frozenset(rule["not"])
            for text in rule["when"]:
                self._pattern(
                    Pattern(text, rule.get("for", ""), kind="rule", others=others, reason=rule["reason"])
                )
        for carrier in self.settings.get("carriers", ()):
            group, whole = carrier.get("group", ""), carrier.get("takes", "rest") == "clause"
            for text in carrier["when"]:
                self._pattern(Pattern(text, group, kind="carrier", whole=whole, reason=carrier["reason"]))

    def _concept(self, name: str, languages: Mapping[str, Iterable[str]]) -> int:
        number = self.numbers[name] = len(self.numbers)
        self.book.names.append(name)
        for language, phrases in languages.items():
            for phrase in phrases:
                self._phrase(number, phrase, english=language == ENGLISH)
        return number

    def _phrase(self, number: int, phrase: str, *, english: bool) -> None:
        book = self.book
        if english:
            book.english.append((number, phrase.lstrip("=")))
        if phrase.endswith("*"):
            _add(book.prefixes, phrase[:-1], number)
            return
        if phrase.startswith("^"):
            words = phrase[1:].split()
            book.openings.setdefault(words[0], []).append((tuple(words), number))
            return
        if phrase.startswith("~"):
            _add(book.deeds, phrase[1:], number)
            return
        if phrase.startswith("="):
            self._exact(number, phrase[1:].split())
            return
        words = phrase.split() if phrase[0] in "<." or "<" in phrase else parts(phrase)
        if not words:
            raise ConfigError(f"catalog.toml: {phrase!r} has no words.")
        keys = [stem(word) for word in words] if english else words
        if english:
            book.stem_of.update(zip(words, keys, strict=True))
        if len(keys) > 1:
            same = book.phrases.setdefault((keys[0], keys[1]), [])
            if (tuple(keys), number) not in same:  # "pull request" and "pull requests"
                same.append((tuple(keys), number))
        elif english:
            _add(book.stems, keys[0], number)
        else:
            _add(book.words, keys[0], number)

    def _exact(self, number: int, words: list[str]) -> None:
        if len(words) == 1:
            _add(self.book.words, words[0], number)
        else:
            self.book.exact.setdefault((words[0], words[1]), []).append((tuple(words), number))

    def _pattern(self, pattern: Pattern) -> None:
        pattern.ordered = ".." in pattern.text
        needs: list[int] = []
        bars: list[int] = []
        nowhere: list[int] = []
        for element in pattern.text.replace("..", "+").split("+"):
            name = element.strip()
            kind = nowhere if name.startswith("!!") else bars if name.startswith("!") else needs
            kind.append(self._number(name.lstrip("! ")))
        if not needs:
            raise ConfigError(f"catalog.toml: the pattern {pattern.text!r} needs something to be there.")
        pattern.needs, pattern.bars, pattern.nowhere = tuple(needs), tuple(bars), tuple(nowhere)
        self.book.lead.setdefault(needs[0], []).append(pattern)

    def _number(self, name: str) -> int:
        if name in self.numbers:
            return self.numbers[name]
        if name.startswith("@"):
            raise ConfigError(f"catalog.toml: there is no concept {name}.")
        return self._concept(name, {ENGLISH: [name]})


def _add(table: dict[str, tuple[int, ...]], key: str, number: int) -> None:
    if number not in table.get(key, ()):
        table[key] = (*table.get(key, ()), number)


def compile_book(settings: Mapping[str, Any]) -> Phrasebook:
    """The tables for ``catalog.toml``'s data. Raises ``ConfigError`` on an unknown concept or empty phrase."""
    return _Builder(settings).build()
