"""Tables in text files, and notebooks."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.documents import table
from ankita_desktop.toolkit.documents_parts import Parts
from ankita_desktop.toolkit.text import NotText, decode

ROWS = 500  # of one part
OUTPUT = 4_000  # characters of one cell's output


def read(path: Path, kind: str) -> Parts:
    try:
        text = decode(path.read_bytes())[0]
    except NotText as error:
        raise ToolError(f"{path.name} is not text.") from error
    return _table(path, text) if kind == "csv" else _notebook(path, text)


def _table(path: Path, text: str) -> Parts:
    """Every part repeats the head: a row means little without it."""
    rows = _rows(path, text)
    head, body = rows[:1], rows[1:]
    starts = range(0, max(len(body), 1), ROWS)
    names = [f"rows {start + 1}–{min(start + ROWS, len(body))} of {len(body)}" if body else "" for start in starts]
    return Parts("csv", "part", "", names, lambda n: table(head + body[starts[n] : starts[n] + ROWS]))


def _rows(path: Path, text: str) -> list[list[str]]:
    sample = text[:16_384]
    try:
        separator = csv.Sniffer().sniff(sample.rpartition("\n")[0] or sample, ",;\t|").delimiter
    except csv.Error:
        separator = "\t" if path.suffix.lower() == ".tsv" else ","
    csv.field_size_limit(10_000_000)
    try:
        return [row for row in csv.reader(text.splitlines(keepends=True), delimiter=separator) if any(row)]
    except csv.Error as error:
        raise ToolError(f"{path.name} isn't a table: {error}. Use read_file to see what it is.") from error


def _notebook(path: Path, text: str) -> Parts:
    try:
        book = json.loads(text)
        language = book.get("metadata", {}).get("kernelspec", {}).get("language", "python")
        cells = [_cell(cell, str(language)) for cell in book["cells"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ToolError(f"{path.name} is not a notebook ({error}). Use read_file to see what it is.") from error
    return Parts("ipynb", "cell", "", [kind for kind, _ in cells], lambda n: cells[n][1])


def _cell(cell: dict[str, Any], language: str) -> tuple[str, str]:
    source = _joined(cell.get("source", ""))
    if cell.get("cell_type") != "code":
        return "", source
    outputs = [said for said in map(_output, cell.get("outputs", [])) if said.strip()]
    return "code", "\n".join(
        [f"```{language}\n{source}\n```", *(f"Output:\n```\n{said}\n```" for said in outputs)]
    )


def _output(output: dict[str, Any]) -> str:
    if output.get("output_type") == "error":
        said = f"{output.get('ename', 'Error')}: {output.get('evalue', '')}"
    else:
        said = _joined(output.get("text") or output.get("data", {}).get("text/plain", ""))
    pictures = [kind for kind in output.get("data", {}) if kind.startswith("image/")]
    said = said.rstrip() + "".join(f"\n[{kind}]" for kind in pictures)
    return said if len(said) <= OUTPUT else f"{said[:OUTPUT]}… [{len(said) - OUTPUT} more characters]"


def _joined(text: Any) -> str:
    return "".join(map(str, text)) if isinstance(text, list) else str(text)
