"""From what a person typed to words a grammar can match, without losing a character of what they meant.

Politeness and closing punctuation go. Quoted text and anything that is more than a plain word (``src/a.py``,
``*.md``, ``C++``) is masked by one opaque word, so that no grammar takes it apart; ``Heard.said`` gives back
exactly what stood there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

_OPENERS = (
    r"(?:(?:hey|hi|hello|ok|okay|yo|dear)\s+)?ankita\b[,:!.]?",
    r"(?:hi|hello|hey)(?:\s+there\b[,!.]?(?=\s)|(?!\s+there\b)[,!.]?(?=\s))",
    r"(?:yo|ok|okay|well|so|um+|uh+|now|alright|right)\b[,!.]?(?=\s)",
    r"(?:please|pls|plz)\b,?",
    r"kindly\b",
    r"(?:could|can|would|will)\s+(?:you|u|ya)\b(?:\s+(?:please|kindly|maybe|quickly|just))*",
    r"(?:i\s+(?:want|need|would\s+like)|i['’]d\s+(?:like|love))\s+(?:you\s+)?to\b(?!\s+do\b)",
    r"do\s+me\s+a\s+favou?r(?:\s+and|,)?",
    r"(?:go\s+ahead\s+and|let['’]?s|let\s+us|just|quickly|help\s+me(?:\s+to)?)\b(?=\s)",
    r"(?:would\s+you\s+mind|do\s+you\s+mind|i\s+was\s+wondering\s+if\s+you\s+could)\b",
)
_CLOSERS = (
    r"[,.!]?\s*\b(?:please|pls|plz|thx|thanks(?:\s+a\s+lot)?|thank\s+you(?:\s+(?:very|so)\s+much)?|cheers)",
    r",?\s*\b(?:for\s+me|ankita|right\s+now|will\s+you|would\s+you|if\s+you\s+(?:can|could|please|would))",
    r"\s*[,;]\s*(?:because\s+)?(?:i|we)\s+(?:don['’]?t|do\s+not)\s+need\s+(?:it|them|that|those)"
    r"(?:\s+(?:any\s?more|any\s+longer|now))?",
)
_START = re.compile(rf"^\s*(?:{'|'.join(_OPENERS)})\s*", re.IGNORECASE)
_FINISH = re.compile(rf"(?:{'|'.join(_CLOSERS)})\s*$", re.IGNORECASE)

_AFTER = r"(?=[\s,;:.!?)]|$)"
_TOKEN = re.compile(
    rf"```(?:[\w+-]*\n)?(?P<fence>.*?)```"
    rf'|"(?P<double>(?:[^"\\]|\\.)*)"{_AFTER}'
    rf"|“(?P<smart>[^”]*)”{_AFTER}"
    rf"|`(?P<code>[^`]+)`{_AFTER}"
    rf"|«(?P<guillemet>[^»]*)»{_AFTER}"
    rf"|'(?P<single>(?:[^']|'(?=\w))*)'{_AFTER}"
    rf"|‘(?P<curly>(?:[^’]|’(?=\w))*)’{_AFTER}"
    r"|(?P<bare>\S+)",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_TRAILING = ",;:!?…"
_SPAN = re.compile(r"(\d{1,7})(-|–|\.\.)(\d{1,7})")
_HYPHENED = {
    "to-do": "todo",
    "to-dos": "todos",
    "re-run": "rerun",
    "un-stage": "unstage",
    "e-mail": "email",
    "-m": "m",
    "-9": "hard",
}
_MASK = "qzx"
_LONGEST_CLOSER = 80
LONGEST = 20_000  # characters of a request that are looked at
MOST_WORDS = 300


def _unended(text: str) -> str:
    """Without punctuation at the end; a full stop stays where it is a path ("list ..")."""
    text = text.rstrip()
    while text and (
        text[-1] in "?!,;:" or (text[-1] in ".…" and re.search(r"[\w\"'”’`)\]*+/.…][.…]$", text[-2:]))
    ):
        if text.endswith(("..", " .")):
            break
        text = text[:-1].rstrip()
    return text


def _unfinished(text: str) -> str:
    """Without a "please" or "thanks" at the end. Only the end is looked at: a long text must not cost."""
    start = max(0, len(text) - _LONGEST_CLOSER)
    return text[:start] + _FINISH.sub("", text[start:])


def polite_core(text: str) -> str:
    """The request without greeting, "could you", "please", "thanks" and final punctuation.

    What is nothing but politeness ("hello Ankita", "thanks") stays, since it is then the message.
    """
    core = text.strip()
    while True:
        shorter = _START.sub("", _unended(core), count=1)
        shorter = _unfinished(shorter).strip()
        if not shorter:
            return _unended(core) or core
        if shorter == core:
            return core
        core = shorter


@dataclass(frozen=True, slots=True)
class Token:
    """One word, or one quotation. ``start``/``end`` delimit it in the text, without punctuation after it."""

    word: str
    start: int
    end: int
    quoted: str | None = None
    stop: str = ""


def _letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def _tokens(text: str) -> Iterator[Token]:
    for number, found in enumerate(_TOKEN.finditer(text)):
        mask = _MASK + _letters(number)
        if found.lastgroup != "bare":
            inside = found[found.lastgroup or 0]
            if found.lastgroup == "double":
                inside = inside.replace('\\"', '"')
            yield Token(mask, found.start(), found.end(), inside)
            continue
        core = found[0].rstrip(_TRAILING) or found[0]
        core = core[:-1] if core.endswith(".") and core[-2:-1].isalnum() else core
        stop = found[0][len(core) :]
        if span := _SPAN.fullmatch(core):
            yield from _spanned(span, found.start())
            continue
        plain = _HYPHENED.get(core.lower()) or (core.replace("’", "'") if _PLAIN.fullmatch(core) else mask)
        yield Token(plain, found.start(), found.start() + len(core), stop=stop)


def _spanned(span: re.Match[str], start: int) -> Iterator[Token]:
    """ "3-8" as "3 to 8"."""
    for group, word in ((1, span[1]), (2, "to"), (3, span[3])):
        yield Token(word, start + span.start(group), start + span.end(group))


@dataclass(frozen=True)
class Heard:
    """A sentence, or a part of one: its text, and its tokens."""

    text: str
    tokens: tuple[Token, ...]

    @cached_property
    def masked(self) -> str:
        """What a grammar matches: plain words separated by single spaces."""
        return " ".join(token.word for token in self.tokens)

    def covered(self, start: int, end: int) -> tuple[Token, ...]:
        """The tokens between two positions of ``masked``."""
        found, position = [], 0
        for token in self.tokens:
            if position >= start and position + len(token.word) <= end:
                found.append(token)
            position += len(token.word) + 1
        return tuple(found)

    def said(self, tokens: Sequence[Token]) -> str:
        """What the person typed there, quotes of a single quotation removed."""
        if not tokens:
            return ""
        if len(tokens) == 1 and tokens[0].quoted is not None:
            return tokens[0].quoted
        return self.text[tokens[0].start : tokens[-1].end]

    def part(self, first: int, last: int) -> Heard:
        """The tokens from ``first`` up to (not including) ``last`` as a sentence of its own."""
        return Heard(self.text, self.tokens[first:last])

    @property
    def words(self) -> str:
        """The part as the person typed it."""
        if not self.tokens:
            return ""
        return self.text[self.tokens[0].start : self.tokens[-1].end]


def hear(text: str) -> Heard:
    """A person's text, stripped of politeness and cut into tokens; none when it is too long for a request."""
    core = polite_core(text) if len(text) <= LONGEST else ""
    tokens = tuple(_tokens(core))
    return Heard(core, tokens if len(tokens) <= MOST_WORDS else ())


def _lower(heard: Heard, index: int) -> str:
    return heard.tokens[index].word.lower() if index < len(heard.tokens) else ""


def sequels(heard: Heard) -> tuple[Heard, ...]:
    """The parts that "and then", "then", "after that" or ";" put one after the other."""
    parts, first, index = [], 0, 0
    while index < len(heard.tokens):
        width = _joint(heard, index)
        if width and index > first:
            parts.append(heard.part(first, index))
            first = index = index + width
        else:
            index += 1
    parts.append(heard.part(first, len(heard.tokens)))
    return tuple(_repolished(part) for part in parts if part.tokens)


def _joint(heard: Heard, index: int) -> int:
    """How many tokens at ``index`` join two requests (0: none). A sentence never starts with a joint."""
    here, ahead = _lower(heard, index), _lower(heard, index + 1)
    broken = index > 0 and any(mark in heard.tokens[index - 1].stop for mark in ",;.")
    if here == "and" and ahead in ("then", "afterwards"):
        return 2
    if here in ("then", "afterwards") and index > 0:
        return 1
    if here == "and" and ahead == "after" and _lower(heard, index + 2) == "that":
        return 3
    if here == "after" and ahead == "that" and broken:
        return 2
    return 0


_MOST_HALVES = 6


def halves(heard: Heard) -> Iterator[tuple[Heard, Heard]]:
    """Every way to cut the sentence in two at a plain "and", unless there are so many that it is prose."""
    joints = [index for index in range(1, len(heard.tokens) - 1) if _lower(heard, index) == "and"]
    if len(joints) <= _MOST_HALVES:
        for index in joints:
            yield _repolished(heard.part(0, index)), _repolished(heard.part(index + 1, len(heard.tokens)))


def _repolished(part: Heard) -> Heard:
    """ "…and then please show it" leaves "please show it": politeness goes there, too."""
    core = polite_core(part.words)
    return part if core == part.words else Heard(core, tuple(_tokens(core)))
