"""A glob as options of ripgrep, such that what .gitignore leaves out stays out.

rg's own --glob beats .gitignore and its file types know plain names only. A pattern with folders in it therefore
becomes a file of ignore rules, the weakest that rg knows: leave out everything but the folders on the way and
what the pattern names. Only a rule of the tree's own that takes something back in (``!name``) is stronger.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ankita_desktop.errors import ToolError

_IGNORE_FILES = (".gitignore", ".ignore", ".rgignore", ".git/info/exclude")
_OURS = "ankita-glob-"
_REFUSED = re.compile(rf"{_OURS}[^\n]*?: (error parsing glob [^\n]*)")
_MOST_FOLDERS = 400  # more of them are slower to look at than the tree is to list again


@contextmanager
def selected(glob: str, root: Path) -> Iterator[list[str]]:
    """Options of rg, run in ``root``, that choose the files a glob names and nothing ignored."""
    if not _has_folders(glob) or not root.is_dir():
        yield _by_name(glob)
        return
    handle, name = tempfile.mkstemp(prefix=_OURS)
    rules = Path(name)
    try:
        os.close(handle)
        rules.write_text("".join(f"{rule}\n" for rule in _rules(glob)), encoding="utf-8", errors="surrogateescape")
        yield [*hidden(glob), "--messages", f"--ignore-file={name}"]
    finally:
        rules.unlink(missing_ok=True)


def check(glob: str, complaint: str) -> None:
    """rg only remarks on a rule it can't read: the caller's glob is none. Raises ``ToolError``."""
    if found := _REFUSED.search(complaint):
        raise ToolError(f"The glob {glob!r} can't be used: {found[1]}")


def forced(glob: str) -> list[str]:
    """Options that choose what a glob names, ignored or not."""
    return [*hidden(glob), f"--glob={glob}"]


def hidden(glob: str) -> list[str]:
    """A pattern that names a hidden file or folder means it."""
    return ["--hidden", "--glob=!.git"] if _names_hidden(glob) else []


def unsure(glob: str, root: Path, found: Iterable[str]) -> bool:
    """True when some of ``found`` (absolute paths) may be there by a rule that takes things back in, and not
    by the glob."""
    if not _has_folders(glob) or not root.is_dir():
        return False
    folders = {os.path.dirname(path) for path in found}  # noqa: PTH120 - thousands, as text
    if not folders:
        return False
    above = {parent for folder in folders for parent in map(str, Path(folder).parents)} | folders
    return len(above) > _MOST_FOLDERS or _takes_back_for_all() or any(map(_takes_back, above))


def _has_folders(glob: str) -> bool:
    return bool(glob) and not glob.startswith("!") and ("/" in glob or ":" in glob)


def _names_hidden(glob: str) -> bool:
    return any(part.startswith(".") and part.strip(".") for part in glob.split("/"))


def _by_name(glob: str) -> list[str]:
    if not glob:
        return []
    if glob.startswith("!"):
        return [f"--glob={glob}"]
    return [*hidden(glob), f"--type-add=wanted:{glob}", "--type=wanted"]


def _rules(glob: str) -> list[str]:
    """The last rule that says anything counts: nothing, but the folders on the way, but what is wanted."""
    out_of_sight = [] if _names_hidden(glob) else [".*"]
    return ["*", *(f"!{folder}/" for folder in _way(glob)), f"!{glob}", *out_of_sight]


def _way(glob: str) -> list[str]:
    """The folders in which a match may be."""
    steps = glob.removeprefix("/").split("/")[:-1]
    if not steps or set(glob) & set("{\\[") or not all(steps):
        return ["*"]
    way, so_far = [], ""
    for step in steps:
        so_far += f"/{step}"
        way.append(so_far)
        if step == "**":
            break
    return way


def _takes_back(folder: str) -> bool:
    for name in _IGNORE_FILES:
        try:
            rules = Path(folder, name).read_bytes()
        except OSError:
            continue
        if any(line.startswith(b"!") for line in rules.splitlines()):
            return True
    return False


def _takes_back_for_all() -> bool:
    """Rules the person has for every repository; where git's settings name such a file we don't look for it."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "git"
    for settings in (Path.home() / ".gitconfig", home / "config"):
        try:
            if b"excludesfile" in settings.read_bytes().lower():
                return True
        except OSError:
            continue
    try:
        return b"!" in (home / "ignore").read_bytes()
    except OSError:
        return False
