"""The lines of a piece of code that may still grow: plain data behind the code block."""

from __future__ import annotations

from ankita_desktop.ui.code_line import TAB


class CodeText:
    """``lines`` with ``starts`` (the character each begins at) and ``widest`` (columns of the longest)."""

    def __init__(self) -> None:
        self.text = ""
        self.lines = [""]
        self.starts = [0]
        self.widest = 0

    def set(self, text: str) -> None:
        """Take the text. When it only grew, the lines that were there stay as they are."""
        if not self.text or not text.startswith(self.text):
            self.lines, self.starts, self.widest = [""], [0], 0
            self._append(text)
        else:
            self._append(text[len(self.text) :])
        self.text = text

    def _append(self, text: str) -> None:
        first, *others = text.split("\n")
        self.lines[-1] += first
        for line in others:
            self.starts.append(self.starts[-1] + len(self.lines[-1]) + 1)
            self.lines.append(line)
        longer = (len(line.expandtabs(TAB)) for line in self.lines[-len(others) - 1 :])
        self.widest = max(self.widest, *longer)

    def word_at(self, position: int) -> tuple[int, int]:
        """Start and end of the word a character is in."""
        start = end = position
        while start > 0 and _word(self.text[start - 1]):
            start -= 1
        while end < len(self.text) and _word(self.text[end]):
            end += 1
        return start, end


def _word(character: str) -> bool:
    return character.isalnum() or character == "_"
