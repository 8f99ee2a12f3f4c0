"""What is in an archive (zip; tar, plain or as gz, bz2, xz; one file as gz, bz2, xz), read with limits.

Nothing of it is trusted: not its names, not the sizes it claims, not what it says its members are. ``members``
yields them one by one; whoever extracts asks ``safe_name`` where a member may go.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, cast

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.changes import near_names, size_name

MOST = 2_000  # members that are extracted
LISTED = 100_000  # members that are looked at
TOTAL = 256 * 1024 * 1024  # bytes that an archive may unpack to
WALKED = 16 << 30  # bytes that are unpacked to list it
RATIO, RATIO_FROM = 300, 16 * 1024 * 1024  # larger than this, an archive that shrank more is a bomb
_CHUNK = 1 << 18
REMARK = 1 << 20
_PACKERS = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz"}
_OTHERS = {b"7z\xbc\xaf\x27\x1c": "7z x", b"Rar!": "unrar x", b"\x28\xb5\x2f\xfd": "tar --zstd -xf"}
_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,
    ValueError,
)

Kind = Literal["file", "folder", "link", "other"]


@dataclass(frozen=True, slots=True)
class Member:
    """``name`` as it stands in the archive; ``size`` as the archive claims it; ``mode`` its permission bits (0:
    none are told). ``source`` reads it once, while its archive is open."""

    name: str
    kind: Kind
    size: int
    mode: int = 0
    source: IO[bytes] | None = None
    locked: bool = False


class _Counted:
    """A stream that counts what it unpacks, and ends a bomb or a cancelled call in the middle of it."""

    def __init__(self, stream: Any, path: Path, cancel: Cancel, most: int) -> None:
        self._stream, self._most = stream, most
        self._packed = max(path.stat().st_size, 1)
        self._name, self._cancel = path.name, cancel
        self._count = 0

    def read(self, size: int = -1) -> bytes:
        self._cancel.check()
        data: bytes = self._stream.read(min(size, _CHUNK) if size >= 0 else _CHUNK)
        self._count += len(data)
        check_size(self._name, self._count, self._packed, self._most)
        return data


def check_size(name: str, unpacked: int, packed: int, most: int = TOTAL) -> None:
    """Raise ``ToolError`` when an archive unpacks to more than anybody wants."""
    if unpacked > most:
        raise ToolError(f"{name} unpacks to more than {size_name(most)}. Nothing was extracted.")
    if unpacked > RATIO_FROM and unpacked > RATIO * packed:
        raise ToolError(
            f"{name} ({size_name(packed)}) unpacks to {size_name(unpacked)} and more, as archives that are "
            "made to fill disks do. Nothing was extracted."
        )


def kind_of(path: Path) -> str:
    """zip, tar, gz, bz2 or xz, by the first bytes. Raises ``ToolError`` for anything else."""
    if not path.is_file():
        what = "a folder" if path.is_dir() else "no file there"
        raise ToolError(f"{path} is no archive: there is {what}.{near_names(path)}")
    try:
        with path.open("rb") as file:
            head = file.read(512)
    except OSError as error:
        raise ToolError(f"{path} can't be read: {error.strerror}.") from error
    if head[257:262] == b"ustar":
        return "tar"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    for magic, command in _OTHERS.items():
        if head.startswith(magic):
            raise ToolError(f"{path.name} can't be read here; try run_command with: {command} {path.name}")
    packer = next((name for magic, name in _PACKERS.items() if head.startswith(magic)), "")
    if not packer and zipfile.is_zipfile(path):  # something stands before it, such as a program that unpacks it
        return "zip"
    if not packer:
        raise ToolError(f"{path.name} is not a zip, tar, gz, bz2 or xz archive.")
    return packer


@contextmanager
def members(path: Path, cancel: Cancel, most: int = TOTAL) -> Iterator[Iterator[Member]]:
    """The members of an archive, in its order; damage is told as ``ToolError``. Walking through a packed tar
    unpacks it, at most to ``most`` bytes."""
    kind = kind_of(path)
    try:
        with path.open("rb") as file:
            yield (
                _zipped(file)
                if kind == "zip"
                else _streamed(path, _Counted(_unpacked(file, kind), path, cancel, most), kind)
            )
    except _BROKEN as error:
        raise ToolError(f"{path.name} is damaged or not what it seems: {error}.") from error


def _zipped(file: IO[bytes]) -> Iterator[Member]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            mode = info.external_attr >> 16
            kind: Kind = "folder" if info.is_dir() else _kind_of_mode(mode)
            locked = bool(info.flag_bits & 1)
            if kind == "file" and not locked:
                with archive.open(info) as source:
                    yield Member(info.orig_filename, kind, info.file_size, mode & 0o777, source)
            else:
                yield Member(info.orig_filename, kind, info.file_size, mode & 0o777, locked=locked)


def _kind_of_mode(mode: int) -> Kind:
    form = stat.S_IFMT(mode)
    if form == stat.S_IFLNK:
        return "link"
    return "file" if form in (0, stat.S_IFREG) else "other"


class _Careful(tarfile.TarInfo):
    """Long names and remarks stand before a member, and are read whole: not when they are absurd."""

    def _proc_member(self, archive: Any) -> Any:
        if not (self.isreg() or self.type in tarfile.REGULAR_TYPES) and self.size > REMARK:
            raise tarfile.TarError("a header is too large")
        return super()._proc_member(archive)  # type: ignore[misc]


def _streamed(path: Path, stream: _Counted, kind: str) -> Iterator[Member]:
    if kind == "tar" or _holds_tar(path, kind):
        with tarfile.open(fileobj=cast(Any, stream), mode="r|", tarinfo=_Careful) as archive:
            for info in archive:
                yield _of_tar(archive, info)
        return
    yield Member(path.stem or path.name, "file", 0, 0, cast(IO[bytes], stream))


def _unpacked(file: IO[bytes], kind: str) -> Any:
    if kind == "tar":
        return file
    openers: dict[str, Any] = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}
    return openers[kind](file)


def _holds_tar(path: Path, kind: str) -> bool:
    with path.open("rb") as file:
        return bool(_unpacked(file, kind).read(512)[257:262] == b"ustar")


def _of_tar(archive: tarfile.TarFile, info: tarfile.TarInfo) -> Member:
    if info.isreg():
        return Member(info.name, "file", info.size, info.mode & 0o777, archive.extractfile(info))
    kind: Kind = "folder" if info.isdir() else "link" if info.issym() or info.islnk() else "other"
    return Member(info.name, kind, info.size, info.mode & 0o777)


def safe_name(member: Member, archive: str) -> tuple[str, ...]:
    """The parts of a member's name below the folder it is extracted to (none: the folder itself). Raises
    ``ToolError`` for a name that leads elsewhere: such an archive means harm or is broken."""
    name = member.name.replace("\\", "/")
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    bad = (
        name.startswith("/")
        or re.match(r"[A-Za-z]:", name)
        or ".." in parts
        or any(ord(char) < 32 or ord(char) == 127 or 0xD800 <= ord(char) <= 0xDFFF for char in name)
        or any(len(part.encode()) > 255 for part in parts)
        or not (parts or member.kind == "folder")
    )
    if bad:
        raise ToolError(
            f"{archive} holds {member.name!a}, a name that leads out of the folder or can't be used. Nothing was "
            "extracted. members can name the files that are wanted."
        )
    return parts


def read_member(member: Member, room: int, archive: str, cancel: Cancel) -> bytes:
    """The bytes of a file in an archive, at most ``room``, whatever size it claims."""
    if member.locked or member.source is None:
        raise ToolError(f"{archive} is locked with a password. Ask the person to unpack it themselves.")
    pieces = []
    while piece := member.source.read(_CHUNK):
        cancel.check()
        room -= len(piece)
        if room < 0:
            raise ToolError(f"{archive} unpacks to more than {size_name(TOTAL)}. Nothing was extracted.")
        pieces.append(piece)
    return b"".join(pieces)
