"""A word as the program gets it, as far as the text alone can tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

# Stands in a word's text for what is only known when the command runs. No command line can contain it.
UNKNOWN = "\0"
# Stands in a word's pattern for a quoted character, which is never special.
QUOTED = "\1"

BRACES = re.compile(r"\{[^{}]*(?:,|\.\.)[^{}]*\}")
GLOB = re.compile(r"[*?\[]")
SPECIAL = re.compile(r"[$`;|&<>()\"'\n]")
IN_QUOTES = re.compile(r"\\([$`\"\\\n])|([$`])", re.DOTALL)
C_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|.)", re.DOTALL)
C_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}


@dataclass(frozen=True, slots=True)
class Word:
    """``text`` holds ``UNKNOWN`` where a value is only known at run time. ``glob``: the shell replaces it by
    names of files. ``variables``: names whose values it holds. ``file``: it is the name of another command's
    output, as in ``<(ls)``."""

    text: str
    glob: bool = False
    variables: tuple[str, ...] = ()
    file: bool = False

    @property
    def known(self) -> bool:
        return UNKNOWN not in self.text

    @property
    def literal(self) -> bool:
        """Exactly this text reaches the program."""
        return self.known and not self.glob


@dataclass(slots=True)
class _Build:
    text: list[str] = field(default_factory=list)
    pattern: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    file: bool = False

    def plain(self, text: str) -> None:
        self.text.append(text)
        self.pattern.append(text)

    def quoted(self, text: str) -> None:
        self.text.append(text)
        self.pattern.append(QUOTED * len(text))

    def unknown(self) -> None:
        self.quoted(UNKNOWN)

    def done(self) -> Word:
        pattern = "".join(self.pattern)
        text = "".join(self.text)
        if BRACES.search(pattern) or re.match(r"~[^/]|[^/]*[=:]~", pattern):
            text = UNKNOWN
        elif pattern.startswith("~"):
            text = str(Path.home()) + text[1:]
        return Word(text, bool(GLOB.search(pattern)), tuple(self.variables), self.file)


def word_of(node: Node, values: Mapping[str, str]) -> Word:
    """The word that a node of the parse stands for. ``values``: variables the command itself set before."""
    build = _Build()
    _add(node, build, values)
    return build.done()


def known_word(text: str) -> Word:
    """A word that holds nothing special."""
    return Word(text)


def texts(words: Iterable[Word]) -> list[str]:
    return [word.text for word in words]


def _add(node: Node, build: _Build, values: Mapping[str, str]) -> None:
    kind = node.type
    text = _text(node)
    if kind in ("word", "number", "variable_name", "test_operator", "regex", "special_variable_name"):
        _add_plain(text, build)
    elif kind == "raw_string":
        build.quoted(text[1:-1])
    elif kind == "string":
        _add_string(node, build, values)
    elif kind == "ansi_c_string":
        build.quoted(_c_text(text[2:-1]))
    elif kind in ("concatenation", "command_name"):
        _add_all(node, build, values)
    elif kind in ("simple_expansion", "expansion"):
        _add_variable(node, build, values)
    elif kind == "process_substitution" and text.startswith("<("):
        build.file = True
        build.quoted("/dev/fd/63")
    else:
        build.unknown()


def _add_all(node: Node, build: _Build, values: Mapping[str, str]) -> None:
    """The pieces of a word; one that isn't where the last ended was glued by the parser, not by the shell."""
    end = node.start_byte
    for child in node.children:
        if child.start_byte != end:
            build.unknown()
        end = child.end_byte
        if child.is_named:
            _add(child, build, values)
        elif SPECIAL.search(_text(child)) and not (_text(child) == "$" and child is node.children[-1]):
            build.unknown()
        else:
            build.plain(_text(child))


def _add_plain(raw: str, build: _Build) -> None:
    at = 0
    while at < len(raw):
        char = raw[at]
        if char == "\\":
            following = raw[at + 1 : at + 2]
            build.quoted("" if following == "\n" else following)
            at += 2
            continue
        if SPECIAL.match(char) and not (char == "$" and at == len(raw) - 1):
            build.unknown()
        else:
            build.plain(char)
        at += 1


def _add_string(node: Node, build: _Build, values: Mapping[str, str]) -> None:
    if node.start_byte < node.end_byte and _text(node)[:1] != '"':
        build.unknown()  # $"…" is replaced by a translation
        return
    raw = node.text or b""
    at = 1
    for child in node.named_children:
        if child.type == "string_content":
            continue
        build.quoted(_quoted_text(raw[at : child.start_byte - node.start_byte]))
        _add(child, build, values)
        at = child.end_byte - node.start_byte
    build.quoted(_quoted_text(raw[at:-1]))


def _quoted_text(raw: bytes) -> str:
    def replaced(found: re.Match[str]) -> str:
        if found[2]:
            return UNKNOWN if found[2] == "`" else "$"
        return "" if found[1] == "\n" else found[1]

    return IN_QUOTES.sub(replaced, raw.decode("utf-8", "replace"))


def _c_text(raw: str) -> str:
    def replaced(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] in "xuU" and len(code) > 1:
            number = int(code[1:], 16)
        elif code[0] in "01234567":
            number = int(code, 8)
        elif code in C_LETTERS:
            return C_LETTERS[code]
        else:
            return code if code in "\\'\"?" else UNKNOWN
        return chr(number) if 0 < number < 0x80 else UNKNOWN

    return C_ESCAPE.sub(replaced, raw)


def _add_variable(node: Node, build: _Build, values: Mapping[str, str]) -> None:
    """A variable's value where the command set it itself to something plain, else what only the run shows."""
    names = [_text(child) for child in node.named_children]
    plain = len(names) == 1 and _text(node) in (f"${names[0]}", f"${{{names[0]}}}")
    if plain and names[0] in values:
        build.quoted(values[names[0]])
        return
    build.variables.append(names[0] if plain else "")
    build.unknown()


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
