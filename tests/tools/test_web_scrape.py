"""scrape: named fields, repeated rows, and a crawl that keeps to its bounds."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.protocol import Approved, Decision
from ankita_desktop.toolkit import Cancel, Cancelled, ToolContext, ToolError, ToolResult, web_crawl
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.untrusted import unframed
from tests.tools.calls import call, tool
from tests.tools.site import PUBLIC, Site, public, serving

SHOP = """<html><head><title>Shop</title><base href="/shop/"></head><body><h1>Our  <b>shop</b></h1>
<div class="item"><h2>Cup</h2><span class="price">4.50 €</span><a class="more" href="cup">see</a></div>
<div class="item"><h2>Plate</h2><a class="more" href="plate">see</a><img src="/p.png" alt="a blue plate"></div>
<meta name="currency" content="EUR"></body></html>"""


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    public(monkeypatch, "shop.example", "other.example")
    with serving(PUBLIC) as served:
        yield served


def context(cancel: Cancel | None = None, **web: Any) -> ToolContext:
    return ToolContext(Path("/"), Jobs(), cancel=cancel or Cancel(), settings={"web": web})


def scrape(ctx: ToolContext | None = None, **args: Any) -> ToolResult:
    return call("scrape", ctx or context(), **args)


def fields(result: ToolResult) -> Any:
    return result.details["pages"][0]["fields"]


def forest(site: Site, width: int = 3) -> str:
    """A page with links to pages that link on."""

    def links(*paths: str) -> str:
        return "<p>words</p>" + "".join(f'<a href="{path}">{path}</a>' for path in paths)

    first = [f"/b{n}" for n in range(width)]
    site.page("/a", links(*first, "http://other.example/away", "mailto:x@y.example"))
    for path in first:
        site.page(path, links("/a", f"{path}/c"))
        site.page(f"{path}/c", links("/a"))
    return f"{site.url}/a"


def visited(site: Site) -> list[str]:
    return [path for _, path, _, _ in site.seen if path != "/robots.txt"]


# --- fields ---------------------------------------------------------------------------------


def test_named_fields_by_css_and_xpath(site: Site) -> None:
    url = site.page("/", SHOP)
    selectors = {
        "title": "h1",
        "prices": ".price",
        "links": "a.more@href",
        "seconds": "//div[@class='item'][2]/h2",
        "hrefs": "//a/@href",
        "currency": "meta[name=currency]",
        "picture": "img",
        "none": ".missing",
    }
    assert fields(scrape(url=url, selectors=selectors)) == {
        "title": ["Our shop"],
        "prices": ["4.50 €"],
        "links": [f"{site.url}/shop/cup", f"{site.url}/shop/plate"],
        "seconds": ["Plate"],
        "hrefs": [f"{site.url}/shop/cup", f"{site.url}/shop/plate"],
        "currency": ["EUR"],
        "picture": ["a blue plate"],
        "none": [],
    }


def test_rows_keep_their_fields_together_even_where_one_is_missing(site: Site) -> None:
    rows = fields(
        scrape(
            url=site.page("/", SHOP), item=".item", selectors={"name": "h2", "price": ".price", "link": "a@href"}
        )
    )
    assert rows == [
        {"name": "Cup", "price": "4.50 €", "link": f"{site.url}/shop/cup"},
        {"name": "Plate", "price": None, "link": f"{site.url}/shop/plate"},
    ]


def test_in_a_row_xpath_looks_below_the_row(site: Site) -> None:
    rows = fields(scrape(url=site.page("/", SHOP), item="//div", selectors={"name": "//h2"}))
    assert [row["name"] for row in rows] == ["Cup", "Plate"]


def test_the_answer_is_json_or_text_and_says_its_source(site: Site) -> None:
    url = site.page("/", SHOP)
    result = scrape(url=url, selectors={"title": "h1"})
    assert json.loads(unframed(result.text)) == [{"url": url, "title": "Shop", "fields": {"title": ["Our shop"]}}]
    assert result.details["untrusted"] == {"source": url}
    assert "- title: Our shop" in scrape(url=url, selectors={"title": "h1"}, format="text").text


def test_without_selectors_the_text_of_each_page_is_given(site: Site) -> None:
    one, two = site.page("/1", "<title>One</title><p>First words.</p>"), site.page("/2", "<p>Second words.</p>")
    text = scrape(urls=[one, two]).text
    assert "# One" in text and "First words." in text and "Second words." in text and two in text


@pytest.mark.parametrize("selector", ["h1[", "//h1[", "a:::b", "/html/body/unknown()"])
def test_a_selector_that_is_none_is_named(site: Site, selector: str) -> None:
    with pytest.raises(ToolError, match="neither a CSS selector nor XPath"):
        scrape(url=site.page("/", SHOP), selectors={"x": selector})


def test_a_selector_that_takes_for_ever_is_ended(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_crawl, "SELECTING", 1.0)
    url = site.page("/", "<div>" * 200 + "<p>x</p>" * 3000)
    slow = "//*[count(//*[count(//*[count(//*) > 1]) > 1]) > 1]"
    began = time.monotonic()
    with pytest.raises(ToolError, match="take too long"):
        scrape(url=url, selectors={"x": slow})
    assert time.monotonic() - began < 30


# --- the crawl ------------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "count"), [(0, 1), (1, 4), (2, 7)])
def test_links_are_followed_to_the_depth_each_once(site: Site, depth: int, count: int) -> None:
    scrape(url=forest(site), depth=depth, pages=50)
    assert len(visited(site)) == len(set(visited(site))) == count


def test_the_number_of_pages_is_kept_to_and_told(site: Site) -> None:
    result = scrape(url=forest(site), depth=2, pages=3)
    assert len(visited(site)) == 3 == len(result.details["pages"])
    assert "Stopped after 3 pages" in result.text and result.details["left"] > 0


def test_other_sites_are_not_entered(site: Site) -> None:
    scrape(url=forest(site), depth=2, pages=50)
    assert not any("away" in path for path in visited(site))


def test_only_links_that_hold_a_text_are_followed(site: Site) -> None:
    scrape(url=forest(site), depth=2, pages=50, follow="/b1")
    assert set(visited(site)) == {"/a", "/b1", "/b1/c"}


def test_robots_are_kept_out_where_a_site_asks(site: Site) -> None:
    robots = "User-agent: *\nDisallow: /b1\nDisallow: /*/c$\n"
    site.page("/robots.txt", robots, "text/plain")
    result = scrape(url=forest(site), depth=2, pages=50)
    assert set(visited(site)) == {"/a", "/b0", "/b2"}
    assert result.details["skipped"][f"{site.url}/b1"] == "robots.txt asks robots not to"
    assert site.asked("/robots.txt") == 1


def test_what_the_person_named_is_read_whatever_robots_are_asked(site: Site) -> None:
    site.page("/robots.txt", "User-agent: *\nDisallow: /", "text/plain")
    assert scrape(url=site.page("/a", "<p>x</p>")).details["pages"]
    assert site.asked("/robots.txt") == 0


def test_a_site_whose_rules_can_not_be_had_is_not_crawled(site: Site) -> None:
    site.pages["/robots.txt"] = (503, {}, b"")
    scrape(url=forest(site), depth=1, pages=50)
    assert visited(site) == ["/a"]


def test_a_broken_link_is_told_and_the_rest_goes_on(site: Site) -> None:
    site.page("/a", '<p>x</p><a href="/gone">1</a><a href="/pic.png">2</a><a href="/ok">3</a>')
    site.page("/pic.png", b"\x89PNG\0", "image/png")
    site.page("/ok", "<p>fine</p>")
    result = scrape(url=f"{site.url}/a", depth=1)
    assert result.details["skipped"][f"{site.url}/gone"] == "status 404"
    assert "image/png" in result.details["skipped"][f"{site.url}/pic.png"]
    assert len(result.details["pages"]) == 2


def test_a_start_that_can_not_be_reached_is_an_error(site: Site) -> None:
    with pytest.raises(ToolError, match="was not found"):
        scrape(url="http://nowhere.example/")


def test_a_link_into_the_private_network_is_not_followed(site: Site) -> None:
    with serving("127.0.0.1") as inside:
        inside.page("/admin", "<p>secret</p>")
        site.pages["/jump"] = (302, {"location": f"{inside.url}/admin"}, b"")
        site.page("/a", f'<p>x</p><a href="/jump">1</a><a href="{inside.url}/admin">2</a>')
        result = scrape(url=f"{site.url}/a", depth=2)
        assert inside.seen == [] and "nobody has allowed" in result.details["skipped"][f"{site.url}/jump"]


def test_stop_ends_a_crawl_at_once(site: Site) -> None:
    gate = threading.Event()
    url = forest(site)
    site.pages["/b0"] = lambda *_: (gate.wait(10), (200, {}, b""))[1]
    cancel = Cancel()
    threading.Timer(0.3, cancel.set).start()
    with pytest.raises(Cancelled):
        scrape(context(cancel), url=url, depth=1)
    gate.set()


# --- questions ------------------------------------------------------------------------------


def test_private_pages_among_public_ones_are_asked_about_by_name(site: Site) -> None:
    with serving("127.0.0.1") as here:
        here.page("/x", "<p>mine</p>")
        args = {"urls": [site.page("/y", "<p>theirs</p>"), f"{here.url}/x"]}
        assert tool("scrape").approval_for(args, context()) == "ask"
        shown = tool("scrape").preview(args, context())
        assert shown.where == f"{here.url} (this machine)"
        ctx = ToolContext(Path("/"), Jobs(), approved=Approved(shown, Decision(True)))
        assert "mine" in scrape(ctx, **args).text


def test_a_call_without_an_address_or_fields_for_its_rows_says_what_it_takes() -> None:
    with pytest.raises(ToolError, match="Give url"):
        scrape()
    with pytest.raises(ToolError, match="item needs selectors"):
        scrape(url="https://shop.example/", item=".row")
