"""Situations about addresses and pages that people reported of assistants with a catalogue like ours."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.toolkit import ToolContext, ToolError, web_page
from ankita_desktop.toolkit.process import Jobs
from tests.tools.calls import call
from tests.tools.site import PUBLIC, Site, public, serving


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    public(monkeypatch)
    with serving(PUBLIC) as served:
        yield served


def context() -> ToolContext:
    return ToolContext(Path("/"), Jobs())


@pytest.mark.parametrize(
    ("name", "args"), [("web_fetch", {}), ("scrape", {}), ("http_request", {})], ids=lambda v: str(v)
)
@pytest.mark.parametrize("hops", [1, 2, 5])
def test_only_the_first_url_of_a_redirect_chain_is_checked(
    site: Site, name: str, args: dict[str, Any], hops: int
) -> None:
    """[D] Each hop is judged like the first, however many there are."""
    with serving("127.0.0.1") as inside:
        inside.page("/admin", "<p>secret</p>")
        for hop in range(hops):
            onward = f"{site.url}/{hop + 1}" if hop + 1 < hops else f"{inside.url}/admin"
            site.pages[f"/{hop}"] = (302, {"location": onward}, b"")
        with pytest.raises(ToolError, match="nobody has allowed"):
            call(name, context(), url=f"{site.url}/0", **args)
        assert inside.seen == []


def test_a_redirect_chain_that_never_ends_is_ended(site: Site) -> None:
    """[D] The same chain, bent into a circle."""
    site.pages["/a"] = (302, {"location": "/b"}, b"")
    site.pages["/b"] = (302, {"location": "/a"}, b"")
    with pytest.raises(ToolError, match="redirects"):
        call("web_fetch", context(), url=f"{site.url}/a")


def test_obsyd_97_reading_a_page_logs_no_addresses(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    """[C] Obsyd#97: libraries write whole URLs into the log, with what secrets these hold."""
    url = site.page("/p", "<div></div>") + "?token=s3cret"
    with caplog.at_level(logging.INFO):
        call("web_fetch", context(), url=url)
    assert "s3cret" not in caplog.text


def test_a_page_as_large_as_it_likes_is_cut_and_said_to_be(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """[I] openclaw#113701 and others: one result must not fill the window."""
    from ankita_desktop.toolkit import web

    monkeypatch.setattr(web, "SIZE", 100_000)
    result = call("web_fetch", context(), url=site.page("/big", "word " * 100_000, "text/plain"))
    assert "Only the first 100,000 bytes were fetched." in result.text
    assert len(result.text) < 20_000


def test_reading_never_loads_what_a_page_refers_to(site: Site) -> None:
    """[C] alkemio#1954: an image address leaks data; reading the page asks for the page alone."""
    markup = '<p>words</p><img src="/beacon.png"><link rel="stylesheet" href="/s.css"><iframe src="/f"></iframe>'
    call("web_fetch", context(), url=site.page("/p", markup))
    assert [path for _, path, _, _ in site.seen] == ["/p"]


def test_an_external_entity_of_a_feed_is_not_read(site: Site, tmp_path: Path) -> None:
    """The same for XML: an entity that names a file of this machine stays a name."""
    (tmp_path / "secret").write_text("s3cret")
    feed = f"""<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x SYSTEM "file://{tmp_path}/secret">]>
    <rss version="2.0"><channel><title>N</title><item><title>a &x; b</title></item></channel></rss>"""
    assert "s3cret" not in call("web_fetch", context(), url=site.page("/feed", feed, "text/xml")).text
    page = web_page.parsed(f'<!DOCTYPE html [<!ENTITY x SYSTEM "file://{tmp_path}/secret">]><p>&x;</p>')
    assert "s3cret" not in "".join(page.itertext())
