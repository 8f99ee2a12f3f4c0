"""Markdown that is still arriving: finished blocks come out once, only the unfinished tail is looked at again."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ankita_desktop.ui import markdown_leaves
from ankita_desktop.ui.markdown import Block
from ankita_desktop.ui.markdown_inline import References
from ankita_desktop.ui.markdown_lines import Lines

_NEWLINE = re.compile(r"\r\n?")


@dataclass(frozen=True, slots=True)
class Step:
    """What changed: blocks that are final now, and the tail as it reads at the moment."""

    finished: list[Block] = field(default_factory=list)
    tail: list[Block] = field(default_factory=list)


class Stream:
    """Feed it text with ``add``; ``advance`` gives what to paint; ``finish`` ends it. Where the text is cut into
    pieces makes no difference to what is finished in the end. ``references``: definitions of links known
    already."""

    def __init__(self, references: References | None = None) -> None:
        self.references: References = {} if references is None else references
        self._lines = Lines(self.references)
        self._partial = ""
        self._begun = False  # the beginning of the line at hand was taken already

    @property
    def has_references(self) -> bool:
        """Link definitions came: text finished before them may read differently when parsed as a whole."""
        return bool(self.references)

    def add(self, text: str) -> None:
        self._partial += text

    def advance(self) -> Step:
        """The blocks that became final since the last call, and the tail. Cost: what is new and the tail."""
        finished = self._take_lines()
        return Step(finished, self._lines.glance("" if self._begun else self._partial.removesuffix("\r")))

    def finish(self) -> Step:
        """Everything that is left, as final."""
        if self._partial and not self._partial.endswith("\n"):
            self._partial += "\n"
        return Step(self._take_lines() + self._lines.close())

    def _take_lines(self) -> list[Block]:
        """Take the lines that are complete, and one that is text without end."""
        found: list[Block] = []
        held = "\r" if self._partial.endswith("\r") else ""  # a line feed may follow it
        text = _NEWLINE.sub("\n", self._partial.removesuffix(held)).replace("\0", "\ufffd")
        *lines, self._partial = text.split("\n")
        for line in lines:
            found += self._take(line)
            self._begun = False
        if self._begun or (len(self._partial) > markdown_leaves.LONGEST and self._lines.runs_on(self._partial)):
            found += self._take(self._partial)
            self._begun, self._partial = True, ""
        self._partial += held
        return found

    def _take(self, text: str) -> list[Block]:
        return self._lines.go_on(text) if self._begun else self._lines.take(text)


def parse(text: str) -> list[Block]:
    """The whole text at once. Never raises on any text."""
    first = Stream()
    first.add(text)
    found = first.finish().finished
    if not first.has_references:
        return found
    again = Stream(first.references)
    again.add(text)
    return again.finish().finished
