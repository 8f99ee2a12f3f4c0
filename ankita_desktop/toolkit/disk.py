"""The few ways bytes get onto a disk: whole or not at all, with what the file had besides its bytes."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ankita_desktop.errors import ToolError

TREE_ENTRIES = 20_000


def digest(data: bytes) -> str:
    """SHA-256, in hex."""
    return hashlib.sha256(data).hexdigest()


def walk(folder: Path) -> Iterator[Path]:
    """Everything below ``folder``, in a fixed order, links not followed."""
    for root, folders, files in os.walk(folder):
        folders.sort()
        here = Path(root)
        yield from (here / name for name in sorted([*files, *folders]))


def tree(folder: Path) -> tuple[str, int, int]:
    """(fingerprint of names, sizes and times, number of entries, bytes of files); stops counting at
    ``TREE_ENTRIES``."""
    marks = hashlib.sha256()
    entries = size = 0
    for path in walk(folder):
        try:
            info = path.lstat()
        except OSError:
            continue  # gone in the meantime
        entries += 1
        size += info.st_size if stat.S_ISREG(info.st_mode) else 0
        marks.update(f"{path}\0{info.st_mode}\0{info.st_size}\0{info.st_mtime_ns}\n".encode(errors="replace"))
        if entries >= TREE_ENTRIES:
            break
    return marks.hexdigest(), entries, size


def write(
    path: Path, data: bytes, *, like: Path | None = None, mode: int | None = None, sync: bool = True
) -> None:
    """Put ``data`` at ``path`` in one step: readers see the old file or the new one, also after a crash
    (without ``sync`` after a crash of the process, for what is kept elsewhere too).

    Mode, owner and extended attributes (ACLs) come from ``like`` (default: the file that stands there), the
    mode from ``mode`` if it is given.
    A file with several names (hard links) is replaced under this name only. Raises ``OSError``.
    """
    pattern = like or path
    old = pattern.lstat() if pattern.exists() and not pattern.is_symlink() else None
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    with contextlib.ExitStack() as failed:
        failed.callback(temporary.unlink, missing_ok=True)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        _dress(temporary, pattern, old)
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(path)
        failed.pop_all()
    if sync:
        _sync_folder(path.parent)


def _dress(temporary: Path, pattern: Path, old: os.stat_result | None) -> None:
    """Give the new file what the old one had besides bytes, as far as this user may."""
    if old is None:
        temporary.chmod(0o666 & ~_umask())
        return
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):
            os.chown(temporary, old.st_uid, old.st_gid)
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(pattern):
                with contextlib.suppress(OSError):
                    os.setxattr(temporary, name, os.getxattr(pattern, name))
    temporary.chmod(stat.S_IMODE(old.st_mode))


def _umask() -> int:
    """The process's mask, read without changing it where the system tells."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    except OSError:
        pass
    return 0o022


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut; not every system can open a folder."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def make_folders(path: Path) -> list[Path]:
    """Create ``path`` and its missing parents; what was created, outermost first."""
    missing = []
    while not path.exists():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        folder.mkdir()
    return missing[::-1]


def rename(source: Path, destination: Path) -> None:
    """Move within or across disks; never onto something that exists. Raises ``OSError``."""
    import shutil

    if os.path.lexists(destination):
        raise FileExistsError(f"{destination} already exists")
    shutil.move(source, destination)


def trash(path: Path) -> None:
    """To the desktop's trash. Raises ``ToolError`` where that isn't possible."""
    from send2trash import send2trash

    try:
        send2trash(str(path))
    except OSError as error:
        raise ToolError(
            f"{path} can't be moved to the trash ({error}). Ask whether to delete it for good: permanent=true."
        ) from error


def remove(path: Path) -> None:
    """For good: a file, a link (never what it points to) or a whole folder. Raises ``OSError``."""
    import shutil

    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def exists(path: Path) -> bool:
    """Whether anything has this name, a dangling link too."""
    return os.path.lexists(path)
