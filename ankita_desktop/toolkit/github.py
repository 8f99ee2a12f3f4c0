"""GitHub's API as tools use it: asked sparingly, with errors that say what to do."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit import github_cache, github_errors, net
from ankita_desktop.toolkit.addresses import Address, read_address
from ankita_desktop.toolkit.context import ToolContext

API = "https://api.github.com"
JSON = "application/vnd.github+json"
DIFF = "application/vnd.github.diff"
VERSION = "2022-11-28"
SIZE = 8 << 20  # bytes of one answer
PATIENCE = 30.0  # seconds for one answer
GH = 5.0  # seconds for the gh program to name its token
LINKS = 40  # pages of one list, at most


@dataclass(frozen=True, slots=True)
class Reply:
    """What GitHub has at an address. ``changed``: false when it is as it was at the last look."""

    text: str
    headers: Mapping[str, str]
    changed: bool = True

    @property
    def data(self) -> Any:
        try:
            return json.loads(self.text)
        except ValueError:
            raise ToolError(
                "GitHub's answer can't be read: it isn't JSON. Check the setting github.base_url."
            ) from None


@dataclass(frozen=True, slots=True)
class Rows:
    """A list over its pages. ``more``: there are further ones. ``date`` is GitHub's clock."""

    rows: list[dict[str, Any]]
    more: bool = False
    changed: bool = True
    date: str = ""


def base_url(ctx: ToolContext) -> str:
    """Where the API is: the person's setting ``github.base_url``, else the public one."""
    part = ctx.settings.get("github")
    named = part.get("base_url", "") if isinstance(part, Mapping) else ""
    return str(named or API).rstrip("/")


def web_url(ctx: ToolContext) -> str:
    """Where people look: https://github.com, or the server whose API is set."""
    base = base_url(ctx)
    return "https://github.com" if base == API else base.removesuffix("/api/v3")


class GitHub:
    """Bound to one call. Every method blocks, and raises ``ToolError`` or ``Cancelled``."""

    def __init__(self, ctx: ToolContext) -> None:
        self._ctx = ctx
        self._base = read_address(base_url(ctx))

    @cached_property
    def token(self) -> str:
        """The person's token, from the keyring, the environment or the gh program; "" when there is none."""
        secrets = self._ctx.services.secrets
        for name in ("GITHUB_TOKEN", "GH_TOKEN"):
            if secrets is not None and (found := secrets.get(name)):
                return found.strip()
        return _from_gh(read_address(web_url(self._ctx)).netloc)

    @property
    def account(self) -> str:
        """Tells one account at one server from another; it doesn't give the token away."""
        return hashlib.sha256(f"{self._base.url}\n{self.token}".encode()).hexdigest()[:16]

    def need_token(self, what: str) -> None:
        if not self.token:
            raise ToolError(
                f"{what} needs a token for {self._base.host}, and none is stored. Ask the person to run `gh auth "
                "login`, or to set GITHUB_TOKEN (a token with the scopes notifications and repo)."
            )

    # --- reading ------------------------------------------------------------------------

    def get(self, path: str, *, accept: str = JSON, **query: Any) -> Reply:
        """What is at a path. Costs nothing of the limit when it is as it was."""
        return self._read(self._address(path, query), accept)

    def pages(self, path: str, *, most: int, per_page: int = 100, **query: Any) -> Rows:
        """The first ``most`` of a list, over as many pages as that takes."""
        address: Address | None = self._address(path, {"per_page": min(most, per_page), **query})
        rows: list[dict[str, Any]] = []
        changed, date = False, ""
        for _ in range(LINKS):
            if address is None or len(rows) >= most:
                break
            reply = self._read(address, JSON)
            rows += _rows(reply.data)
            changed, date = changed or reply.changed, reply.headers.get("date", "")
            address = self._next(reply)
        return Rows(rows[:most], address is not None or len(rows) > most, changed, date)

    def _read(self, address: Address, accept: str) -> Reply:
        about = (address.url, accept, self.account)
        known = github_cache.find(*about)
        if known is not None and known.until > time.time():
            return Reply(known.text, known.headers, changed=False)
        answer = self._asked(net.Outgoing("GET", address, self._headers(accept, known)))
        if answer.status == 304 and known is not None:
            known = known.again(answer.headers)
            github_cache.keep(known, *about)
            return Reply(known.text, known.headers, changed=False)
        text = answer.body.decode("utf-8", "replace")
        if answer.cut and accept == JSON:
            raise ToolError(f"The answer of {address.netloc} is too large. Ask for less.")
        now = github_cache.kept(text, answer.headers)
        if not answer.cut and now.conditions:
            github_cache.keep(now, *about)
        return Reply(text, now.headers)

    def _next(self, reply: Reply) -> Address | None:
        """Where the list goes on; only ever at the same server, since the token goes along."""
        found = re.search(r'<([^>]+)>;\s*rel="next"', reply.headers.get("link", ""))
        address = read_address(found[1]) if found else None
        return address if address is not None and address.origin == self._base.origin else None

    # --- changing -----------------------------------------------------------------------

    def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Change something; what GitHub answers (None: nothing)."""
        content = json.dumps(body, ensure_ascii=False).encode() if body is not None else b""
        headers = self._headers(JSON) | ({"content-type": "application/json"} if content else {})
        answer = self._asked(net.Outgoing(method, self._address(path, {}), headers, content))
        try:
            return json.loads(answer.body) if answer.body else None
        except ValueError:
            return None

    # --- the wire -----------------------------------------------------------------------

    def _address(self, path: str, query: Mapping[str, Any]) -> Address:
        given = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items()}
        asked = {name: value for name, value in given.items() if value not in (None, "")}
        return read_address(f"{base_url(self._ctx)}{path}" + (f"?{urlencode(asked)}" if asked else ""))

    def _headers(self, accept: str, known: github_cache.Kept | None = None) -> dict[str, str]:
        headers = {"accept": accept, "x-github-api-version": VERSION}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        return headers | (known.conditions if known else {})

    def _asked(self, request: net.Outgoing) -> net.Incoming:
        kind = github_errors.kind_of(request.address)
        github_errors.wait(self.account, kind)
        reads = request.method == "GET"
        # The person named this server in the settings, wherever it stands. A change is never sent on.
        rules = net.Rules(private=self._base.origin != API, redirects=reads, size=SIZE, seconds=PATIENCE)
        try:
            answer = net.fetch(request, self._ctx.cancel, rules)
        except ToolError as error:
            raise error if reads else ToolError(github_errors.unsure(str(error))) from error
        github_errors.remember(answer, self.account, kind)
        if answer.status >= 400 or (answer.status >= 300 and answer.status != 304):
            raise ToolError(github_errors.told(answer, known=bool(self.token)))
        return answer


def _rows(data: Any) -> list[dict[str, Any]]:
    """The rows of a list, also of one in a search result or of checks."""
    if isinstance(data, dict):
        data = next((value for value in data.values() if isinstance(value, list)), [])
    return [row for row in data if isinstance(row, dict)] if isinstance(data, list) else []


def _from_gh(host: str) -> str:
    program = shutil.which("gh")
    if program is None:
        return ""
    try:
        done = subprocess.run(
            [program, "auth", "token", "--hostname", host],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=GH,
            check=False,
            text=True,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


# --- which repository -----------------------------------------------------------------------

_PLACE = re.compile(
    r"(?:(?:https?|ssh|git)://(?:[^/@]+@)?([^/:]+)(?::\d+)?/|[^/@\s]+@([^:/]+):)?"
    r"([\w-][\w.-]*)/([\w.-]+?)(?:\.git)?/?(?:(?:/(?:issues|pull|pulls)/|#)(\d+)(?:[/#?].*)?)?"
)


@dataclass(frozen=True, slots=True)
class Place:
    """A repository, and perhaps one issue or pull request of it."""

    repo: str
    number: int = 0

    @property
    def path(self) -> str:
        return f"/repos/{self.repo}"


def place(args: Mapping[str, Any], ctx: ToolContext, *, numbered: bool = False) -> Place:
    """What ``repo`` and ``number`` mean; without a repo that of the working folder. ``numbered``: a number must
    be there."""
    said = str(args.get("repo") or "").strip()
    found = _read_place(said) if said else Place(_origin(ctx))
    number = args.get("number") or found.number
    if numbered and not number:
        raise ToolError(f"Give number: which one of {found.repo}. action list shows them.")
    return Place(found.repo, number)


def _read_place(text: str) -> Place:
    match = _PLACE.fullmatch(text)
    if match is None or match[4] in (".", ".."):
        raise ToolError(f"repo must be like owner/name, not {text[:80]!r}. github_search finds repositories.")
    return Place(f"{match[3]}/{match[4]}", int(match[5] or 0))


def _origin(ctx: ToolContext) -> str:
    """The repository that the working folder was cloned from."""
    from ankita_desktop.toolkit.git import Repository

    try:
        url = Repository(ctx.files.root, ctx.cancel).text("remote", "get-url", "origin").strip()
    except ToolError:
        url = ""
    host = read_address(web_url(ctx)).host
    match = _PLACE.fullmatch(url)
    if match is None or (match[1] or match[2] or "").lower() not in (host, f"ssh.{host}", f"www.{host}"):
        raise ToolError(f"Give repo as owner/name: the working folder is not a clone of a repository on {host}.")
    return f"{match[3]}/{match[4]}"
