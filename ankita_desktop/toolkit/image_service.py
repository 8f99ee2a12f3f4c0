"""A service that makes pictures, by OpenAI's images protocol."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import new_id
from ankita_desktop.toolkit import net
from ankita_desktop.toolkit.addresses import Address, read_address
from ankita_desktop.toolkit.changes import LARGEST
from ankita_desktop.toolkit.context import ToolContext
from ankita_desktop.toolkit.pictures import Picture, read_picture

OPENAI = "https://api.openai.com/v1"
USUAL = "gpt-image-1"
SECONDS = 300.0  # for a picture to be made
ANSWER = 128 << 20  # bytes of an answer that holds the pictures themselves


@dataclass(frozen=True, slots=True)
class Service:
    """Where pictures are made, by which model. ``key`` may be empty at one's own server."""

    address: Address
    model: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Sent:
    """A file that goes along: the form's field, a name, its bytes."""

    field: str
    name: str
    picture: Picture


def service(ctx: ToolContext) -> Service:
    """What is set up: ``images.base_url``, else the service of the model. Raises ``ToolError`` when nothing is."""
    own, chat = _setting(ctx, "images", "base_url"), _setting(ctx, "model", "base_url")
    chat = chat or _secret(ctx, "OPENAI_BASE_URL") or OPENAI
    base = own or chat
    # A key goes only to the service that it was stored for.
    key = _secret(ctx, "OPENAI_API_KEY") if base.rstrip("/") == chat.rstrip("/") else ""
    key = _secret(ctx, "IMAGES_API_KEY") or key
    if base == OPENAI and not key:
        raise ToolError(
            "No service that makes pictures is set up. Ask the person to store OPENAI_API_KEY, or to set "
            "images.base_url to a service that speaks OpenAI's images protocol."
        )
    address = read_address(base.rstrip("/").removesuffix("/images"))
    return Service(address, _setting(ctx, "images", "model") or USUAL, key)


def _setting(ctx: ToolContext, part: str, name: str) -> str:
    found = ctx.settings.get(part)
    return str(found.get(name) or "") if isinstance(found, Mapping) else ""


def _secret(ctx: ToolContext, name: str) -> str:
    return (ctx.services.secrets.get(name) if ctx.services.secrets else None) or ""


def draw(at: Service, fields: Mapping[str, Any], files: Sequence[Sent], ctx: ToolContext) -> list[Picture]:
    """Have pictures made, or with ``files`` changed. Blocks for up to five minutes."""
    given = {"model": at.model, **{name: value for name, value in fields.items() if value is not None}}
    kind, content = _form(given, files) if files else ("application/json", json.dumps(given).encode())
    headers = {"content-type": kind} | ({"authorization": f"Bearer {at.key}"} if at.key else {})
    path = "edits" if files else "generations"
    address = read_address(f"{at.address.url.rstrip('/')}/images/{path}")
    request = net.Outgoing("POST", address, headers, content, silence=SECONDS)
    # The person named this service in the settings, wherever it stands.
    answer = net.fetch(request, ctx.cancel, net.Rules(True, redirects=False, size=ANSWER, seconds=SECONDS))
    rows = _rows(answer, at)
    return [_picture(row, at, ctx) for row in rows]


def _form(fields: Mapping[str, Any], files: Sequence[Sent]) -> tuple[str, bytes]:
    """The fields and files as a multipart form."""
    line = f"form-{new_id()}"
    parts = [
        f'--{line}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    for sent in files:
        head = f'--{line}\r\nContent-Disposition: form-data; name="{sent.field}"; filename="{sent.name}"\r\n'
        parts.append(
            f"{head}Content-Type: {sent.picture.kind.mime}\r\n\r\n".encode() + sent.picture.data + b"\r\n"
        )
    return f"multipart/form-data; boundary={line}", b"".join([*parts, f"--{line}--\r\n".encode()])


def _rows(answer: net.Incoming, at: Service) -> list[Mapping[str, Any]]:
    host = answer.address.netloc
    try:
        data = json.loads(answer.body)
    except ValueError:
        data = None
    if answer.status >= 300 or not isinstance(data, dict):
        raise ToolError(_refused(answer, data, at))
    rows: list[Mapping[str, Any]] = [row for row in data.get("data") or () if isinstance(row, dict)]
    if not rows:
        raise ToolError(f"{host} gave no picture. Try other words.")
    return rows


def _refused(answer: net.Incoming, data: Any, at: Service) -> str:
    host, error = answer.address.netloc, data.get("error") if isinstance(data, dict) else None
    said = str(error.get("message") if isinstance(error, dict) else error or answer.reason)[:400]
    if answer.status in (401, 403):
        return f"{host} refused the key ({said}). Ask the person to check it in the settings."
    if answer.status == 404:
        return (
            f"{host} makes no pictures, or has no model {at.model} ({said}). See images.base_url and images.model."
        )
    if answer.status == 429:
        return f"{host} allows no more pictures for now ({said}). Try again later."
    return f"{host} made no picture (status {answer.status}): {said}"


def _picture(row: Mapping[str, Any], at: Service, ctx: ToolContext) -> Picture:
    """A picture that the answer holds, or says the address of."""
    host, url = at.address.netloc, str(row.get("url") or "")
    inline = row.get("b64_json") or (url.partition(",")[2] if url.startswith("data:") else "")
    if inline:
        try:
            return read_picture(base64.b64decode(inline), host)
        except binascii.Error:
            raise ToolError(f"{host} gave a picture that can't be decoded.") from None
    address = read_address(url)
    rules = net.Rules(private=address.origin == at.address.origin, size=LARGEST, seconds=60)
    answer = net.fetch(net.Outgoing("GET", address), ctx.cancel, rules)
    if answer.status != 200:
        raise ToolError(f"{address.netloc} does not give the picture that was made (status {answer.status}).")
    return read_picture(answer.body, address.netloc)
