"""Searching the web: public engines without a key, or a service that the person has set up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit import net, web
from ankita_desktop.toolkit.addresses import read_address
from ankita_desktop.toolkit.context import ToolContext
from ankita_desktop.toolkit.web_engines import ask_all
from ankita_desktop.toolkit.web_results import Hit, Wanted, fused

BRAVE = "https://api.search.brave.com/res/v1/web/search"
TAVILY = "https://api.tavily.com/search"
PATIENCE = 15.0  # seconds for a service


@dataclass(frozen=True, slots=True)
class Found:
    """``failed`` says of each engine that gave nothing why."""

    hits: tuple[Hit, ...]
    engines: tuple[str, ...]
    failed: Mapping[str, str]


def search(wanted: Wanted, ctx: ToolContext) -> Found:
    """Ask whom the settings name. Raises ``ToolError`` when nobody could be asked, ``Cancelled`` on Stop."""
    service = chosen(ctx)
    if service == "free":
        answers, failed = ask_all(wanted, ctx.cancel)
    else:
        answers, failed = {service: _SERVICES[service](wanted, ctx)}, {}
    hits = fused(answers, wanted)
    if not answers:
        raise ToolError(_nobody(failed))
    return Found(tuple(hits[: wanted.count]), tuple(answers), failed)


def chosen(ctx: ToolContext) -> str:
    """Who searches: what the settings say; on auto what is set up, else the public engines."""
    named = str(web.setting(ctx, "search", "auto"))
    if named != "auto":
        return named
    if web.setting(ctx, "searxng_url", ""):
        return "searxng"
    return next((service for service, key in _KEYS.items() if _secret(ctx, key)), "free")


def _nobody(failed: Mapping[str, str]) -> str:
    why = "; ".join(f"{engine}: {reason}" for engine, reason in failed.items())
    return (
        f"The web could not be searched ({why}). Check that this computer is online. If it is, the engines may be "
        "refusing for now: try again in a minute, or set up a search service (settings web.search)."
    )


# --- services with an address or a key ------------------------------------------------------


def _searxng(wanted: Wanted, ctx: ToolContext) -> list[Hit]:
    base = str(web.setting(ctx, "searxng_url", "")).rstrip("/")
    if not base:
        raise ToolError("web.searxng_url is not set. Ask the person for the address of their SearXNG server.")
    fields = {"q": wanted.words, "format": "json", "safesearch": "1"}
    if wanted.recency:  # engines know no week; a month holds it
        fields["time_range"] = "month" if wanted.recency == "week" else wanted.recency
    answer = _asked(net.Outgoing("GET", read_address(f"{base}/search?{urlencode(fields)}")), ctx, own=True)
    return [
        Hit(row.get("title", ""), row.get("url", ""), row.get("content") or "", row.get("publishedDate") or "")
        for row in _rows(answer, "results")
    ]


def _brave(wanted: Wanted, ctx: ToolContext) -> list[Hit]:
    fields = {"q": wanted.words, "count": str(min(20, wanted.count))}
    if wanted.recency:
        fields["freshness"] = f"p{wanted.recency[0]}"
    headers = {"x-subscription-token": _key(ctx, "brave"), "accept": "application/json"}
    answer = _asked(net.Outgoing("GET", read_address(f"{BRAVE}?{urlencode(fields)}"), headers), ctx)
    return [
        Hit(_bare(row.get("title", "")), row.get("url", ""), _bare(row.get("description", "")), row.get("age", ""))
        for row in _rows(answer.get("web", {}), "results")
    ]


def _tavily(wanted: Wanted, ctx: ToolContext) -> list[Hit]:
    body: dict[str, Any] = {"query": wanted.query, "max_results": min(20, wanted.count)}
    if wanted.recency:
        body["time_range"] = wanted.recency
    if wanted.site:
        body["include_domains"] = [wanted.site]
    headers = {"authorization": f"Bearer {_key(ctx, 'tavily')}", "content-type": "application/json"}
    answer = _asked(net.Outgoing("POST", read_address(TAVILY), headers, json.dumps(body).encode()), ctx)
    return [
        Hit(row.get("title", ""), row.get("url", ""), row.get("content", ""), row.get("published_date") or "")
        for row in _rows(answer, "results")
    ]


_SERVICES: dict[str, Callable[[Wanted, ToolContext], list[Hit]]] = {
    "searxng": _searxng,
    "brave": _brave,
    "tavily": _tavily,
}
_KEYS = {"brave": "BRAVE_API_KEY", "tavily": "TAVILY_API_KEY"}


def _asked(request: net.Outgoing, ctx: ToolContext, *, own: bool = False) -> dict[str, Any]:
    """The JSON that a service answers with. ``own``: the person's own server, wherever it stands."""
    answer = net.fetch(request, ctx.cancel, net.Rules(private=own, redirects=own, seconds=PATIENCE))
    host = request.address.netloc
    if answer.status in (401, 403):
        hint = "its settings must allow the json format" if own else "the stored key is not accepted"
        raise ToolError(f"{host} refused the search (status {answer.status}): {hint}.")
    if answer.status == 429:
        raise ToolError(f"{host} allows no more searches for now (status 429). Try again later.")
    try:
        found = json.loads(answer.body)
    except ValueError:
        found = None
    if answer.status != 200 or not isinstance(found, dict):
        raise ToolError(f"{host} gave no search results (status {answer.status}).")
    return found


def _rows(answer: Any, name: str) -> Iterator[Mapping[str, Any]]:
    rows = answer.get(name) if isinstance(answer, dict) else None
    return (row for row in rows or () if isinstance(row, dict) and row.get("url"))


def _bare(text: str) -> str:
    """Without the marks that a service puts around matching words."""
    import html

    return html.unescape(re.sub(r"</?(strong|b|em)>", "", text))


def _secret(ctx: ToolContext, name: str) -> str:
    return (ctx.services.secrets.get(name) if ctx.services.secrets else None) or ""


def _key(ctx: ToolContext, service: str) -> str:
    if key := _secret(ctx, _KEYS[service]):
        return key
    raise ToolError(
        f"No key for {service} is stored ({_KEYS[service]}). Ask the person to add it in the settings."
    )
