"""The person's own rules about calls: what is allowed, asked or denied whatever else would happen.

Deny wins; of the others the rule that says most. A rule that allows never covers what only stands beside it:
every program of a command line must be allowed or known to only read, every file of a change must be.
"""

from __future__ import annotations

import fnmatch
import os
import posixpath
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ankita_desktop.errors import ToolError
from ankita_desktop.safety.shell.verdict import Part
from ankita_desktop.safety.shell.words import UNKNOWN
from ankita_desktop.safety.shell_risk import verdict
from ankita_desktop.toolkit.rule_text import Rule, parse_rule
from ankita_desktop.toolkit.services import NO_RULING, Ruling

PATHS = ("path", "source", "destination")


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing a call is about, in every spelling that a rule may have in mind. ``allowable``: a rule may
    allow it. ``harmless``: it needs no rule. ``inner``: started by another part; only denied by itself."""

    spellings: tuple[str, ...]
    kind: str
    allowable: bool = True
    harmless: bool = False
    inner: bool = False


class Rules:
    """Implements ``toolkit.services.Policy``. Reads the rules anew for each call. Thread-safe."""

    def __init__(self, texts: Callable[[], Iterable[str]]) -> None:
        self._texts = texts

    def ruling(self, tool: str, arguments: Mapping[str, Any], cwd: Path) -> Ruling:
        """What the rules say of a call: allow, ask, deny, or nothing."""
        rules = [rule for rule in map(parse_rule, self._texts()) if fnmatch.fnmatchcase(tool, rule.tool)]
        return ruling(rules, subjects(tool, arguments, cwd)) if rules else NO_RULING


def ruling(rules: Sequence[Rule], about: Sequence[Subject]) -> Ruling:
    """Weigh the rules of one tool against everything that a call is about."""
    denied = next((rule for rule in rules if rule.effect == "deny" and _meets_any(rule, about)), None)
    if denied is not None:
        return Ruling("deny", denied.text)
    chosen = [(subject, _weightiest(rules, subject)) for subject in about if not subject.inner]
    asked = next((rule for _, rule in chosen if rule is not None and rule.effect == "ask"), None)
    if asked is not None:
        return Ruling("ask", asked.text)
    allowed = [rule for _, rule in chosen if rule is not None]
    covered = all(rule is not None or subject.harmless for subject, rule in chosen)
    return Ruling("allow", allowed[0].text) if allowed and covered else NO_RULING


def _meets_any(rule: Rule, about: Sequence[Subject]) -> bool:
    return not rule.pattern or any(_meets(rule, subject) for subject in about)


def _weightiest(rules: Sequence[Rule], subject: Subject) -> Rule | None:
    """Of two that say equally much, the one that asks."""
    meeting = [rule for rule in rules if rule.effect != "deny" and _meets(rule, subject)]
    return max(meeting, key=lambda rule: (rule.weight, rule.effect == "ask"), default=None)


def _meets(rule: Rule, subject: Subject) -> bool:
    if rule.effect == "allow" and not subject.allowable:
        return False
    if not rule.pattern:
        return True
    match = MATCHERS[subject.kind]
    if rule.effect != "allow":
        return any(match(spelling, rule.pattern) for spelling in subject.spellings)
    true = subject.spellings[0]
    elsewhere = subject.kind == "path" and Path(true).is_absolute() and rule.pattern[0] not in "/~"
    return not elsewhere and match(true, rule.pattern)


def _matches_words(text: str, pattern: str) -> bool:
    """``git log *`` also means git log alone."""
    pattern = " ".join(pattern.split())
    shorter = pattern.removesuffix(" *")
    return _wild(text, pattern) or (shorter != pattern and _wild(text, shorter))


def _matches_path(text: str, pattern: str) -> bool:
    """``*`` stays inside a folder, ``**`` goes below; a pattern from the home or the root names whole paths."""
    pattern = os.path.expanduser(pattern.replace("\\", "/")).removeprefix("./")  # noqa: PTH111 - it may be no path
    steps = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    made = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.fullmatch("".join(made.get(step, re.escape(step)) for step in steps), text, re.DOTALL) is not None


def _wild(text: str, pattern: str) -> bool:
    """Only ``*`` and ``?`` are special."""
    return fnmatch.fnmatchcase(text, pattern.replace("[", "[[]"))


MATCHERS: dict[str, Callable[[str, str], bool]] = {
    "words": _matches_words,
    "path": _matches_path,
    "address": _wild,
    "text": _matches_words,
}


def subjects(tool: str, arguments: Mapping[str, Any], cwd: Path) -> list[Subject]:
    """What a call is about: the programs of a command, the files of a change, the address of a request."""
    if tool == "run_command":
        folder = _folder(str(arguments.get("cwd", ".")), cwd)
        plain = not arguments.get("env") and not arguments.get("stdin") and "cwd" not in arguments
        parts = verdict(str(arguments.get("command", "")), folder).parts
        return command_subjects(parts, plain=plain)
    if "url" in arguments:
        return [_address(str(arguments.get("method", "")), str(arguments["url"]), arguments)]
    if "patch" in arguments:
        return [_path(path, cwd) for path in _patched(str(arguments["patch"]))]
    paths = [str(arguments[key]) for key in PATHS if isinstance(arguments.get(key), str)]
    if paths and "action" not in arguments:
        return [_path(path, cwd) for path in paths]
    return [_text(arguments)]


def _folder(text: str, cwd: Path) -> Path:
    try:
        return (cwd / Path(text).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError):
        return cwd  # the call fails by itself


def command_subjects(parts: Iterable[Part], *, plain: bool = True, reads_pass: bool = True) -> list[Subject]:
    """The programs of a judged command. ``plain``: it runs in the working folder with nothing set.
    ``reads_pass``: what only reads needs no rule."""
    return [_program(part, plain=plain, reads_pass=reads_pass) for part in parts]


def _program(part: Part, *, plain: bool, reads_pass: bool) -> Subject:
    words = part.words
    spelled = shlex.join(words).replace(shlex.quote(UNKNOWN), UNKNOWN) if words else ""
    bare = " ".join(words)
    short = " ".join((words[0].rpartition("/")[2], *words[1:])) if words else ""
    return Subject(
        (spelled, bare, short, part.text),
        "words",
        allowable=plain and part.plain,
        harmless=plain and reads_pass and part.level == "safe",
        inner=not part.outer,
    )


def _patched(patch: str) -> list[str]:
    from ankita_desktop.toolkit.patch import parse

    try:
        files = parse(patch)
    except ToolError:
        return []  # the call fails by itself
    return [path for file in files for path in (file.path, file.other) if path]


def _path(text: str, cwd: Path) -> Subject:
    """A file by where it really is, and as it was named; below the working folder without the folder's name."""
    try:
        named = Path(os.path.normpath(cwd / Path(text).expanduser()))
        true, root = named.resolve(), cwd.resolve()
    except (OSError, RuntimeError, ValueError):
        return Subject((text,), "path", allowable=False)
    spellings = [_below(true, root), _below(named, cwd), str(true), str(named)]
    return Subject(tuple(dict.fromkeys(spellings)), "path")


def _below(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def _address(method: str, url: str, arguments: Mapping[str, Any]) -> Subject:
    """``GET https://host/path`` as it is connected to."""
    from ankita_desktop.toolkit.addresses import read_address

    sends = any(key in arguments for key in ("json", "form", "body"))
    verb = (method or ("POST" if sends else "GET")).upper()
    try:
        address = read_address(url)
    except ToolError:
        return Subject((f"{verb} {url}",), "address", allowable=False)
    path, mark, query = address.target.partition("?")
    clean = posixpath.normpath(unquote(path)) + ("/" if path.endswith("/") and path != "/" else "")
    plain = not (address.user or address.password) and clean.startswith("/") and not clean.startswith("//")
    whole = f"{verb} {address.origin}{clean}{mark}{query}"
    return Subject((whole, f"{verb} {url}"), "address", allowable=plain)


def _text(arguments: Mapping[str, Any]) -> Subject:
    """Any other call: its action, then its other words."""
    first = [str(arguments["action"])] if "action" in arguments else []
    rest = [str(value) for key, value in arguments.items() if key != "action" and isinstance(value, str | int)]
    return Subject((" ".join([*first, *rest]),), "text")
