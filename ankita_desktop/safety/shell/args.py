"""The words behind a program's name, as options and operands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ankita_desktop.safety.shell.script import Simple
from ankita_desktop.safety.shell.words import Word


@dataclass(frozen=True)
class Call:
    """A program with its words, and the folders it may run in: the working folder first, others after a ``cd``;
    none when nobody knows."""

    part: Simple
    folders: tuple[Path, ...]

    @cached_property
    def name(self) -> str:
        """The program without its folder."""
        return self.part.name.rpartition("/")[2]

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return self.part.words[1:]

    @cached_property
    def texts(self) -> list[str]:
        return [word.text for word in self.words]

    @cached_property
    def options(self) -> list[Word]:
        """Everything that starts with a dash, up to ``--``."""
        return [word for word, is_option in self._sorted if is_option]

    @cached_property
    def operands(self) -> list[Word]:
        """Everything else. The value of an option counts too when it is a word of its own."""
        return [word for word, is_option in self._sorted if not is_option]

    @cached_property
    def _sorted(self) -> list[tuple[Word, bool]]:
        found: list[tuple[Word, bool]] = []
        over = False
        for word in self.words:
            if word.text == "--" and not over:
                over = True
                continue
            found.append((word, not over and word.text.startswith("-") and word.text != "-"))
        return found

    def first(self) -> str:
        """The first operand: the subcommand of programs that have one."""
        return self.operands[0].text if self.operands else ""

    def has(self, *names: str) -> bool:
        """Whether one of the options is given: ``-f`` also inside ``-rf``, ``--force`` also as ``--forc`` or
        ``--force=…``."""
        return any(matches(word.text, name) for word in self.options for name in names)

    def inner(self, words: tuple[Word, ...]) -> Call:
        """The program that this one starts with these words."""
        return Call(self.part.with_words(words), self.folders)


def matches(option: str, name: str) -> bool:
    """Whether a word given as an option may stand for the option ``name``."""
    if name.startswith("--"):
        given = option.partition("=")[0]
        return len(given) > 2 and given.startswith("--") and name.startswith(given)
    if len(name) > 2:  # -delete, -exec: long ones with a single dash
        return option == name
    return option.startswith("-") and not option.startswith("--") and name[1] in option[1:]


def after(words: tuple[Word, ...], name: str) -> Iterator[tuple[Word, ...]]:
    """The words behind each place where ``name`` stands."""
    for at, word in enumerate(words):
        if word.text == name:
            yield words[at + 1 :]
