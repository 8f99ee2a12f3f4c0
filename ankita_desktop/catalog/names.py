"""Tools called by their name, or by a part of it, whatever their source."""

from __future__ import annotations

from collections.abc import Iterable

from ankita_desktop.catalog.everyday import everyday
from ankita_desktop.catalog.words import fold, stem, tokens

LONGEST = 4  # words of a query that can be a part of a name
SHORTEST_PART = 3


class NameIndex:
    """Immutable after it is made."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names: dict[str, str] = {}
        self._parts: dict[str, set[str]] = {}
        for name in names:
            self._names[fold(name)] = name
            for word in _words(name):
                self._parts.setdefault(word, set()).add(name)

    def find(self, query: str) -> list[str]:
        """Names the query spells out; else those with every word of a short query that isn't all generic."""
        whole = fold(query).strip(" `'\"?.!")
        words = whole.split()
        exact = [self._names[word] for word in (whole, *words) if word in self._names and _namelike(word, whole)]
        if exact:
            return list(dict.fromkeys(exact))
        if len(words) > LONGEST:
            return []
        wanted = _words(query)
        if (
            not wanted
            or set(wanted) <= set(map(stem, everyday("generic")))
            or any(len(word) < SHORTEST_PART for word in wanted)
        ):
            return []
        return sorted(set.intersection(*(self._parts.get(word, set()) for word in wanted)))


def _words(name: str) -> list[str]:
    return [stem(word) for word in tokens(name.replace("_", " ").replace("-", " "))]


def _namelike(word: str, whole: str) -> bool:
    return word == whole or "_" in word or "." in word or "-" in word
