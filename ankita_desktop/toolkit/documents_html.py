"""HTML files and e-books as markdown: all of their words, since nothing around them is in the way."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.documents import table
from ankita_desktop.toolkit.documents_package import Package
from ankita_desktop.toolkit.documents_parts import Parts, closed_on_failure

_SILENT = frozenset(("script", "style", "noscript", "template", "title", "svg", "iframe", "object"))
_BLOCKS = frozenset(
    "address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure footer form h1 "
    "h2 h3 h4 h5 h6 header hgroup hr html li main nav ol p pre section summary table ul".split()
)
_DEEPEST = 200
_DC = "{http://purl.org/dc/elements/1.1/}"
_OPF = "{http://www.idpf.org/2007/opf}"
_OCF = "{urn:oasis:names:tc:opendocument:xmlns:container}"


def markdown(source: bytes) -> tuple[str, str]:
    """(title, text) of a page."""
    from lxml import etree, html

    encoding = _encoding(source)
    text = source.decode(encoding, "replace").removeprefix("\ufeff")
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        tree = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, ValueError):  # nothing but comments or white space
        return "", ""
    title = " ".join("".join(tree.xpath("//title[1]//text()")).split())
    lines = "\n\n".join(block for block in _blocks(tree, 0, 0) if block.strip())
    return title, lines


def _encoding(source: bytes) -> str:
    import codecs

    if source.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    named = re.search(rb"(?i)(?:charset|encoding)\s*=\s*[\"']?\s*([\w-]+)", source[:2048])
    try:
        return codecs.lookup(named[1].decode()).name if named else "utf-8"
    except LookupError:
        return "utf-8"


def _blocks(node: Any, lists: int, depth: int) -> Iterator[str]:
    """The blocks below a node; words that stand between blocks make one of their own."""
    if depth > _DEEPEST:
        yield " ".join("".join(node.itertext()).split())
        return
    run: list[str] = [node.text or ""]
    for child in node:
        if isinstance(child.tag, str) and (child.tag in _BLOCKS or child.tag == "table"):
            yield _tidy(run)
            run = []
            yield from _block(child, lists, depth + 1)
        else:
            run.append(_inline(child, depth + 1))
        run.append(child.tail or "")
    yield _tidy(run)


def _block(node: Any, lists: int, depth: int) -> Iterator[str]:
    tag = node.tag
    if re.fullmatch(r"h[1-6]", tag):
        words = _tidy([node.text or "", *(_inline(child, depth) + (child.tail or "") for child in node)])
        yield f"{'#' * int(tag[1])} {' '.join(words.split())}" if words else ""
    elif tag == "pre":
        yield "```\n" + "".join(node.itertext()).strip("\n") + "\n```"
    elif tag == "table":
        yield table([[_words(cell) for cell in row.iter("td", "th")] for row in node.iter("tr")])
    elif tag in ("ul", "ol"):
        yield "\n".join(_items(node, lists, depth))
    elif tag == "hr":
        yield "---"
    elif tag not in _SILENT:
        yield from _blocks(node, lists, depth)


def _items(node: Any, lists: int, depth: int) -> Iterator[str]:
    for number, item in enumerate(node.iterchildren("li"), 1):
        sign = f"{number}." if node.tag == "ol" else "-"
        inner = [block for block in _blocks(item, lists + 1, depth + 1) if block.strip()]
        first, *rest = inner or [""]
        yield f"{'  ' * lists}{sign} {first}" if not first.startswith("  ") else f"{'  ' * lists}{sign}\n{first}"
        yield from rest


def _inline(node: Any, depth: int) -> str:
    if not isinstance(node.tag, str) or node.tag in _SILENT:
        return ""
    if node.tag == "br":
        return "\v"  # told from the line ends of the source
    if node.tag == "img":
        return f"[image: {alt}]" if (alt := " ".join((node.get("alt") or "").split())) else ""
    if depth > _DEEPEST:
        return "".join(node.itertext())
    words = (node.text or "") + "".join(_inline(child, depth + 1) + (child.tail or "") for child in node)
    if node.tag == "code" and words.strip():
        return f"`{words}`"
    link = node.get("href", "") if node.tag == "a" else ""
    return (
        f"[{' '.join(words.split())}]({link})" if words.strip() and re.match(r"https?:|mailto:", link) else words
    )


def _words(node: Any) -> str:
    return " ".join("".join(node.itertext()).split())


def _tidy(run: list[str]) -> str:
    return "\n".join(" ".join(line.split()) for line in "".join(run).split("\v")).strip()


class _Book:
    """An e-book: its chapters in reading order."""

    def __init__(self, package: Package) -> None:
        self._package = package
        found = package.xml("META-INF/container.xml").find(f".//{_OCF}rootfile")
        main = found.get("full-path", "") if found is not None else ""
        if not package.has(main):
            raise ToolError(f"{package.path.name} is damaged: it doesn't say where its chapters are.")
        root = package.xml(main)
        names = {each.get("id"): each.get("href", "") for each in root.iter(f"{_OPF}item")}
        order = [names.get(each.get("idref"), "") for each in root.iter(f"{_OPF}itemref")]
        places = [
            posixpath.normpath(posixpath.join(posixpath.dirname(main), unquote(href))) for href in order if href
        ]
        self.chapters = [place for place in places if package.has(place)]
        self.title = " ".join((root.findtext(f".//{_DC}title") or "").split())

    def text(self, number: int) -> str:
        return markdown(self._package.data(self.chapters[number]))[1]


def read(path: Path, kind: str) -> Parts:
    if kind == "html":
        title, text = markdown(path.read_bytes())
        return Parts(kind, "page", title, [""], lambda _: text)
    with closed_on_failure(Package(path)) as package:
        book = _Book(package)
        return Parts(kind, "chapter", book.title, [""] * len(book.chapters), book.text, package.close)
