"""Search by words in what is remembered, quick also where most of it holds the words asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from ankita_desktop.store.connection import Database
from ankita_desktop.store.sense import telling

Table = Literal["facts", "notes", "spoken"]

FEW = 400  # rows that may be ranked; a word that stands in more tells too little to rank by
MANY_WORDS = 12


def numbers(values: Iterable[int]) -> str:
    """Row numbers as SQL."""
    return ", ".join(str(int(value)) for value in values)


class WordSearch(Database):
    """The one way to the word indexes of ``memory_schema``."""

    def word_hits(self, table: Table, text: str, *, limit: int) -> list[int]:
        """Rows that hold telling words of ``text``. Rare words decide, ranked by BM25; where all words are common,
        the newest rows that hold all of them."""
        words = telling(text)[:MANY_WORDS]
        counts = {word: self._count(table, word) for word in words}
        known = [word for word in words if counts[word]]
        rare = [word for word in known if counts[word] <= FEW]
        if rare:
            return self._ranked(table, rare, limit)
        for size in range(len(known), 0, -1):
            rarest = sorted(known, key=counts.__getitem__)[:size]
            if found := self._newest(table, rarest, limit):
                return found
        return []

    def _count(self, table: Table, word: str) -> int:
        """In how many rows the word stands, in any of its forms."""
        row = self.row(f"SELECT doc FROM {table}_vocabulary WHERE term = ?", (_stem(word),))
        return int(row["doc"]) if row else 0

    def _ranked(self, table: Table, words: Sequence[str], limit: int) -> list[int]:
        sql = f"SELECT rowid FROM {table}_words WHERE {table}_words MATCH ? ORDER BY rank LIMIT ?"
        return [row["rowid"] for row in self.rows(sql, (" OR ".join(map(_quoted, words)), limit))]

    def _newest(self, table: Table, words: Sequence[str], limit: int) -> list[int]:
        sql = f"SELECT rowid FROM {table}_words WHERE {table}_words MATCH ? ORDER BY rowid DESC LIMIT ?"
        return [row["rowid"] for row in self.rows(sql, (" AND ".join(map(_quoted, words)), limit))]


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


@lru_cache(maxsize=10_000)
def _stem(word: str) -> str:
    """A folded word as the index keeps it."""
    import snowballstemmer

    stemmed: str = snowballstemmer.stemmer("porter").stemWord(word)
    return stemmed
