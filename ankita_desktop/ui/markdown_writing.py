"""The leaf of markdown at hand, and the blocks that come out of it when it ends or becomes long."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ankita_desktop.ui import markdown_leaves
from ankita_desktop.ui.markdown import Block, Cell, Kind
from ankita_desktop.ui.markdown_inline import References, defined, inline
from ankita_desktop.ui.markdown_leaves import UNDERLINE, Code, Line, Paragraph, Place, Table, cells, columns

_TASK = re.compile(r"\[([ xX])\](?:\s+|$)")


@dataclass(slots=True)
class Quote:
    """An open quotation."""


@dataclass(slots=True)
class Item:
    """An open list item: what its list is marked with, the number after it, and how far its text is indented.
    ``empty``: nothing stood beside its mark, so that a blank line ends it."""

    mark: str
    number: int | None
    width: int
    empty: bool


class Writing:
    """Knows what is open: the containers around the leaf, the leaf, and the mark of an item that nothing stands
    beside yet."""

    def __init__(self, references: References) -> None:
        self.references = references
        self._around: list[Quote | Item] = []
        self._leaf: Paragraph | Code | Table | None = None
        self._marker = ""
        self._done: list[Block] = []

    def _leave(self, inside: int) -> None:
        """End what is open beyond the first containers."""
        if self._leaf is not None:
            self._end_leaf()
        while len(self._around) > inside:
            if isinstance(self._around[-1], Item):
                self._leave_marker()
            self._around.pop()

    def _leave_marker(self) -> None:
        """An item whose first thing is no text (or that has none) still shows its mark."""
        if self._marker:
            self._add("paragraph", self._place())

    def _changes(self, leaf: Paragraph, line: Line) -> bool:
        """The line makes a heading or a table of the text above it."""
        above, _, header = leaf.text.rpartition("\n")
        align = () if leaf.lazy else columns(header, line)
        if align:
            leaf.text = above
            self._end_leaf()
            self._leave_marker()
            self._leaf = Table(self._place(), align, [self._cells(header, len(align))])
            return True
        underline = UNDERLINE.match(line.words)
        if underline:
            leaf.text = defined(leaf.text, self.references)
            if leaf.text.strip():
                place = replace(leaf.place, marker="") if leaf.goes_on else leaf.place
                self._heading(place, leaf.text, 1 if underline[1][0] == "=" else 2)
                self._leaf = None
                return True
        return False

    def _grow(self, leaf: Paragraph, text: str) -> None:
        leaf.add(text)
        while len(leaf.text) > markdown_leaves.LONGEST:
            goes_on = leaf.goes_on
            self._paragraph(leaf, leaf.cut(), goes_on=goes_on)

    def _row(self, leaf: Table, line: Line) -> None:
        if len(leaf.rows) >= markdown_leaves.ROWS:
            self._table(leaf, leaf.cut())
            leaf.goes_on = True
        leaf.rows.append(self._cells(line.words, len(leaf.align)))

    def _cells(self, text: str, count: int) -> tuple[Cell, ...]:
        found = cells(text)[:count]
        return tuple(inline(cell, self.references) for cell in [*found, *[""] * (count - len(found))])

    def _end_leaf(self, *, closed: bool = False) -> None:
        leaf, self._leaf = self._leaf, None
        if isinstance(leaf, Paragraph):
            self._paragraph(leaf, leaf.text, goes_on=leaf.goes_on)
        elif isinstance(leaf, Code):
            closed = closed or not leaf.fence
            self._add("code", leaf.place, text=leaf.text(), info=leaf.info, closed=closed)
        elif isinstance(leaf, Table):
            self._table(leaf, leaf.rows)

    def _paragraph(self, leaf: Paragraph, text: str, *, goes_on: bool) -> None:
        if not goes_on:
            text = defined(text, self.references)
        if not text.strip():
            self._marker = self._marker or ("" if goes_on else leaf.place.marker)
            return
        place, spans = leaf.place, inline(text, self.references)
        task = _TASK.match(spans[0].text) if place.marker and spans and not spans[0].marks else None
        if task and not goes_on:
            place = replace(place, marker="☐" if task[1] == " " else "☑")
            spans = (replace(spans[0], text=spans[0].text[task.end() :]), *spans[1:])
        self._add("paragraph", replace(place, marker="") if goes_on else place, spans=spans, goes_on=goes_on)

    def _heading(self, place: Place, text: str, level: int) -> None:
        self._add("heading", place, spans=inline(text, self.references), level=level)

    def _table(self, leaf: Table, rows: list[tuple[Cell, ...]]) -> None:
        self._add(
            "table", leaf.place, rows=tuple(rows), align=leaf.align, goes_on=leaf.goes_on, shares=leaf.shares
        )

    def _place(self) -> Place:
        marker, self._marker = self._marker, ""
        items = sum(isinstance(one, Item) for one in self._around)
        return Place(items, len(self._around) - items, marker)

    def _add(self, kind: Kind, place: Place, **fields: object) -> None:
        block = Block(kind, indent=place.indent, quote=place.quote, marker=place.marker, **fields)  # type: ignore[arg-type]
        self._done.append(block)

    def _out(self) -> list[Block]:
        done, self._done = self._done, []
        return done
