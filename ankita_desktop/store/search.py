"""Search in everything that was said. Any text may be searched; none is a syntax.

The index holds every run of three characters, so words, parts of words, codes and scripts without spaces are
found alike. Words of one or two characters, which it can't hold, are looked for in the text itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ankita_desktop.protocol import Message, load
from ankita_desktop.store.connection import Database
from ankita_desktop.store.text import fold

Index = Literal["search", "spoken_words", "facts_words", "notes_words"]
OF_MESSAGES: tuple[Index, ...] = ("search", "spoken_words")

MERGED = 500  # pages of the index merged in one transaction
AROUND = 60  # characters of a snippet on either side of the hit


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A message that holds every word of the search. ``time`` in seconds since the epoch."""

    session: str
    message: str
    snippet: str
    time: float


class Search(Database):
    """Full text search over the messages of all sessions."""

    def search(self, text: str, limit: int = 50) -> Sequence[SearchHit]:
        """Messages that hold all words of ``text`` in any order, newest first; no words, no hits."""
        words = fold(text).split()
        if not words:
            return []
        long = [word for word in words if len(word) >= 3]
        short = [word for word in words if len(word) < 3]
        tests = ["instr(search.body, ?) > 0"] * len(short)
        values: list[str | int] = list(short)
        if long:
            tests.insert(0, "search MATCH ?")
            values.insert(0, " AND ".join(_quoted(word) for word in long))
        sql = f"""SELECT messages.session, messages.id, messages.body, messages.created FROM search
                  JOIN messages ON messages.seq = search.rowid WHERE {" AND ".join(tests)}
                  ORDER BY search.rowid DESC LIMIT ?"""
        return [
            SearchHit(row["session"], row["id"], snippet(load(Message, row["body"]).text, words), row["created"])
            for row in self.rows(sql, (*values, limit))
        ]

    def forget_deleted_words(self, *indexes: Index) -> None:
        """Words of what was deleted stay in the segments of ``indexes`` (those of messages, unless others are
        named) until these are merged. Done in short steps, so that others can write in between."""
        for index in indexes or OF_MESSAGES:
            more = self._merge_a_little(index, begin=True)
            while more:
                more = self._merge_a_little(index, begin=False)

    def _merge_a_little(self, index: Index, *, begin: bool) -> bool:
        """One step; False when nothing was left to do. Negative pages begin to merge all segments into one."""
        pages = -MERGED if begin else MERGED
        with self.write() as connection:
            before = connection.total_changes
            connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('merge', ?)", (pages,))
            return connection.total_changes - before >= 2


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def snippet(text: str, words: Sequence[str]) -> str:
    """The part of ``text`` around the first of ``words`` (folded), on one line."""
    at = next((place for word in words if (place := _find(text, word)) >= 0), 0)
    start, end = max(0, at - AROUND), at + AROUND
    piece = " ".join(text[start:end].split())
    return ("… " if start else "") + piece + (" …" if end < len(text) else "")


def _find(text: str, word: str) -> int:
    """Where ``word`` stands in ``text``; folding may change lengths, so the place is found in two steps."""
    place = text.casefold().find(word)
    if place >= 0:
        return min(place, len(text))
    folded = fold(text)
    place = folded.find(word)
    return -1 if place < 0 else place * len(text) // max(1, len(folded))
