"""A file as it is, a change as it is meant: the values that `toolkit.files` works with."""

from __future__ import annotations

import stat
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import FileChange
from ankita_desktop.toolkit import disk
from ankita_desktop.toolkit.text import Form, NotText, decode, ends_name

Kind = Literal["absent", "file", "folder", "link", "other"]
Action = Literal["create", "modify", "delete", "move", "mkdir"]

LARGEST = 32 * 1024 * 1024  # bytes of a file that is read or changed as a whole


@dataclass(frozen=True, slots=True)
class Document:
    """What stands at a path. ``text`` is None unless it is a file of text; ``mark`` binds an approval: the
    SHA-256 of a file's bytes, a fingerprint of a folder's tree, a link's target (None: nothing there)."""

    path: Path
    kind: Kind = "absent"
    data: bytes = b""
    text: str | None = None
    form: Form = field(default_factory=Form)
    mode: int = 0
    mark: str | None = None
    facts: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One step. ``after`` is the new text (create, modify, move with changes), ``data`` the new bytes when it
    isn't text. ``permanent`` deletes without the trash. ``mode``: new permission bits."""

    action: Action
    before: Document
    after: str | None = None
    data: bytes | None = None
    destination: Path | None = None
    permanent: bool = False
    mode: int | None = None

    @property
    def path(self) -> Path:
        return self.before.path

    @property
    def places(self) -> tuple[Path, ...]:
        """Every path that is touched."""
        return (self.path, self.destination) if self.destination else (self.path,)

    def shown(self) -> FileChange:
        """The change as a person is shown it."""
        texts = self.action in ("create", "modify", "delete") or self.after is not None
        return FileChange(
            path=str(self.path),
            action=self.action,
            before=self.before.text if texts else None,
            after=self.after,
            before_hash=self.before.mark,
            destination=str(self.destination) if self.destination else None,
            facts=self._facts(),
        )

    def _facts(self) -> str:
        if self.data is None and self.mode is None:
            return self.before.facts
        new = f"mode {self.mode:o}" if self.mode is not None else ""
        if self.data is not None:
            new = f"{size_name(len(self.data))}, {disk.digest(self.data)[:12]}"
        return f"{self.before.facts} → {new}" if self.before.facts else new


def look(path: Path, *, follow: bool = True) -> Document:
    """What stands at ``path``; text is decoded. Raises ``ToolError`` if it can't be read or is too large."""
    try:
        info = path.stat() if follow else path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return Document(path)
    except OSError as error:
        raise ToolError(f"{path} can't be read: {error.strerror}.") from error
    mode = stat.S_IMODE(info.st_mode)
    if stat.S_ISREG(info.st_mode):
        return _file(path, info.st_size, mode, info.st_nlink)
    if stat.S_ISDIR(info.st_mode):
        mark, entries, size = disk.tree(path)
        more = "+" if entries >= disk.TREE_ENTRIES else ""
        return Document(path, "folder", mode=mode, mark=mark, facts=f"{entries}{more} entries, {size_name(size)}")
    if stat.S_ISLNK(info.st_mode):
        target = str(path.readlink())
        return Document(
            path, "link", mark=disk.digest(target.encode(errors="replace")), facts=f"link to {target!a}"
        )
    return Document(path, "other", mark=f"{info.st_mode}", facts="device, pipe or socket")


def _file(path: Path, size: int, mode: int, names: int) -> Document:
    if size > LARGEST:
        return Document(path, "file", mode=mode, mark=None, facts=f"{size_name(size)}, mode {mode:o}")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ToolError(f"{path} can't be read: {error.strerror}.") from error
    try:
        text, form = decode(data)
    except NotText:
        facts = f"binary, {size_name(len(data))}, mode {mode:o}"
        return Document(path, "file", data, None, Form(), mode, disk.digest(data), facts)
    parts = [form.name, ends_name(text), f"mode {mode:o}"]
    parts += [f"{names} hard links, the others keep the old content"] if names > 1 else []
    return Document(path, "file", data, text, form, mode, disk.digest(data), ", ".join(filter(None, parts)))


def near_names(path: Path) -> str:
    """For a path where nothing is: which names next to it were perhaps meant (" Did you mean x?"), or ""."""
    import difflib

    try:
        names = [entry.name for entry in islice(path.parent.iterdir(), 2000)]
    except NotADirectoryError:
        return f" {path.parent} is not a folder."
    except OSError:
        return f" The folder {path.parent} doesn't exist either."
    close = difflib.get_close_matches(path.name, names, 3, 0.6)
    return f" Did you mean {' or '.join(close)}?" if close else ""


def size_name(size: int) -> str:
    """Bytes for people: "512 B", "3.4 KB"."""
    value = float(size)
    for unit in ("B", "KB", "MB", "GB"):
        if value < 1000 or unit == "GB":
            break
        value /= 1000
    return f"{value:.0f} {unit}" if unit == "B" or value >= 100 else f"{value:.1f} {unit}"
