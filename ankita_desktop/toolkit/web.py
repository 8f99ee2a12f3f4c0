"""Visiting the web: which addresses need a yes, and one way to get what is there, kept for a while."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ankita_desktop import paths
from ankita_desktop.protocol import Level, Preview
from ankita_desktop.toolkit import net
from ankita_desktop.toolkit.addresses import Address, listed, read_address
from ankita_desktop.toolkit.context import ToolContext

SIZE = 10 << 20  # bytes of a page
KEPT = 200  # pages in the cache
# Some sites refuse a visitor who names no browser at all.
HEADERS = {
    "user-agent": "Mozilla/5.0 (compatible; ankita-desktop)",
    "accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,application/rss+xml;q=0.9,*/*;q=0.8",
    "accept-language": "en;q=0.8,*;q=0.5",
}


@dataclass(frozen=True, slots=True)
class Visit:
    """What stood at an address. ``seen`` is when it was fetched (epoch seconds); ``kept``: from the cache."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    address: Address
    hops: tuple[str, ...] = ()
    cut: bool = False
    seen: float = 0.0
    kept: bool = False

    @property
    def kind(self) -> str:
        """The content type without its parameters, lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


def setting(ctx: ToolContext, name: str, default: Any) -> Any:
    """A setting of the web's part."""
    part = ctx.settings.get("web")
    return part.get(name, default) if isinstance(part, Mapping) else default


# --- what needs a yes -----------------------------------------------------------------------


def own_hosts(ctx: ToolContext) -> tuple[str, ...]:
    """The hosts that the person has listed as theirs (``web.allowed_hosts``)."""
    return tuple(setting(ctx, "allowed_hosts", ()))


def private_targets(addresses: Sequence[Address], ctx: ToolContext) -> list[str]:
    """The origins that lead to this machine or network and aren't listed, each with where it leads."""
    hosts = own_hosts(ctx)
    found = []
    for address in addresses:
        where = net.reach(address, ctx.cancel)
        if where and not listed(address, where, hosts):
            found.append(f"{address.origin} ({where})")
    return list(dict.fromkeys(found))


def level(addresses: Sequence[Address], ctx: ToolContext) -> Level:
    """Reading the public web needs no yes; reading what only this machine can reach does."""
    return "ask" if private_targets(addresses, ctx) else "never"


def preview(addresses: Sequence[Address], ctx: ToolContext, deed: str = "Read") -> Preview:
    """What a person is shown. A yes to reading one private origin is the same for every tool that reads."""
    private = private_targets(addresses, ctx)
    hosts = list(dict.fromkeys(address.netloc for address in addresses))
    one = private[0] if len(private) == 1 else ""
    many = f"{len(hosts)} sites" if len(hosts) > 3 else ", ".join(hosts)
    metadata = any("cloud" in target for target in private)
    return Preview(
        kind="text",
        question=f"{deed} {addresses[0].netloc if len(hosts) == 1 else many}?",
        effect="send",
        text="\n".join(f"GET {address.url}" for address in addresses),
        where=", ".join(private) or ", ".join(dict.fromkeys(address.origin for address in addresses)),
        grant_key=f"http:GET:{one}" if one else "",
        grant_label=f"GET requests to {one}" if one else "",
        danger="This service can hand out the machine's credentials." if metadata else "",
    )


# --- getting it -----------------------------------------------------------------------------


def visit(text: str | Address, ctx: ToolContext, *, fresh: bool = False, seconds: float = 30.0) -> Visit:
    """GET an address, following redirects where they may lead. Public pages are kept for
    ``web.cache_minutes``; ``fresh`` asks again. Raises ``ToolError`` and ``Cancelled``."""
    address = read_address(text) if isinstance(text, str) else text
    kept = None if fresh else _kept(address, ctx)
    if kept is not None:
        return kept
    rules = net.Rules(private=_agreed(address, ctx), hosts=own_hosts(ctx), size=SIZE, seconds=seconds)
    answer = net.fetch(net.Outgoing("GET", address, HEADERS), ctx.cancel, rules)
    found = Visit(
        answer.status, answer.headers, answer.body, answer.address, answer.hops, answer.cut, seen=time.time()
    )
    if found.status == 200 and not found.cut and "no-store" not in found.headers.get("cache-control", ""):
        _keep(address, found, ctx)
    return found


def _agreed(address: Address, ctx: ToolContext) -> bool:
    """Whether the person said yes to this private origin."""
    return ctx.approved is not None and f"{address.origin} (" in ctx.approved.preview.where


# --- the cache ------------------------------------------------------------------------------


def _file(address: Address) -> Path:
    return paths.cache() / "web" / hashlib.sha256(address.url.encode()).hexdigest()


def _lifetime(ctx: ToolContext) -> float:
    return 60.0 * float(setting(ctx, "cache_minutes", 15))


def _kept(address: Address, ctx: ToolContext) -> Visit | None:
    file = _file(address)
    try:
        if time.time() - file.stat().st_mtime > _lifetime(ctx):
            return None
        head, _, body = file.read_bytes().partition(b"\n")
        about = json.loads(head)
        final = read_address(about["url"])
        return Visit(200, about["headers"], body, final, tuple(about["hops"]), seen=about["seen"], kept=True)
    except (OSError, ValueError, KeyError, TypeError):
        return None  # not kept, or by a version that wrote it differently


def _keep(address: Address, found: Visit, ctx: ToolContext) -> None:
    """Remember a public page. What only this machine reaches changes as its person works on it."""
    if not _lifetime(ctx) or any(net.reach(a, ctx.cancel) for a in (address, found.address)):
        return
    about = {"url": found.address.url, "headers": dict(found.headers), "hops": found.hops, "seen": found.seen}
    file = _file(address)
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        partial = file.with_suffix(f".{time.monotonic_ns()}")
        partial.write_bytes(json.dumps(about).encode() + b"\n" + found.body)
        partial.replace(file)
        _prune(file.parent)
    except OSError:
        pass  # a full disk only costs the next visit


def _prune(folder: Path) -> None:
    age: Callable[[Path], float] = lambda file: file.stat().st_mtime  # noqa: E731
    for file in sorted(folder.iterdir(), key=age)[:-KEPT]:
        file.unlink(missing_ok=True)
