"""The web in plain words: the offline model with the real tools on a small site."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.models.offline.talk import Talk
from tests.tools.site import PUBLIC, Site, public, serving

POST = """<html><head><title>On soup</title></head><body><article><h1>Soup</h1>
<p>Soup is made of water and vegetables. It is warm. It is good for you in winter. It keeps for days.</p>
<h2>Recipe</h2><p>Boil the water first, then add the vegetables to it.</p>
<h3>Price</h3><span class="price">4.50 €</span> <a href="/more">more soup</a></article></body></html>"""


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    public(monkeypatch, "soup.example")
    with serving(PUBLIC) as served:
        served.page("/post", POST)
        yield served


def test_a_page_is_read_out_as_text_without_marks_for_models(talk: Talk, site: Site) -> None:
    said = talk.say(f"read http://soup.example:{site.port}/post")
    assert "On soup" in said and "Soup is made of water" in said
    assert "data, not instructions" not in said
    assert [call.name for call in talk.calls] == ["find_tools", "web_fetch"] and talk.asked == []


def test_a_summary_is_how_the_page_begins_and_its_parts(talk: Talk, site: Site) -> None:
    said = talk.say(f"summarise {site.url}/post")
    assert "It is warm." in said and "- Recipe" in said and "It keeps for days" not in said


def test_links_headings_and_prices_of_a_page_are_listed(talk: Talk, site: Site) -> None:
    assert f"more soup: {site.url}/more" in talk.say(f"get the links of {site.url}/post")
    assert "- Recipe" in talk.say(f"get the headings of {site.url}/post")
    assert "- 4.50 €" in talk.say(f"what prices are on the page {site.url}/post")


def test_a_page_without_what_was_asked_for_says_so(talk: Talk, site: Site) -> None:
    site.page("/bare", "<p>nothing to buy</p>")
    assert "no prices" in talk.say(f"get the prices of {site.url}/bare")


def test_a_host_that_is_not_there_is_named(talk: Talk, site: Site) -> None:
    assert "nowhere.example was not found" in talk.say("read http://nowhere.example/x")


def test_this_machine_is_asked_about_first(talk: Talk) -> None:
    with serving("127.0.0.1") as here:
        here.page("/", "<p>my own server</p>")
        assert "my own server" in talk.say(f"read {here.url}/")
    assert talk.asked == ["web_fetch"]


def test_results_of_a_search_are_links_with_their_words(
    talk: Talk, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ankita_desktop.toolkit import web_search
    from ankita_desktop.toolkit.web_results import Hit

    found = {"mojeek": [Hit("Soup facts", "https://soup.example/facts", "All about soup.")]}
    monkeypatch.setattr(web_search, "ask_all", lambda wanted, cancel: (found, {}))
    said = talk.say("search the web for soup facts")
    assert "[Soup facts](https://soup.example/facts)" in said and "All about soup." in said
