"""Files of our own on disk: written whole or not at all, set aside when unreadable, locked while changed."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from ankita_desktop.errors import ConfigError
from ankita_desktop.protocol import new_id


def write_atomically(path: Path, text: str, *, mode: int = 0o600) -> None:
    """Replace ``path`` so that a reader sees the old or the new text, never a part. A link is written through.
    Raises ``ConfigError`` when the system won't have it; the old text is there then."""
    target = path.resolve()
    draft = target.with_name(f".{target.name}.{new_id()}")
    with _refusals(path):
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, draft, text, mode)


def _replace(target: Path, draft: Path, text: str, mode: int) -> None:
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def set_aside(path: Path) -> Path:
    """Give an unreadable file another name, so that nothing overwrites it. Returns the new path."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.name}.broken-{stamp}")
    while aside.exists():
        aside = path.with_name(f"{path.name}.broken-{stamp}-{new_id()[:4]}")
    path.rename(aside)
    return aside


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock file ``path``: one process at a time is inside. Freed by the system if we die. Raises
    ``ConfigError`` when it can't be made."""
    with _refusals(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(descriptor)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """A full disk, a folder that is locked away: in words a person can act on."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise ConfigError(
            f"{path} can't be written ({reason}). Nothing was changed; see to its disk and rights."
        ) from error


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
