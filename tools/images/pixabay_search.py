"""Search Pixabay."""

from __future__ import annotations

from typing import Any

from ankita_desktop.toolkit import ToolContext, ToolError, ToolResult

name = "pixabay_search"
description = "Find free photos, illustrations and vectors on Pixabay, with small pictures, addresses and credits."
parameters = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "kind": {"enum": ["photo", "illustration", "vector"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 20},
        "orientation": {"enum": ["horizontal", "vertical"]},
    },
    "required": ["query"],
    "additionalProperties": False,
}
approval = "never"
read_only = True
keywords = ["pixabay", "stock image", "free illustration", "vector graphic", "clip art"]


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit import stock

    query = " ".join(args["query"].split())
    if not query:
        raise ToolError("query is empty: say what to look for.")
    photos = stock.pixabay(query, args.get("count", 6), args.get("orientation", ""), args.get("kind", ""), ctx)
    return stock.told(photos, "pixabay.com", query, ctx)
