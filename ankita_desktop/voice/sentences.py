"""An answer in pieces as it streams → sentences to be spoken, as early as they are complete.

Code and tables are named, not read; a long list is shortened; the rest is on screen.
"""

from __future__ import annotations

import re

from ankita_desktop.voice.speakable import speakable

READ_OUT = 3  # items of a long list that are read
SHORT_LIST = 5  # items up to which a list is read whole
LONG_SENTENCE = 300  # characters after which a sentence is cut at a comma or space

_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"^\s{0,3}(?:[-*+•]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?(.*)")
_NESTED = re.compile(r"^\s{4,}(?:[-*+•]|\d{1,4}[.)])\s+|^\s{2,}(?:[-*+•])\s+")
_MAYBE_BLOCK = re.compile(r"^\s{0,3}(?:[|`~\-*+•#>]|\d{1,4}(?:[.)]|$))|^\s{4}")
_RULE = re.compile(r"^\s{0,3}(?:[-*_]\s*){3,}$")
_END = re.compile(r"[.!?…]+[\"'”’)\]*_`]*\s+|[。！？]")
# What ends in a dot without ending a sentence.
_SHORT = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|Mr|Mrs|Ms|Dr|St|No|approx|Prof|Inc|Ltd|[A-Za-z])|^\s*\d{1,3})\.$")

COUNTS = dict(zip(range(2, 13), "two three four five six seven eight nine ten eleven twelve".split(), strict=True))


class Sentences:
    """Feed it deltas; it gives what can be spoken. One answer each; not thread-safe."""

    def __init__(self, language: str = "en") -> None:
        self._language = language
        self._line = ""
        self._text = ""
        self._fence = ""
        self._code_told = False
        self._rows = 0
        self._items = 0
        self._held: list[str] = []

    def feed(self, delta: str) -> list[str]:
        """The sentences that are complete now."""
        out: list[str] = []
        *lines, self._line = (self._line + delta).split("\n")
        for line in lines:
            out += self._finished(line)
        if not self._fence and self._is_prose(self._line):
            out += self._leave_blocks() if self._line.strip() else []
            out += self._early()
        return out

    def flush(self) -> list[str]:
        """What is left at the end of the answer."""
        out = self._finished(self._line) if self._line else []
        self._line, self._fence = "", ""
        return [*out, *self._paragraph(), *self._leave_blocks()]

    # --- lines ---

    def _finished(self, line: str) -> list[str]:
        fence = _FENCE.match(line)
        if self._fence:
            if fence and fence[1].startswith(self._fence[0]) and len(fence[1]) >= len(self._fence):
                self._fence = ""
            return []
        if fence:
            return [*self._paragraph(), *self._leave_blocks(), *self._enter_code(fence[1])]
        if line.lstrip().startswith("|"):
            out = [*self._paragraph(), *self._list()]
            self._rows += not re.fullmatch(r"[\s|:-]+", line)
            return out
        item = _ITEM.match(line)
        if _RULE.match(line) or not line.strip():
            return self._paragraph()
        if item or _NESTED.match(line):
            return [*self._paragraph(), *self._table(), *(self._item(item[1]) if item else [])]
        return self._prose(line)

    def _is_prose(self, line: str) -> bool:
        """Whether an unfinished line is plainly part of a paragraph."""
        return bool(line.strip()) and not _MAYBE_BLOCK.match(line)

    def _prose(self, line: str) -> list[str]:
        out = self._leave_blocks()
        if line.lstrip().startswith("#"):
            return [*out, *self._paragraph(), *self._spoken(line)]
        self._text += line + "\n"
        return [*out, *self._cut()]

    # --- paragraphs ---

    def _early(self) -> list[str]:
        """Sentences that end inside the unfinished line."""
        before, self._text = self._text, self._text + self._line
        out = self._cut()
        kept = self._text
        if out:
            self._text, self._line = "", kept
        else:
            self._text = before
        return out

    def _cut(self) -> list[str]:
        out: list[str] = []
        start = 0
        for end in _END.finditer(self._text):
            sentence = self._text[start : end.end()]
            if not _SHORT.search(sentence.rstrip()):
                out += self._spoken(sentence)
                start = end.end()
        self._text = self._text[start:]
        return [*out, *self._too_long()]

    def _too_long(self) -> list[str]:
        if len(self._text) < LONG_SENTENCE:
            return []
        places = [self._text.rfind(mark, 0, LONG_SENTENCE) for mark in (", ", "; ", ": ")]
        cut = max(places) + 1 if max(places) > LONG_SENTENCE // 3 else self._text.rfind(" ", 0, LONG_SENTENCE)
        if cut <= 0:
            return []
        piece, self._text = self._text[:cut], self._text[cut:]
        return [*self._spoken(piece), *self._too_long()]

    def _paragraph(self) -> list[str]:
        text, self._text = self._text, ""
        out: list[str] = []
        self._text = text + " "
        out += self._cut()
        rest, self._text = self._text, ""
        return [*out, *self._spoken(rest)]

    # --- blocks ---

    def _enter_code(self, fence: str) -> list[str]:
        self._fence = fence
        told, self._code_told = self._code_told, True
        return [] if told else ["The code is on screen."]

    def _item(self, text: str) -> list[str]:
        self._items += 1
        if self._items <= READ_OUT:
            return self._spoken(text)
        self._held.append(text)
        return []

    def _leave_blocks(self) -> list[str]:
        return [*self._table(), *self._list()]

    def _table(self) -> list[str]:
        rows, self._rows = max(0, self._rows - 1), 0
        if not rows:
            return []
        return ["A table with one row is on screen." if rows == 1 else f"A table with {rows} rows is on screen."]

    def _list(self) -> list[str]:
        total, held = self._items, self._held
        self._items, self._held = 0, []
        if total <= SHORT_LIST:
            return [sentence for text in held for sentence in self._spoken(text)]
        shown, many = COUNTS[READ_OUT], COUNTS.get(total, str(total))
        return [f"That's {shown} of {many}; the rest is on screen."]

    def _spoken(self, text: str) -> list[str]:
        words = speakable(text, self._language)
        if not any(letter.isalnum() for letter in words):
            return []
        return [words if words[-1] in ".!?:;,…" else f"{words}."]


def sentences(text: str, language: str = "en") -> list[str]:
    """A whole text at once."""
    made = Sentences(language)
    return [*made.feed(text), *made.flush()]
