"""Stock pictures of Unsplash and Pixabay: found with their makers' names, kept as the services ask for."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from ankita_desktop import paths
from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import Attachment, ToolResult
from ankita_desktop.toolkit import net
from ankita_desktop.toolkit.addresses import Address, read_address
from ankita_desktop.toolkit.context import ToolContext
from ankita_desktop.toolkit.pictures import kind_of
from ankita_desktop.toolkit.untrusted import outside

UNSPLASH = "https://api.unsplash.com"
PIXABAY = "https://pixabay.com/api/"
KEPT = 86_400.0  # seconds: Pixabay asks that searches be kept for a day
FILES = 600  # in the cache
THUMB = 2 << 20  # bytes of a small picture
_REFERRAL = "utm_source=ankita_desktop&utm_medium=referral"


@dataclass(frozen=True, slots=True)
class Photo:
    """A found picture. ``url`` is the whole one, ``small`` one to look at, ``page`` where it is at home,
    ``credit`` what to write beside it, ``track`` the address to tell of a download ("": none is wanted)."""

    title: str
    url: str
    small: str
    page: str
    credit: str
    width: int = 0
    height: int = 0
    track: str = ""


# --- searching ------------------------------------------------------------------------------


def unsplash(query: str, count: int, orientation: str, ctx: ToolContext) -> list[Photo]:
    """Raises ``ToolError`` when the service can't be asked."""
    shape = {"horizontal": "landscape", "vertical": "portrait"}.get(orientation, orientation)
    fields = {"query": query, "per_page": count, "content_filter": "high", "orientation": shape}
    headers = {
        "authorization": f"Client-ID {_key(ctx, 'UNSPLASH_ACCESS_KEY', 'Unsplash')}",
        "accept-version": "v1",
    }
    rows = _asked(f"{UNSPLASH}/search/photos", fields, headers, ctx).get("results")
    return [_of_unsplash(row) for row in rows or () if isinstance(row, dict)]


def _of_unsplash(row: Mapping[str, Any]) -> Photo:
    urls, links, user = (row.get(name) or {} for name in ("urls", "links", "user"))
    title = str(row.get("alt_description") or row.get("description") or row.get("slug") or "photo")
    page = f"{links.get('html', '')}?{_REFERRAL}"
    credit = f"Photo by {user.get('name') or 'somebody'} on Unsplash ({page})"
    size = int(row.get("width") or 0), int(row.get("height") or 0)
    track = str(links.get("download_location") or "")
    return Photo(title, str(urls.get("full", "")), str(urls.get("small", "")), page, credit, *size, track)


def pixabay(query: str, count: int, orientation: str, kind: str, ctx: ToolContext) -> list[Photo]:
    """As ``unsplash``. ``kind``: photo, illustration or vector."""
    fields = {"q": query[:100], "per_page": max(3, count), "safesearch": "true", "image_type": kind or "all"}
    fields |= {"orientation": orientation if orientation in ("horizontal", "vertical") else "all"}
    secret = {"key": _key(ctx, "PIXABAY_API_KEY", "Pixabay")}
    rows = _asked(PIXABAY, fields, {}, ctx, secret).get("hits")
    return [_of_pixabay(row) for row in rows or () if isinstance(row, dict)][:count]


def _of_pixabay(row: Mapping[str, Any]) -> Photo:
    page = str(row.get("pageURL") or "")
    credit = f"Image by {row.get('user') or 'somebody'} on Pixabay ({page})"
    size = int(row.get("imageWidth") or 0), int(row.get("imageHeight") or 0)
    url = str(row.get("largeImageURL") or row.get("webformatURL") or "")
    return Photo(str(row.get("tags") or "picture"), url, str(row.get("webformatURL") or ""), page, credit, *size)


def _key(ctx: ToolContext, name: str, whose: str) -> str:
    found = ctx.services.secrets.get(name) if ctx.services.secrets else None
    if not found:
        raise ToolError(
            f"No key for {whose} is stored ({name}). Ask the person to get one there (it is free) and add it."
        )
    return found


def _asked(
    url: str,
    fields: Mapping[str, Any],
    headers: Mapping[str, str],
    ctx: ToolContext,
    secret: Mapping[str, str] = {},
) -> dict[str, Any]:
    """The service's JSON, kept for a day. ``secret`` belongs in the address, and nowhere else."""
    given = urlencode({name: value for name, value in fields.items() if value})
    file = _file(f"{url}?{given}", "json")
    if (found := _kept(file)) is not None:
        return found
    address = read_address(f"{url}?{given}" + (f"&{urlencode(secret)}" if secret else ""))
    answer = net.fetch(net.Outgoing("GET", address, headers), ctx.cancel, net.Rules(redirects=False, seconds=20))
    try:
        data = json.loads(answer.body)
    except ValueError:
        data = None
    if answer.status != 200 or not isinstance(data, dict):
        raise ToolError(_refused(answer))
    _keep(file, json.dumps(data).encode())
    return data


def _refused(answer: net.Incoming) -> str:
    host = answer.address.netloc
    if answer.status in (400, 401, 403) and b"key" in answer.body.lower() + b"key" * (answer.status == 401):
        return f"{host} does not accept the stored key (status {answer.status}). Ask the person to check it."
    if answer.status == 429 or answer.headers.get("x-ratelimit-remaining") == "0":
        return f"{host} allows no more searches for now (status {answer.status}). Try again in an hour."
    return f"{host} could not be searched (status {answer.status})."


# --- showing --------------------------------------------------------------------------------


def told(photos: Sequence[Photo], service: str, query: str, ctx: ToolContext) -> ToolResult:
    """The photos as a numbered list with small pictures. Who made each is remembered for its download."""
    for photo in photos:
        _keep(_file(_plain(photo.url), "credit"), json.dumps(asdict(photo)).encode())
    rows = [f"{n}. {_line(photo)}" for n, photo in enumerate(photos, 1)]
    text = "\n".join(rows) or "Nothing was found. Try other or fewer words."
    head = f"Get one with image_download (its url); write the credit beside it.\n\n{text}" if rows else text
    found = outside(head, service, query=query, count=len(rows), results=[asdict(photo) for photo in photos])
    small = [_small(photo, n, ctx) for n, photo in enumerate(photos, 1)]
    return ToolResult(found.text, found.details, tuple(filter(None, small)))


def _line(photo: Photo) -> str:
    size = f" ({photo.width}×{photo.height})" if photo.width else ""
    return f"{' '.join(photo.title.split())[:120]}{size}\n   url: {photo.url}\n   credit: {photo.credit}"


def _small(photo: Photo, number: int, ctx: ToolContext) -> Attachment | None:
    """A small picture of it, in the cache; None when it can't be had: the list does without."""
    file = _file(photo.small, "picture")
    try:
        if not file.exists():
            answer = net.fetch(
                net.Outgoing("GET", read_address(photo.small)), ctx.cancel, net.Rules(size=THUMB, seconds=10)
            )
            if answer.status != 200 or answer.cut or kind_of(answer.body) is None:
                return None
            _keep(file, answer.body)
        kind = kind_of(file.read_bytes())
    except (ToolError, OSError):
        return None
    return Attachment(str(file), kind.mime, f"{number}. {photo.title[:60]}") if kind else None


# --- downloading ----------------------------------------------------------------------------


def known(address: Address) -> Photo | None:
    """The photo that a search found at this address."""
    try:
        return Photo(**json.loads(_file(_plain(address.url), "credit").read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def tell_download(photo: Photo, ctx: ToolContext) -> str:
    """Tell Unsplash of a download, as its rules ask for; what went wrong, "" when nothing did."""
    if not photo.track:
        return ""
    address = read_address(photo.track)
    if address.origin != read_address(UNSPLASH).origin:  # the key is for Unsplash alone
        return "Unsplash could not be told of the download."
    try:
        key = _key(ctx, "UNSPLASH_ACCESS_KEY", "Unsplash")
        headers = {"authorization": f"Client-ID {key}", "accept-version": "v1"}
        answer = net.fetch(
            net.Outgoing("GET", address, headers), ctx.cancel, net.Rules(redirects=False, seconds=10)
        )
    except ToolError as error:
        return f"Unsplash could not be told of the download: {error}"
    return "" if answer.status == 200 else f"Unsplash could not be told of the download (status {answer.status})."


# --- the cache ------------------------------------------------------------------------------


def _plain(url: str) -> str:
    """Without its query: sizes of the same picture differ only there."""
    return url.partition("?")[0]


def _file(about: str, kind: str) -> Path:
    return paths.cache() / "pictures" / hashlib.sha256(f"{kind}\n{about}".encode()).hexdigest()


def _kept(file: Path) -> dict[str, Any] | None:
    try:
        if time.time() - file.stat().st_mtime > KEPT:
            return None
        found = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _keep(file: Path, data: bytes) -> None:
    """A full disk only costs the next search."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        partial = file.with_suffix(f".{time.monotonic_ns()}")
        partial.write_bytes(data)
        partial.replace(file)
        for old in sorted(file.parent.iterdir(), key=lambda each: each.stat().st_mtime)[:-FILES]:
            old.unlink(missing_ok=True)
    except OSError:
        pass
