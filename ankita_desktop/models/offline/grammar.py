"""The sentences the offline model understands: families of several files, matched by hassil."""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ankita_desktop.errors import ConfigError
from ankita_desktop.models.offline import slots
from ankita_desktop.models.offline.families import Family, Sentences, load
from ankita_desktop.models.offline.hearing import Heard
from ankita_desktop.models.offline.slips import Slips

if TYPE_CHECKING:
    from hassil.intents import Intents
    from hassil.models import MatchEntity


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a sentence. ``score`` is the length of what matched word for word, ``fit`` how well
    the slots look like what they should hold."""

    family: Family
    values: Mapping[str, Any]
    score: int
    said: str
    fit: int = 0

    @property
    def rank(self) -> tuple[int, int, int]:
        return self.score, self.fit, -len(self.values)


_SAYS_FILE = re.compile(r"\b(?:file|document|script)\b", re.IGNORECASE)
_REMEMBERED = 1_000  # a turn asks for the same sentence every round, and for those before it


class Grammar:
    """All families of some files. Read on first use (0.3 s); thread-safe.

    A file that can't be used is set aside: ``problems`` names it and says why.
    """

    def __init__(self, files: Sequence[Path], recipes: Collection[str]) -> None:
        self._files = files
        self._recipes = recipes
        self._lock = threading.Lock()
        self._families: dict[str, Family] = {}
        self._kinds: dict[str, str] = {}
        self._problems: list[str] = []
        self._intents: Intents | None = None
        self._known: dict[Heard, Reading | None] = {}
        self._slips = Slips(())

    @property
    def families(self) -> Mapping[str, Family]:
        """By name, in the order of the files; one of the same name replaces the earlier."""
        self._parsed()
        return self._families

    @property
    def slips(self) -> Slips:
        """Mends misspelt words of the sentences."""
        self._parsed()
        return self._slips

    @property
    def problems(self) -> tuple[str, ...]:
        self._parsed()
        return tuple(self._problems)

    def read(self, heard: Heard) -> Reading | None:
        """The best way to understand the sentence, None when there is none."""
        known = self._known
        if heard in known:
            return known[heard]
        best = max(self._readings(heard), key=lambda reading: reading.rank, default=None)
        if len(self._known) >= _REMEMBERED:
            self._known = {}
        self._known[heard] = best
        return best

    def _readings(self, heard: Heard) -> Iterable[Reading]:
        from hassil.recognize import recognize_all

        if not heard.tokens:
            return
        for result in recognize_all(heard.masked, self._parsed()):
            family = self._families[result.intent.name]
            spans = {entity.name: entity.text_span for entity in result.entities_list}
            fixed = {e.name: self._fixed(family, e) for e in result.entities_list if not e.is_wildcard}
            values = self._values(heard, family, {k: s for k, s in spans.items() if s and k not in fixed})
            if values is not None:
                fit = sum(slots.fits(self._kind(family, name), value) for name, value in values.items())
                yield Reading(family, {**fixed, **values}, result.text_chunks_matched, heard.words, fit)

    def _kind(self, family: Family, slot: str) -> str:
        return family.kinds.get(slot) or self._kinds.get(slot) or "text"

    def _fixed(self, family: Family, entity: MatchEntity) -> Any:
        """A value that the file sets; "it" for a path is the file that came up last, as if it were said."""
        if self._kind(family, entity.name) in ("path", "file", "folder") and isinstance(entity.value, str):
            return slots.path(entity.value, quoted=False)
        return entity.value

    def _values(self, heard: Heard, family: Family, spans: Mapping[str, tuple[int, int]]) -> dict[str, Any] | None:
        """The slots' values; None when one of them can't be what its kind wants."""
        values: dict[str, Any] = {}
        for name, (start, end) in spans.items():
            covered = heard.covered(start, end)
            said = heard.said(covered)
            quoted = len(covered) == 1 and covered[0].quoted is not None
            kind = self._kind(family, name)
            # A person who says "file" may name it as they like.
            kind = "path" if kind == "file" and _SAYS_FILE.search(heard.masked) else kind
            value = slots.KINDS[kind](said, quoted=quoted)
            if value is None:
                return None
            names = name.split("_and_")
            values.update(zip(names, value, strict=True) if len(names) == 2 else [(name, value)])
        return values

    # --- the files ----------------------------------------------------------------------

    def _parsed(self) -> Intents:
        with self._lock:
            if self._intents is None:
                self._intents = self._parse()
            return self._intents

    def _parse(self) -> Intents:
        data: dict[str, Any] = {"language": "en", "intents": {}, "expansion_rules": {}, "lists": {}}
        intents = _intents(data)
        for file in self._files:
            try:
                sentences = load(file, self._recipes)
                wider = _with(data, sentences)
                intents = _intents(wider)
                _check(intents, sentences)
            except ConfigError as error:
                self._problems.append(f"{file} is left out: {error}")
                intents = _intents(data)
                continue
            data = wider
            self._families |= sentences.families
            self._kinds |= sentences.kinds
        self._slips = Slips(_templates(data))
        return intents


def _templates(data: Mapping[str, Any]) -> Iterable[str]:
    yield from data["expansion_rules"].values()
    for intent in data["intents"].values():
        for block in intent["data"]:
            yield from block["sentences"]


def _with(data: Mapping[str, Any], sentences: Sentences) -> dict[str, Any]:
    return {
        "language": data["language"],
        "intents": data["intents"] | {name: {"data": blocks} for name, blocks in sentences.blocks.items()},
        "expansion_rules": data["expansion_rules"] | sentences.rules,
        "lists": data["lists"] | {slot: {"wildcard": True} for slot in sentences.kinds},
    }


def _intents(data: dict[str, Any]) -> Intents:
    from hassil.errors import HassilError
    from hassil.intents import Intents
    from hassil.parser import ParseError

    try:
        return Intents.from_dict(data)
    except (HassilError, ParseError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise ConfigError(f"a rule can't be used: {error}") from error


def _check(intents: Intents, sentences: Sentences) -> None:
    """Parse the file's templates now, so that a mistake is named when the file is read, not at some sentence."""
    from hassil.errors import HassilError
    from hassil.parser import ParseError

    _check_rules(intents, sentences)
    for name in sentences.families:
        try:
            used = {
                slot
                for block in intents.intents[name].data
                for sentence in block.sentences
                for slot in sentence.list_names(intents.expansion_rules)
            }
        except (HassilError, ParseError, ValueError, LookupError, AssertionError) as error:
            raise ConfigError(f"a sentence of {name} can't be used: {error}") from error
        if unknown := used - set(intents.slot_lists):
            raise ConfigError(f"the family {name} uses a slot that is not declared: {', '.join(sorted(unknown))}.")


_RULE = re.compile(r"<(\w+)>")


def _check_rules(intents: Intents, sentences: Sentences) -> None:
    """hassil finds out about a missing rule only while it matches."""
    texts = [text for blocks in sentences.blocks.values() for block in blocks for text in block["sentences"]]
    used = {rule for text in (*texts, *sentences.rules.values()) for rule in _RULE.findall(text)}
    if missing := used - set(intents.expansion_rules):
        raise ConfigError(f"a sentence can't be used: there is no rule <{'>, <'.join(sorted(missing))}>.")
