"""OpenDocument: texts, sheets and presentations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.documents import table
from ankita_desktop.toolkit.documents_package import Package, number_in
from ankita_desktop.toolkit.documents_parts import Parts

if TYPE_CHECKING:
    from lxml.etree import _Element

_NS = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_TEXT, _TABLE, _OFFICE, _DRAW = (_NS % name for name in ("text", "table", "office", "drawing"))
_LINK = "{http://www.w3.org/1999/xlink}href"
_SKIPPED = {f"{_TEXT}tracked-changes", f"{_OFFICE}annotation", f"{_TEXT}sequence-decls", f"{_OFFICE}forms"}
_BLANKS = {f"{_TEXT}tab": "\t", f"{_TEXT}line-break": "\n"}
ROWS, COLUMNS = 20_000, 200


def _blocks(parent: _Element, depth: int = 0) -> Iterator[str]:
    for child in parent:
        tag = child.tag
        if tag in _SKIPPED or not isinstance(tag, str):
            continue
        if tag == f"{_TEXT}h":
            level = min(number_in(child, f"{_TEXT}outline-level", 1), 6)
            yield f"{'#' * level} {' '.join(_inline(child).split())}"
        elif tag == f"{_TEXT}p":
            text = _inline(child).strip()
            yield f"{'  ' * (depth - 1)}- {text}" if depth and text else text
        elif tag == f"{_TABLE}table":
            yield _table(child)
        else:
            yield from _blocks(child, depth + (tag == f"{_TEXT}list"))


def _inline(node: _Element) -> str:
    out = [node.text or ""]
    for child in node:
        if child.tag == f"{_TEXT}s":
            out.append(" " * min(number_in(child, f"{_TEXT}c", 1), 100))
        elif child.tag == f"{_TEXT}a" and child.get(_LINK):
            out.append(f"[{_inline(child)}]({child.get(_LINK)})")
        elif child.tag not in _SKIPPED:
            out.append(_BLANKS.get(child.tag) or _inline(child))
        out.append(child.tail or "")
    return "".join(out)


def _table(node: _Element) -> str:
    rows: list[list[str]] = []
    for row in node.iter(f"{_TABLE}table-row"):
        cells = _cells(row)
        times = number_in(row, f"{_TABLE}number-rows-repeated", 1) if any(cells) else 0
        rows += [cells] * min(times, ROWS - len(rows))
        if len(rows) >= ROWS:
            return f"{table(rows)}\n\n[only the first {ROWS:,} rows that hold something]"
    return table(rows)


def _cells(row: _Element) -> list[str]:
    cells: list[str] = []
    for cell in row.iter(f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
        text = " ".join(_inline(p) for p in cell.iter(f"{_TEXT}p"))
        times = number_in(cell, f"{_TABLE}number-columns-repeated", 1)
        cells += [text] * min(times, COLUMNS - len(cells))
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _slide(page: _Element) -> str:
    return "\n\n".join(block for block in _blocks(page) if block)


def read(path: Path, kind: str) -> Parts:
    package = Package(path)
    try:
        body = package.xml("content.xml").find(f"{_OFFICE}body")
        if body is None or not len(body):
            raise ToolError(f"{path.name} is damaged or locked with a password: it has no readable body.")
        return _parts(body[0], _title(package))
    finally:
        package.close()


def _parts(content: _Element, title: str) -> Parts:
    if content.tag == f"{_OFFICE}spreadsheet":
        sheets = content.findall(f"{_TABLE}table")
        names = [sheet.get(f"{_TABLE}name", "") for sheet in sheets]
        return Parts("ods", "sheet", title, names, lambda n: _table(sheets[n]))
    if content.tag == f"{_OFFICE}presentation":
        slides = content.findall(f"{_DRAW}page")
        return Parts("odp", "slide", title, [""] * len(slides), lambda n: _slide(slides[n]))
    text = _slide(content)
    return Parts("odt", "page", title, [""], lambda _: text)


def _title(package: Package) -> str:
    found = None
    if package.has("meta.xml"):
        found = package.xml("meta.xml").find(".//{http://purl.org/dc/elements/1.1/}title")
    return " ".join((found.text or "").split()) if found is not None else ""
