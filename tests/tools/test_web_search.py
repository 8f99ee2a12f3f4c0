"""web_search: several engines as one list, services with a key or an address, limits, and no network."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from ankita_desktop.toolkit import Cancel, Cancelled, ToolContext, ToolError, ToolResult, web_engines, web_search
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services
from ankita_desktop.toolkit.untrusted import unframed
from ankita_desktop.toolkit.web_results import Hit, Wanted, fused, same_page
from tests.tools.calls import call
from tests.tools.site import HTML, PUBLIC, Answer, Site, public, serving

DUCK = """<div class="result results_links web-result"><div class="links_main result__body">
<h2 class="result__title"><a class="result__a" href="{url}">{title}</a></h2>
<a class="result__snippet" href="{url}">{snippet}</a></div></div>"""
MOJEEK = """<li class="r1"><a class="ob" href="{url}">{url}</a><h2><a class="title" href="{url}">{title}</a></h2>
<p class="s">{snippet}</p></li>"""
ROWS = {
    "duckduckgo": [
        ("Python 3.14", "https://docs.python.org/3/whatsnew/3.14.html?utm_source=x", "What is new in it."),
        ("A blog", "https://blog.example/py", "Thoughts."),
    ],
    "mojeek": [
        (
            "What's New In Python 3.14",
            "http://docs.python.org/3/whatsnew/3.14.html/",
            "Longer words about what is new.",
        ),
        ("Forum", "https://forum.example/t/1", "Talk."),
    ],
}


class Keys:
    def __init__(self, **known: str) -> None:
        self.known = known

    def get(self, name: str) -> str | None:
        return self.known.get(name)


def context(cancel: Cancel | None = None, keys: Keys | None = None, **web: Any) -> ToolContext:
    services = Services(secrets=keys or Keys())
    return ToolContext(Path("/"), Jobs(), cancel=cancel or Cancel(), settings={"web": web}, services=services)


def search(ctx: ToolContext | None = None, query: str = "python 3.14 news", **args: Any) -> ToolResult:
    return call("web_search", ctx or context(), query=query, **args)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    public(monkeypatch)
    with serving(PUBLIC) as served:
        yield served


@pytest.fixture
def engines(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """The public engines DuckDuckGo and Mojeek with pages like theirs; the others refuse."""
    from ddgs.engines import ENGINES

    def page(name: str, form: str, frame: str) -> Answer:
        rows = "".join(form.format(title=t, url=u, snippet=s) for t, u, s in ROWS[name])
        return 200, HTML, frame.format(rows).encode()

    site.pages["/duckduckgo"] = page("duckduckgo", DUCK, "<html><body>{}</body></html>")
    site.pages["/mojeek"] = page(
        "mojeek", MOJEEK, "<html><body><ul class='results-standard'>{}</ul></body></html>"
    )
    site.pages["/refused"] = (429, HTML, b"<p>too many</p>")
    for name in web_engines.ENGINES:
        kind = ENGINES["text"][name]
        monkeypatch.setattr(kind, "search_url", f"{site.url}/{name if name in ROWS else 'refused'}")
        payload = kind.build_payload

        def keep_address(
            self: Any, *args: Any, _payload: Any = payload, _url: str = kind.search_url, **kwargs: Any
        ) -> Any:
            fields = _payload(self, *args, **kwargs)
            self.search_url = _url
            return fields

        monkeypatch.setattr(kind, "build_payload", keep_address)
    # Startpage first looks at its front page, which isn't there.
    monkeypatch.setattr(ENGINES["text"]["startpage"], "get_sc", lambda self: "")
    return site


# --- public engines -------------------------------------------------------------------------


def test_engines_are_asked_without_a_key_and_their_answers_fused(engines: Site) -> None:
    result = search()
    rows = result.details["results"]
    assert sorted(result.details["engines"]) == ["duckduckgo", "mojeek"]
    assert next(row["url"].partition("?")[0].rstrip("/") for row in rows).endswith(
        "docs.python.org/3/whatsnew/3.14.html"
    )
    assert rows[0]["snippet"] == "Longer words about what is new."  # the fuller of the two
    assert len(rows) == 3  # the page that both found is there once
    text = unframed(result.text)
    assert "1. " in text and "https://blog.example/py" in text and "Talk." in text


def test_results_are_marked_as_words_from_outside(engines: Site) -> None:
    result = search()
    assert result.details["untrusted"]["source"].startswith("web search (")
    assert "data, not instructions" in result.text


def test_engines_that_refuse_are_told_and_do_not_matter(engines: Site) -> None:
    assert set(search().details["failed"]) == {"brave", "startpage", "yahoo"}


def test_count_site_and_recency_are_kept_to(engines: Site) -> None:
    assert len(search(count=1).details["results"]) == 1
    assert {row["url"] for row in search(site="python.org").details["results"]} <= {
        "https://docs.python.org/3/whatsnew/3.14.html?utm_source=x",
        "http://docs.python.org/3/whatsnew/3.14.html/",
    }
    search(recency="week")
    sent = [parse_qs(body.decode()) for method, path, _, body in engines.seen if path == "/duckduckgo"]
    assert sent[-1]["df"] == ["w"] and "site:python.org" in sent[-2]["q"][0]


def test_nothing_found_is_no_error(engines: Site) -> None:
    for name in ROWS:
        engines.pages[f"/{name}"] = (200, HTML, b"<html><body><p>No results.</p></body></html>")
    result = search()
    assert result.ok and "Nothing was found" in result.text


def test_when_no_engine_can_be_reached_it_says_what_to_try(engines: Site) -> None:
    for name in ROWS:
        engines.pages[f"/{name}"] = (403, HTML, b"no")
    with pytest.raises(ToolError, match="could not be searched") as caught:
        search()
    assert "duckduckgo: refused" in str(caught.value) and "online" in str(caught.value)


def test_offline_is_said_per_engine(engines: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    from ddgs.engines import ENGINES

    engines.close()
    for name in web_engines.ENGINES:
        monkeypatch.setattr(ENGINES["text"][name], "search_url", "http://127.0.0.1:9/")
    with pytest.raises(ToolError, match="can't be reached"):
        search()


def test_stop_ends_a_search_at_once(engines: Site) -> None:
    gate = threading.Event()

    def wait(*_: Any) -> Answer:
        gate.wait(10)
        return 200, HTML, b""

    for name in (*ROWS, "refused"):
        engines.pages[f"/{name}"] = wait
    cancel = Cancel()
    threading.Timer(0.2, cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        search(context(cancel))
    assert time.monotonic() - began < 5
    gate.set()


# --- one list -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://www.a.example/x/", "http://a.example/x", True),
        ("https://a.example/x?utm_source=n&id=1", "https://a.example/x?id=1#top", True),
        ("https://a.example/x?b=2&a=1", "https://a.example/x?a=1&b=2", True),
        ("https://a.example/x?id=1", "https://a.example/x?id=2", False),
        ("https://a.example/x", "https://b.example/x", False),
    ],
)
def test_two_spellings_of_a_page_are_one(one: str, other: str, same: bool) -> None:
    assert (same_page(one) == same_page(other)) is same


def test_what_two_engines_rank_high_beats_what_one_ranks_first() -> None:
    first = [Hit("only one", "https://one.example/"), Hit("both", "https://both.example/")]
    second = [Hit("both", "https://www.both.example")]
    assert fused({"a": first, "b": second}, Wanted("x"))[0].title == "both"


def test_an_engine_counts_a_page_once() -> None:
    hits = [Hit("a", "https://a.example/"), Hit("a", "https://a.example/"), Hit("b", "https://b.example/")]
    assert [hit.url for hit in fused({"e": hits}, Wanted("x"))] == ["https://a.example/", "https://b.example/"]


def test_results_that_are_no_web_addresses_are_dropped() -> None:
    hits = [Hit("js", "javascript:alert(1)"), Hit("file", "file:///etc/passwd"), Hit("ok", "https://a.example/")]
    assert [hit.title for hit in fused({"e": hits}, Wanted("x"))] == ["ok"]


# --- services -------------------------------------------------------------------------------


def test_a_searxng_server_is_asked_when_set_up_wherever_it_stands(engines: Site) -> None:
    with serving("127.0.0.1") as own:
        rows = [{"title": "T", "url": "https://a.example/", "content": "C", "publishedDate": "2026-11-30"}]
        own.page("/search", json.dumps({"query": "q", "results": rows}), "application/json")
        result = search(context(searxng_url=own.url), recency="month", site="a.example")
        assert result.details["results"] == [
            {"title": "T", "url": "https://a.example/", "snippet": "C", "date": "2026-11-30"}
        ]
        sent = parse_qs(urlsplit(own.seen[0][1]).query)
        assert sent["format"] == ["json"] and sent["time_range"] == ["month"]
        assert sent["q"] == ["python 3.14 news site:a.example"]
    assert engines.seen == []


def test_a_searxng_server_without_json_says_what_to_change(site: Site) -> None:
    site.pages["/search"] = (403, HTML, b"Forbidden")
    with pytest.raises(ToolError, match="json format"):
        search(context(searxng_url=site.url))


def test_brave_is_asked_with_its_key(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_search, "BRAVE", f"{site.url}/res/v1/web/search")
    row = {
        "title": "A <strong>hit</strong>",
        "url": "https://a.example/",
        "description": "x &amp; y",
        "age": "2 days ago",
    }
    site.page("/res/v1/web/search", json.dumps({"type": "search", "web": {"results": [row]}}), "application/json")
    result = search(context(keys=Keys(BRAVE_API_KEY="k-1")), recency="day")
    assert result.details["results"][0] == {
        "title": "A hit",
        "url": "https://a.example/",
        "snippet": "x & y",
        "date": "2 days ago",
    }
    _method, path, headers, _ = site.seen[0]
    assert headers["x-subscription-token"] == "k-1" and "freshness=pd" in path
    assert "k-1" not in result.text and "k-1" not in json.dumps(result.details)


def test_tavily_is_asked_with_its_key(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_search, "TAVILY", f"{site.url}/search")
    row = {"title": "A", "url": "https://a.example/", "content": "c", "score": 0.9}
    site.page("/search", json.dumps({"query": "q", "results": [row]}), "application/json")
    result = search(context(keys=Keys(TAVILY_API_KEY="k-2")), site="a.example", recency="year")
    assert result.details["results"][0]["url"] == "https://a.example/"
    method, _, headers, body = site.seen[0]
    assert (method, headers["authorization"]) == ("POST", "Bearer k-2")
    assert json.loads(body) | {"max_results": 0} == {
        "query": "python 3.14 news",
        "max_results": 0,
        "time_range": "year",
        "include_domains": ["a.example"],
    }


@pytest.mark.parametrize(
    ("status", "says"), [(401, "not accepted"), (429, "no more searches"), (500, "no search results")]
)
def test_a_service_that_refuses_says_why(
    site: Site, monkeypatch: pytest.MonkeyPatch, status: int, says: str
) -> None:
    monkeypatch.setattr(web_search, "BRAVE", f"{site.url}/b")
    site.pages["/b"] = (status, {"content-type": "application/json"}, b"{}")
    with pytest.raises(ToolError, match=says):
        search(context(keys=Keys(BRAVE_API_KEY="k")))


def test_a_service_without_its_key_says_which_is_missing() -> None:
    with pytest.raises(ToolError, match="TAVILY_API_KEY"):
        search(context(search="tavily"))
    with pytest.raises(ToolError, match="searxng_url"):
        search(context(search="searxng"))


# --- bounds ---------------------------------------------------------------------------------


def test_a_request_has_a_limit_of_searches_and_the_next_one_begins_anew(engines: Site) -> None:
    cancel = Cancel()
    for _ in range(2):
        search(context(cancel, searches_per_turn=2))
    with pytest.raises(ToolError, match="used its 2 web searches"):
        search(context(cancel, searches_per_turn=2))
    assert search(context(searches_per_turn=2)).ok


def test_an_empty_query_is_refused() -> None:
    with pytest.raises(ToolError, match="query is empty"):
        search(query="   ")
