"""Search by words in what is remembered, quick also where most of it holds the words asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from ankita_desktop.store.connection import Database
from ankita_desktop.store.sense import UNSPACED, telling

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
        words = telling(text)
        pairs, words = [w for w in words if UNSPACED.search(w)], [w for w in words if not UNSPACED.search(w)]
        return [
            *self._by_words(table, words[:MANY_WORDS], limit),
            *self._by_pairs(table, pairs[:MANY_WORDS], limit),
        ]

    def _by_words(self, table: Table, words: Sequence[str], limit: int) -> list[int]:
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

    def _by_pairs(self, table: Table, pairs: Sequence[str], limit: int) -> list[int]:
        """Scripts without spaces: the rows that hold most of the pairs of neighbouring characters."""
        if not pairs:
            return []
        column, place, key = ("body", "search", "rowid") if table == "spoken" else ("text", table, "seq")
        share = " + ".join([f"(instr({column}, ?) > 0)"] * len(pairs))
        sql = f"""SELECT {key} AS seq, {share} AS share FROM {place} WHERE share > 0
                  ORDER BY share DESC, {key} DESC LIMIT ?"""
        return [row["seq"] for row in self.rows(sql, (*pairs, limit))]

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
