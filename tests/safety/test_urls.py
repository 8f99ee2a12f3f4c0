"""One guard for every tool that visits an address: what is private in any spelling is asked about, and nothing on
the way leads there unseen."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from ankita_desktop.toolkit import ToolContext, ToolError, net
from ankita_desktop.toolkit.addresses import Address, follow, listed, reach_of, read_address, read_host
from ankita_desktop.toolkit.process import Jobs
from tests.conftest import shared
from tests.tools.calls import tool
from tests.tools.site import PUBLIC, public, serving

TOOLS = {
    "http_request": lambda url: {"url": url},
    "web_fetch": lambda url: {"url": url},
    "scrape": lambda url: {"urls": ["http://8.8.8.8/", url]},
}
PRIVATE = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://0/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://a.localhost/",
    "http://10.0.0.1/",
    "http://172.16.9.1/",
    "http://192.168.0.1/",
    "http://100.64.0.1/",
    "http://169.254.1.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://[fe80::1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://printer.local/",
    "http://router/",
    "http://１２７.０.０.１/",
    "http://127。0。0。1/",
    "http://%31%32%37.0.0.1/",
    "http://public.example@127.0.0.1/",
    "http://user:pass@127.0.0.1:80/",
    "http:\\\\127.0.0.1/",
    "http:/127.0.0.1/",
    "http://0x7f.1/?x=http://8.8.8.8/",
    "http://127.0.0.1#@public.example/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[64:ff9b:1::7f00:1]/",
    "http://[::127.0.0.1]/",
    "http://[fec0::1]/",
    "http://[3fff::1]/",
    "http://[5f00::1]/",
    "http://127.0.0.1./",
    "http://①②⑦.0.0.1/",
    "http://ⓛocalhost/",
    "http://127。0｡0．1/",
    "http://0x/",
    "http://127.0.0.1\\@public.example/",
]


def context(**web: Any) -> ToolContext:
    return ToolContext(Path("/"), Jobs(), settings={"web": web})


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("url", PRIVATE)
def test_every_spelling_of_a_private_address_is_asked_about_by_every_tool(name: str, url: str) -> None:
    assert tool(name).approval_for(TOOLS[name](url), context()) == "ask"


def test_the_spellings_that_others_found_are_known() -> None:
    """Private hosts of public test suites, in their own spellings."""
    rows = json.loads((shared("url") / "private_hosts.json").read_text("utf-8"))
    wrong = []
    for row in rows:
        text = str(row["input"])
        if not row.get("private") or (":/" in text and not text.startswith("http")):
            continue
        bare = f"[{text}]" if text.count(":") > 1 and "[" not in text else text
        try:
            address = read_address(text if ":/" in text else f"http://{bare}/")
        except ToolError:
            continue  # refused altogether
        # A public name's row is about where a name server sends it; see the test of names that move.
        if not reach_of(address.host) and (address.ip or "malicious" not in address.host):
            wrong.append(text)
    assert wrong == []


def _as_meant(row: dict[str, Any]) -> Address | None:
    """What we make of a row of the browsers' tests. None: refused. ``LookupError``: it is none of ours."""
    base, text = row.get("base") or "", str(row["input"])
    plain = text.strip("\t\n\r \0\x1f").lower()
    if not base.startswith(("http:", "https:")) and not (not base and plain.startswith(("http:", "https:"))):
        raise LookupError
    try:
        return follow(read_address(base), text) if base else read_address(text)
    except ToolError:
        return None


def test_an_address_means_what_it_means_to_a_browser_or_nothing() -> None:
    """The tests of the URL standard, whole addresses and redirects: the same host and port, or a refusal."""
    looked, wrong = 0, []
    for row in json.loads((shared("url") / "urltestdata.json").read_text("utf-8")):
        try:
            address = _as_meant(row) if isinstance(row, dict) else None
        except LookupError:
            continue
        looked += 1
        if address is None:
            continue
        meant = urlsplit(row.get("href", ""))
        port = int(row.get("port") or {"http": 80, "https": 443}.get(meant.scheme, -1))
        host = row.get("hostname", "").strip("[]")
        if row.get("failure") or (meant.scheme, host, port) != (address.scheme, address.host, address.port):
            wrong.append((row["input"], row.get("base"), row.get("href"), address.url))
    assert looked > 400 and wrong == []


def test_a_name_is_spelt_as_browsers_spell_it_or_refused() -> None:
    rows = [
        row for row in json.loads((shared("url") / "toascii.json").read_text("utf-8")) if isinstance(row, dict)
    ]
    read = [(row["input"], read_host(row["input"]) if row["input"] else "", row["output"]) for row in rows]
    assert [each for each in read if each[1] and each[1] != each[2]] == []
    assert sum(bool(each[1]) for each in read) > 20, "and most that are right are taken"


def test_a_redirect_with_many_slashes_leads_where_a_browser_goes() -> None:
    for location in ("///127.0.0.1/", "/\\127.0.0.1/", "\\\\\\127.1", "////0x7f.1/x", "//2130706433"):
        assert follow(read_address("https://public.example/"), location).host == "127.0.0.1"


@pytest.mark.parametrize("name", ["web_fetch", "scrape"])
def test_a_name_that_moves_to_a_private_address_after_the_look_is_not_followed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: public when judged, this machine when connected to."""
    with serving("127.0.0.1") as inside:
        ips = iter([PUBLIC])
        public(monkeypatch)
        real = socket.getaddrinfo

        def moving(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
            return real(next(ips, "127.0.0.1") if host == "moving.example" else host, port, *args, **kwargs)

        monkeypatch.setattr(socket, "getaddrinfo", moving)
        args = {"url": f"http://moving.example:{inside.port}/"}
        assert tool(name).approval_for(args, context()) == "never"
        with pytest.raises(ToolError, match="nobody has allowed"):
            tool(name).run(args, context())
        assert inside.seen == []


@pytest.mark.parametrize(
    ("url", "entry", "fits"),
    [
        ("http://localhost:3000/", "localhost:3000", True),
        ("http://localhost:3001/", "localhost:3000", False),
        ("http://localhost:3001/", "localhost", True),
        ("http://LOCALHOST:3000/", "http://localhost:3000/", True),
        ("http://127.1:80/", "127.0.0.1", True),
        ("http://a.test/", "*.test", True),
        ("http://test/", "*.test", False),
        ("http://eviltest/", "*.test", False),
        ("http://a.test.example/", "*.test", False),
        ("http://[::1]:8080/", "[::1]:8080", True),
        ("http://10.0.0.1/", "", False),
        ("http://10.0.0.1/", "*", False),
        ("http://localhost.example/", "localhost", False),
    ],
)
def test_a_listed_host_means_that_host_alone(url: str, entry: str, fits: bool) -> None:
    assert listed(read_address(url), "this machine", [entry]) is fits


def test_a_listed_host_may_be_redirected_to_and_others_not(monkeypatch: pytest.MonkeyPatch) -> None:
    public(monkeypatch)
    with serving(PUBLIC) as site, serving("127.0.0.1") as own, serving("127.0.0.1") as other:
        own.page("/", "<p>mine</p>")
        site.pages["/own"] = (302, {"location": own.url}, b"")
        site.pages["/other"] = (302, {"location": other.url}, b"")
        ctx = context(allowed_hosts=(f"127.0.0.1:{own.port}",), cache_minutes=0)
        assert "mine" in tool("web_fetch").run({"url": f"{site.url}/own"}, ctx).text
        with pytest.raises(ToolError, match="nobody has allowed"):
            tool("web_fetch").run({"url": f"{site.url}/other"}, ctx)
        assert other.seen == []


def test_a_login_in_an_address_does_not_hide_its_host_in_the_question() -> None:
    shown = tool("http_request").preview({"url": "http://accounts.example.com@127.0.0.1:9/"}, context())
    assert "127.0.0.1:9" in shown.question and "accounts" not in shown.question


def test_a_name_in_another_script_is_shown_as_what_it_is_looked_up_as() -> None:
    shown = tool("web_fetch").preview({"url": "http://exаmple.localhost/"}, context())  # with a Cyrillic а
    assert "xn--" in shown.where


def test_without_a_network_a_literal_address_is_still_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise socket.gaierror("no network")

    monkeypatch.setattr(socket, "getaddrinfo", fails)
    assert net.reach(read_address("http://127.0.0.1/"), context().cancel) == "this machine"
