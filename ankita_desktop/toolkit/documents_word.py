"""Word documents: headings, lists, tables, links and notes as markdown, page by page where Word left its marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.documents import table
from ankita_desktop.toolkit.documents_package import Package, number_in, title_of
from ankita_desktop.toolkit.documents_parts import Parts

if TYPE_CHECKING:
    from lxml.etree import _Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_DRAWN = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_MAIN, _STYLES = "word/document.xml", "word/styles.xml"
_BREAK = "\f"
_SKIPPED = {f"{W}del", f"{W}moveFrom", f"{_MC}Fallback", f"{W}instrText", f"{W}pPr", f"{W}rPr"}
_PLAIN = {f"{W}tab": "\t", f"{W}cr": "\n", f"{W}noBreakHyphen": "-", f"{W}lastRenderedPageBreak": _BREAK}


class _Word:
    def __init__(self, package: Package) -> None:
        self._links = {key: to for key, (kind, to) in package.related(_MAIN).items() if kind == "hyperlink"}
        styles = list(package.xml(_STYLES).iter(f"{W}style")) if package.has(_STYLES) else []
        self._levels = _heading_levels(styles)
        self._lists = {one.get(f"{W}styleId", "") for one in styles if one.find(f"{W}pPr/{W}numPr") is not None}
        body = package.xml(_MAIN).find(f"{W}body")
        if body is None:
            raise ToolError(f"{package.path.name} is damaged: it has no body.")
        self._body = body
        self._notes = {kind: _notes(package, kind) for kind in ("footnotes", "endnotes")}

    def pages(self) -> list[str]:
        """A break inside a paragraph ends the page before that paragraph's rest."""
        whole = "\n\n".join(block for block in self._blocks(self._body) if block)
        whole += "".join(self._noted(kind) for kind in self._notes)
        pages = [re.sub(r"\n{3,}", "\n\n", page).strip() for page in whole.split(_BREAK)]
        return [page for page in pages if page] or [""]

    def _noted(self, kind: str) -> str:
        lines = [f"[^{number}]: {text}" for number, text in self._notes[kind].items()]
        return "\n\n" + "\n".join(lines) if lines else ""

    def _blocks(self, parent: _Element) -> Iterator[str]:
        for child in parent:
            if child.tag == f"{W}p":
                yield self._paragraph(child)
            elif child.tag == f"{W}tbl":
                yield self._table(child)
            elif child.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}customXml", f"{W}smartTag"):
                yield from self._blocks(child)

    def _paragraph(self, p: _Element) -> str:
        text = self._inline(p).strip(" \t\n")
        if not text.strip():
            return text
        named = p.find(f"{W}pPr/{W}pStyle")
        style = named.get(f"{W}val", "") if named is not None else ""
        level = self._levels.get(style, 0)
        if level:
            breaks = _BREAK * text.count(_BREAK)
            return f"{breaks}{'#' * level} {' '.join(text.replace(_BREAK, ' ').split())}"
        depth = p.find(f"{W}pPr/{W}numPr/{W}ilvl")
        if p.find(f"{W}pPr/{W}numPr") is not None or style in self._lists:
            indent = number_in(depth, f"{W}val", 0) if depth is not None else 0
            return f"{'  ' * min(indent, 8)}- {text}"
        return text

    def _inline(self, node: _Element) -> str:
        return "".join(self._piece(child) for child in node)

    def _piece(self, node: _Element) -> str:
        tag = node.tag
        if tag in _SKIPPED or not isinstance(tag, str):
            return ""
        if tag == f"{W}t":
            return node.text or ""
        if tag == f"{W}br":
            return _BREAK if node.get(f"{W}type") == "page" else "\n"
        if tag == _DRAWN and node.get("descr"):
            return f"[image: {' '.join(node.get('descr', '').split())}]"
        if tag in (f"{W}footnoteReference", f"{W}endnoteReference"):
            return f"[^{node.get(f'{W}id', '')}]"
        if tag == f"{W}hyperlink":
            words, to = self._inline(node), self._links.get(node.get(f"{_R}id", ""), "")
            return f"[{words}]({to})" if to and words else words
        if tag == f"{W}p":  # in a text box
            return f"\n{self._inline(node)}\n"
        return _PLAIN.get(tag) or self._inline(node)

    def _table(self, tbl: _Element) -> str:
        rows = [[self._cell(cell) for cell in row.iter(f"{W}tc")] for row in tbl.findall(f"{W}tr")]
        return table(rows)

    def _cell(self, cell: _Element) -> str:
        return " ".join(self._blocks(cell)).replace(_BREAK, " ")


def _heading_levels(styles: Iterable[_Element]) -> dict[str, int]:
    """{style's id: level of heading}; styles have names of their own in every language, outlines have numbers."""
    levels = {}
    for style in styles:
        named = style.find(f"{W}name")
        name = named.get(f"{W}val", "").lower() if named is not None else ""
        outline = style.find(f"{W}pPr/{W}outlineLvl")
        level = number_in(outline, f"{W}val", 9) + 1 if outline is not None else 0
        if match := re.fullmatch(r"heading (\d)", name):
            level = int(match[1])
        elif name == "title":
            level = 1
        if 1 <= level <= 6:
            levels[style.get(f"{W}styleId", "")] = level
    return levels


def _notes(package: Package, kind: str) -> dict[str, str]:
    name = f"word/{kind}.xml"
    if not package.has(name):
        return {}
    found = {}
    for note in package.xml(name):
        text = " ".join("".join(t.text or "" for t in note.iter(f"{W}t")).split())
        if text and not note.get(f"{W}type"):
            found[note.get(f"{W}id", "")] = text
    return found


def read(path: Path, kind: str) -> Parts:
    package = Package(path)
    try:
        pages = _Word(package).pages()
        return Parts(kind, "page", title_of(package), [""] * len(pages), pages.__getitem__)
    finally:
        package.close()
