"""Search the web."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from ankita_desktop.toolkit import Cancel, ToolContext, ToolError, ToolResult

name = "web_search"
description = (
    "Search the web; gives titles, addresses and snippets. Read the good ones with web_fetch and name them."
)
parameters = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "count": {"type": "integer", "minimum": 1, "maximum": 20},
        "recency": {"enum": ["day", "week", "month", "year"]},
        "site": {"type": "string", "description": "only this domain, such as docs.python.org"},
    },
    "required": ["query"],
    "additionalProperties": False,
}
approval = "never"
read_only = True
keywords = ["search the web", "google", "look up online", "news about", "internet search"]

# A turn has one cancel flag: it says how often this turn has searched, and is forgotten with it.
_searched: WeakKeyDictionary[Cancel, int] = WeakKeyDictionary()


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit.untrusted import outside
    from ankita_desktop.toolkit.web_search import Wanted, search

    query = " ".join(args["query"].split())
    if not query:
        raise ToolError("query is empty: say what to search for.")
    _count(ctx)
    found = search(Wanted(query, args.get("count", 8), args.get("recency", ""), args.get("site", "")), ctx)
    by = ", ".join(found.engines)
    rows = [{"title": h.title, "url": h.url, "snippet": h.snippet, "date": h.date} for h in found.hits]
    text = "\n\n".join(_row(number, row) for number, row in enumerate(rows, 1))
    details = {"query": query, "results": rows, "engines": list(found.engines), "failed": dict(found.failed)}
    return outside(text or "Nothing was found. Try other or fewer words.", f"web search ({by})", **details)


def _row(number: int, row: dict[str, str]) -> str:
    date = f" · {row['date']}" if row["date"] else ""
    snippet = " ".join(row["snippet"].split())[:500]
    return "\n".join(
        line for line in (f"{number}. {row['title']}{date}", f"   {row['url']}", f"   {snippet}") if line.strip()
    )


def _count(ctx: ToolContext) -> None:
    from ankita_desktop.toolkit import web

    limit = int(web.setting(ctx, "searches_per_turn", 12))
    _searched[ctx.cancel] = _searched.get(ctx.cancel, 0) + 1
    if _searched[ctx.cancel] > limit:
        raise ToolError(
            f"This request has used its {limit} web searches. Go on with what was found: read pages with "
            "web_fetch, or answer and say what is missing."
        )
