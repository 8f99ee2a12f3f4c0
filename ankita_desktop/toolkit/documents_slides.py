"""PowerPoint: every slide with its title, text, tables and the speaker's notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ankita_desktop.toolkit.documents import table
from ankita_desktop.toolkit.documents_package import Package, number_in, title_of
from ankita_desktop.toolkit.documents_parts import Parts, closed_on_failure

if TYPE_CHECKING:
    from lxml.etree import _Element

_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MAIN = "ppt/presentation.xml"


def _slide(package: Package, name: str) -> str:
    blocks = list(_blocks(package.xml(name)))
    for kind, notes in package.related(name).values():
        if kind == "notesSlide" and package.has(notes):
            said = "\n".join(_notes(package.xml(notes)))
            blocks += [f"Notes: {said}"] if said else []
    return "\n\n".join(blocks)


def _blocks(slide: _Element) -> Iterator[str]:
    for shape in slide.iter(f"{_P}sp", f"{_P}graphicFrame", f"{_P}pic"):
        if shape.tag == f"{_P}sp":
            text = "\n".join(_paragraphs(shape, bullets=not _is_title(shape)))
            yield from [f"# {' '.join(text.split())}" if _is_title(shape) else text] if text.strip() else []
        elif shape.tag == f"{_P}pic":
            about = shape.find(f"{_P}nvPicPr/{_P}cNvPr")
            words = " ".join((about.get("descr") or "").split()) if about is not None else ""
            yield from [f"[image: {words}]"] if words else []
        else:
            rows = [[" ".join(_paragraphs(cell)) for cell in row.iter(f"{_A}tc")] for row in shape.iter(f"{_A}tr")]
            yield from [table(rows)] if rows else []


def _is_title(shape: _Element) -> bool:
    place = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
    return place is not None and place.get("type") in ("title", "ctrTitle")


def _notes(slide: _Element) -> Iterator[str]:
    """The body of a notes page; beside it stand a picture of the slide and its number."""
    for shape in slide.iter(f"{_P}sp"):
        place = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
        if place is not None and place.get("type") == "body":
            yield from _paragraphs(shape)


def _paragraphs(shape: _Element, *, bullets: bool = False) -> Iterator[str]:
    for p in shape.iter(f"{_A}p"):
        text = "".join("\n" if run.tag == f"{_A}br" else run.text or "" for run in p.iter(f"{_A}t", f"{_A}br"))
        if text.strip():
            form = p.find(f"{_A}pPr")
            depth = number_in(form, "lvl", 0) if form is not None else 0
            yield f"{'  ' * depth}- {text.strip()}" if bullets and depth else text.strip()


def read(path: Path, kind: str) -> Parts:
    with closed_on_failure(Package(path)) as package:
        related = package.related(_MAIN)
        ids = [each.get(f"{_R}id", "") for each in package.xml(_MAIN).iter(f"{_P}sldId")]
        slides = [related[key][1] for key in ids if key in related]
        title = title_of(package)
        return Parts(kind, "slide", title, [""] * len(slides), lambda n: _slide(package, slides[n]), package.close)
