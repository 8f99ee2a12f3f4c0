"""The network as models and tools use it: the HTTP client, and requests that go only where they may."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import urllib.request
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit import loop
from ankita_desktop.toolkit.addresses import Address, Reach, follow, listed, reach_of
from ankita_desktop.toolkit.cancel import Cancel

if TYPE_CHECKING:
    import ssl

    import httpx

SILENCE = 300.0  # seconds without a byte after which the connection to a model counts as dead
LOOK_UP = 5.0  # seconds for the name of a host
MAX_REDIRECTS = 10
# What may go on to another origin: anything else could be a credential.
_HARMLESS = frozenset({"accept", "accept-language", "user-agent"})


@cache
def client() -> httpx.AsyncClient:
    """The client for models, to be used on the asyncio thread only. It follows no redirects and keeps no
    cookies, so that nothing of one service reaches another."""
    import httpx

    _quiet()
    return httpx.AsyncClient(
        verify=_tls(),
        timeout=httpx.Timeout(connect=15, read=SILENCE, write=60, pool=None),
        limits=httpx.Limits(max_connections=None, keepalive_expiry=30),
        cookies=_no_cookies(),
        # A proxy can't reach what runs on this machine.
        mounts={f"all://{host}": None for host in ("localhost", "127.0.0.1", "[::1]")},
    )


@cache
def _direct() -> httpx.AsyncClient:
    """The client for addresses whose host is replaced by its IP: no proxies, and no connection is used twice,
    since two names behind one IP must not share one."""
    import httpx

    _quiet()
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
    return httpx.AsyncClient(verify=_tls(), timeout=30, limits=limits, cookies=_no_cookies(), trust_env=False)


@cache
def _tls() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()


def _no_cookies() -> CookieJar:
    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))


def _quiet() -> None:
    for name in ("httpx", "httpcore"):  # they log whole addresses, with what secrets these hold
        logging.getLogger(name).setLevel(logging.WARNING)


# --- where an address leads -----------------------------------------------------------------


def reach(address: Address, cancel: Cancel) -> Reach:
    """Whether ``address`` leads to this machine or network, looking its name up if need be. A name that
    can't be looked up counts as public: the request will fail, or be judged again when it is sent."""
    return loop.run(_reach(address), cancel)[0]


async def _reach(address: Address) -> tuple[Reach, list[str]]:
    """Also the IPs to connect to; none when the name is unknown."""
    if (known := reach_of(address.host)) or address.ip:
        return known, [address.host] if address.ip else await _look_up(address)
    ips = await _look_up(address)
    return next((found for ip in ips if (found := reach_of(ip))), ""), ips


async def _look_up(address: Address) -> list[str]:
    looking = asyncio.get_running_loop().getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    try:
        async with asyncio.timeout(LOOK_UP):
            found = await looking
    except (OSError, TimeoutError, UnicodeError):
        return []
    return list(dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found))


# --- a request of a tool --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request. ``headers`` have lower-case names; ``silence`` is how many seconds without a byte are borne."""

    method: str
    address: Address
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""
    silence: float = 30.0


@dataclass(frozen=True, slots=True)
class Rules:
    """``private``: the person agreed that the first address is on this machine or network. ``hosts`` are the
    person's own (see ``addresses.listed``), private or not. ``size`` in bytes, ``seconds`` for everything
    together."""

    private: bool = False
    hosts: tuple[str, ...] = ()
    redirects: bool = True
    size: int = 2 << 20
    seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Incoming:
    """The answer. ``cut``: the body was longer than allowed. ``hops`` are the addresses it came by."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes
    address: Address
    hops: tuple[str, ...] = ()
    cut: bool = False


def fetch(request: Outgoing, cancel: Cancel, rules: Rules | None = None) -> Incoming:
    """Send ``request`` and follow redirects, each judged anew. Raises ``ToolError`` when it fails or leads
    where nobody allowed it to go, and ``Cancelled`` as soon as ``cancel`` is set."""
    return loop.run(_fetch(request, rules or Rules()), cancel)


async def _fetch(request: Outgoing, rules: Rules) -> Incoming:
    agreed = request.address.origin if rules.private else ""
    hops: list[str] = []
    try:
        async with asyncio.timeout(rules.seconds):
            while len(hops) <= MAX_REDIRECTS:
                async with _sent(request, agreed, rules.hosts) as response:
                    onward = _onward(request, response) if rules.redirects else None
                    if onward is None:
                        return await _received(response, request.address, tuple(hops), rules.size)
                hops.append(request.address.url)
                request = onward
    except TimeoutError:
        raise ToolError(f"{request.address.netloc} took longer than {rules.seconds:.0f} seconds.") from None
    raise ToolError(f"More than {MAX_REDIRECTS} redirects; the last was to {request.address.url}.")


@asynccontextmanager
async def _sent(request: Outgoing, agreed: str, hosts: tuple[str, ...]) -> AsyncIterator[httpx.Response]:
    import httpx

    proxied = _proxied(request.address)
    # Sent to the very IPs that are judged here, so that a name can't change its mind.
    where, ips = await _reach(request.address)
    if where and request.address.origin != agreed and not listed(request.address, where, hosts):
        raise ToolError(
            f"{request.address.origin} leads to {where}, which nobody has allowed. Call the tool with that "
            "address itself, so that the person can be asked."
        )
    if not ips and not proxied:
        raise _unknown(request.address.host)
    try:
        response = await (client().send(_built(request), stream=True) if proxied else _try_each(request, ips))
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise ToolError(_trouble(request.address, error)) from error
    try:
        yield response
    except httpx.HTTPError as error:
        raise ToolError(_trouble(request.address, error)) from error
    finally:
        await response.aclose()


class Offline(ToolError):
    """No network is there: nothing can be said of what lies out there."""


def _unknown(host: str) -> ToolError:
    """A name that can't be looked up: misspelt, or nothing can be."""
    if _connected():
        return ToolError(f"The host {host} was not found. Check its spelling, or the connection.")
    return Offline(
        f"The host {host} was not found, because this computer seems to be offline. Check the network connection, "
        "then try again; what lies on this computer can still be used."
    )


def _connected() -> bool:
    """Whether any network but the machine's own is up."""
    import psutil

    up = {name for name, facts in psutil.net_if_stats().items() if facts.isup}
    found = (entry for name, entries in psutil.net_if_addrs().items() if name in up for entry in entries)
    inet = (socket.AF_INET, socket.AF_INET6)
    return any(e.family in inet and not e.address.startswith(("127.", "::1", "fe80:")) for e in found)


async def _try_each(request: Outgoing, ips: list[str]) -> httpx.Response:
    import httpx

    for ip in ips[:-1]:
        try:
            return await _direct().send(_built(request, ip), stream=True)
        except (httpx.ConnectError, httpx.ConnectTimeout):
            continue
    return await _direct().send(_built(request, ips[-1]), stream=True)


def _built(request: Outgoing, ip: str = "") -> httpx.Request:
    import httpx

    address = request.address
    headers = {"accept": "*/*", "user-agent": "ankita-desktop", **request.headers, "host": address.netloc}
    named = {"sni_hostname": address.host.removesuffix(".")} if ip and not address.ip else {}
    timeout = httpx.Timeout(request.silence, connect=10).as_dict()
    url = (address.at(ip) if ip else address).url
    # No body, no length: some servers refuse a GET that mentions one.
    content = request.content or None
    extensions = {"timeout": timeout, **named}
    return httpx.Request(request.method, url, headers=headers, content=content, extensions=extensions)


def _proxied(address: Address) -> bool:
    proxies = urllib.request.getproxies()
    known = address.scheme in proxies or "all" in proxies
    return known and not reach_of(address.host) and not urllib.request.proxy_bypass(address.host)


def _onward(request: Outgoing, response: httpx.Response) -> Outgoing | None:
    """The request a redirect asks for, without what is not meant for its target; None if it is none."""
    location = response.headers.get("location")
    if response.status_code not in (301, 302, 303, 307, 308) or not location:
        return None
    target = follow(request.address, location)
    if _turns_to_get(response.status_code, request.method):
        kept = {name: value for name, value in request.headers.items() if not name.startswith("content-")}
        request = Outgoing("GET", request.address, kept)
    if target.origin == request.address.origin:
        return replace(request, address=target)
    if request.method not in ("GET", "HEAD") or request.content:
        raise ToolError(
            f"This {request.method} request is redirected to {target.url}, another origin. Call http_request with "
            "that address itself if it is right."
        )
    return Outgoing(request.method, target, {k: v for k, v in request.headers.items() if k in _HARMLESS})


def _turns_to_get(status: int, method: str) -> bool:
    return (status == 303 and method != "HEAD") or (status in (301, 302) and method == "POST")


async def _received(response: httpx.Response, address: Address, hops: tuple[str, ...], size: int) -> Incoming:
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > size:
            break
    headers = dict(response.headers.items())
    cut = len(body) > size
    return Incoming(response.status_code, response.reason_phrase, headers, bytes(body[:size]), address, hops, cut)


def why(error: BaseException) -> str:
    """The system's own word for a failed connection, which httpx keeps deep inside."""
    inner: BaseException | None = error
    while inner is not None:
        if isinstance(inner, OSError) and inner.errno and inner.strerror:
            said = inner.strerror
            return os.strerror(inner.errno) if said.startswith("Connect call failed") else said
        inner = (
            inner.exceptions[0] if isinstance(inner, BaseExceptionGroup) else inner.__cause__ or inner.__context__
        )
    return str(error) or type(error).__name__


def _trouble(address: Address, error: Exception) -> str:
    import httpx

    what = why(error)
    if isinstance(error, httpx.TimeoutException):
        return f"{address.netloc} did not answer in time."
    if "CERTIFICATE" in what.upper():
        return f"The certificate of {address.netloc} can't be trusted: {what}"
    if isinstance(error, httpx.DecodingError):
        return f"{address.netloc} sent something that can't be unpacked ({what}). Try again, or another address."
    if isinstance(error, httpx.ConnectError):
        return f"{address.netloc} can't be reached: {what}. Check the address and that something listens there."
    return f"The request to {address.netloc} failed: {what}"
