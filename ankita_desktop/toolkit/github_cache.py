"""GitHub's answers as they were, so that it need only be asked whether something is new."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ankita_desktop import paths

KEPT = 400  # answers in the cache
_TOLD = ("etag", "last-modified", "link", "content-type", "date")


@dataclass(frozen=True, slots=True)
class Kept:
    """``until``: before this time (epoch seconds) the same must not be asked again."""

    text: str
    headers: Mapping[str, str]
    until: float = 0.0

    @property
    def conditions(self) -> dict[str, str]:
        """The headers that let the answer be "nothing has changed"."""
        named = {"etag": "if-none-match", "last-modified": "if-modified-since"}
        return {sent: self.headers[name] for name, sent in named.items() if self.headers.get(name)}

    def again(self, headers: Mapping[str, str]) -> Kept:
        """The same after GitHub said that nothing has changed."""
        new = {name: headers[name] for name in ("etag", "last-modified", "date") if headers.get(name)}
        return Kept(self.text, {**self.headers, **new}, _until(headers))


def kept(text: str, headers: Mapping[str, str]) -> Kept:
    """An answer that came now."""
    return Kept(text, {name: headers[name] for name in _TOLD if name in headers}, _until(headers))


def _until(headers: Mapping[str, str]) -> float:
    wait = headers.get("x-poll-interval", "")
    return time.time() + int(wait) if wait.isdigit() else 0.0


def find(*about: str) -> Kept | None:
    """What is kept under these words, if anything."""
    try:
        row = json.loads(_file(about).read_text("utf-8"))
        return Kept(row["text"], row["headers"], float(row["until"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None  # not kept, or by a version that wrote it differently


def keep(answer: Kept, *about: str) -> None:
    """Remember an answer; a full disk only costs the next question."""
    file = _file(about)
    row = {"text": answer.text, "headers": dict(answer.headers), "until": answer.until}
    try:
        write(file, json.dumps(row))
        for old in sorted(file.parent.iterdir(), key=lambda each: each.stat().st_mtime)[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        pass


def write(file: Path, text: str) -> None:
    """Write a file of ours as a whole, for its owner alone."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    partial = file.with_suffix(f".{time.monotonic_ns()}")
    partial.touch(mode=0o600)
    partial.write_text(text, "utf-8")
    partial.replace(file)


def _file(about: tuple[str, ...]) -> Path:
    return paths.cache() / "github" / hashlib.sha256("\n".join(about).encode()).hexdigest()
