"""Applying the chunks of a patch to one text. Kept lines keep their bytes; new ones get their neighbours' ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.edits import miss
from ankita_desktop.toolkit.patch import Chunk
from ankita_desktop.toolkit.text import any_lines, bare, end_of, split_lines

Key = Callable[[str], str]
# How alike a line must be: exactly, but for spaces at its end, but for indentation.
_KEYS: tuple[Key, ...] = (str, str.rstrip, str.strip)


def apply(text: str, chunks: Sequence[Chunk]) -> str:
    """The text with all chunks in it. Raises ``ToolError`` saying what stands there instead.

    A missing final newline stays missing unless a unified diff says otherwise. Where even lone CRs are line
    ends, neighbours say nothing: added lines then take the end that most lines have.
    """
    try:
        return _apply(split_lines(text), chunks)
    except ToolError:
        if "\r" not in text.replace("\r\n", ""):
            raise
        return _apply(any_lines(text), chunks, by_neighbour=False)


def _apply(lines: list[str], chunks: Sequence[Chunk], *, by_neighbour: bool = True) -> str:
    result: list[str] = []
    at = drift = 0
    main = _main_end(lines)
    final = not lines or bool(end_of(lines[-1]))
    for chunk in chunks:
        start = _find(lines, chunk, at, drift)
        drift = start - (chunk.start - bool(chunk.old)) if chunk.start is not None else drift
        end = start + len(chunk.old)
        final = _final(chunk, final, at_end=end == len(lines))
        result += lines[at:start]
        above = end_of(lines[start - 1]) if start and by_neighbour else main
        result += _changed(chunk, lines[start:end], above, None if by_neighbour else main)
        at = end
    result += lines[at:]
    return _finished(result, final, main)


def _main_end(lines: Sequence[str]) -> str:
    ends = [end for line in lines if (end := end_of(line))]
    return max(sorted(set(ends)), key=ends.count) if ends else "\n"


def _changed(chunk: Chunk, region: list[str], above: str, fixed: str | None) -> list[str]:
    """The chunk's new lines: context as the file has it, each added line with the end of the line it replaces
    or stands below, or with the ``fixed`` one."""
    result: list[str] = []
    ends: list[str] = []
    at = 0
    last = above
    for tag, text in chunk.rows:
        if tag == "+":
            last = ends.pop(0) if ends else last
            result.append(text + (fixed or last))
            continue
        own = end_of(region[at]) or last
        if tag == " ":
            result.append(region[at])
            ends, last = [], own
        else:
            ends.append(own)
        at += 1
    return result


def _final(chunk: Chunk, final: bool, *, at_end: bool) -> bool:
    """Whether the text will end with a newline, as far as this chunk says."""
    if chunk.old_open and (final or not at_end):
        raise ToolError("The patch expects no newline at the end of the file, but there is one or more follows.")
    if not at_end or chunk.new_open is None:
        return final
    if chunk.new_open:
        return False
    return True if chunk.old_open or not chunk.old else final


def _finished(lines: list[str], final: bool, main: str) -> str:
    ended = [line if end_of(line) else line + main for line in lines]
    if ended and not final:
        ended[-1] = bare(ended[-1])
    return "".join(ended)


# --- where a chunk belongs -------------------------------------------------------------------


def _find(lines: list[str], chunk: Chunk, at: int, drift: int) -> int:
    """The index of the chunk's first old line, at or after ``at``."""
    old = chunk.old
    if chunk.start is not None:
        return _near(lines, chunk, at, chunk.start - bool(old) + drift)
    for name in chunk.under:
        at = _under(lines, name, at) + 1
    if not old:
        return at if chunk.under else len(lines)
    for key in _KEYS:
        found = list(_places(lines, old, at, key))
        if chunk.at_end:
            found = [place for place in found if place + len(old) == len(lines)]
        if len(found) > 1 and not chunk.under:
            raise _ambiguous(found)
        if found:
            return found[0]
    raise _missed(lines, old, at)


def _near(lines: list[str], chunk: Chunk, at: int, expected: int) -> int:
    """Where a numbered hunk belongs: at its number, or at the only place with the same lines."""
    old = chunk.old
    if not old:
        if lines:
            raise ToolError("A hunk without any old line can't be checked. Give lines of context around it.")
        return 0
    found = list(_places(lines, old, at, str))
    if expected in found:
        return expected
    if len(found) > 1:
        raise _ambiguous(found)
    if not found:
        raise _missed(lines, old, at)
    return found[0]


def _places(lines: list[str], old: list[str], at: int, key: Key) -> Iterable[int]:
    have, wanted = [key(bare(line)) for line in lines], [key(line) for line in old]
    for place in range(at, len(have) - len(wanted) + 1):
        if have[place] == wanted[0] and have[place : place + len(wanted)] == wanted:
            yield place


def _under(lines: list[str], name: str, at: int) -> int:
    for key in _KEYS:
        for place in range(at, len(lines)):
            if key(bare(lines[place])) == key(name):
                return place
    raise ToolError(f"The line {name!r} named after @@ was not found.")


def _ambiguous(found: list[int]) -> ToolError:
    shown = ", ".join(str(place + 1) for place in found[:20])
    return ToolError(f"These lines stand at {len(found)} places (lines {shown}). Give more lines of context.")


def _missed(lines: list[str], old: list[str], at: int) -> ToolError:
    if at and any(_places(lines, old, 0, str)):
        return ToolError("The changes are out of order: give them from the top of the file to its end.")
    return ToolError(miss("".join(lines), "\n".join(old), what="The patch's old text"))
