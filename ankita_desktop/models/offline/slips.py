"""Slips of the finger: which word of the sentences was meant. What stands in a slot stays as it was typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ankita_desktop.models.offline.hearing import Heard, Token

SHORTEST = 4
MOST = 2  # words of one request; with more of them it may well be another language
_WORD = re.compile(r"[a-z']{4,}")


class Slips:
    """The words of some templates. A word is a slip of one of them when one letter is wrong, missing, too many, or
    two have changed places, and when it can be of no other."""

    def __init__(self, templates: Iterable[str]) -> None:
        words = {"please"} | {
            word for text in templates for word in _WORD.findall(re.sub(r"\{\w+\}|<\w+>", " ", text.lower()))
        }
        self._words = frozenset(words)
        self._near: Mapping[str, frozenset[str]] = _by_shape(words)

    def mended(self, heard: Heard) -> Heard | None:
        """The sentence with its slips mended; None when there are none, or too many."""
        tokens = tuple(self._mended(token) for token in heard.tokens)
        count = sum(new is not old for new, old in zip(tokens, heard.tokens, strict=True))
        return Heard(heard.text, _polite(tokens)) if 0 < count <= MOST else None

    def _mended(self, token: Token) -> Token:
        word = token.word.lower()
        if token.quoted is not None or not _WORD.fullmatch(word) or word in self._words:
            return token
        near = {known for shape in _shapes(word) for known in self._near.get(shape, ()) if is_slip(word, known)}
        swapped = {known for known in near if sorted(known) == sorted(word)}  # by far the most usual slip
        meant = near if len(near) == 1 else swapped
        return replace(token, word=meant.pop()) if len(meant) == 1 else token


def _polite(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Without the "please" that was misspelt, and so is still there."""
    return tuple(token for token in tokens if token.word != "please")


def _shapes(word: str) -> set[str]:
    """The word, and the word without each of its letters: two words one slip apart share one of these."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def _by_shape(words: Iterable[str]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for word in words:
        for shape in _shapes(word):
            found.setdefault(shape, set()).add(word)
    return {shape: frozenset(known) for shape, known in found.items()}


def is_slip(word: str, known: str) -> bool:
    """One letter changed, gone, too many, or two neighbours changed places; the first letter is seldom wrong."""
    if word[0] != known[0] or abs(len(word) - len(known)) > 1:
        return False
    if len(word) != len(known):
        longer, shorter = sorted((word, known), key=len, reverse=True)
        return shorter in _shapes(longer)
    wrong = [at for at, (one, other) in enumerate(zip(word, known, strict=True)) if one != other]
    if len(wrong) == 1:
        return True
    return (
        len(wrong) == 2
        and wrong[1] == wrong[0] + 1
        and word[wrong[0]] == known[wrong[1]]
        and (word[wrong[1]] == known[wrong[0]])
    )
