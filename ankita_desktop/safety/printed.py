"""What programs print: cut where it happened to be full, with passwords in addresses, with a .env of former days.

Guesses by form, each bound to a place where it can hardly be anything else, because a model goes on working with
what it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from ankita_desktop.safety.dotenv import is_secret
from ankita_desktop.toolkit.placeholder import PLACEHOLDER, placeholder
from ankita_desktop.toolkit.scrub import KEYS

SHORTEST = 8  # characters of a secret that tell it apart from other words

# Where a text may have been cut besides its ends: dots, and a line in brackets that says so.
_CUT = re.compile(r"…|\.\.\.|\n(?:…|\.\.\.|\[[^\n]*\](?:\n|\Z))")
_REACH = 4096  # characters beside a cut that are looked at
_HEAD = re.compile(r"(?:[A-Za-z]{2,12}[-_.])*")
_RUNS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_MIXED, _NO_WORD = 2.75, 20  # characters that such runs have less of on average, and that no word has

_ADDRESS = re.compile(r"://([^\s/@'\"<>«»]{1,500})@([\w.-]{1,253}|\[[0-9a-f:.]+\])", re.I)
_REMOTE = re.compile(r"^\S{1,200}\t[^\t\n]{1,2000} \((?:fetch|push)\)", re.M)

_SECTION = re.compile(r"^(?:diff --(?:git|cc|combined) (.*)|\[\d[^\n]* (?:cut|before this)\b[^\n]*\])$", re.M)
_ENV = re.compile(r"(?:^|[\s/:'\"=])(\.env(?:\.(?!example|sample|template|dist|md)[\w.-]+)?)(?=[\s'\",;)]|$)")
_GIT = re.compile(r"\bgit\b")
_ASSIGNED = re.compile(
    r"((?:^|[\s:)+m{\[-])(?:export\s+)?)([A-Za-z_][\w.]{0,200})([ \t]*=[ \t]*)"
    r"(\"[^\"]{0,20000}\"|'[^']{0,20000}'|[^\s#][^\n]*)",
    re.M,
)


def made_by_machine(value: str) -> bool:
    """Whether a part of it is as telling as the whole: letters, digits and cases mixed as in no word."""
    rest = value[_head(value) :]
    runs = _RUNS.findall(rest)
    if len(rest) < SHORTEST or not runs:
        return False
    long = any(len(run) >= (SHORTEST if run.isdigit() else _NO_WORD) for run in runs)
    return long or sum(map(len, runs)) / len(runs) < _MIXED


def _head(value: str) -> int:
    """Characters of a beginning such as sk-proj-, which many have."""
    found = _HEAD.match(value)
    return found.end() if found else 0


def beginnings(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str, int], ...]:
    """Of (text, what is shown) those whose parts tell, with the characters from which a beginning does."""
    return tuple(
        (text, shown, max(SHORTEST, _head(text) + SHORTEST // 2)) for text, shown in pairs if made_by_machine(text)
    )


def without_halves(text: str, secrets: Sequence[tuple[str, str, int]]) -> str:
    """The text with what is left of a secret beside a cut replaced: its beginning before, its end behind."""
    cuts = _cuts(text)
    starts, ends = [start for start, _ in cuts], [end for _, end in cuts]
    lefts = [_last(text[max(since, at - _REACH) : at]) for since, at in zip([0, *ends], starts, strict=False)]
    rights = [
        _first(text[at : min(at + _REACH, until)])
        for at, until in zip(ends, [*starts[1:], len(text)], strict=True)
    ]
    before, behind = "\n".join(lefts), "\n".join(rights)
    near = [row for row in secrets if row[0][:SHORTEST] in before or row[0][-SHORTEST:] in behind]
    if not near:
        return text
    for start, end, left, right in reversed(list(zip(starts, ends, lefts, rights, strict=True))):
        for secret, shown, least in near:
            size = overlap(right[::-1], secret[::-1])
            if size >= SHORTEST and text.startswith(right[:size], end):
                text, right = text[:end] + shown + text[end + size :], ""
            if (size := overlap(left, secret)) >= least:
                text, left = text[: start - size] + shown + text[start:], ""
    return text


def _last(text: str) -> str:
    return "" if text[-1:].isspace() else (text.rsplit(None, 1) or [""])[-1]


def _first(text: str) -> str:
    return "" if text[:1].isspace() else (text.split(None, 1) or [""])[0]


def _cuts(text: str) -> list[tuple[int, int]]:
    """Where one may be: (from, to) of what stands between the halves, in order."""
    first = text.index("]\n") + 2 if text.startswith("[") and "]\n" in text else 0
    last = len(text) - text.endswith("\n")
    marked = any(mark in text for mark in ("…", "...", "\n["))
    inside = [found.span() for found in _CUT.finditer(text)] if marked else []
    return [(0, first), *inside, (last, len(text))]


def overlap(text: str, secret: str) -> int:
    """The longest end of ``text`` with which ``secret`` begins, short of the whole."""
    longest = min(len(text), len(secret) - 1)
    tail = text[len(text) - longest :]
    at = tail.find(secret[0]) if longest else -1
    while at >= 0:
        if secret.startswith(tail[at:]):
            return longest - at
        at = tail.find(secret[0], at + 1)
    return 0


def without_passwords(text: str) -> str:
    """Addresses without the passwords and keys in them: any in what git says of remotes, elsewhere what looks made
    by a machine."""
    if "@" not in text or "://" not in text:
        return text
    remotes = [found.span() for found in _REMOTE.finditer(text)]
    return _ADDRESS.sub(lambda found: _address(found, remotes), text)


def _address(found: re.Match[str], remotes: Sequence[tuple[int, int]]) -> str:
    user, host = found.groups()
    name, colon, password = user.partition(":")
    secret = password if colon else name
    sure = any(start <= found.start() < end for start, end in remotes) and (bool(colon) or len(name) >= SHORTEST)
    if not secret or PLACEHOLDER.search(secret) or not (sure or KEYS.search(secret) or made_by_machine(secret)):
        return found[0]
    return f"://{name + ':' if colon else ''}{placeholder(host)}@{host}"


def without_old_env(text: str, asked: str, opened: Iterable[Path] = ()) -> str:
    """What git prints of a .env file, without the values that look like secrets: it may be one of former days.

    ``asked``: the call that it answers. ``opened``: files that the person opened to the assistant.
    """
    if "=" not in text or not (".env" in text or ".env" in asked or _GIT.search(asked)):
        return text
    known = {path.name for path in opened}
    git = bool(_GIT.search(asked))
    starts = [(found.start(), found[1]) for found in _SECTION.finditer(text)]
    parts = [(0, asked if git else ""), *starts]
    ends = [start for start, _ in starts] + [len(text)]
    done = []
    for (start, names), end in zip(parts, ends, strict=True):
        part = text[start:end]
        if names is None and git:  # the name of the file is in what was cut
            part = _ASSIGNED.sub(lambda found: _assigned(found) if found[2].isupper() else found[0], part)
        elif names and set(_ENV.findall(names)) - known:
            part = _ASSIGNED.sub(_assigned, part)
        done.append(part)
    return "".join(done)


def _assigned(found: re.Match[str]) -> str:
    before, name, equals, value = found.groups()
    bare = value.strip().strip("\"'").split(" #", 1)[0]
    if PLACEHOLDER.search(value) or not is_secret(name, bare):
        return found[0]
    return before + name + equals + value.replace(bare, placeholder(f"{name}.committed"))
