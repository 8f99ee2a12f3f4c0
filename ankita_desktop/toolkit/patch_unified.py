"""Reading unified diffs, strictly: counts must agree, and what isn't text is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.patch import Chunk, FilePatch, Verb

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_STAMP = re.compile(r"(?:\t.*| \d{4}-\d\d-\d\d \d\d:\d\d.*)$")
_EPOCH = re.compile(r"\t.*(?:19(?:69-12-31|70-01-01)| 19(?:69|70)\b)")
_OCTAL = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_ABSENT = "/dev/null"


@dataclass
class _Section:
    """One file's part of the patch while it is read."""

    git: bool = False
    names: tuple[str, str] | None = None  # of "diff --git" when they are certain
    old: str = ""
    new: str = ""
    words: dict[str, str] = field(default_factory=dict)
    chunks: list[Chunk] = field(default_factory=list)
    old_epoch: bool = False
    new_epoch: bool = False


def parse_unified(lines: Sequence[str]) -> tuple[FilePatch, ...]:
    """The files of a unified diff. Text between files (mail headers, "Index:") is skipped."""
    sections: list[_Section] = []
    at = 0
    while at < len(lines):
        line = lines[at].removesuffix("\r")
        if line.startswith("diff --git "):
            sections.append(_Section(git=True, names=_git_names(line[11:])))
        elif line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            if not sections or not sections[-1].git or sections[-1].new or sections[-1].chunks:
                sections.append(_Section())
            _names(sections[-1], line, lines[at + 1].removesuffix("\r"))
            at += 1
        elif line.startswith("@@ -"):
            at = _hunk(lines, at, sections)
            continue
        elif line.startswith(("GIT binary patch", "Binary files ")):
            raise ToolError("The patch has binary content. Only text can be patched; nothing was changed.")
        elif sections and sections[-1].git and not sections[-1].chunks:
            _extended(sections[-1], line)
        at += 1
    return tuple(_file(section) for section in sections)


def _names(section: _Section, old: str, new: str) -> None:
    section.old, section.new = _name(old[4:]), _name(new[4:])
    section.old_epoch, section.new_epoch = bool(_EPOCH.search(old)), bool(_EPOCH.search(new))


def _name(text: str) -> str:
    if text.startswith('"'):
        return _unquoted(text[: text.rindex('"') + 1]) if text.count('"') > 1 else text
    return _STAMP.sub("", text)


def _unquoted(text: str) -> str:
    def byte(match: re.Match[bytes]) -> bytes:
        code = match[1]
        return bytes([int(code, 8) & 0xFF]) if len(code) == 3 else _ESCAPES.get(code, code)

    try:
        return _OCTAL.sub(byte, text[1:-1].encode()).decode()
    except UnicodeDecodeError as error:
        raise ToolError(f"The file name {text} in the patch is not UTF-8.") from error


def _git_names(text: str) -> tuple[str, str] | None:
    """Both names of "diff --git": certain only when they are the same but for their prefix."""
    if text.startswith('"') and (middle := text.find('" ')) > 0:
        return _name(text[: middle + 1]), _name(text[middle + 2 :])
    half = len(text) // 2
    left, right = text[:half], text[half + 1 :]
    return (left, right) if text[half : half + 1] == " " and _tail(left) == _tail(right) else None


def _tail(name: str) -> str:
    return name.split("/", 1)[-1] if re.match(r"[abciow]/", name) else name


def _extended(section: _Section, line: str) -> None:
    for word in ("old mode", "new mode", "deleted file mode", "new file mode"):
        if line.startswith(word + " "):
            section.words[word] = line[len(word) + 1 :].strip()
    for word in ("rename from", "rename to", "copy from", "copy to"):
        if line.startswith(word + " "):
            section.words[word] = _name(line[len(word) + 1 :])


def _hunk(lines: Sequence[str], at: int, sections: list[_Section]) -> int:
    """Read the hunk at ``at``; the index behind it."""
    header = _HUNK.match(lines[at])
    if header is None or not sections or not (sections[-1].new or sections[-1].git):
        raise ToolError(f"Line {at + 1} of the patch, {lines[at]!r}, is no hunk of a named file.")
    counts = {"-": int(header[2] or 1), "+": int(header[4] or 1)}
    rows, opened, end = _rows(lines, at + 1, counts)
    if any(counts.values()) or _goes_on(lines, end):
        more = "fewer" if any(counts.values()) else "more"
        raise ToolError(f"Line {at + 1} of the patch: the hunk has {more} lines than {lines[at]!r} says.")
    if all(tag == " " for tag, _ in rows):
        raise ToolError(f"Line {at + 1} of the patch: the hunk changes nothing.")
    old_open, new_open = bool(opened & {" ", "-"}), bool(opened & {" ", "+"})
    sections[-1].chunks.append(Chunk(tuple(rows), int(header[1]), old_open=old_open, new_open=new_open))
    return end


def _rows(lines: Sequence[str], at: int, left: dict[str, int]) -> tuple[list[tuple[str, str]], set[str], int]:
    """Rows of a hunk while ``left`` (lines per side, counted down) wants any; the tags whose last line has no
    newline; the index behind it."""
    rows: list[tuple[str, str]] = []
    opened: set[str] = set()
    while at < len(lines):
        line = lines[at] or " "
        sides = {"-": "-", "+": "+", " ": "-+"}.get(line[0], "")
        if line[0] == "\\" and rows:
            opened.add(rows[-1][0])
        elif sides and all(left[side] for side in sides):
            rows.append((line[0], line[1:].removesuffix("\r")))
            for side in sides:
                left[side] -= 1
        else:
            break
        at += 1
    return rows, opened, at


def _goes_on(lines: Sequence[str], at: int) -> bool:
    """Whether changed lines follow a complete hunk: they are neither the next file's header nor a signature."""
    line = lines[at] if at < len(lines) else ""
    return line[:1] in ("-", "+") and not line.startswith(("--- ", "+++ ")) and line.strip() not in ("--", "-")


def _file(section: _Section) -> FilePatch:
    words = section.words
    if any(mode.startswith(("120", "160")) for word, mode in words.items() if word.endswith("mode")):
        raise ToolError("The patch makes or changes a link or submodule. Only regular files can be patched.")
    old, new = _stripped(section)
    mode = words.get("new file mode") or words.get("new mode")
    bits = int(mode, 8) & 0o777 if mode and re.fullmatch("[0-7]+", mode) else None
    chunks = tuple(section.chunks)
    for verb, word in (("move", "rename"), ("copy", "copy")):
        if f"{word} from" in words and f"{word} to" in words:
            kind: Verb = "move" if verb == "move" else "copy"
            return FilePatch(kind, words[f"{word} from"], chunks, words[f"{word} to"], mode=bits)
    if "new file mode" in words or old == _ABSENT:
        return FilePatch("create", new, chunks, mode=bits)
    if "deleted file mode" in words or new == _ABSENT:
        return FilePatch("delete", old, chunks)
    if not chunks and bits is None:
        raise ToolError(f"The patch names {new or old} but has no hunks for it.")
    return _plain(section, old, new, bits)


def _plain(section: _Section, old: str, new: str, bits: int | None) -> FilePatch:
    """A diff without words like "new file": an empty old side may be an absent file; an empty new side is one
    only when its time is the epoch, else the file stays, empty."""
    chunks = tuple(section.chunks)
    only = chunks[0] if len(chunks) == 1 else None
    if not section.git and only and not only.new and section.new_epoch:
        return FilePatch("delete", new, chunks, old if old != new else "")
    if not section.git and only and not only.old:
        return FilePatch("create", new, chunks, old if old != new else "", guess=not section.old_epoch)
    return FilePatch("modify", new, chunks, old if old != new else "", mode=bits)


def _stripped(section: _Section) -> tuple[str, str]:
    """Both names without the prefixes that diffs put before them."""
    old, new = section.old, section.new
    if not old and not new:
        if section.names is None and not {"rename to", "copy to"} & section.words.keys():
            raise ToolError("A 'diff --git' line names no file that can be told apart: add '---' and '+++' lines.")
        old, new = section.names or ("", "")
    both = [name for name in (old, new) if name != _ABSENT]
    if all(re.match(r"[abciow]/", name) for name in both) and (len(both) == 1 or old[0] != new[0]):
        old, new = (name if name == _ABSENT else name[2:] for name in (old, new))
    return old, new
