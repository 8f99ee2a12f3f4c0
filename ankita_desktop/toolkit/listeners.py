"""Who listens on which port of this machine."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ankita_desktop.toolkit.proc_info import ProcessInfo, find

# The kernel's number for a listening TCP socket, and for a UDP socket that is bound and not connected.
LISTEN = {"tcp": "0A", "udp": "07"}


@dataclass(frozen=True, slots=True)
class Listener:
    """A socket that waits for others. ``process`` is None when we may not see whose it is."""

    protocol: str
    address: str
    port: int
    process: ProcessInfo | None


def listeners(port: int | None = None) -> list[Listener]:
    """Listening TCP and bound UDP sockets, IPv4 and IPv6, by port; only those of ``port`` if it is given."""
    found = sorted(set(_sockets()), key=lambda row: (row[2], row[0], row[1], row[3]))
    owners: dict[int, ProcessInfo | None] = {}
    rows = []
    for protocol, address, number, pid in found:
        if port in (None, number):
            if pid and pid not in owners:
                owners[pid] = find(pid)
            rows.append(Listener(protocol, address, number, owners.get(pid)))
    return rows


def _sockets() -> Iterator[tuple[str, str, int, int]]:
    """(protocol, address, port, PID or 0)."""
    try:
        import psutil

        connections = psutil.net_connections(kind="inet")
    except (ImportError, OSError, psutil.Error):
        yield from from_proc()
        return
    for each in connections:
        tcp = each.type == socket.SOCK_STREAM
        if each.laddr and (each.status == psutil.CONN_LISTEN if tcp else not each.raddr):
            yield "tcp" if tcp else "udp", each.laddr.ip, each.laddr.port, each.pid or 0


def from_proc(root: Path = Path("/proc")) -> Iterator[tuple[str, str, int, int]]:
    """The same, read from Linux's own tables: for where psutil may not look at all."""
    owners = dict(_inodes(root))
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in _lines(root / "net" / table)[1:]:
            fields = line.split()
            if len(fields) > 9 and fields[3] == LISTEN[table[:3]]:
                address, _, port = fields[1].partition(":")
                yield table[:3], _address(address), int(port, 16), owners.get(fields[9], 0)


def _inodes(root: Path) -> Iterator[tuple[str, int]]:
    """(socket's inode, PID) of every process we may look into."""
    for link in root.glob("[0-9]*/fd/*"):
        try:
            target = str(link.readlink())
        except OSError:
            continue  # closed meanwhile
        if target.startswith("socket:["):
            yield target[8:-1], int(link.parts[-3])


def _address(text: str) -> str:
    """The kernel writes addresses as words of four bytes, each in the machine's order."""
    raw = bytes.fromhex(text)
    words = [raw[at : at + 4][::-1] for at in range(0, len(raw), 4)]
    return str(ipaddress.ip_address(b"".join(words)))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
