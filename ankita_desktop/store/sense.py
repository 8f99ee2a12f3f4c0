"""What a short text is about: its telling words, cut to their roots. Two texts of the same sense are one fact."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ankita_desktop.store.text import clean, fold

# Vowel signs and the like stand inside words, though they are no letters.
_MARKS = "".join(chr(code) for code in range(0x300, 0x1100) if unicodedata.category(chr(code))[0] == "M")
_WORD = re.compile(rf"(?:[^\W_]|(?<=\w)[{_MARKS}]+)+(?:['’][^\W_]+)*")
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_SENTENCE = re.compile(r"(?<=[.!?…。！？])\s+|\n+|(?<=[。！？])")
# Words that say nothing about what a sentence is about, in the languages whose sentences the product knows.
_EMPTY = frozenset(
    """
    a an and any are as at be been but by can could did do does for from had has have he her his how i if in
    into is it its me my of on or our she so that the their them they this to user users us was we were what
    when where which who whom whose why will with would you your am not there person please tell know about
    remember recall ever said say told el la los las un una de del que es en mi tu su y o se le les des est
    et je il elle mon ma mes der die das ein eine ist und ich mein meine zu von den dem o os um uma do da dos
    das e meu minha ki ka ke hai
    """.split()
)
# What a person has one of: a new value replaces the old one.
_SINGLE = frozenset(
    """
    name surname nickname birthday birthdate age email mail address phone number timezone city town country
    employer job title language editor shell browser salary height weight size password passphrase diet
    """.split()
)
_PREFERRED = frozenset(["favourite", "favorite", "preferred", "default", "main", "current", "home", "work"])
_COPULA = re.compile(r"\s+(?:is|are|was|=)\s+|\s*:\s+|['’]s\s+(?=[^\W\d_]+\s*$)", re.I)
_POSSESSIVE = re.compile(r"['’]s\Z", re.I)
_LEAD = re.compile(r"^(?:the\s+)?(?:users?['’]?s?|persons?['’]?s?|my|our)\s+", re.I)


def words_of(text: str) -> list[str]:
    """Every word, folded, possessive endings off; of scripts without spaces every pair of neighbours."""
    words: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFC", fold(text))):
        if UNSPACED.search(word):
            words += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
        else:
            words.append(word.replace("’", "'").removesuffix("'s").replace("'", ""))
    return words


@lru_cache(maxsize=50_000)
def root(word: str) -> str:
    """A word without its ending: short and the same for the forms of one word."""
    if not word.endswith("ss"):
        word = _cut(word, "ies", "es", "s")
    return _cut(_cut(word, "ingly", "edly", "ing", "ed", "ly"), "e", "y")


def _cut(word: str, *endings: str) -> str:
    """Without the first of the endings that leaves three letters."""
    found = next((one for one in endings if word.endswith(one) and len(word) - len(one) >= 3), "")
    return word[: len(word) - len(found)]


def telling(text: str) -> list[str]:
    """The words that tell something, in order, each once; all words when none does."""
    words = list(dict.fromkeys(words_of(text)))
    return [word for word in words if word not in _EMPTY] or words


def written(text: str) -> list[str]:
    """The telling words as they are written, each once."""
    words = dict.fromkeys(word for word in _WORD.findall(unicodedata.normalize("NFC", clean(text))))
    return [_POSSESSIVE.sub("", word) for word in words if not set(words_of(word)) <= _EMPTY] or list(words)


def roots(text: str) -> list[str]:
    return list(dict.fromkeys(root(word) for word in telling(text)))


def sense(text: str) -> str:
    """The key under which equal facts meet: roots in order, without what says nothing."""
    return " ".join(roots(text))


def subject(text: str) -> str:
    """What a fact of one value is about ("my favourite colour is blue": "favourit colour"), or "" when a
    person may have several of it."""
    head, said, rest = _partition(text)
    lead = _LEAD.match(head)
    words = words_of(head[lead.end() :]) if lead else []
    if not said or not rest.strip() or not words or len(words) > 5:
        return ""
    single = words[-1] in _SINGLE or words[0] in _PREFERRED
    return " ".join(root(word) for word in words) if single else ""


def _partition(text: str) -> tuple[str, str, str]:
    found = _COPULA.search(text)
    return (text[: found.start()], found[0], text[found.end() :]) if found else (text, "", "")


def sentences(text: str) -> Sequence[str]:
    return [piece for piece in _SENTENCE.split(text) if piece and piece.strip()]


def covered(wanted: Sequence[str], text: str) -> float:
    """The share of the roots ``wanted`` that stand in ``text``."""
    there = {root(word) for word in words_of(text)}
    there |= {one for one in wanted if len(one) == 1 and UNSPACED.match(one) and one in text}
    return sum(one in there for one in wanted) / len(wanted) if wanted else 0.0


class Blots:
    """What was forgotten, as salted hashes of its words: enough to know it again, too little to read it.

    A row is the hashes of one fact's words; those marked with "!" tell it from the fact that took its place.
    """

    def __init__(self, salt: bytes, rows: Iterable[str]) -> None:
        self._salt = salt
        self._codes: dict[str, str] = {}
        self._rows = {row: _Blot.read(row) for row in rows}

    def row(self, text: str, *, instead: str = "") -> str:
        """The form in which a text is kept as forgotten; ``instead`` is what is true now."""
        true = set(roots(instead))
        marks = "!" if true else ""
        return " ".join(sorted(self._hash(one) + (marks if one not in true else "") for one in roots(text)))

    def told_by(self, text: str) -> list[str]:
        """The rows of what a text tells."""
        there = {self._hash(root(word)) for word in words_of(text)}
        return [row for row, blot in self._rows.items() if blot.is_in(there)]

    def without(self, text: str) -> str:
        """The text without the sentences that tell what was forgotten."""
        if not self._rows:
            return text
        return "\n".join(piece for piece in sentences(text) if not self.told_by(piece))

    def _hash(self, word: str) -> str:
        code = self._codes.get(word)
        if code is None:
            code = hashlib.blake2b(word.encode(), key=self._salt, digest_size=6).hexdigest()
            self._codes[word] = code
        return code


@dataclass(frozen=True, slots=True)
class _Blot:
    words: frozenset[str]
    telling: frozenset[str]

    @classmethod
    def read(cls, row: str) -> _Blot:
        words = row.split()
        return cls(frozenset(word.rstrip("!") for word in words), frozenset(w[:-1] for w in words if w[-1] == "!"))

    def is_in(self, there: set[str]) -> bool:
        """Whether enough of its words are there to give it away: all of few, three quarters of many."""
        enough = -(-len(self.words) * 3 // 4)
        return self.telling <= there and len(self.words & there) >= enough
