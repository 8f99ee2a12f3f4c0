"""Named fields of a page by CSS or XPath. Run as a program of its own: a selector can take for ever.

Reads one JSON object on standard input, {"pages": [{"url", "html"}], "selectors": {name: selector}, "item": ""},
and writes the list of what each page gave. Standard library and lxml only.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any
from urllib.parse import urljoin

VALUES = 500  # of one field on one page
LENGTH = 4_000  # characters of one value
_LINKS = frozenset({"href", "src", "action", "poster", "data-src"})


class BadSelector(Exception):
    """A selector that isn't one; the text says what is wrong."""


def select(html: str, url: str, selectors: dict[str, str], item: str = "") -> Any:
    """The fields of a page: lists of values, or with ``item`` a list of rows with one value for each field."""
    from lxml import html as parser

    tree = parser.document_fromstring(html.encode("utf-8", "replace"), parser=parser.HTMLParser(encoding="utf-8"))
    base = joined(url, tree.xpath("string(//base/@href)"))
    if not item:
        return {name: _values(tree, selector, base)[:VALUES] for name, selector in selectors.items()}
    rows = [node for node in _found(tree, item) if not isinstance(node, str)][:VALUES]
    return [{name: next(iter(_values(row, s, base)), None) for name, s in selectors.items()} for row in rows]


def joined(base: str, link: str) -> str:
    """Where a link of a page leads; one that no browser could follow leads nowhere else than it says."""
    plain = re.sub(r"[\x00-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]", "", link.strip())
    try:
        return urljoin(base, plain)
    except ValueError:
        return plain


def _values(node: Any, selector: str, base: str) -> list[str]:
    path, attribute = _parts(selector)
    found = [_value(hit, attribute, base) for hit in (_found(node, path) if path else [node])]
    return [value for value in found if value]


def _parts(selector: str) -> tuple[str, str]:
    """The path and the attribute ("a.more@href", or as scrapers write it, "a.more::attr(href)", "b::text"); XPath
    names its attributes itself."""
    plain = selector.strip()
    if _is_xpath(plain):
        return plain, ""
    match = re.fullmatch(r"(.*?)\s*(?:@([\w:-]+)|::attr\(\s*([\w:-]+)\s*\)|::(text))", plain, re.S)
    return (match[1], match[2] or match[3] or match[4]) if match else (plain, "")


def _is_xpath(selector: str) -> bool:
    return selector.lstrip().startswith(("/", "./", "(", "@", "string(", "normalize-space(", "count("))


def _found(node: Any, selector: str) -> list[Any]:
    from cssselect import SelectorError
    from lxml.etree import XPathError

    try:
        # In a row, // means below the row: what a person means.
        path = f".{selector}" if selector.startswith("//") else selector
        hits = node.xpath(path) if _is_xpath(selector) else node.cssselect(selector)
    except (SelectorError, XPathError, SyntaxError, ValueError) as error:
        raise BadSelector(f"{selector!r} is neither a CSS selector nor XPath: {error}") from error
    return hits if isinstance(hits, list) else [str(hits)]


def _value(hit: Any, attribute: str, base: str) -> str:
    if isinstance(hit, str):  # a string that XPath chose
        name = getattr(hit, "attrname", None)
        return joined(base, hit) if name in _LINKS else _line(hit)
    if attribute == "html":
        from lxml.etree import tostring

        return str(tostring(hit, encoding="unicode", with_tail=False))[:LENGTH]
    if attribute and attribute != "text":
        value = hit.get(attribute) or ""
        return joined(base, value) if attribute in _LINKS and value else _line(value)
    for silent in ("meta", "input"):
        if hit.tag == silent:
            return _line(hit.get("content") or hit.get("value") or "")
    return _line(" ".join(text for text in hit.itertext(with_tail=False))) or _line(hit.get("alt") or "")


def _line(text: str) -> str:
    return " ".join(text.split())[:LENGTH]


def main() -> int:
    wanted = json.load(sys.stdin.buffer)
    try:
        found = [select(p["html"], p["url"], wanted["selectors"], wanted["item"]) for p in wanted["pages"]]
    except BadSelector as error:
        sys.stderr.write(str(error))
        return 2
    sys.stdout.buffer.write(json.dumps(found).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
