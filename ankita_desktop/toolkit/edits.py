"""Finding what a model wants replaced: exact first, then ever more forgiving, never ambiguous.

Everything outside the replaced span keeps its bytes; inside it, lines that old and new share keep theirs too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit.align import matches
from ankita_desktop.toolkit.placeholder import refuse_placeholders
from ankita_desktop.toolkit.text import any_lines, bare, end_of, main_end, plain, split_lines, with_ends_of

NEAREST_CHARACTERS = 400
NEAREST_LINES = 30_000
SHOWN_LINES = 12


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``old`` by ``new``, at its one place or ``everywhere``."""

    old: str
    new: str
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class _Swap:
    start: int
    end: int
    text: str


def replace(text: str, edits: Sequence[Edit]) -> tuple[str, str]:
    """All edits, each on the result of those before. Returns the text and a note on forgiving matches.
    Raises ``ToolError`` if any can't be made: then none counts."""
    notes = []
    for number, edit in enumerate(edits, 1):
        where = f"Edit {number} of {len(edits)}: " if len(edits) > 1 else ""
        try:
            text, note = _one(text, edit)
        except ToolError as error:
            raise ToolError(f"{where}{error}" + (" No edit was made." if where else "")) from error
        notes += [f"{where}{note}"] if note else []
    return text, "\n".join(notes)


def _one(text: str, edit: Edit) -> tuple[str, str]:
    if not edit.old:
        raise ToolError("old_string is empty. Name the text to replace; write_file makes a new file.")
    if edit.old == edit.new:
        raise ToolError("old_string and new_string are the same: nothing to change.")
    for note, find in _LADDER:
        swaps = list(find(text, edit))
        if len(swaps) > 1 and not edit.everywhere:
            lines = ", ".join(str(line_number(text, swap.start)) for swap in swaps[:20])
            raise ToolError(
                f"old_string occurs {len(swaps)} times (lines {lines}). Add lines around it until it is unique, "
                "or set replace_all."
            )
        if swaps:
            return _swapped(text, swaps), note
    refuse_placeholders("old_string", edit.old, known=text)
    raise ToolError(miss(text, edit.old, edit.new))


def _swapped(text: str, swaps: list[_Swap]) -> str:
    parts = []
    at = 0
    for swap in swaps:
        parts += [text[at : swap.start], swap.text]
        at = swap.end
    return "".join([*parts, text[at:]])


def line_number(text: str, offset: int) -> int:
    """The line (from 1) that holds this character."""
    return max(1, len(split_lines(text[: offset + 1])))


# --- exact, whatever the line ends -----------------------------------------------------------


def _exact(text: str, edit: Edit) -> Iterator[_Swap]:
    return _at_any_ends(text, plain(text), Edit(plain(edit.old, text), plain(edit.new, text)), split_lines)


def _lone_returns(text: str, edit: Edit) -> Iterator[_Swap]:
    """A lone CR inside a text with LF ends may be a line end too."""
    if "\r" not in plain(text):
        return iter(())
    flat = plain(text).replace("\r", "\n")
    return _at_any_ends(text, flat, Edit(plain(edit.old, "\r"), plain(edit.new, "\r")), any_lines)


def _at_any_ends(text: str, flat: str, edit: Edit, split: Callable[[str], list[str]]) -> Iterator[_Swap]:
    """``flat`` is ``text`` with LF ends only, ``split`` what takes ``text`` for lines."""
    old, new = edit.old, edit.new
    starts = list(_places(flat, old))
    if not starts and old.endswith("\n") and flat.endswith(old[:-1]):
        # The last line of a file without final newline: it stays without.
        old, new = old[:-1], new.removesuffix("\n")
        starts = [len(flat) - len(old)] if old else []
    crossed = [place for place, line in _crlf(text)] if "\r\n" in text else []
    for start in starts:
        first = start + bisect_left(crossed, start)
        last = start + len(old) + bisect_left(crossed, start + len(old))
        yield _Swap(first, last, with_ends_of(text[first:last], new, _end_at(text, first), split))


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))


def _crlf(text: str) -> Iterator[tuple[int, str]]:
    """Where the line feeds of CRLF ends stand once the CRs are gone."""
    at = 0
    for line in split_lines(text):
        crlf = line.endswith("\r\n")
        at += len(line) - crlf
        if crlf:
            yield at - 1, line


def _end_at(text: str, offset: int) -> str:
    """The line end of the line that holds ``offset``, or of most lines."""
    feed = text.find("\n", offset)
    if feed > 0:
        return "\r\n" if text[feed - 1] == "\r" else "\n"
    return main_end(text)


# --- whole lines, forgiving ------------------------------------------------------------------

Key = Callable[[str], str]


def _windows(text: str, old: str, key: Key) -> Iterator[int]:
    """Line indices where the lines of ``old`` stand one after another, compared by ``key``."""
    wanted = [key(line) for line in split_lines(old)]
    if not any(wanted):
        return
    have = [key(bare(line)) for line in split_lines(text)]
    wanted = [key(bare(line)) for line in split_lines(old)]
    at = 0
    while at <= len(have) - len(wanted):
        if have[at] == wanted[0] and have[at : at + len(wanted)] == wanted:
            yield at
            at += len(wanted)
        else:
            at += 1


def _trailing(text: str, edit: Edit) -> Iterator[_Swap]:
    lines = split_lines(text)
    for at in _windows(text, edit.old, lambda line: line.rstrip(" \t")):
        yield _line_swap(lines, at, edit.old, edit.new)


def _indented(text: str, edit: Edit) -> Iterator[_Swap]:
    lines = split_lines(text)
    for at in _windows(text, edit.old, str.strip):
        old = [bare(line) for line in split_lines(edit.old)]
        shift = _shift(old, [bare(line) for line in lines[at : at + len(old)]])
        if shift is not None:
            moved = "".join(shift(line) if line.strip() else line for line in split_lines(plain(edit.new)))
            moved_old = "".join(shift(line) if line.strip() else line for line in split_lines(plain(edit.old)))
            yield _line_swap(lines, at, moved_old, moved)


def _line_swap(lines: list[str], at: int, old: str, new: str) -> _Swap:
    """Replace whole lines; those that ``old`` and ``new`` share stay as the file has them."""
    before, after = split_lines(plain(old)), split_lines(plain(new))
    region = lines[at : at + len(before)]
    clean = [bare(line).rstrip(" \t") for line in before]
    shared = {j: i for i, j in matches(clean, [bare(line).rstrip(" \t") for line in after])}
    mixed = [bare(region[shared[j]]) + end_of(line) if j in shared else line for j, line in enumerate(after)]
    start = sum(map(len, lines[:at]))
    open_end = not before[-1].endswith("\n") or not end_of(region[-1])
    end = start + sum(map(len, region)) - (len(end_of(region[-1])) if open_end else 0)
    fresh = "".join(mixed)
    if open_end and before[-1].endswith("\n"):
        fresh = fresh.removesuffix("\n")
    text = "".join(lines)
    return _Swap(start, end, with_ends_of(text[start:end], fresh, _end_at(text, start)))


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _shift(old: list[str], region: list[str]) -> Callable[[str], str] | None:
    """How the model's indentation becomes the file's: one prefix more or less, or tabs for spaces."""
    pairs = {(_indent(a), _indent(b)) for a, b in zip(old, region, strict=True) if a.strip()}
    a, b = min(pairs, key=lambda pair: len(pair[0]))
    if all(theirs == b.removesuffix(a) + ours for ours, theirs in pairs) and b.endswith(a):
        return lambda line: b.removesuffix(a) + line
    more = a.removesuffix(b)
    if a.endswith(b) and all(ours == more + theirs for ours, theirs in pairs):
        return lambda line: line.removeprefix(more) if line.startswith(more) else line.lstrip(" \t")
    return _scaled(pairs)


def _scaled(pairs: set[tuple[str, str]]) -> Callable[[str], str] | None:
    """Spaces in the call, tabs in the file (or the reverse), in one ratio."""
    inner = [(ours, theirs) for ours, theirs in pairs if ours or theirs]
    if not inner or any(not ours or not theirs for ours, theirs in inner):
        return None
    kinds = {(frozenset(ours), frozenset(theirs)) for ours, theirs in inner}
    steps = {len(ours) / len(theirs) for ours, theirs in inner}
    if len(kinds) != 1 or len(steps) != 1 or any(len(kind) != 1 for kind in next(iter(kinds))):
        return None
    sign, step = next(iter(next(iter(kinds))[1])), next(iter(steps))
    return lambda line: sign * round(len(_indent(line)) / step) + line.lstrip(" \t")


_LADDER: tuple[tuple[str, Callable[[str, Edit], Iterator[_Swap]]], ...] = (
    ("", _exact),
    ("", _lone_returns),
    ("Matched by ignoring spaces at line ends.", _trailing),
    ("Matched by ignoring indentation; the file's own indentation was used.", _indented),
)


# --- a miss ----------------------------------------------------------------------------------


def miss(text: str, old: str, new: str = "", *, what: str = "old_string") -> str:
    """Why ``old`` wasn't found: what stands nearest, with line numbers."""
    if new.strip() and (at := plain(text).find(plain(new))) >= 0 and len(new) > 10:
        line = line_number(plain(text), at)
        return f"{what} was not found, but new_string already stands at line {line}: perhaps it is done."
    lines, size = [bare(line) for line in split_lines(text)], max(1, len(split_lines(old)))
    found = _nearest(lines, plain(old), size)
    if found is None:
        return f"{what} was not found, and nothing like it. Read the file again and copy the text exactly."
    last = min(len(lines), found + size, found + SHOWN_LINES)
    shown = "\n".join(f"{number + 1}\t{lines[number]}" for number in range(found, last))
    return f"{what} was not found. The nearest text is at lines {found + 1}-{last}:\n{shown}"


def _nearest(lines: list[str], old: str, size: int) -> int | None:
    from rapidfuzz import fuzz, process

    size = min(size, SHOWN_LINES)
    wanted = "\n".join(old.splitlines()[:size])[:NEAREST_CHARACTERS].strip()
    windows = ["\n".join(lines[at : at + size])[:NEAREST_CHARACTERS] for at in range(len(lines[:NEAREST_LINES]))]
    best = process.extractOne(wanted, windows, scorer=fuzz.ratio, processor=str.strip, score_cutoff=50)
    return int(best[2]) if best else None


# --- by line number --------------------------------------------------------------------------


def by_lines(text: str, edits: Sequence[Mapping[str, Any]]) -> str:
    """Edits by the original line numbers: {start_line, end_line, mode, content}. Raises ``ToolError`` for
    numbers out of range and for overlaps."""
    lines = split_lines(text)
    spans = sorted((_line_span(edit, number, len(lines)) for number, edit in enumerate(edits, 1)), key=_order)
    for (_, end, number, _), (start, _, other, _) in pairwise(spans):
        if start < end:
            raise ToolError(f"Edits {number} and {other} overlap. Numbers are those of the file before the call.")
    ended = [_with_end(line, main_end(text)) for line in lines]
    result: list[str] = []
    at = 0
    for start, end, _, content in spans:
        result += ended[at:start]
        near = "".join(ended[start:end]) or "".join(ended[max(0, start - 1) : start])
        fresh = "".join(_with_end(line, "\n") for line in split_lines(plain(content)))
        result += split_lines(with_ends_of(near, fresh, _end_at(text, len("".join(ended[:start])))))
        at = end
    result += ended[at:]
    if lines and not end_of(lines[-1]) and result:
        result[-1] = bare(result[-1])  # the file had no final newline: it still has none
    return "".join(result)


def _order(span: tuple[int, int, int, str]) -> tuple[int, int, int]:
    return span[0], span[1], span[2]


def _line_span(edit: Mapping[str, Any], number: int, size: int) -> tuple[int, int, int, str]:
    """(first line index, end index, the edit's number, new text)"""
    first = int(edit["start_line"])
    last = int(edit.get("end_line", first))
    mode, content = edit.get("mode", "replace"), str(edit.get("content", ""))
    inserting = mode in ("insert_before", "insert_after")
    lowest = 0 if mode == "insert_after" else 1
    highest = size + (mode == "insert_before")
    if inserting and not lowest <= first <= highest:
        raise ToolError(f"Edit {number}: line {first} doesn't exist, the file has {size} lines.")
    if not inserting and not 1 <= first <= last <= size:
        raise ToolError(f"Edit {number}: lines {first}-{last} don't exist, the file has {size} lines.")
    if mode == "delete" and content:
        raise ToolError(f"Edit {number}: delete takes no content; use replace.")
    if mode == "replace" and "content" not in edit:
        raise ToolError(f"Edit {number}: replace needs content.")
    if inserting and not content:
        raise ToolError(f"Edit {number}: {mode} needs content.")
    at = first - 1 if mode != "insert_after" else first
    return (at, at, number, content) if inserting else (at, last, number, content)


def _with_end(line: str, end: str) -> str:
    return line if end_of(line) else line + end
