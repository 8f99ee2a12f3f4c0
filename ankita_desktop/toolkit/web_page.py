"""What a visited address holds, as text that can be read: pages, feeds, PDFs and plain text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.web import Visit
from ankita_desktop.toolkit.web_select import joined

if TYPE_CHECKING:
    from lxml.html import HtmlElement

LINKS = 500
ELEMENTS = 40_000  # of a page that is looked through for its article: that takes some seconds
SHELL = "This page builds itself with JavaScript, and little or nothing stands in it before that."
_BLOCKS = "p blockquote dd dt li h1 h2 h3 h4 h5 h6 td th figcaption"
_MARK = re.compile("⁅⁅\\d+⁆⁆")
_FEEDS = ("application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml")
# What browsers make of these labels (WHATWG).
_LABELS = dict.fromkeys(("iso-8859-1", "latin1", "ascii", "us-ascii"), "cp1252")
_LABELS |= {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc-kr": "cp949"}
_INSIDE = re.compile(rb"<(?:meta[^>]{0,200}?charset=|\?xml[^>]{0,100}?encoding=)[\"']?\s*([\w.:-]+)", re.I)
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


@dataclass(frozen=True, slots=True)
class Page:
    """``links`` are (address, text), absolute and in order. ``note`` says what is missing or odd."""

    kind: str
    text: str
    title: str = ""
    links: tuple[tuple[str, str], ...] = ()
    note: str = ""


def read(visit: Visit) -> Page:
    """The readable content of a visit. Raises ``ToolError`` when it isn't text."""
    readers: dict[str, Callable[[Visit], Page]] = {"html": _html, "pdf": _pdf, "feed": _feed, "text": _text}
    return readers[kind_of(visit)](visit)


def kind_of(visit: Visit) -> str:
    """html, pdf, feed or text: by what the bytes are, where the server's word is missing or wrong."""
    start = _start(visit).lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"%PDF-"):
        return "pdf"
    if visit.kind in _FEEDS or re.match(rb"(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(rss|feed|rdf:RDF)\b", start, re.S):
        return "feed"
    if visit.kind in ("text/html", "application/xhtml+xml") or re.match(rb"(?i)<!doctype html|<html\b", start):
        return "html"
    return "text"


def _start(visit: Visit) -> bytes:
    """The first signs, each in one byte: UTF-16 has two of each."""
    head, wide = visit.body[:2048], _wide(visit)
    return head.decode(wide, "replace").encode("ascii", "replace").lstrip(b"?") if wide else head


# --- characters -----------------------------------------------------------------------------


def decoded(visit: Visit) -> str:
    """The body as text: by its mark, the server's word, the page's own word, else by a look at the bytes."""
    from ankita_desktop.toolkit.text import NotText, decode

    for encoding in _declared(visit):
        try:
            return visit.body.decode(encoding).removeprefix("\ufeff")
        except (LookupError, UnicodeDecodeError):
            continue
    try:
        return decode(visit.body)[0]
    except NotText:
        return visit.body.decode("utf-8", "replace")


def _declared(visit: Visit) -> list[str]:
    found = [encoding for mark, encoding in _BOMS if visit.body.startswith(mark)]
    header = re.search(r"charset=[\"']?([\w.:-]+)", visit.headers.get("content-type", ""), re.I)
    inside = _INSIDE.search(visit.body[:4096])
    labels = [header[1] if header else "", inside[1].decode("ascii", "replace") if inside else ""]
    return found + [_LABELS.get(label.lower(), label) for label in labels if label]


def _wide(visit: Visit) -> str:
    """The encoding, where it is one in which text is full of zero bytes."""
    return next((name for name in _declared(visit) if re.fullmatch(r"utf-?(16|32)(-?[bl]e)?", name.lower())), "")


# --- kinds ----------------------------------------------------------------------------------


def _text(visit: Visit) -> Page:
    binary = b"\0" in visit.body[:8192] and not _wide(visit)
    if binary or visit.kind.startswith(("image/", "audio/", "video/", "font/")):
        what = visit.kind or "a file that isn't text"
        picture = visit.kind.startswith("image/") and visit.kind != "image/svg+xml"
        keep = "image_download" if picture else "run_command and curl -o FILE"
        raise ToolError(f"{visit.address.url} is {what} ({len(visit.body):,} bytes). To keep it, use {keep}.")
    return Page("text", decoded(visit))


def _pdf(visit: Visit) -> Page:
    import io
    import logging

    from pypdf import PdfReader

    from ankita_desktop.toolkit.documents_pdf import damage

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it grumbles about every file that is a little off
    try:
        reader = PdfReader(io.BytesIO(visit.body))
        texts = [page.extract_text().strip() for page in reader.pages]
        title = str(reader.metadata.title or "") if reader.metadata else ""
    except damage() as error:
        cut = " It was larger than what is fetched." if visit.cut else ""
        raise ToolError(f"The PDF at {visit.address.url} can't be read ({error}).{cut}") from error
    text = "\n\n".join(f"[page {number}]\n{text}" for number, text in enumerate(texts, 1))
    note = "" if any(texts) else "This PDF holds pictures of pages and no text."
    return Page("pdf", text, title, note=note)


def _feed(visit: Visit) -> Page:
    import feedparser

    said = {"content-type": "text/xml; charset=utf-8"}
    try:
        feed = feedparser.parse(decoded(visit).encode("utf-8", "replace"), response_headers=said)
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
    ):  # it takes characters apart that there aren't
        return Page("text", decoded(visit), note="It is a feed, but damaged: this is its source.")
    entries = [_entry(entry) for entry in feed.entries]
    links = tuple((e.get("link", ""), " ".join(e.get("title", "").split())) for e in feed.entries if e.get("link"))
    note = "" if entries else "This feed has no entries."
    return Page("feed", "\n\n".join(entries), feed.feed.get("title", ""), links, note)


def _entry(entry: Any) -> str:
    lines = [f"## {' '.join(entry.get('title', 'Untitled').split())}"]
    when = entry.get("published", "") or entry.get("updated", "")
    lines += [line for line in (entry.get("link", ""), when) if line]
    content = entry.get("content") or [{"value": entry.get("summary", "")}]
    words = _plain(content[0].get("value", ""))
    return "\n".join([*lines, words] if words else lines)


def _plain(html: str | None) -> str:
    if not html or "<" not in html:
        return (html or "").strip()
    tree = parsed(f"<div>{html}</div>")
    return "\n".join(line for line in (" ".join(raw.split()) for raw in _lines(tree)) if line)


# --- pages ----------------------------------------------------------------------------------


def _html(visit: Visit) -> Page:
    source = decoded(visit)
    if not source.strip():
        return Page("html", "", note="The page is empty.")
    tree = parsed(source)
    base = joined(visit.address.url, tree.xpath("string(//base/@href)"))
    tree.rewrite_links(lambda link: joined(base, link), resolve_base_href=False)
    title = " ".join("".join(tree.xpath("//title[1]//text()")).split())
    shell = is_shell(tree)  # looked at before its scripts are gone
    text = article(tree, visit.address.url) or _untagged(source)
    return Page("html", text, title, links_of(tree), SHELL if shell else "")


def parsed(source: str) -> HtmlElement:
    """The page as a tree, whatever its markup is like."""
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        tree = html.document_fromstring(source.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, ValueError):  # nothing but comments or white space
        tree = html.document_fromstring(b"<html><body></body></html>")
    return tree


def article(tree: HtmlElement, url: str) -> str:
    """The main content as markdown; the whole of a page's words where that has none to speak of."""
    import logging

    import trafilatura
    from lxml import etree

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it tells addresses to whoever reads the log
    whole = "\n".join(line for line in (" ".join(raw.split()) for raw in _lines(tree)) if line)
    if sum(1 for _ in tree.iter()) > ELEMENTS:
        return whole
    _prepare(tree)
    found = trafilatura.extract(
        etree.tostring(tree, encoding="unicode", method="html"),
        url=url,
        output_format="markdown",
        include_links=True,
        include_images=True,
        include_tables=True,
        include_comments=True,
        favor_recall=True,
    )
    text = _MARK.sub("", found or "").strip()
    # A short page that isn't marked as an article has nothing in it that is beside the point.
    plain = not tree.xpath("//article|//main|//*[@role='main']")
    share = 0.95 if plain and len(whole) < 600 else 0.5
    return whole if len(text) < share * len(whole) and len(whole) < 2000 else re.sub(r"\n{3,}", "\n\n", text)


def _untagged(source: str) -> str:
    """The words of markup that no parser holds, such as thousands of nested boxes."""
    silent = re.sub(r"(?is)<(script|style|noscript|template)\b.*?(</\1>|$)|<!--.*?(-->|$)", " ", source)
    return " ".join(re.sub(r"<[^<>]*>", " ", silent).split())


def _prepare(tree: HtmlElement) -> None:
    """Two ways of the extractor are not ours: it drops a block that says what an earlier one said, and runs
    preformatted lines together. So repeated blocks get a number to differ by, and <pre> gets its <code>."""
    seen: set[str] = set()
    number = 0
    for block in tree.iter(*_BLOCKS.split()):
        words = " ".join("".join(block.itertext()).split())
        if words and words in seen:
            number += 1
            _append(block, f"⁅⁅{number}⁆⁆")
        seen.add(words)
    for pre in tree.iter("pre"):
        if pre.find(".//code") is None:
            code = pre.makeelement("code")
            code.text, pre.text = _sound(pre.text), None
            code.extend(list(pre))
            pre.append(code)


def _append(block: HtmlElement, mark: str) -> None:
    last = block[-1] if len(block) else None
    if last is None:
        block.text = _sound(block.text) + mark
    else:
        last.tail = _sound(last.tail) + mark


def _sound(text: str | None) -> str:
    """Without signs that a tree can be read with but not be given."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]", "", text or "")


_SILENT = frozenset({"script", "style", "noscript", "template", "head", "svg", "iframe"})
_INLINE = frozenset(
    "a abbr b bdi bdo cite code data del dfn em font i img ins kbd label mark q s samp small span strong sub sup "
    "time tt u var wbr".split()
)


def _lines(tree: HtmlElement) -> list[str]:
    """The words that a reader sees, a line for each block, with what pictures say of themselves."""
    out: list[str] = [""]
    _walk(tree, out)
    return out


def _walk(root: HtmlElement, out: list[str]) -> None:
    # (element, whether it is left): no recursion, since pages nest as deep as they like
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        node, leaving = stack.pop()
        silent = not isinstance(node.tag, str) or node.tag in _SILENT
        block = not silent and node.tag not in _INLINE
        if leaving:
            _say(out, "", block)
            _say(out, (node.tail or "") if node is not root else "", False)
            continue
        _say(out, "", block)
        stack.append((node, True))
        if not silent:
            _say(out, _own(node), False)
            stack += [(child, False) for child in reversed(node)]


def _own(node: HtmlElement) -> str:
    if node.tag == "img":
        return f"[image: {alt}]" if (alt := " ".join((node.get("alt") or "").split())) else ""
    return node.text or ""


def _say(out: list[str], words: str, newline: bool) -> None:
    if newline and out[-1].strip():
        out.append("")
    out[-1] += words


def links_of(tree: HtmlElement) -> tuple[tuple[str, str], ...]:
    """Web links, each address once, with its longest text."""
    found: dict[str, str] = {}
    for link in tree.iter("a"):
        address = (link.get("href") or "").partition("#")[0].strip()
        if address.startswith(("http://", "https://")):
            words = " ".join("".join(link.itertext()).split()) or " ".join(link.xpath(".//img/@alt"))
            found[address] = max(found.get(address, ""), _MARK.sub("", words)[:200], key=len)
        if len(found) >= LINKS:
            break
    return tuple(found.items())


def is_shell(tree: HtmlElement) -> bool:
    """Whether the page is only a place for a script to fill: no words to speak of, and a sign of that."""
    words = len(" ".join(_lines(tree)).split())
    if words > 60:
        return False
    scripts = len(tree.xpath("//script[@src]|//script[string-length(text())>200]"))
    names = ("root", "app", "__next", "__nuxt", "svelte")
    roots = [node for name in names for node in tree.xpath("//*[@id=$name]", name=name)]
    asks = "javascript" in " ".join(tree.xpath("//noscript//text()")).lower()
    return bool(scripts) and (asks or (bool(roots) and words < 25) or (words < 5 and scripts > 1))
