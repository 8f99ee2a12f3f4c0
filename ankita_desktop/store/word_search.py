"""Search by words in what is remembered, quick also where most of it holds the words asked for."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Literal

from ankita_desktop.store.connection import Database
from ankita_desktop.store.memory_schema import WORDS
from ankita_desktop.store.sense import UNSPACED, telling, written
from ankita_desktop.store.text import fold

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
        words = [word for word in written(text) if not UNSPACED.search(word)]
        pairs = [word for word in telling(text) if UNSPACED.search(word)]
        return [
            *self._by_words(table, words[:MANY_WORDS], limit),
            *self._by_pairs(table, pairs[:MANY_WORDS], limit),
        ]

    def _by_words(self, table: Table, words: Sequence[str], limit: int) -> list[int]:
        counts = {word: self._count(table, terms) for word, terms in _indexed(words).items()}
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
        wanted = [fold(pair) for pair in pairs] if table == "spoken" else pairs
        return [row["seq"] for row in self.rows(sql, (*wanted, limit))]

    def _count(self, table: Table, terms: Sequence[str]) -> int:
        """In how many rows a word of these terms may stand, in any of its forms."""
        marks = ", ".join("?" * len(terms))
        rows = self.rows(f"SELECT doc FROM {table}_vocabulary WHERE term IN ({marks})", tuple(terms))
        return min(row["doc"] for row in rows) if len(rows) == len(set(terms)) > 0 else 0

    def _ranked(self, table: Table, words: Sequence[str], limit: int) -> list[int]:
        sql = f"SELECT rowid FROM {table}_words WHERE {table}_words MATCH ? ORDER BY rank LIMIT ?"
        return [row["rowid"] for row in self.rows(sql, (" OR ".join(map(_quoted, words)), limit))]

    def _newest(self, table: Table, words: Sequence[str], limit: int) -> list[int]:
        sql = f"SELECT rowid FROM {table}_words WHERE {table}_words MATCH ? ORDER BY rowid DESC LIMIT ?"
        return [row["rowid"] for row in self.rows(sql, (" AND ".join(map(_quoted, words)), limit))]


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _indexed(words: Sequence[str]) -> dict[str, list[str]]:
    """Each word with what the indexes hold of it: usually its stem. Their own tokenizer is asked, so that both
    sides agree whatever the script."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE VIRTUAL TABLE asked USING fts5 (word, tokenize='{WORDS}')")
        connection.execute("CREATE VIRTUAL TABLE held USING fts5vocab (asked, instance)")
        connection.executemany("INSERT INTO asked (rowid, word) VALUES (?, ?)", enumerate(words))
        found: dict[str, list[str]] = {word: [] for word in words}
        for doc, term in connection.execute("SELECT doc, term FROM held"):
            found[words[doc]].append(term)
    return found
