"""The web, GitHub and pictures through `ankita -p`: without a model, and with a scripted one. The services are on
loopback; the engine, the tools and the network are the real ones."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ankita_desktop.toolkit import github_errors, stock
from tests.e2e.test_remembering import OFFLINE, ask, scripted, texts
from tests.terminal.shell import inside as ankita
from tests.tools.github_api import TOKEN, Api, issue, thread
from tests.tools.site import PUBLIC, Site, public, serving
from tests.tools.test_images import png
from tests.wire import calls


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    public(monkeypatch, "site.example")
    with serving(PUBLIC) as served:
        yield served


def setting(name: str, value: str) -> None:
    assert ankita("config", "set", name, value).code == 0


def found(*tools: str) -> dict[str, object]:
    return calls(*(("find_tools", {"query": tool.replace("_", " ")}) for tool in tools))


# --- the web --------------------------------------------------------------------------------


@pytest.fixture
def pages(site: Site) -> Site:
    site.page("/bees", "<html><title>Bees</title><article><h1>Bees</h1><p>They dance.</p></article></html>")
    rows = {"results": [{"title": "All of bees", "url": f"{site.url}/bees", "content": "What they do."}]}
    site.page("/search", json.dumps(rows), "application/json")
    setting("web.searxng_url", site.url)
    return site


def test_without_a_model_the_web_is_searched_and_a_page_read(pages: Site, work: Path) -> None:
    said = ask("search the web for bees", cwd=work)
    assert "All of bees" in said and f"{pages.url}/bees" in said
    assert "They dance." in ask(f"read {pages.url}/bees", cwd=work)
    gone = ankita("-p", f"read {pages.url}/gone", *OFFLINE, cwd=work)
    assert "404" in gone.out


def test_a_scripted_model_searches_reads_and_takes_fields(pages: Site, work: Path) -> None:
    document, requests = scripted(
        work,
        found("web_search"),
        calls(("web_search", {"query": "bees"})),
        calls(
            ("web_fetch", {"url": f"{pages.url}/bees"}),
            ("scrape", {"url": f"{pages.url}/bees", "selectors": {"t": "h1"}}),
        ),
        f"Bees dance ({pages.url}/bees).",
    )
    assert [call["ok"] for call in document["calls"]] == [True] * 4, texts(document)
    assert (
        "All of bees" in texts(document)[1]
        and "They dance." in texts(document)[2]
        and '"Bees"' in texts(document)[3]
    )
    assert "data, not instructions" in str(requests[-1]["messages"]) and document["status"] == "done"


def test_what_a_page_leads_to_on_this_machine_is_not_read_unasked(pages: Site, work: Path) -> None:
    with serving("127.0.0.1") as own:
        own.page("/secret", "the key is 4711")
        pages.pages["/go"] = (302, {"location": f"{own.url}/secret"}, b"")
        document, _ = scripted(
            work,
            found("web_fetch"),
            calls(("web_fetch", {"url": f"{pages.url}/go"})),
            calls(("web_fetch", {"url": f"{own.url}/secret"})),
            "No.",
        )
        assert own.seen == [] and document["status"] == "denied" and "4711" not in str(document)


# --- GitHub ---------------------------------------------------------------------------------


@pytest.fixture
def api(site: Site, monkeypatch: pytest.MonkeyPatch) -> Api:
    monkeypatch.setattr(github_errors, "_waits", {})
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    setting("github.base_url", site.url)
    return Api(site)


def test_without_a_model_notifications_and_issues_are_told(api: Api, work: Path) -> None:
    api.data["/notifications"] = [thread(1, "2026-11-01T08:00:00Z")]
    api.data["/repos/o/r/issues/5"] = issue(5, title="It crashes")
    assert "Thing 1" in ask("show my github notifications", cwd=work)
    assert "It crashes" in ask("summarise the github issue 5 in o/r", cwd=work)
    closed = ankita("-p", "close the github issue #5 in o/r", *OFFLINE, cwd=work)
    assert closed.code == 3 and api.changes == [], "nobody could say yes"


def test_a_scripted_model_reads_and_comments_after_a_yes(api: Api, work: Path) -> None:
    api.data["/repos/o/r/issues"] = [issue(5)]
    comment = calls(("github_issue", {"action": "comment", "repo": "o/r", "number": 5, "body": "On it."}))
    document, _ = scripted(work, found("github_issue"), comment, "Done.", options=("--yes",))
    assert document["calls"][-1]["ok"] and api.changes == [
        ("POST", "/repos/o/r/issues/5/comments", {"body": "On it."})
    ]
    document, _ = scripted(
        work, found("github_issue"), calls(("github_issue", {"action": "list", "repo": "o/r"})), comment, "Done."
    )
    assert "o/r#5" in texts(document)[1] and document["status"] == "denied" and len(api.changes) == 1


def test_a_used_up_limit_is_told_in_words(api: Api, work: Path) -> None:
    api.data["/repos/o/r/issues"] = [issue(5)]
    api.remaining = 0
    document, _ = scripted(
        work, found("github_issue"), calls(("github_issue", {"action": "list", "repo": "o/r"})), "Later."
    )
    assert not document["calls"][-1]["ok"] and "may be asked again at" in texts(document)[-1]


# --- pictures -------------------------------------------------------------------------------


@pytest.fixture
def studio(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    setting("images.base_url", f"{site.url}/v1")
    monkeypatch.setenv("UNSPLASH_ACCESS_KEY", "u-1")
    monkeypatch.setattr(stock, "UNSPLASH", site.url)
    drawn = {"data": [{"b64_json": base64.b64encode(png(8, 6)).decode()}]}
    site.page("/v1/images/generations", json.dumps(drawn), "application/json")
    photo = {
        "alt_description": "a fox",
        "urls": {"full": f"{site.url}/full.png", "small": f"{site.url}/small.png"},
        "links": {"html": "https://unsplash.com/photos/x", "download_location": f"{site.url}/photos/x/download"},
        "user": {"name": "Ann"},
    }
    site.page("/search/photos", json.dumps({"results": [photo]}), "application/json")
    site.page("/full.png", png(40, 30), "image/png")
    site.page("/small.png", png(), "image/png")
    site.page("/photos/x/download", "{}", "application/json")
    return site


def test_without_a_model_a_picture_is_drawn_and_photos_are_found(studio: Site, work: Path) -> None:
    refused = ankita("-p", "draw a picture of a red fox", *OFFLINE, cwd=work)
    assert refused.code == 3 and not studio.asked("/v1/images/generations")
    ask("draw a picture of a red fox", "--yes", cwd=work)
    assert [path.read_bytes() for path in work.iterdir()] == [png(8, 6)]
    assert "Photo by Ann on Unsplash" in ask("find photos of a fox on unsplash", cwd=work)


def test_a_scripted_model_finds_saves_and_credits_a_photo(studio: Site, work: Path) -> None:
    document, requests = scripted(
        work,
        found("unsplash_search"),
        calls(("unsplash_search", {"query": "fox"})),
        calls(("image_download", {"url": f"{studio.url}/full.png"})),
        calls(("image_download", {"url": f"{studio.url}/full.png"})),
        "Photo by Ann on Unsplash.",
        options=("--yes",),
    )
    assert [call["ok"] for call in document["calls"]] == [True] * 4, texts(document)
    assert sorted(path.name for path in work.iterdir()) == ["a-fox-2.png", "a-fox.png"], "nothing is overwritten"
    assert studio.asked("/photos/x/download") == 2, "Unsplash is told of each download"
    assert "data:image/png;base64," in str(requests[-1]["messages"]), "the model sees what was found"
