"""What a watch promises: it tells of every visible change, and of nothing else."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.automation import Watch
from ankita_desktop.toolkit.cancel import Cancel
from tests.automation.office import Office
from tests.tools.calls import until
from tests.tools.test_http_request import resolve

FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>%s</channel></rss>"""
ITEM = "<item><title>%s</title><link>http://example.com/%s</link></item>"


class Site:
    """A small site on this machine. ``body`` and ``kind`` are what it answers; ``asked`` the headers that came."""

    def __init__(self) -> None:
        self.body, self.kind, self.status, self.etag = "", "text/html; charset=utf-8", 200, ""
        self.location = ""
        self.asked: list[dict[str, str]] = []
        self.hold = threading.Event()
        self.hold.set()
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append({key.lower(): value for key, value in self.headers.items()})
                site.hold.wait(30)
                same = site.etag and self.headers.get("If-None-Match") == site.etag
                body = b"" if same else site.body.encode()
                self.send_response(302 if site.location else 304 if same else site.status)
                if site.location:
                    self.send_header("Location", site.location)
                if site.etag:
                    self.send_header("ETag", site.etag)
                self.send_header("Content-Type", site.kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    yield made
    made.close()


def watching(desk: Office, **fields: Any) -> Watch:
    watches = desk.automation.watches
    draft = watches.draft(**{"every": "1m", "private": "url" in fields, **fields})
    return watches.add(draft, Cancel())[0]


def looked(desk: Office, seconds: float = 60.0) -> list[tuple[str, str]]:
    """What one more look tells."""
    desk.notes.clear()
    desk.time.wait(seconds)
    desk.tick()
    return [(note.title, note.text) for note in desk.notes]


def test_a_page_that_changes_is_told_with_what_came_and_went(desk: Office, site: Site) -> None:
    site.body = "<h1>Shop</h1><p>Sold out</p>"
    watching(desk, url=site.url, name="Shop")
    assert looked(desk) == []
    site.body = "<h1>Shop</h1><p>In stock</p>"
    assert looked(desk) == [("Shop changed", "+ In stock\n− Sold out")]
    assert looked(desk) == []


@pytest.mark.parametrize(
    "after",
    [
        "<p>one</p>\n\n   <p>two</p>",
        "<script>var now = 17</script><p>one</p><p>two</p>",
        "<!-- built 12:01 --><p class='x9f'>one</p><p>two</p>",
        "<p>one</p><p>two</p><div hidden>token 42</div><style>p {color: red}</style>",
        "<p>two</p><p>one</p>",
        "<p>on\u200be</p><p>two\u00ad</p>",
    ],
    ids=["spaces", "scripts", "comments and classes", "hidden", "order", "invisible characters"],
)
def test_what_nobody_can_see_is_no_change(desk: Office, site: Site, after: str) -> None:
    site.body = "<p>one</p><p>two</p>"
    watching(desk, url=site.url)
    site.body = after
    assert looked(desk) == []


def test_a_selector_looks_at_a_part_alone(desk: Office, site: Site) -> None:
    site.body = "<p id=a>1 EUR</p><p id=b>x</p>"
    watching(desk, url=site.url, selector="#a", name="price")
    site.body = "<p id=a>1 EUR</p><p id=b>y</p>"
    assert looked(desk) == []
    site.body = "<p id=a>1.50 EUR</p><p id=b>y</p>"
    assert looked(desk) == [("price changed", "1 EUR → 1.50 EUR (+0.5)")]
    history = desk.automation.watches.history("price")
    assert [reading.number for reading in history] == [1.5, 1.0]


def test_a_pattern_takes_its_first_group_and_thresholds_tell_of_crossings_only(desk: Office, site: Site) -> None:
    site.body = "Price: 1,299.50 today"
    watching(desk, url=site.url, regex=r"Price: ([\d.,]+)", below=1000, name="tv")
    for price, told in (("1,100", False), ("999", True), ("950", False), ("1,050", False), ("990", True)):
        site.body = f"Price: {price} today"
        assert bool(looked(desk)) is told, price
    assert desk.notes[0].text == "990 is below 1000 (was 1050)"


def test_the_history_of_a_number_has_a_small_chart(desk: Office, site: Site) -> None:
    site.body = "<p id=a>1 EUR</p>"
    watching(desk, url=site.url, selector="#a", name="price")
    watches = desk.automation.watches
    assert watches.chart(watches.history("price")) == "", "one number is no line"
    for price in ("8", "4", "2"):
        site.body = f"<p id=a>{price} EUR</p>"
        looked(desk)
    assert watches.chart(watches.history("price")) == "▁█▄▂  1 to 8"


def test_a_bound_that_is_passed_already_is_said_when_the_watch_is_made(desk: Office, site: Site) -> None:
    site.body = "Price: 900"
    watch = watching(desk, url=site.url, regex=r"Price: ([\d.,]+)", below=1000, name="tv")
    assert "below 1000 already" in desk.automation.watches.receipt(watch)
    site.body = "Price: 1,100"
    looked(desk)
    assert "already" not in desk.automation.watches.receipt(desk.automation.watches.find("tv"))


def test_a_json_path_looks_at_one_value(desk: Office, site: Site) -> None:
    site.kind, site.body = "application/json", json.dumps({"items": [{"stock": 3, "seen": 1}]})
    watching(desk, url=site.url, selector="$.items[0].stock", name="stock")
    site.body = json.dumps({"items": [{"stock": 3, "seen": 2}]})
    assert looked(desk) == []
    site.body = json.dumps({"items": [{"stock": 0, "seen": 3}]})
    assert looked(desk) == [("stock changed", "3 → 0 (-3)")]


def test_of_a_feed_only_new_entries_are_told(desk: Office, site: Site) -> None:
    site.kind, site.body = "application/rss+xml", FEED % (ITEM % ("One", 1) + ITEM % ("Two", 2))
    assert watching(desk, url=site.url, name="News").kind == "feed"
    site.body = FEED % (ITEM % ("Three", 3) + ITEM % ("One", 1))
    assert looked(desk) == [("News changed", "New: Three http://example.com/3")]
    site.body = FEED % (ITEM % ("Three", 3))
    assert looked(desk) == []


def test_a_damaged_feed_is_read_as_far_as_it_goes(desk: Office, site: Site) -> None:
    site.kind, site.body = "text/xml", FEED % (ITEM % ("Fish &nbsp; chips & more", 1))
    assert "Fish" in (watching(desk, url=site.url).value or "")


def test_the_releases_of_a_repository_are_its_feed(desk: Office) -> None:
    draft = desk.automation.watches.draft(url="https://github.com/python/cpython/releases")
    assert draft.target == "https://github.com/python/cpython/releases.atom"


def test_a_server_that_saw_no_change_is_believed_and_check_goes_past_caches(desk: Office, site: Site) -> None:
    site.body, site.etag = "<p>one</p>", '"1"'
    watch = watching(desk, url=site.url)
    assert looked(desk) == []
    assert site.asked[-1]["if-none-match"] == '"1"'
    site.body = "<p>two</p>"
    assert "two" in desk.automation.watches.check(watch.id, Cancel())
    assert "if-none-match" not in site.asked[-1]
    assert site.asked[-1]["cache-control"] == "no-cache"
    assert looked(desk) == [], "what check said is not told a second time"


def test_only_some_misses_in_a_row_mean_gone_and_coming_back_is_told_once(desk: Office, site: Site) -> None:
    site.body = "<p>one</p>"
    watching(desk, url=site.url, name="Page")
    site.status = 503
    assert looked(desk) + looked(desk) == []
    site.status = 200
    assert looked(desk) == []
    site.status = 404
    assert looked(desk) + looked(desk) == []
    assert looked(desk) == [("Page is gone", "HTTP 404 Not Found")]
    assert looked(desk) + looked(desk) == []
    site.status = 200
    assert looked(desk) == [("Page is there", "one")]


def test_a_page_that_fails_is_not_called_gone(desk: Office, site: Site) -> None:
    site.body = "<p>one</p>"
    watching(desk, url=site.url, name="Page")
    site.status = 503
    assert looked(desk) + looked(desk) == []
    assert looked(desk) == [("Page can't be read", "HTTP 503 Service Unavailable")]
    assert looked(desk) == []
    site.status = 200
    assert looked(desk) == [("Page is there", "one")]


def test_a_computer_that_is_offline_says_nothing_of_the_pages_it_watches(
    desk: Office, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ankita_desktop.toolkit import net

    site.body = "<p>one</p>"
    at = site.url.replace("127.0.0.1", "watched.example")
    resolve(monkeypatch, {"watched.example": ["127.0.0.1"]})
    watch = watching(desk, url=at)
    with monkeypatch.context() as offline:
        offline.setattr(net, "_connected", lambda: False)
        resolve(offline, {})
        assert [looked(desk) for _ in range(10)] == [[]] * 10
        assert "offline" in desk.automation.watches.receipt(desk.automation.watches.find(watch.id))
    assert looked(desk) == [], "nothing changed meanwhile"
    assert desk.automation.watches.find(watch.id).problem == ""


def test_a_look_that_takes_longer_than_its_interval_is_not_doubled(desk: Office, site: Site) -> None:
    from ankita_desktop.automation.watching import Watching

    site.body = "<p>one</p>"
    watch = watching(desk, url=site.url, every="15s")
    site.hold.clear()
    looks, asked = Watching(desk.automation.desk), len(site.asked)
    try:
        for _ in range(5):
            desk.time.wait(15)
            looks.run_due(desk.time.now)
        until(lambda: len(site.asked) == asked + 1)
        site.body = "<p>two</p>"
        site.hold.set()
        until(lambda: desk.automation.watches.find(watch.id).value == "two")
        assert len(site.asked) == asked + 1
        until(lambda: not looks._going_on)
        desk.time.wait(15)
        looks.run_due(desk.time.now)
        until(lambda: len(site.asked) == asked + 2)
        until(lambda: not looks._going_on)
    finally:
        site.hold.set()
        looks.close()


def test_changes_within_the_cooldown_are_told_together_or_not_at_all(desk: Office, site: Site) -> None:
    site.body = "<p>a</p>"
    watching(desk, url=site.url, cooldown="10m")
    site.body = "<p>b</p>"
    assert len(looked(desk)) == 1
    site.body = "<p>c</p>"
    assert looked(desk) == []
    site.body = "<p>d</p>"
    assert [text for _, text in looked(desk, 600)] == ["+ d\n− b"]
    site.body = "<p>e</p>"
    assert looked(desk) == []
    site.body = "<p>d</p>"
    assert looked(desk, 700) == [], "it is again as it was told"


def test_a_file_that_appears_changes_and_vanishes(desk: Office, tmp_path: Path) -> None:
    file = tmp_path / "result.txt"
    watch = watching(desk, path=str(file), name="result")
    assert watch.value == "(not there)"
    assert looked(desk) == []
    file.write_text("12\n")
    assert looked(desk) == [("result is there", "12")]
    file.touch()
    assert looked(desk) == []
    file.write_text("13\n")
    assert looked(desk) == [("result changed", "12 → 13 (+1)")]
    file.unlink()
    assert [title for _ in range(4) for title, _ in looked(desk)] == ["result is gone"]


def test_a_folder_tells_what_came_into_it(desk: Office, tmp_path: Path) -> None:
    folder = tmp_path / "inbox"
    folder.mkdir()
    watching(desk, path=str(folder), name="inbox")
    (folder / "scan.pdf").write_bytes(b"x" * 10)
    assert looked(desk) == [("inbox changed", "+ scan.pdf (10 bytes)")]


def test_a_command_tells_when_its_output_changes(desk: Office, tmp_path: Path) -> None:
    (tmp_path / "n").write_text("5")
    watching(desk, command="cat n; test -e m", cwd=str(tmp_path), name="n")
    (tmp_path / "m").touch()
    assert looked(desk) == [("n changed", "− (exit code 1)")]


def test_a_pattern_that_never_ends_is_stopped(desk: Office, site: Site) -> None:
    site.body = "a" * 5_000 + "b"
    with pytest.raises(ToolError, match="takes too long"):
        watching(desk, url=site.url, regex=r"^(a|aa|a+)+$")


def test_what_can_not_be_seen_is_not_kept(desk: Office, site: Site) -> None:
    site.body = "<p>one</p>"
    wrong = (({"selector": ".price"}, "matches"), ({"regex": "\\d+"}, "matches"), ({"regex": "("}, "pattern"))
    for bad, why in wrong:
        with pytest.raises(ToolError, match=why):
            watching(desk, url=site.url, **bad)
    site.status = 500
    with pytest.raises(ToolError, match="HTTP 500"):
        watching(desk, url=site.url)
    assert desk.automation.watches.list() == []


def test_addresses_of_this_network_need_a_yes_also_behind_a_redirect(desk: Office, site: Site) -> None:
    with pytest.raises(ToolError, match="nobody has allowed"):
        watching(desk, url=site.url, private=False)
    site.body = "<p>one</p>"
    watching(desk, url=site.url, name="ours")
    site.location = "http://[::1]:1/"
    assert [looked(desk) for _ in range(3)][2][0][0] == "ours can't be read"
    assert "nobody has allowed" in desk.automation.watches.find("ours").problem


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("15s", 15), ("every 5 minutes", 300), ("2h", 7200), ("hourly", 3600), ("", 900), ("1d", 86400)],
)
def test_intervals_are_written_as_people_do(desk: Office, text: str, seconds: float) -> None:
    assert desk.automation.watches.draft(url="http://example.com", every=text).every == seconds


@pytest.mark.parametrize("text", ["5s", "14 seconds", "often", "0m"])
def test_too_short_or_unreadable_intervals_are_refused(desk: Office, text: str) -> None:
    with pytest.raises(ToolError, match="interval"):
        desk.automation.watches.draft(url="http://example.com", every=text)


def test_the_same_look_twice_is_one_and_a_paused_one_is_not_looked_at(desk: Office, site: Site) -> None:
    site.body = "<p>one</p>"
    first = watching(desk, url=site.url)
    assert watching(desk, url=site.url, name="again").id == first.id
    desk.automation.watches.pause(first.id)
    site.body = "<p>two</p>"
    assert looked(desk, 600) == []
    desk.automation.watches.pause(first.id, False)
    assert len(looked(desk)) == 1


def test_a_removed_watch_tells_nothing_of_a_look_that_was_going_on(desk: Office, site: Site) -> None:
    from ankita_desktop.automation import watching as looks

    site.body = "<p>one</p>"
    watch = watching(desk, url=site.url)
    site.body = "<p>two</p>"
    seen = looks.seen_or_problem(watch, Cancel())
    desk.automation.watches.remove(watch.id)
    looks.keep(desk.automation.desk, watch, seen)
    assert desk.store.untold() == []


def test_after_sleep_it_is_looked_at_once(desk: Office, site: Site) -> None:
    site.body = "<p>one</p>"
    watching(desk, url=site.url, every="15s")
    before = len(site.asked)
    desk.time.sleep(10 * 3600)
    desk.tick()
    desk.tick()
    assert len(site.asked) == before + 1
