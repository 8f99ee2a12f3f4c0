"""A web site on loopback and the name service that finds it: the public internet of these tests."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ankita_desktop.toolkit import addresses, net

PUBLIC = "127.0.0.2"  # stands for a public address
Answer = tuple[int, dict[str, str], bytes]
HTML = {"content-type": "text/html; charset=utf-8"}


class Site:
    """``pages`` maps a path to its answer, or to a function of (method, path, body) that gives it; ``seen`` holds
    (method, path, headers, body)."""

    def __init__(self, host: str, port: int = 0) -> None:
        self.seen: list[tuple[str, str, dict[str, str], bytes]] = []
        self.pages: dict[str, Answer | Callable[[str, str, bytes], Answer]] = {}
        self.host = host
        self.server = ThreadingHTTPServer((host, port), _handler(self))
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.url = f"http://{host}:{self.port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def page(self, path: str, body: str | bytes, kind: str = "text/html; charset=utf-8", **headers: str) -> str:
        """Put a page there; returns its address."""
        content = body.encode() if isinstance(body, str) else body
        self.pages[path] = (200, {"content-type": kind, **headers}, content)
        return self.url + path

    def asked(self, path: str) -> int:
        return sum(seen[1] == path for seen in self.seen)

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            site.seen.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            found = site.pages.get(self.path) or site.pages.get(self.path.partition("?")[0])
            answer = found(self.command, self.path, body) if callable(found) else found
            status, headers, content = answer or (404, HTML, b"<p>nothing here</p>")
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do  # noqa: N815

        def log_message(self, *_: Any) -> None: ...

    return Handler


@contextmanager
def serving(host: str) -> Iterator[Site]:
    site = Site(host)
    try:
        yield site
    finally:
        site.close()


def public(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let ``PUBLIC`` count as a public address and be found under ``names``; other names are unknown."""
    judge = addresses.reach_of
    monkeypatch.setattr(net, "reach_of", lambda host: "" if host == PUBLIC else judge(host))
    real = socket.getaddrinfo

    def look_up(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        if host in names:
            return real(PUBLIC, port, *args, **kwargs)
        if str(host)[-1:].isalpha() and host != "localhost":
            raise socket.gaierror("unknown name")
        return real(host, port, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
