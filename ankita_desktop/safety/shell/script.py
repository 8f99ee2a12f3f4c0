"""What a command line was taken apart into."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ankita_desktop.safety.shell.words import Word

# Letters of Latin-1 that stand for all that isn't ASCII.
FIRST_LETTER, LETTERS = 0xC0, 64


@dataclass(frozen=True, slots=True)
class Redirect:
    """``>``, ``<``, ``>>`` and so on, with what stands behind it."""

    operator: str
    target: Word

    @property
    def reads(self) -> bool:
        return self.operator in ("<", "<&")

    @property
    def harmless(self) -> bool:
        """Only joins two outputs, closes one, or throws output away."""
        text = self.target.text
        if self.operator in (">&", "<&") and re.fullmatch(r"\d+-?|-", text):
            return True
        return self.target.literal and text in ("/dev/null", "/dev/stdout", "/dev/stderr")


@dataclass(frozen=True, slots=True)
class Simple:
    """One program that would be started. ``feeder``: the command whose output it reads; ``fed`` also when that
    is a group of commands. ``input``: text given by ``<<`` or ``<<<``. ``place``: the commands that ran before
    a ``cd`` counts."""

    words: tuple[Word, ...]
    source: str
    assigned: tuple[tuple[str, Word], ...] = ()
    redirects: tuple[Redirect, ...] = ()
    fed: bool = False
    feeder: Simple | None = None
    input: Word | None = None

    @property
    def name(self) -> str:
        """The program as written, "" when it is only known at run time."""
        return self.words[0].text if self.words and self.words[0].literal else ""

    def with_words(self, words: tuple[Word, ...]) -> Simple:
        """The same place in the line with other words, as a wrapper starts them."""
        return replace(self, words=words, assigned=())


@dataclass(slots=True)
class Script:
    """All programs in the order of the text, functions it defines, and why it isn't fully understood."""

    parts: list[Simple] = field(default_factory=list)
    functions: dict[str, str] = field(default_factory=dict)
    variables: list[str] = field(default_factory=list)
    unclear: str = ""


def stand_ins(text: str) -> tuple[str, dict[int, str]]:
    """The text with other letters in place of those outside ASCII, and what they stand for. The parser looks
    characters up in a table of 256 and would end the process over most others."""
    others = sorted({char for char in text if ord(char) > 127})
    forward = {ord(char): chr(FIRST_LETTER + min(at, LETTERS - 1)) for at, char in enumerate(others)}
    return text.translate(forward), {FIRST_LETTER + at: char for at, char in enumerate(others)}


def restored(script: Script, back: dict[int, str]) -> Script:
    """The script with its own characters again."""
    if not back:
        return script

    def own(word: Word) -> Word:
        return replace(word, text=word.text.translate(back))

    def whole(part: Simple) -> Simple:
        return replace(
            part,
            words=tuple(map(own, part.words)),
            source=part.source.translate(back),
            assigned=tuple((name, own(word)) for name, word in part.assigned),
            redirects=tuple(replace(redirect, target=own(redirect.target)) for redirect in part.redirects),
            feeder=whole(part.feeder) if part.feeder is not None else None,
            input=own(part.input) if part.input is not None else None,
        )

    script.parts = [whole(part) for part in script.parts]
    return script
