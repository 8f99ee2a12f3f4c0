"""Excel: every sheet as a table, dates as dates, formulas by the value they had when the file was saved."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.documents import table
from ankita_desktop.toolkit.documents_package import Package, number_in, title_of
from ankita_desktop.toolkit.documents_parts import Parts, closed_on_failure

if TYPE_CHECKING:
    from lxml.etree import _Element

_S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MAIN = "xl/workbook.xml"
ROWS = 20_000
COLUMNS = 200
# Formats that Excel knows by number and doesn't write down.
_DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
_TIMES = {18, 19, 20, 21, 45, 46, 47}


class _Book:
    def __init__(self, package: Package) -> None:
        self._package = package
        root = package.xml(_MAIN)
        related = package.related(_MAIN)
        sheets = [each for each in root.iter(f"{_S}sheet") if each.get(f"{_R}id", "") in related]
        self.names = [_sheet_name(each) for each in sheets]
        self._files = [related[each.get(f"{_R}id", "")][1] for each in sheets]
        form = root.find(f"{_S}workbookPr")
        mac = form is not None and form.get("date1904") in ("1", "true")
        self._epoch = datetime(1904, 1, 1) if mac else datetime(1899, 12, 30)
        self._strings = _strings(package)
        self._dates = _date_styles(package)

    def text(self, number: int) -> str:
        rows: list[list[str]] = []
        for place, row in self._rows(self._files[number]):
            if len(rows) >= ROWS:
                return f"{table(rows)}\n\n[only the first {ROWS:,} rows that hold something; row {place} is next]"
            rows.append(row)
        return table(rows)

    def _rows(self, name: str) -> Iterator[tuple[int, list[str]]]:
        """(row's number, its cells) of rows that hold something."""
        from lxml import etree

        source = io.BytesIO(self._package.data(name))
        number = 0
        try:
            for _, row in etree.iterparse(source, tag=f"{_S}row", resolve_entities=False, no_network=True):
                number = int(row.get("r", number + 1))
                cells = self._cells(row)
                row.clear()
                if any(cells):
                    yield number, cells
        except (etree.XMLSyntaxError, ValueError) as error:
            raise ToolError(f"The sheet in {name} is damaged: {error}.") from error

    def _cells(self, row: _Element) -> list[str]:
        cells: list[str] = []
        for cell in row.iter(f"{_S}c"):
            column = _column(cell.get("r", "")) if cell.get("r") else len(cells)
            if column >= COLUMNS:
                break
            cells += [""] * (column - len(cells))
            cells.append(self._value(cell))
        while cells and not cells[-1]:
            cells.pop()
        return cells

    def _value(self, cell: _Element) -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return "".join(t.text or "" for t in cell.iter(f"{_S}t"))
        found, formula = cell.findtext(f"{_S}v"), cell.findtext(f"{_S}f")
        if not found:
            return f"={formula}" if formula else ""
        if kind == "s":
            return self._strings[int(found)] if int(found) < len(self._strings) else ""
        if kind == "b":
            return "TRUE" if found == "1" else "FALSE"
        return self._number(found, number_in(cell, "s", 0)) if kind == "n" else found

    def _number(self, value: str, style: int) -> str:
        try:
            number = float(value)
            if style in self._dates:
                return _date(self._epoch, number, self._dates[style])
        except (ValueError, OverflowError):
            return value
        whole = number.is_integer() and abs(number) < 1e15
        return str(int(number)) if whole else f"{number:.15g}"


def _sheet_name(sheet: _Element) -> str:
    name = sheet.get("name", "")
    return name if sheet.get("state", "visible") == "visible" else f"{name} (hidden)"


def _date(epoch: datetime, days: float, form: str) -> str:
    when = epoch + timedelta(seconds=round(days * 86_400))
    if form == "time" and 0 <= days < 1:
        return when.strftime("%H:%M:%S")
    return (
        when.strftime("%Y-%m-%d") if not (when.hour or when.minute or when.second) else f"{when:%Y-%m-%d %H:%M:%S}"
    )


def _column(place: str) -> int:
    """0 for A, 26 for AA."""
    number = 0
    for letter in re.match(r"[A-Z]*", place.upper())[0]:  # type: ignore[index]
        number = number * 26 + ord(letter) - 64
    return max(number - 1, 0)


def _strings(package: Package) -> list[str]:
    if not package.has("xl/sharedStrings.xml"):
        return []
    # what stands in rPh says how to pronounce the rest
    return [
        "".join(t.text or "" for t in si.iter(f"{_S}t") if t.getparent().tag != f"{_S}rPh")
        for si in package.xml("xl/sharedStrings.xml").iter(f"{_S}si")
    ]


def _date_styles(package: Package) -> dict[int, str]:
    """{style's number: "date" or "time"} of the styles that show a number as one."""
    if not package.has("xl/styles.xml"):
        return {}
    root = package.xml("xl/styles.xml")
    own = {number_in(each, "numFmtId", 0): each.get("formatCode", "") for each in root.iter(f"{_S}numFmt")}
    formats = [number_in(xf, "numFmtId", 0) for each in root.iter(f"{_S}cellXfs") for xf in each.iter(f"{_S}xf")]
    kinds = {number: _format_kind(number, own.get(number, "")) for number in set(formats)}
    return {style: kinds[number] for style, number in enumerate(formats) if kinds[number]}


def _format_kind(number: int, code: str) -> str:
    if not code:
        return ("time" if number in _TIMES else "date") if number in _DATES else ""
    bare = re.sub(r'"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_.|\*.', "", code.lower()).partition(";")[0]
    if re.search(r"[yd]", bare):
        return "date"
    return "time" if re.search(r"[hms]", bare) and "general" not in bare else ""


def read(path: Path, kind: str) -> Parts:
    with closed_on_failure(Package(path)) as package:
        book = _Book(package)
        return Parts(kind, "sheet", title_of(package), book.names, book.text, package.close)
