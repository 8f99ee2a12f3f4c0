"""Making an archive: the same files give the same bytes, so that what was agreed to is what is written."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.archives import TOTAL
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.changes import size_name

FILES = 20_000
_OLDEST = (1980, 1, 1, 0, 0, 0)
_TARS = {
    ".tar": "",
    ".tar.gz": "gz",
    ".tgz": "gz",
    ".tar.bz2": "bz2",
    ".tbz2": "bz2",
    ".tar.xz": "xz",
    ".txz": "xz",
}


@dataclass(frozen=True, slots=True)
class Packed:
    """An archive to be written; ``left_out`` are links and what is no file."""

    data: bytes
    files: int
    size: int
    left_out: tuple[str, ...]


def pack(source: Path, target: Path, members: Sequence[str], cancel: Cancel) -> Packed:
    """``source`` (a file or folder), or only the ``members`` below it, as an archive of the kind that the name of
    ``target`` says. Raises ``ToolError`` for what is missing or too large."""
    writer = _writer(target)
    found, left_out, size = [], [], 0
    for path, name in _entries(source, members, cancel):
        info = path.lstat()
        if path == target:
            continue
        if not stat.S_ISREG(info.st_mode) and not stat.S_ISDIR(info.st_mode):
            left_out.append(name)
            continue
        size += info.st_size if stat.S_ISREG(info.st_mode) else 0
        found.append((path, name, info))
        if size > TOTAL or len(found) > FILES:
            raise ToolError(
                f"That is more than {size_name(TOTAL)} or {FILES:,} files. Make it by run_command: tar or zip."
            )
    count = sum(stat.S_ISREG(info.st_mode) for _, _, info in found)
    try:
        return Packed(writer(found, cancel), count, size, tuple(left_out))
    except OSError as error:
        raise ToolError(f"{error.filename or source} can't be read: {error.strerror or error}.") from error


_Entry = tuple[Path, str, os.stat_result]


def _writer(target: Path) -> Callable[[Sequence[_Entry], Cancel], bytes]:
    name = target.name.lower()
    if name.endswith(".zip"):
        return _zip
    ending = next((each for each in sorted(_TARS, key=len, reverse=True) if name.endswith(each)), None)
    if ending is None:
        raise ToolError(f"{target.name}: an archive's name ends in .zip, {', '.join(_TARS)}.")
    return lambda entries, cancel: _tar(entries, _TARS[ending], cancel)


def _entries(source: Path, members: Sequence[str], cancel: Cancel) -> Iterator[tuple[Path, str]]:
    """(path, name in the archive). Without members everything stands below the source's own name."""
    if not source.exists():
        raise ToolError(f"There is nothing at {source}.")
    tops = [(source, source.name)]
    if members:
        tops = [(source / member, Path(member).as_posix()) for member in members]
    for top, name in tops:
        inside = Path(os.path.normpath(top))
        if source not in (inside, *inside.parents) or not os.path.lexists(inside):
            raise ToolError(f"There is no {name} below {source}.")
        yield inside, Path(os.path.normpath(name)).as_posix()
        if inside.is_dir() and not inside.is_symlink():
            for root, folders, names in os.walk(inside):
                cancel.check()
                folders.sort()
                for each in sorted([*folders, *names]):
                    below = Path(root, each)
                    yield below, f"{os.path.normpath(name)}/{below.relative_to(inside).as_posix()}"


def _zip(entries: Sequence[_Entry], cancel: Cancel) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, name, info in entries:
            cancel.check()
            folder = stat.S_ISDIR(info.st_mode)
            when = max(time.localtime(info.st_mtime)[:6], _OLDEST)
            member = zipfile.ZipInfo(f"{name}/" if folder else name, min(when, (2107, 12, 31, 23, 59, 58)))
            member.external_attr = (info.st_mode & 0xFFFF) << 16 | (0x10 if folder else 0)
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, b"" if folder else path.read_bytes())
    return out.getvalue()


def _tar(entries: Sequence[_Entry], packer: str, cancel: Cancel) -> bytes:
    out = io.BytesIO()
    # gzip's own header would hold the time of now
    wrapped = gzip.GzipFile(fileobj=out, mode="wb", mtime=0) if packer == "gz" else None
    mode = "w:" if wrapped else f"w:{packer}"
    with tarfile.open(fileobj=wrapped or out, mode=mode) as archive:  # type: ignore[call-overload]
        for path, name, info in entries:
            cancel.check()
            member = tarfile.TarInfo(name)
            member.mode, member.mtime = stat.S_IMODE(info.st_mode), int(info.st_mtime)
            if stat.S_ISDIR(info.st_mode):
                member.type = tarfile.DIRTYPE
                archive.addfile(member)
            else:
                data = path.read_bytes()
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    if wrapped:
        wrapped.close()
    return out.getvalue()
