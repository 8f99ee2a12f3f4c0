"""Search over tools that nobody curated: words derived from their headers, weighed by field and by rarity (BM25F).

For servers and the person's own tools. Building is linear in the text; a query touches only the tools that share a
word with it.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from ankita_desktop.catalog.everyday import data, everyday
from ankita_desktop.catalog.words import stem, tokens
from ankita_desktop.protocol import ToolSpec

NAME, DESCRIPTION, PARAMETERS = 1.75, 1.0, 0.5
K1, B = 1.5, 0.7
RARE = 1  # a word that at most so many tools use is looked up by words of its kind too
RELATED = 0.3  # what those count beside the word itself
TOO_MANY = 1_500  # tools that share a word
MOST_WORDS = 400  # of a tool's own text: a longer one says nothing more
MOST_REPEATS = 3  # of one word in one field: stuffing a description doesn't help
STOP = everyday("stop")


class DerivedIndex:
    """Immutable after it is made; safe to share between threads."""

    def __init__(self, specs: Iterable[ToolSpec]) -> None:
        self.specs: tuple[ToolSpec, ...] = tuple(specs)
        self.idf: dict[str, float] = {}
        self._docs: dict[str, array[int]] = {}
        self._gains: dict[str, array[float]] = {}
        self._fill([_fields(spec) for spec in self.specs])

    def _fill(self, documents: Sequence[tuple[tuple[float, Counter[str]], ...]]) -> None:
        averages = _averages(documents)
        postings: dict[str, list[tuple[int, float]]] = {}
        for number, fields in enumerate(documents):
            weight: dict[str, float] = {}
            for (boost, counts), average in zip(fields, averages, strict=True):
                norm = boost / (1 - B + B * counts.total() / average)
                for word, count in counts.items():
                    weight[word] = weight.get(word, 0.0) + norm * min(count, MOST_REPEATS)
            for word, value in weight.items():
                postings.setdefault(word, []).append((number, value / (K1 + value)))
        total = len(documents)
        for word, found in postings.items():
            self.idf[word] = math.log(1 + (total - len(found) + 0.5) / (len(found) + 0.5))
            self._docs[word] = array("i", [number for number, _ in found])
            self._gains[word] = array("f", [gain for _, gain in found])

    def search(self, query: str, most: int = 24) -> list[tuple[ToolSpec, float]]:
        """The best tools with their scores, best first; equal ones in the order they came."""
        return [(self.specs[number], score) for number, score in self._ranked(self._weighed(query), most)]

    def _weighed(self, query: str) -> dict[str, float]:
        """The query's stems; for one that hardly any tool uses also, at a fraction, words of the same kind."""
        words = query_words(query)
        rare = [word for word in words if len(self._docs.get(word, ())) <= RARE]
        weights = {other: RELATED for word in rare for other in related().get(word, ())}
        return weights | dict.fromkeys(words, 1.0)

    def _ranked(self, words: Mapping[str, float], most: int) -> list[tuple[int, float]]:
        scores: dict[int, float] = {}
        get = scores.get
        for word, share in self._searched(words):
            idf = self.idf[word] * share
            for number, gain in zip(self._docs[word], self._gains[word], strict=True):
                scores[number] = get(number, 0.0) + idf * gain
        return heapq.nsmallest(most, scores.items(), key=lambda item: (-item[1], item[0]))

    def _searched(self, words: Mapping[str, float]) -> list[tuple[str, float]]:
        """The words worth looking up: one that thousands of tools share decides nothing beside rarer ones."""
        known = [(word, share) for word, share in words.items() if word in self.idf]
        rare = [(word, share) for word, share in known if len(self._docs[word]) <= TOO_MANY]
        return rare if len(rare) > 1 else known


def _averages(documents: Sequence[tuple[tuple[float, Counter[str]], ...]]) -> list[float]:
    count = max(1, len(documents))
    fields = zip(*documents, strict=True) if documents else ()
    return [max(1.0, sum(counts.total() for _, counts in field) / count) for field in fields]


@cache
def related() -> Mapping[str, frozenset[str]]:
    """Stems of one kind with each other, from ``synonyms.txt``."""
    found: dict[str, set[str]] = {}
    for line in data("synonyms.txt"):
        kind = [stem(word) for word in line.split()] if not line.startswith("#") else []
        for word in kind:
            found.setdefault(word, set()).update(kind)
    return {word: frozenset(kind - {word}) for word, kind in found.items()}


def query_words(text: str) -> list[str]:
    """The stems that a query is searched by, each once, in order."""
    return list(dict.fromkeys(_stems(text)))


def _stems(text: str) -> list[str]:
    return [stem(word) for word in tokens(text)[:MOST_WORDS] if word not in STOP]


def _fields(spec: ToolSpec) -> tuple[tuple[float, Counter[str]], ...]:
    name = " ".join((spec.name.replace("_", " ").replace(".", " ").replace("-", " "), *spec.keywords))
    return (
        (NAME, Counter(_stems(name))),
        (DESCRIPTION, Counter(_stems(spec.description))),
        (PARAMETERS, Counter(_stems(" ".join(_parameter_texts(spec.parameters))))),
    )


def _parameter_texts(schema: Mapping[str, Any]) -> Iterable[str]:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return
    for name, about in properties.items():
        yield str(name)
        if isinstance(about, dict):
            yield str(about.get("description", ""))
