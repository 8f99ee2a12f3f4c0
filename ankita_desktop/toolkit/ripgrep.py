"""Searching files: by content and by name, with ripgrep. No pattern is ever matched in our own process."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit import path_globs, places
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.changes import LARGEST
from ankita_desktop.toolkit.limits import Limits, Outcome, Program, run_program
from ankita_desktop.toolkit.text import Form, decode, shown

SECONDS = 20.0
SIZE = 4 << 20
COLUMNS = 300
WILD = frozenset("*?[{")
# .gitignore counts outside a repository too; the person's own rg settings don't.
PLAIN = ("--no-config", "--no-require-git", "--color=never", "--no-messages")


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for below ``root`` (a folder or a file, absolute)."""

    root: Path
    pattern: str
    include: str = ""
    exclude: str = ""
    ignore_case: bool = False
    literal: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """One matching line; ``line`` counts from 1, ``path`` is absolute."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Hits:
    """What was found. ``incomplete`` says in words why there may be more (empty: that is all)."""

    hits: tuple[Hit, ...]
    incomplete: str = ""


@dataclass(frozen=True, slots=True)
class Names:
    """Files whose name matches, absolute, unsorted; ``incomplete`` as in ``Hits``."""

    paths: tuple[str, ...]
    incomplete: str = ""


@cache
def binary() -> str | None:
    """ripgrep from our own environment, else from PATH."""
    own = Path(sys.executable).parent / ("rg.exe" if os.name == "nt" else "rg")
    return str(own) if own.is_file() else shutil.which("rg")


def search(query: Query, most: int, cancel: Cancel) -> Hits:
    """Lines that match, at most ``most``; keys are left out unless the search starts at them.

    Raises ``ToolError`` on a pattern that isn't one.
    """
    how = [flag for flag, on in (("--ignore-case", query.ignore_case), ("--fixed-strings", query.literal)) if on]
    shape = ["--null", "--line-number", "--with-filename", "--no-heading"]
    shape += [f"--max-columns={COLUMNS}", "--max-columns-preview"]
    argv = [*shape, *how, *_excluding(query.exclude), f"--regexp={query.pattern}"]
    with path_globs.selected(query.include, query.root) as selecting:
        outcome = _rg([*selecting, *argv], query.root, cancel, Limits(SECONDS, SIZE, most))
    path_globs.check(query.include, outcome.complaint)
    if outcome.code == 2 and not outcome.out and not outcome.cut:
        raise ToolError(_explain(query, outcome.complaint))
    hits = _hits(outcome.out, query.root)
    if path_globs.unsure(query.include, query.root, (hit.path for hit in hits)):
        outcome = _rg([*path_globs.forced(query.include), *argv], query.root, cancel, Limits(SECONDS, SIZE))
        seen = set(_listed(query.root, query.include, cancel))
        hits = [hit for hit in _hits(outcome.out, query.root) if hit.path in seen]
    if not places.secret(query.root):
        hits = _without_keys(hits)
    return Hits(tuple(hits[:most]), _incomplete(outcome, len(hits) > most, f"{most} matching lines"))


def names(root: Path, pattern: str, most: int, cancel: Cancel, *, seconds: float = SECONDS) -> Names:
    """Files below ``root`` whose path matches a glob: without a slash by name at any depth, else from ``root``."""
    with path_globs.selected(pattern, root) as selecting:
        outcome = _rg(["--files", "--null", *selecting], root, cancel, Limits(seconds, SIZE))
    path_globs.check(pattern, outcome.complaint)
    if outcome.code == 2 and not outcome.out and not outcome.cut:
        raise ToolError(f"The glob {pattern!r} can't be used: {outcome.complaint or 'unreadable folder'}")
    paths = _paths(outcome.out, root)
    if path_globs.unsure(pattern, root, paths):
        forced = _rg(["--files", "--null", *path_globs.forced(pattern)], root, cancel, Limits(SECONDS, 64 << 20))
        wanted = set(_paths(forced.out, root))
        paths = [path for path in paths if path in wanted]
    return Names(tuple(paths[:most]), _incomplete(outcome, len(paths) > most, f"{most} files"))


def _without_keys(hits: Sequence[Hit]) -> list[Hit]:
    """A file's folder decides, looked at once each; a hidden name may itself be what is kept."""
    own = places.personal()
    secret = cache(lambda path: places.secret(path, own))
    where = {hit.path: Path(hit.path) for hit in hits}
    deciding = {path: file if file.name.startswith(".") else file.parent for path, file in where.items()}
    return [hit for hit in hits if not secret(deciding[hit.path])]


def _rg(argv: Sequence[str], root: Path, cancel: Cancel, limits: Limits) -> Outcome:
    """Run in the root of the search: rg counts the patterns of an --ignore-file from there."""
    cwd, place = (root, ".") if root.is_dir() else (root.parent, str(root))
    return run_program(Program([*_searcher(), *PLAIN, *argv, "--", place], str(cwd)), cancel, limits)


def _searcher() -> list[str]:
    """ripgrep, or our own slow stand-in run by Python as a child."""
    program = binary()
    if program:
        return [program]
    if getattr(sys, "frozen", False):
        raise ToolError("ripgrep (rg) isn't installed; install it to search files.")
    return [sys.executable, "-I", str(Path(__file__).with_name("plain_search.py"))]


def _excluding(glob: str) -> list[str]:
    return [f"--glob=!{glob.removeprefix('!')}"] if glob else []


def _listed(root: Path, glob: str, cancel: Cancel) -> list[str]:
    """Everything that isn't ignored, whatever the glob selects; it only says whether hidden files count."""
    selecting = path_globs.hidden(glob)
    outcome = _rg(["--files", "--null", *selecting], root, cancel, Limits(SECONDS, 64 << 20))
    return _paths(outcome.out, root)


def _paths(out: bytes, root: Path) -> list[str]:
    whole, _, _torn = out.rpartition(b"\0")
    return [_absolute(path, root) for path in whole.split(b"\0") if path]


def _absolute(path: bytes, root: Path) -> str:
    return os.path.join(root, os.fsdecode(path).removeprefix("./"))  # noqa: PTH118 - thousands, as text


def _hits(out: bytes, root: Path) -> list[Hit]:
    """Lines of the form path NUL number colon text; others (a remark on a binary file) say nothing."""
    whole, _, _torn = out.rpartition(b"\n")
    path, *parts = whole.split(b"\0")
    hits, form_of = [], cache(_form)
    for part in parts:
        row, _, following = part.partition(b"\n")
        number, colon, text = row.partition(b":")
        if colon and number.isdigit():
            place = _absolute(_own_name(path, root), root)
            hits.append(Hit(place, int(number), _line(text, place, form_of)))
        path = following
    return hits


def _own_name(path: bytes, root: Path) -> bytes:
    """Without remarks on their own lines in front of it; a name may hold line ends itself."""
    while b"\n" in path and not os.path.lexists(_absolute(path, root)):
        path = path.partition(b"\n")[2]
    return path


def _line(raw: bytes, path: str, form_of: Callable[[str], Form]) -> str:
    """A line as the file's encoding has it, which is looked for only where the line isn't UTF-8."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = shown(raw, form_of(path))
    return text.rstrip("\r")


def _form(path: str) -> Form:
    """The form in which the file as a whole is read; UTF-8 for what is too large for that, or gone."""
    try:
        file = Path(path)
        return decode(file.read_bytes())[1] if file.stat().st_size <= LARGEST else Form(stray=True)
    except (OSError, ToolError):
        return Form()


def _incomplete(outcome: Outcome, more: bool, most: str) -> str:
    if more or outcome.cut == "lines":
        return f"stopped after {most}"
    if outcome.cut == "time":
        return f"stopped after {SECONDS:.0f} s"
    if outcome.cut == "size":
        return "stopped after too much output"
    return ""


def _explain(query: Query, complaint: str) -> str:
    if "regex parse error" in complaint or "error parsing" in complaint:
        return f"The pattern is not a valid regular expression: {complaint}\nEscape it, or set literal: true."
    if "look-around" in complaint or "backreference" in complaint:
        return f"{complaint}\nRewrite the pattern without look-around and backreferences."
    return f"The search failed: {complaint or f'{query.root} can not be read'}"


def rooted(pattern: str) -> tuple[str, str]:
    """A pattern's own folder (absolute, ~ or climbing ones have it; else ".") and the rest of it."""
    parts = pattern.replace("\\", "/").split("/") if os.name == "nt" else pattern.split("/")
    if not (pattern.startswith(("/", "~", "..")) or Path(pattern).is_absolute()):
        return ".", pattern.removeprefix("./")
    fixed = 0
    while fixed < len(parts) - 1 and not WILD & set(parts[fixed]):
        fixed += 1
    rest = "/".join(parts[fixed:])
    # A leading slash keeps a lone name from matching at any depth.
    return str(Path("/".join(parts[:fixed]) or "/").expanduser()), rest if "/" in rest else f"/{rest}"
