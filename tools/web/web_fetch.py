"""Read a page, feed, PDF or text on the web."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolResult

name = "web_fetch"
description = (
    "Read a web page as markdown: articles, docs, feeds, PDFs, plain text. Long content comes in parts; "
    "go on with offset."
)
parameters = {
    "type": "object",
    "properties": {
        "url": {"type": "string"},
        "offset": {"type": "integer", "minimum": 0, "description": "character to start at"},
        "limit": {"type": "integer", "minimum": 200, "maximum": 50000, "description": "characters, default 16000"},
        "links": {"type": "boolean", "description": "the page's links instead of its text"},
        "fresh": {"type": "boolean", "description": "ignore the copy kept from some minutes ago"},
    },
    "required": ["url"],
    "additionalProperties": False,
}
approval = "ask"
read_only = True
keywords = ["web page", "article", "read url", "fetch page", "website text", "feed", "rss", "links of a page"]

LIMIT = 16_000


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    from ankita_desktop.toolkit import web

    return web.level([_address(args)], ctx)


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    from ankita_desktop.toolkit import web

    return web.preview([_address(args)], ctx)


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit import web, web_page
    from ankita_desktop.toolkit.untrusted import outside

    visit = web.visit(_address(args), ctx, fresh=args.get("fresh", False))
    page = web_page.read(visit)
    url = visit.address.url
    text = page.text
    if args.get("links"):
        text = "\n".join(f"- {words or '(no text)'}: {to}" for to, words in page.links)
    part, span = _part(text, args)
    head = [f"{page.title}\n{url}" if page.title else url, *_facts(visit, page, args, ctx), *span]
    details = {
        "url": url,
        "status": visit.status,
        "title": page.title,
        "kind": page.kind,
        "characters": len(text),
        "links": len(page.links),
        "note": page.note,
        "hops": list(visit.hops),
        "cached": visit.kept,
    }
    return outside("\n".join(head) + f"\n\n{part}".rstrip(), url, ok=visit.status < 400, **details)


def _address(args: dict[str, Any]) -> Any:
    from ankita_desktop.toolkit.addresses import read_address

    text = args["url"].strip()
    return read_address(text if "://" in text[:12] else f"https://{text}")


def _facts(visit: Any, page: Any, args: dict[str, Any], ctx: ToolContext) -> list[str]:
    from ankita_desktop.toolkit.web_page import SHELL

    facts = []
    if visit.status >= 400:
        facts.append(f"The server answered with status {visit.status}.")
    if page.note:
        facts.append(f"{page.note} {_instead(ctx)}" if page.note == SHELL else page.note)
    if not page.text and not page.note:
        facts.append("There is no text in it.")
    if visit.cut:
        facts.append(f"Only the first {len(visit.body):,} bytes were fetched.")
    if args.get("links") and not page.links:
        facts.append("It has no links.")
    return facts


def _instead(ctx: ToolContext) -> str:
    catalogue = ctx.services.catalogue
    if catalogue is not None and catalogue.in_group("browser"):
        return "The browser tools can show it (find_tools: browser)."
    return "Look for a feed or an API of the site, or for another page; open shows this one to the person."


def _part(text: str, args: dict[str, Any]) -> tuple[str, list[str]]:
    """The part that was asked for, ending at a line's end where one is near, and where it stands."""
    begin, limit = args.get("offset", 0), args.get("limit", LIMIT)
    end = min(len(text), begin + limit)
    if end < len(text):
        end = max(text.rfind("\n", begin + limit * 3 // 4, end) + 1, 0) or end
    if begin >= len(text) > 0:
        return "", [f"offset {begin:,} is past the end: there are {len(text):,} characters."]
    if begin == 0 and end == len(text):
        return text, []
    more = f"; go on with offset={end}" if end < len(text) else "; this is the end"
    return text[begin:end], [f"[characters {begin:,}–{end:,} of {len(text):,}{more}]"]
