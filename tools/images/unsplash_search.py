"""Search Unsplash."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import ToolContext, ToolError, ToolResult

name = "unsplash_search"
description = "Find free photos on Unsplash, with small pictures, addresses and credits."
parameters = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "count": {"type": "integer", "minimum": 1, "maximum": 20},
        "orientation": {"enum": ["horizontal", "vertical", "squarish"]},
    },
    "required": ["query"],
    "additionalProperties": False,
}
approval = "never"
read_only = True
keywords = ["unsplash", "stock photo", "free photo", "find a photo"]


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit import stock

    query = " ".join(args["query"].split())
    if not query:
        raise ToolError("query is empty: say what to look for.")
    photos = stock.unsplash(query, args.get("count", 6), args.get("orientation", ""), ctx)
    return stock.told(photos, "unsplash.com", query, ctx)
