"""Which known word a misspelt one was meant to be.

Only words of five letters and more are corrected, only to words that begin alike and are about as long, and never
when the word is an ordinary one itself ("united" is not "unites").
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import resources

SHORTEST = 5
# Words of every sentence: they are in many phrases, and a slip of them changes nothing.
PLAIN = frozenset(
    "about after again their there these those where which while whether would could should other every under "
    "until before being having since still start thing things think three today night other within without".split()
)
LONG = 8  # from this length on two slips are forgiven


@cache
def common_words() -> frozenset[str]:
    """Ordinary English words that resemble a keyword and aren't a slip of it."""
    text = resources.files("ankita_desktop.catalog").joinpath("not_typos.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


class Speller:
    """Thread-safe: its tables are made once, the answers it keeps are the same whoever asks."""

    def __init__(self, words: Iterable[str]) -> None:
        self._buckets: dict[tuple[str, int], list[str]] = {}
        for word in sorted(set(words)):
            if len(word) >= SHORTEST and word not in PLAIN:
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
            (OSA.distance(word, other, score_cutoff=slips), len(letters ^ set(other)), other) for other in candidates
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
