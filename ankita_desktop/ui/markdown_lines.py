"""The structure of markdown, one line after the other: what a line completes comes out and is never looked at
again, so a block may grow without end at the same cost for each of its lines."""

from __future__ import annotations

import copy

from ankita_desktop.ui.markdown import Block
from ankita_desktop.ui.markdown_leaves import (
    FENCE,
    HEADING,
    ITEM,
    RULE,
    UNDERLINE,
    Code,
    Line,
    Paragraph,
    Table,
    title,
)
from ankita_desktop.ui.markdown_writing import Item, Quote, Writing

_DEEPEST = 20  # quotes and list items within each other; what is deeper is text
_NEVER = 1_000_000  # an indentation no line has


class Lines(Writing):
    """``take`` line by line; ``close`` at the end; ``glance`` at any time. ``references`` gathers the definitions
    of links."""

    # --- in and out ---

    def take(self, text: str) -> list[Block]:
        """The blocks that a further line completes."""
        line = Line(text)
        inside = self._enter(line)
        if inside < len(self._around) or not self._goes_on(line):
            inside = self._open(line, inside)
            self._write(line, inside)
        return self._out()

    def go_on(self, text: str) -> list[Block]:
        """More of the line taken last, which belongs to a paragraph."""
        if isinstance(self._leaf, Paragraph):
            self._grow(self._leaf, text)
        return self._out()

    def runs_on(self, text: str) -> bool:
        """The beginning of a line is text of a paragraph, whatever else may stand in that line."""
        twin = self._twin()
        twin.take(text)
        return isinstance(twin._leaf, Paragraph) and bool(text.strip(" \t"))

    def glance(self, partial: str) -> list[Block]:
        """How it reads at the moment, should it end with this unfinished line: what isn't final yet."""
        twin = self._twin()
        found = twin.take(partial) if partial else []
        return found + twin.close()

    def close(self) -> list[Block]:
        """The text ends here."""
        self._leave(0)
        return self._out()

    def _twin(self) -> Lines:
        """One that can read on while this stays as it is."""
        twin = Lines(dict(self.references))
        twin._around = [copy.copy(one) for one in self._around]
        twin._leaf, twin._marker = copy.copy(self._leaf), self._marker
        if isinstance(twin._leaf, Code):
            twin._leaf.lines = list(twin._leaf.lines)
        elif isinstance(twin._leaf, Table):
            twin._leaf.rows = list(twin._leaf.rows)
        return twin

    # --- what is around ---

    def _enter(self, line: Line) -> int:
        """How many of the containers the line is in; what says so is skipped."""
        for depth, one in enumerate(self._around):
            if isinstance(one, Quote):
                if line.indent >= 4 or not line.words.startswith(">"):
                    return depth
                line.drop(1)
                line.skip(1)
            elif line.blank:
                line.skip(one.width)
                one.width, one.empty = (_NEVER if one.empty else one.width), False
            elif line.indent >= one.width:
                line.skip(one.width)
                one.empty = False
            else:
                return depth
        return len(self._around)

    def _open(self, line: Line, inside: int) -> int:
        """Opens the quotes and items the line begins; how many containers it is in then."""
        while not line.blank and line.indent < 4 and inside < _DEEPEST:
            words = line.words
            if words.startswith(">"):
                self._leave(inside)
                self._leave_marker()
                self._around.append(Quote())
                line.drop(1)
                line.skip(1)
            elif not self._open_item(line, inside):
                break
            inside += 1
        return inside

    def _open_item(self, line: Line, inside: int) -> bool:
        words, found = line.words, ITEM.match(line.words)
        if not found or RULE.match(words) or (self._over_text(inside) and UNDERLINE.match(words)):
            return False
        rest = words[found.end() :]
        if self._over_text(inside) and (not rest.strip(" \t") or int(found[2] or 1) != 1):
            return False
        before = self._around[inside] if inside < len(self._around) else None
        self._leave(inside)
        self._leave_marker()
        number = int(found[2]) if found[2] else None
        mark = found[1] or found[3]
        if isinstance(before, Item) and before.mark == mark:
            number = before.number
        width = line.indent + found.end()
        line.drop(found.end())
        spaces = line.indent
        gap = 1 if line.blank or spaces > 4 else spaces
        self._around.append(Item(mark, None if number is None else number + 1, width + gap, line.blank))
        line.skip(gap)
        items = sum(isinstance(one, Item) for one in self._around)
        self._marker = f"{number}." if number is not None else "•" if items % 2 else "◦"
        return True

    def _over_text(self, inside: int) -> bool:
        """The line before was text of a paragraph in the same containers."""
        return inside == len(self._around) and isinstance(self._leaf, Paragraph)

    # --- leaves ---

    def _goes_on(self, line: Line) -> bool:
        """Code takes the line as it is."""
        if not isinstance(self._leaf, Code):
            return False
        if self._leaf.ends(line):
            self._end_leaf(closed=True)
            return True
        return self._leaf.takes(line)

    def _write(self, line: Line, inside: int) -> None:
        """What the line itself says."""
        leaf, same = self._leaf, inside == len(self._around)
        if line.blank:
            self._leave(inside)
        elif line.indent >= 4:
            self._write_far(line, inside)
        elif (isinstance(leaf, Paragraph) and same and self._changes(leaf, line)) or self._write_one(line, inside):
            pass
        elif isinstance(leaf, Table) and same:
            self._row(leaf, line)
        else:
            self._write_text(line, inside)

    def _write_far(self, line: Line, inside: int) -> None:
        """A line that begins far to the right: text that goes on, or code."""
        if isinstance(self._leaf, Paragraph):
            self._write_text(line, inside)
            return
        self._leave(inside)
        self._leave_marker()
        self._leaf = Code(self._place())
        self._leaf.takes(line)

    def _write_one(self, line: Line, inside: int) -> bool:
        """Heading, rule, or the beginning of a fence."""
        words = line.words
        heading, rule, fence = HEADING.match(words), RULE.match(words), FENCE.match(words)
        if not (heading or rule or fence):
            return False
        offset = line.indent
        self._leave(inside)
        if heading:
            self._heading(self._place(), title(words[heading.end() :]), len(heading[1]))
        elif rule:
            self._add("rule", self._place())
        elif fence:
            self._leave_marker()
            info = (fence[2] or fence[4] or "").split()
            self._leaf = Code(self._place(), fence[1] or fence[3], info[0] if info else "", offset)
        return True

    def _write_text(self, line: Line, inside: int) -> None:
        if isinstance(self._leaf, Paragraph):
            self._leaf.lazy = inside < len(self._around)
            self._grow(self._leaf, f"\n{line.text}")
            return
        self._leave(inside)
        self._leaf = Paragraph(self._place())
        self._grow(self._leaf, line.text)
