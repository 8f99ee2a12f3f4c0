"""What a web address means, in whatever spelling, and whether it leads to this machine or network. No sockets.

Addresses are read as browsers do (WHATWG), so that what is judged is what is connected to.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import unquote_to_bytes, urljoin

from ankita_desktop.errors import ToolError

IP = ipaddress.IPv4Address | ipaddress.IPv6Address
Reach = Literal["", "this machine", "the private network", "the cloud's metadata service"]

_PORTS = {"http": 80, "https": 443}
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f#%/:<>?@\[\\\]^|]")
# Only reachable from where we are, whatever a name server says.
_OUR_NETWORK = ("local", "internal", "lan", "home", "corp", "intranet", "home.arpa")
_METADATA = frozenset({"169.254.169.254", "169.254.170.2", "100.100.100.200", "fd00:ec2::254"})
# Not public, though the standard library of some versions says so: protocol assignments, relays of 6to4,
# translators of a network's own, sites of old, segment routing, examples.
_SPECIAL = [
    ipaddress.ip_network(net)
    for net in ("192.0.0.0/24", "192.88.99.0/24", "64:ff9b:1::/48", "fec0::/10", "5f00::/16", "3fff::/20")
]
# Each holds the IPv4 address it leads to: where in the 128 bits.
_CARRIERS = [
    (ipaddress.IPv6Network("::/96"), 0),
    (ipaddress.IPv6Network("::ffff:0:0/96"), 0),
    (ipaddress.IPv6Network("::ffff:0:0:0/96"), 0),
    (ipaddress.IPv6Network("64:ff9b::/96"), 0),
    (ipaddress.IPv6Network("2002::/16"), 80),
]


@dataclass(frozen=True, slots=True)
class Address:
    """An http or https address. ``host`` is a lower-case ASCII name or a canonical IP (IPv6 without brackets);
    ``target`` is path and query. ``user`` and ``password`` are what stood before the host."""

    scheme: str
    host: str
    port: int
    target: str = "/"
    user: str = ""
    password: str = ""

    @property
    def ip(self) -> IP | None:
        try:
            return ipaddress.ip_address(self.host)
        except ValueError:
            return None

    @property
    def netloc(self) -> str:
        """Host and port as the Host header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.netloc}"

    @property
    def url(self) -> str:
        """The canonical form, without user and password."""
        return self.origin + self.target

    def at(self, ip: str) -> Address:
        """The same with the host replaced by one of its IP addresses."""
        return replace(self, host=ip)


def read_address(text: str) -> Address:
    """The address ``text`` means to a browser. Raises ``ToolError`` that says what is wrong."""
    plain = re.sub(r"[\t\r\n]", "", text.strip("".join(map(chr, range(33)))))
    match = re.match(r"(https?):[/\\]*([^/\\?#]*)([^#]*)", plain, re.IGNORECASE | re.DOTALL)
    if match is None:
        raise ToolError(f"url must begin with http:// or https://, not {text[:80]!r}.")
    scheme, authority, target = match[1].lower(), match[2], match[3]
    login, _, place = authority.rpartition("@")
    user, _, password = login.partition(":")
    host, port = _host_and_port(place, text)
    path, mark, query = target.partition("?")
    path = path.replace("\\", "/")
    path = path if path.startswith("/") else f"/{path}"
    return Address(
        scheme,
        host,
        _PORTS[scheme] if port is None else port,
        path + mark + query,
        _unquoted(user),
        _unquoted(password),
    )


def follow(address: Address, location: str) -> Address:
    """Where a redirect leads. A login in it is ignored."""
    before, mark, after = location.strip().partition("?")
    before = before.replace("\\", "/")
    if before.startswith("//"):  # a host follows, behind however many of them
        before = f"//{before.lstrip('/')}"
    try:
        target = urljoin(address.url, before + mark + after)
    except ValueError:
        raise ToolError(f"{address.url} is redirected to {location[:80]!r}, which is no address.") from None
    return replace(read_address(target), user="", password="")


def listed(address: Address, where: Reach, hosts: Iterable[str]) -> bool:
    """Whether the person named this place as theirs: "localhost:3000", "192.168.1.7", "*.test". A host without
    a port means all of its ports. The metadata service of a cloud can't be listed."""
    if where == "the cloud's metadata service":
        return False
    return any(_is_at(address, entry) for entry in hosts)


def _is_at(address: Address, entry: str) -> bool:
    match = re.fullmatch(r"(?:https?://)?(\*\.)?(\[[^\]]*\]|[^:/]+)(?::(\d+))?/?", entry.strip().lower())
    if match is None or (match[3] and int(match[3]) != address.port):
        return False
    host = read_host(match[2])
    return bool(host) and (address.host.endswith(f".{host}") if match[1] else address.host == host)


def _host_and_port(place: str, whole: str) -> tuple[str, int | None]:
    match = re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::(\d*))?", place)
    host = read_host(match[1]) if match else ""
    port = int(match[2]) if match and match[2] else None
    if not host or (port or 0) > 65535:
        raise ToolError(f"{whole[:80]!r} is no address a request can be sent to: check its host and port.")
    return host, port


def read_host(text: str) -> str:
    """A host as it will be looked up: IPv4 in any spelling as four numbers, names in lower-case ASCII.
    Empty when it can't be one."""
    if text.startswith("["):
        return _ipv6(text[1:-1])
    name = _ascii(unquote_to_bytes(text).decode("utf-8", "replace"))
    if not name or _FORBIDDEN.search(name):
        return ""
    labels = name.removesuffix(".").split(".")
    if re.fullmatch(r"\d+|0x[0-9a-f]*", labels[-1]):
        return _ipv4(labels)
    return name


def _ascii(name: str) -> str:
    if name.isascii():
        return name.lower()
    import idna

    try:
        return idna.encode(name, uts46=True).decode().lower()
    except idna.IDNAError:
        import unicodedata

        name = unicodedata.normalize("NFKC", name).lower().replace("。", ".")
        return name if name.isascii() and ".." not in name else ""


def _ipv6(text: str) -> str:
    try:
        return str(ipaddress.IPv6Address(text)) if "%" not in text else ""
    except ValueError:
        return ""


def _ipv4(labels: list[str]) -> str:
    """Up to four numbers, decimal, octal (0) or hexadecimal (0x); the last one fills what is left."""
    numbers = [_number(label) for label in labels]
    *first, last = numbers
    if len(numbers) > 4 or min(numbers) < 0 or any(n > 255 for n in first) or last >= 256 ** (5 - len(numbers)):
        return ""
    value = last + sum(number << (24 - 8 * place) for place, number in enumerate(first))
    return str(ipaddress.IPv4Address(value))


def _number(label: str) -> int:
    try:
        if label.startswith("0x"):
            return int(label[2:] or "0", 16)
        return int(label, 8 if label.startswith("0") and label != "0" else 10)
    except ValueError:
        return -1


def _unquoted(text: str) -> str:
    return unquote_to_bytes(text).decode("utf-8", "replace")


def reach_of(host: str) -> Reach:
    """What makes a host (a canonical name or IP) one of ours: empty for public IPs and for names that have to be
    looked up."""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return _reach_of_name(host.removesuffix("."))
    return _reach_of_ip(ip)


def _reach_of_name(name: str) -> Reach:
    if name.split(".")[-1] == "localhost":
        return "this machine"
    if "." not in name or name.endswith(tuple(f".{ending}" for ending in _OUR_NETWORK)):
        return "the private network"
    return ""


def _reach_of_ip(ip: IP) -> Reach:
    if str(ip) in _METADATA:
        return "the cloud's metadata service"
    if ip.is_loopback or ip.is_unspecified:
        return "this machine"
    if inner := _carried(ip):
        return _reach_of_ip(inner)
    special = any(ip in net for net in _SPECIAL if net.version == ip.version)
    return "the private network" if special or not ip.is_global or ip.is_multicast else ""


def _carried(ip: IP) -> IP | None:
    for network, shift in _CARRIERS:
        if ip.version == 6 and ip in network:
            return ipaddress.IPv4Address((int(ip) >> shift) & 0xFFFFFFFF)
    return None
