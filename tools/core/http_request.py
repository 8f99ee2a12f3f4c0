"""Send one HTTP request and show the answer."""

from __future__ import annotations

import base64
import json as jsons
from typing import Any
from urllib.parse import urlencode

from ankita_desktop.toolkit import Level, Preview, ToolContext, ToolError, ToolResult

name = "http_request"
description = "Send an HTTP request. user:password@ in the url is basic auth."
parameters = {
    "type": "object",
    "properties": {
        "url": {"type": "string"},
        "method": {"type": "string"},
        "headers": {"type": "object"},
        "json": {},
        "form": {"type": "object"},
        "body": {"type": "string"},
        "redirects": {"type": "boolean"},
        "expect_status": {"type": "integer"},
    },
    "required": ["url"],
    "additionalProperties": False,
}
approval = "ask"
keywords = ["http", "request", "api", "rest", "webhook", "endpoint", "post", "curl", "url"]

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
SHOWN = 30_000  # characters of the body
TOLD = ("location", "retry-after", "www-authenticate", "allow", "link", "etag", "last-modified")
OURS = frozenset({"host", "content-length", "transfer-encoding", "connection", "upgrade", "te"})


def approval_for(args: dict[str, Any], ctx: ToolContext) -> Level:
    from ankita_desktop.toolkit import net
    from ankita_desktop.toolkit.addresses import listed
    from ankita_desktop.toolkit.web import own_hosts

    request = _request(args)
    if request.method not in ("GET", "HEAD") or request.content:
        return "ask"
    where = net.reach(request.address, ctx.cancel)
    return "ask" if where and not listed(request.address, where, own_hosts(ctx)) else "never"


def preview(args: dict[str, Any], ctx: ToolContext) -> Preview:
    from ankita_desktop.toolkit import net

    request = _request(args)
    reach = net.reach(request.address, ctx.cancel)
    target = f"{request.address.origin} ({reach})" if reach else request.address.origin
    lines = [f"{request.method} {request.address.url}", *(f"{k}: {v}" for k, v in request.headers.items())]
    credentials = "cloud" in reach and "This service can hand out the machine's credentials."
    return Preview(
        kind="text",
        question=f"Send this {request.method} request to {request.address.netloc}?",
        effect="send",
        text="\n".join(lines) + ("\n\n" + _readable(request.content, "") if request.content else ""),
        where=target,
        grant_key=f"http:{request.method}:{target}",
        grant_label=f"{request.method} requests to {target}",
        danger=credentials or "",
    )


def run(args: dict[str, Any], ctx: ToolContext) -> ToolResult:
    from ankita_desktop.toolkit import net
    from ankita_desktop.toolkit.web import own_hosts

    request = _request(args)
    # Only a yes to a private target is a yes to a private target: a name may have moved there since.
    private = ctx.approved is not None and f"{request.address.origin} (" in ctx.approved.preview.where
    rules = net.Rules(private=private, hosts=own_hosts(ctx), redirects=args.get("redirects", True))
    answer = net.fetch(request, ctx.cancel, rules)
    own = bool(net.reach(answer.address, ctx.cancel))  # an API of the person's own may be answered
    return _result(answer, args.get("expect_status"), own)


def _request(args: dict[str, Any]) -> Any:
    from ankita_desktop.toolkit.addresses import read_address
    from ankita_desktop.toolkit.net import Outgoing
    from ankita_desktop.toolkit.placeholder import refuse_placeholders

    refuse_placeholders("The request", args)
    address = read_address(args["url"])
    headers, content = _content(args)
    if address.user or address.password:
        login = base64.b64encode(f"{address.user}:{address.password}".encode()).decode()
        headers["authorization"] = f"Basic {login}"
    headers |= {name.lower(): str(value) for name, value in args.get("headers", {}).items()}
    _check(headers)
    method = args.get("method", "POST" if content else "GET").upper()
    if method not in METHODS:
        raise ToolError(f"method must be one of {', '.join(METHODS)}.")
    return Outgoing(method, address, headers, content)


def _content(args: dict[str, Any]) -> tuple[dict[str, str], bytes]:
    given = [kind for kind in ("json", "form", "body") if kind in args]
    if len(given) > 1:
        raise ToolError(f"Give only one of {' and '.join(given)}.")
    if given == ["json"]:
        return {"content-type": "application/json"}, jsons.dumps(args["json"], ensure_ascii=False).encode()
    if given == ["form"]:
        return {"content-type": "application/x-www-form-urlencoded"}, urlencode(args["form"]).encode()
    return {}, args.get("body", "").encode()


def _check(headers: dict[str, str]) -> None:
    for name, value in headers.items():
        if name in OURS:
            raise ToolError(f"The header {name} is set by the tool itself; leave it out.")
        if not name.isascii() or not value.isascii() or not (name + value).isprintable():
            raise ToolError(f"The header {name!r} may hold printable ASCII characters only.")


def _result(answer: Any, expect: int | None, own: bool) -> ToolResult:
    from ankita_desktop.toolkit.untrusted import framed

    kind = answer.headers.get("content-type", "")
    size = f"the first {len(answer.body):,} bytes" if answer.cut else f"{len(answer.body):,} bytes"
    first = " · ".join(filter(None, [f"HTTP {answer.status} {answer.reason}".strip(), kind, size]))
    lines = [first, *(f"{name}: {answer.headers[name]}" for name in TOLD if name in answer.headers)]
    if answer.hops:
        lines.append(f"redirected to: {answer.address.url}")
    ok = answer.status == expect if expect else answer.status < 400
    if expect and not ok:
        lines.append(f"Expected status {expect}.")
    url = answer.address.url
    details = {
        "status": answer.status,
        "url": url,
        "headers": dict(answer.headers),
        "untrusted": {"source": url, "own": own},
    }
    body = _body(answer, kind)
    return ToolResult("\n".join(lines) + "\n\n" + (framed(body, url) if answer.body else body), details, ok=ok)


def _body(answer: Any, kind: str) -> str:
    if not answer.body:
        return "(no body)"
    if b"\0" in answer.body[:8192] or kind.startswith(("image/", "audio/", "video/")):
        return "(not text; to keep it, download it with run_command and curl -o FILE)"
    text = _readable(answer.body, kind)
    if len(text) <= SHOWN and not answer.cut:
        return text
    shown = text[:SHOWN]
    return f"{shown}\n[cut after {len(shown):,} characters; ask for less, or save it with curl -o FILE]"


def _readable(body: bytes, kind: str) -> str:
    charset = kind.partition("charset=")[2].partition(";")[0].strip(" \"'")
    try:
        return body.decode(charset or "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")
