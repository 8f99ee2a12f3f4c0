"""Take named fields from pages, or the text of several pages of a site."""

from __future__ import annotations

import json
from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult

name = "scrape"
description = (
    "Take named fields from one or more web pages by CSS or XPath, following links of the same site to a depth. "
    "Without selectors: the text of each page."
)
parameters = {
    "type": "object",
    "properties": {
        "url": {"type": "string"},
        "urls": {"type": "array", "items": {"type": "string"}, "maxItems": 50},
        "selectors": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": 'name to selector: {"title": "h1", "link": "a.more@href", "price": "//b[1]"}',
        },
        "item": {"type": "string", "description": "selector of a repeated row; fields are then read in each row"},
        "depth": {"type": "integer", "minimum": 0, "maximum": 3},
        "follow": {"type": "string", "description": "follow only links whose address holds this text"},
        "pages": {"type": "integer", "minimum": 1, "maximum": 100, "description": "at most, default 10"},
        "seconds": {"type": "integer", "minimum": 1, "maximum": 300},
        "format": {"enum": ["json", "markdown", "text"]},
    },
    "additionalProperties": False,
}
approval = "ask"
read_only = True
keywords = [
    "scrape",
    "crawl",
    "extract from page",
    "headings of a page",
    "prices on a page",
    "css selector",
    "xpath",
]

SHOWN = 40_000


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    from ankita_desktop.toolkit import web

    return web.level(_starts(args), ctx)


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    from ankita_desktop.toolkit import web

    return web.preview(_starts(args), ctx, "Read pages of" if args.get("depth") else "Read")


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit.untrusted import outside
    from ankita_desktop.toolkit.web_crawl import Bounds, crawl, fields

    starts = _starts(args)
    selectors, item = args.get("selectors") or {}, args.get("item", "")
    if item and not selectors:
        raise ToolError(
            'item needs selectors: which fields of each row, such as {"name": "h2", "link": "a@href"}.'
        )
    pages = max(args.get("pages", 10), len(starts))
    done = crawl(starts, Bounds(args.get("depth", 0), pages, args.get("seconds", 60), args.get("follow", "")), ctx)
    found = fields(done.got, selectors, item, ctx) if selectors else []
    rows = [
        {"url": visit.address.url, "title": page.title, **({"fields": found[n]} if selectors else {})}
        for n, (visit, page) in enumerate(done.got)
    ]
    body = _shown(done, rows, args.get("format") or ("json" if selectors else "markdown"))
    details = {"pages": rows, "skipped": done.skipped, "left": done.left}
    sources = list(dict.fromkeys(visit.address.netloc for visit, _ in done.got))
    source = starts[0].url if len(starts) == 1 else ", ".join(sources)
    return outside("\n\n".join(filter(None, [body, *_notes(done)])), source, **details)


def _starts(args: dict[str, Any]) -> list[Any]:
    from ankita_desktop.toolkit.addresses import read_address

    urls = [*([args["url"]] if args.get("url") else []), *args.get("urls", [])]
    if not urls:
        raise ToolError("Give url, or urls for several pages.")
    return [
        read_address(url.strip() if "://" in url[:12] else f"https://{url.strip()}") for url in dict.fromkeys(urls)
    ]


def _shown(done: Any, rows: list[dict[str, Any]], form: str) -> str:
    if form == "json":
        whole = [
            row if "fields" in row else {**row, "text": page.text}
            for row, (_, page) in zip(rows, done.got, strict=True)
        ]
        text = json.dumps(whole, ensure_ascii=False, indent=1)
    elif rows and "fields" in rows[0]:
        text = "\n\n".join(f"{row['url']}\n{_listed(row['fields'])}" for row in rows)
    else:
        mark = "# " if form == "markdown" else ""
        text = "\n\n".join(
            f"{mark}{page.title or v.address.url}\n{v.address.url}\n\n{page.text}" for v, page in done.got
        )
    if len(text) <= SHOWN:
        return text
    return f"{text[:SHOWN]}\n[cut after {SHOWN:,} of {len(text):,} characters; ask for fewer pages or fields]"


def _listed(fields: Any) -> str:
    rows = fields if isinstance(fields, list) else [fields]
    lines = [[f"- {name}: {_joined(value)}" for name, value in row.items()] for row in rows]
    return "\n\n".join("\n".join(row) for row in lines) or "(nothing matched)"


def _joined(value: Any) -> str:
    return " | ".join(value) if isinstance(value, list) else str(value or "")


def _notes(done: Any) -> list[str]:
    notes = [f"{page.note} ({visit.address.url})" for visit, page in done.got if page.note]
    if done.skipped:
        some = list(done.skipped.items())[:10]
        notes.append("Not read:\n" + "\n".join(f"- {url}: {why}" for url, why in some))
    if done.left:
        notes.append(f"Stopped after {done.why}; {done.left:,} more pages were linked.")
    return notes
