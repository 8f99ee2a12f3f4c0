"""An address is judged as what it is connected to, in every spelling."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.addresses import follow, reach_of, read_address, read_host
from tests.conftest import SHARED, shared

HOSTS: list[dict[str, Any]] = []
if (SHARED / "url" / "private_hosts.json").exists():
    HOSTS = json.loads((SHARED / "url" / "private_hosts.json").read_text("utf-8"))
LITERAL = [
    row for row in HOSTS if row["fn"] != "isPrivateIpAsync" and not row["input"].startswith(("file", "non-"))
]
# The old form ::a.b.c.d is called public there; here it is judged by the IPv4 address inside.
STRICTER = {"http://[::127.0.0.1]"}


def host_of(text: str) -> str:
    if "//" in text:
        return read_address(text).host
    return read_host(f"[{text}]" if ":" in text else text)


@pytest.mark.parametrize("row", LITERAL, ids=lambda row: f"{row['input']}")
def test_private_addresses_are_known_in_every_spelling(row: dict[str, Any]) -> None:
    if row["input"] in STRICTER:
        return
    host = host_of(row["input"])
    assert host, row["input"]
    assert bool(reach_of(host)) == bool(row["private"])
    if "host" in row:
        assert host == row["host"].strip("[]")


def test_hosts_are_read_as_browsers_read_them() -> None:
    rows = [
        row for row in json.loads((shared("url") / "urltestdata.json").read_text("utf-8")) if isinstance(row, dict)
    ]
    wrong = []
    for row in rows:
        if row.get("base") or not row["input"].lower().startswith(("http://", "https://")):
            continue
        expected = None if row.get("failure") else row["hostname"].strip("[]")
        try:
            found: str | None = read_address(row["input"]).host
        except ToolError:
            found = None
        # Refusing what a browser accepts is safe; reading another host is not.
        if found is not None and found != expected:
            wrong.append((row["input"], found, expected))
    assert wrong == []


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("http://localhost:3000", "this machine"),
        ("http://LOCALHOST./", "this machine"),
        ("http://api.localhost/", "this machine"),
        ("http://127.1", "this machine"),
        ("http://0x7f.1", "this machine"),
        ("http://017700000001", "this machine"),
        ("http://2130706433/", "this machine"),
        ("http://%31%32%37.0.0.1/", "this machine"),
        ("http://[::ffff:7f00:1]/", "this machine"),
        ("http://[::127.0.0.1]/", "this machine"),
        ("http://0/", "this machine"),
        ("http://169.254.169.254/latest/meta-data", "the cloud's metadata service"),
        ("http://[::ffff:169.254.169.254]", "the cloud's metadata service"),
        ("http://[fd00:ec2::254]/", "the cloud's metadata service"),
        ("http://metadata.google.internal/", "the private network"),
        ("http://[64:ff9b::10.0.0.1]/", "the private network"),
        ("http://[2002:c0a8:0101::]/", "the private network"),
        ("http://printer.local/", "the private network"),
        ("http://printer/", "the private network"),
        ("http://user@example.com@10.0.0.1/", "the private network"),
        ("http://example.com\\@10.0.0.1/", ""),
        ("http://example.com#@10.0.0.1/", ""),
        ("http://notlocalhost.com/", ""),
        ("http://10.0.0.1.example.com/", ""),
        ("https://8.8.8.8/", ""),
    ],
)
def test_where_an_address_leads(url: str, where: str) -> None:
    assert reach_of(read_address(url).host) == where


def test_the_parts_of_an_address() -> None:
    address = read_address(" HTTPS://Jo%20e:p%40ss@EXAMPLE.com:443/a b?q=1#frag ")
    assert (address.url, address.user, address.password) == ("https://example.com/a b?q=1", "Jo e", "p@ss")
    assert read_address("http://[::1]:8080").netloc == "[::1]:8080"
    assert read_address("http://bücher.example/").host == "xn--bcher-kva.example"


@pytest.mark.parametrize(
    "url", ["", "example.com", "ftp://x", "http://", "http://a b/", "http://x:99999/", "file:///etc"]
)
def test_what_is_no_address_is_refused_with_a_hint(url: str) -> None:
    with pytest.raises(ToolError, match="http"):
        read_address(url)


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("/b", "http://a.example/b"),
        ("b?x=/\\", "http://a.example/dir/b?x=/\\"),
        ("//b.example/", "http://b.example/"),
        ("/\\b.example/", "http://b.example/"),
        ("\\\\b.example", "http://b.example/"),
        ("https://u:p@B.example", "https://b.example/"),
    ],
)
def test_a_redirect_leads_where_a_browser_would_go(location: str, url: str) -> None:
    target = follow(read_address("http://a.example/dir/page"), location)
    assert (target.url, target.user) == (url, "")
