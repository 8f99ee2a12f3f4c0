"""Which known word a misspelt one was meant to be.

Only words of five letters and more are corrected, only to words that begin alike and are about as long, and never
when the word is an ordinary one itself ("united" is not "unites").
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ankita_desktop.catalog.everyday import data, everyday

SHORTEST = 5
LONG = 8  # from this length on two slips are forgiven


@cache
def common_words() -> frozenset[str]:
    """Ordinary English words that resemble a keyword and aren't a slip of it."""
    return frozenset(data("not_typos.txt"))


class Speller:
    """Thread-safe: its tables are made once, the answers it keeps are the same whoever asks."""

    def __init__(self, words: Iterable[str]) -> None:
        self._buckets: dict[tuple[str, int], list[str]] = {}
        for word in sorted(set(words) - everyday("plain")):
            if len(word) >= SHORTEST:
                self._buckets.setdefault((word[0], len(word)), []).append(word)
        self._known: dict[str, str] = {}

    def correct(self, word: str) -> str:
        """The known word that ``word`` is a slip of, or ``word`` itself."""
        found = self._known.get(word)
        if found is None:
            if len(self._known) > 20_000:
                self._known.clear()
            found = self._known[word] = self._search(word)
        return found

    def _search(self, word: str) -> str:
        slips = 2 if len(word) >= LONG else 1
        candidates = self._candidates(word, slips)
        if not candidates or word in common_words():
            return word
        from rapidfuzz.distance import OSA

        letters = set(word)
        scored = (
            (OSA.distance(word, other, score_cutoff=slips), len(letters ^ set(other)), other)
            for other in candidates
        )
        distance, _, best = min(scored)
        return best if distance <= slips else word

    def _candidates(self, word: str, slips: int) -> list[str]:
        """Words of the right length whose letters could become this word's."""
        first, letters, length = word[0], set(word), len(word)
        return [
            other
            for size in range(max(SHORTEST, length - slips), length + slips + 1)
            for other in self._buckets.get((first, size), ())
            if len(letters ^ set(other)) <= 2 * slips
        ]
