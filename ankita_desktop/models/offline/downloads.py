"""Saving what is at a web address: a picture by its own tool, anything else by the machine's own downloader."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from ankita_desktop.models.offline import words
from ankita_desktop.models.offline.grammar import Reading
from ankita_desktop.models.offline.recipes import one
from ankita_desktop.models.offline.script import Recipe, Say, Scene, Script, Wish

_PICTURES = frozenset((".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".avif"))
_PATIENCE_MS = 120_000


def download(reading: Reading, scene: Scene) -> Script:
    """To the place that was named, else under the name that the address has; nothing is overwritten."""
    url, wanted = reading.values["url"], str(reading.values.get("destination", "."))
    name = re.sub(r'[\x00-\x1f\\/:*?"<>|]', "_", PurePosixPath(unquote(urlsplit(url).path)).name)
    is_named = reading.values.get("named", False)  # "as rex" names the file, "to rex" the folder
    is_folder = wanted == "." or wanted.endswith("/") or not (is_named or PurePosixPath(wanted).suffix)
    if PurePosixPath(name).suffix.lower() in _PICTURES:
        return (yield from one("image_download", {"url": url, **_picture_place(wanted, is_folder)}, reading))
    target = str(PurePosixPath(wanted) / (name or "index.html")) if is_folder else wanted
    wish = Wish("run_command", {"command": _command(url, target), "yield_ms": _PATIENCE_MS})
    result = yield wish
    if result.ok and result.details.get("exit_code") == 0:
        yield Say(f"Saved {url} as {target}.")
        return True
    yield Say(words.shown(wish, result) if result.ok else words.failure(wish, result))
    return False


def _picture_place(wanted: str, is_folder: bool) -> dict[str, str]:
    if is_folder:
        return {} if wanted == "." else {"folder": wanted}
    path = PurePosixPath(wanted)
    return {"name": path.stem} if str(path.parent) == "." else {"folder": str(path.parent), "name": path.stem}


def _command(url: str, target: str) -> str:
    if sys.platform == "win32":
        file, address = (f"'{text.replace(chr(39), chr(39) * 2)}'" for text in (target, url))
        taken = f"if (Test-Path -LiteralPath {file}) {{ Write-Error {file}' is there already'; exit 1 }}"
        return f"{taken}; Invoke-WebRequest -Uri {address} -OutFile {file}"
    file, address = shlex.quote(target if not target.startswith("-") else f"./{target}"), shlex.quote(url)
    return (
        f"if test -e {file}; then echo {file} is there already >&2; exit 1; "
        f"elif command -v curl >/dev/null; then curl -fsSL --create-dirs -o {file} -- {address}; "
        f"else wget -q -O {file} -- {address} || {{ rm -f {file}; exit 1; }}; fi"
    )


RECIPES: Mapping[str, Recipe] = {"download": download}
