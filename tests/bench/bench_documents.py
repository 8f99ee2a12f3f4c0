"""Reading a long PDF whole and in part, beside the library alone; what the first document of a process costs."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.documents import excerpt, open_document

PAGES, LINES, ROUNDS = 300, 40, 3
EVERYTHING = 1 << 30


def make(path: Path) -> None:
    """300 pages of text, written out by hand: no other library is needed to measure."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    font = DictionaryObject()
    for key, value in (("/Type", "/Font"), ("/Subtype", "/Type1"), ("/BaseFont", "/Helvetica")):
        font[NameObject(key)] = NameObject(value)
    writer = PdfWriter()
    for number in range(PAGES):
        page = writer.add_blank_page(595, 842)
        rows = [
            f"(Page {number} line {line}: the quick brown fox jumps over the lazy dog.) Tj T*"
            for line in range(LINES)
        ]
        content = DecodedStreamObject()
        content.set_data(("BT /F1 10 Tf 14 TL 50 800 Td\n" + "\n".join(rows) + "\nET").encode())
        page[NameObject("/Contents")] = writer._add_object(content.flate_encode())
        fonts = DictionaryObject({NameObject("/F1"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    writer.write(path)


def raw(path: Path) -> int:
    from pypdf import PdfReader

    return sum(len(page.extract_text()) for page in PdfReader(path).pages)


def ours(path: Path, pages: str = "", limit: int = EVERYTHING) -> int:
    document = open_document(path)
    try:
        return len(excerpt(document, pages, cancel=Cancel(), limit=limit).text)
    finally:
        document.close()


def best(*works: Callable[[], object]) -> list[float]:
    """The least processor time of each; taken in turns, since a busy machine slows everybody."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(ROUNDS):
        for work, taken in zip(works, times, strict=True):
            started = time.process_time()
            work()
            taken.append(time.process_time() - started)
    return [min(taken) for taken in times]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.pdf"
        make(path)
        reference, whole, first, late = best(
            lambda: raw(path), lambda: ours(path), lambda: ours(path, limit=24_000), lambda: ours(path, "250")
        )
        print(f"PDF of {PAGES} pages, {path.stat().st_size:,} bytes; processor time, best of {ROUNDS}")
        print(f"{'pypdf alone, all pages':<34}{reference:>8.3f} s")
        print(f"{'read_document, all pages':<34}{whole:>8.3f} s   {whole / reference:.2f} times")
        print(f"{'read_document, its first answer':<34}{first:>8.3f} s")
        print(f"{'read_document, page 250':<34}{late:>8.3f} s")
        for name in ("ankita_desktop.toolkit.documents", "ankita_desktop.toolkit.documents_pdf, pypdf"):
            code = f"import time; t = time.perf_counter(); import {name}; print(time.perf_counter() - t)"
            took = float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
            print(f"{'import ' + name.replace('ankita_desktop.toolkit.', ''):<34}{took:>8.3f} s")


if __name__ == "__main__":
    main()
