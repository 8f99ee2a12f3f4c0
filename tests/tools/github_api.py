"""A GitHub on loopback: ETags, 304, pages by Link, limits with their headers, and X-Poll-Interval."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ankita_desktop.toolkit import ToolContext
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services
from tests.tools.site import Answer, Site, serving

TOKEN = "t-0k3n"


class Api:
    """``data`` maps a path to what is there; lists come in pages. ``remaining`` counts down as the real one does,
    ``changes`` are the requests that would change something. ``says`` holds ready answers by (method, path)."""

    def __init__(self, site: Site) -> None:
        self.site, self.url = site, site.url
        self.data: dict[str, Any] = {}
        self.says: dict[tuple[str, str], Answer] = {}
        self.changes: list[tuple[str, str, Any]] = []
        self.statuses: list[int] = []
        self.remaining, self.poll, self.reset = 5000, 0, int(time.time()) + 900
        site.pages = _Everything(self.answer)

    @property
    def asked(self) -> int:
        return len(self.statuses)

    def answer(self, method: str, target: str, body: bytes) -> Answer:
        status, headers, content = self._answer(method, target, body)
        self.statuses.append(status)
        limit = {"x-ratelimit-remaining": str(self.remaining), "x-ratelimit-reset": str(self.reset)}
        return status, {"content-type": "application/json; charset=utf-8", **limit, **headers}, content

    def _answer(self, method: str, target: str, body: bytes) -> Answer:
        sent = self.site.seen[-1][2]
        path = urlsplit(target).path
        if sent.get("authorization", f"Bearer {TOKEN}") != f"Bearer {TOKEN}":
            return _no(401, "Bad credentials")
        if ready := self.says.get((method, path)):
            return ready
        if method != "GET":
            self.changes.append((method, path, json.loads(body) if body else None))
            made = {"number": 77, "html_url": f"https://example.com{path}/77"}
            return (205 if method == "PATCH" and "notifications" in path else 200), {}, json.dumps(made).encode()
        if path not in self.data:
            return _no(404, "Not Found")
        return self._found(path, parse_qs(urlsplit(target).query), sent)

    def _found(self, path: str, query: dict[str, list[str]], sent: dict[str, str]) -> Answer:
        there, link = self.data[path], ""
        if isinstance(there, list):
            size, page = int(query.get("per_page", ["30"])[0]), int(query.get("page", ["1"])[0])
            rest = "&".join(f"{key}={value[0]}" for key, value in query.items() if key != "page")
            more = f'<{self.url}{path}?{rest}&page={page + 1}>; rel="next", <{self.url}{path}>; rel="first"'
            link = more if len(there) > page * size else ""
            there = there[(page - 1) * size : page * size]
        content = there.encode() if isinstance(there, str) else json.dumps(there).encode()
        etag = f'W/"{hashlib.sha256(content + link.encode()).hexdigest()[:16]}"'
        headers = {"etag": etag, **({"link": link} if link else {})}
        if path == "/notifications" and self.poll:
            headers["x-poll-interval"] = str(self.poll)
        if sent.get("if-none-match") == etag:
            return 304, headers, b""
        if self.remaining == 0:
            return _no(403, "API rate limit exceeded for user ID 1.")
        self.remaining -= 1
        return 200, headers, content


class _Everything(dict[str, Any]):
    def __init__(self, answer: Callable[[str, str, bytes], Answer]) -> None:
        super().__init__()
        self._answer = answer

    def get(self, key: str, default: Any = None) -> Any:
        return self._answer


def _no(status: int, message: str) -> Answer:
    return status, {}, json.dumps({"message": message}).encode()


@contextmanager
def github() -> Iterator[Api]:
    with serving("127.0.0.1") as site:
        yield Api(site)


class Keys:
    def __init__(self, **known: str) -> None:
        self.known = known

    def get(self, name: str) -> str | None:
        return self.known.get(name)


def context(api: Api, folder: Path = Path("/"), token: str = TOKEN) -> ToolContext:
    keys = Keys(GITHUB_TOKEN=token) if token else Keys()
    return ToolContext(folder, Jobs(), settings={"github": {"base_url": api.url}}, services=Services(secrets=keys))


def thread(number: int, updated: str, *, reason: str = "mention", repo: str = "o/r", kind: str = "Issue") -> Any:
    """A notification as the API gives it."""
    return {
        "id": str(number),
        "unread": True,
        "reason": reason,
        "updated_at": updated,
        "subject": {"title": f"Thing {number}", "type": kind, "url": f"https://x/repos/{repo}/issues/{number}"},
        "repository": {"full_name": repo, "html_url": f"https://x/{repo}"},
    }


def issue(number: int, **more: Any) -> dict[str, Any]:
    """An issue as the API gives it."""
    return {
        "number": number,
        "title": f"Issue {number}",
        "state": "open",
        "user": {"login": "ann"},
        "labels": [{"name": "bug"}],
        "comments": 0,
        "body": "It breaks.",
        "created_at": "2026-11-01T08:00:00Z",
        "updated_at": "2026-11-02T08:00:00Z",
        "html_url": f"https://github.com/o/r/issues/{number}",
        **more,
    }
