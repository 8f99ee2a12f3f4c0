"""A small stand-in for ripgrep where that is missing: understands the options that ``ripgrep.py`` uses.

Run as a program of its own, never imported by the product: a pattern that takes for ever is ended with it.
Standard library only. Patterns are Python's; .gitignore files count from the root of the search down.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

BINARY_LOOK = 8192


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a .gitignore, or one --glob."""

    pattern: re.Pattern[str]
    keep: bool
    folders_only: bool

    def says(self, path: str, folder: bool) -> bool:
        return (folder or not self.folders_only) and bool(self.pattern.fullmatch(path))


@dataclass(slots=True)
class Chosen:
    """Which files count. Paths are relative to the root of the search, with slashes."""

    wanted: list[Rule] = field(default_factory=list)
    unwanted: list[Rule] = field(default_factory=list)
    kinds: list[Rule] = field(default_factory=list)
    weakest: list[Rule] = field(default_factory=list)
    hidden: bool = False


def rule(line: str) -> Rule:
    """A glob in the manner of .gitignore: without a slash it holds at any depth."""
    text = line.removeprefix("!").removesuffix("/")
    anchored = "/" in text
    shape = translate(text.removeprefix("/"))
    return Rule(
        re.compile(shape if anchored else f"(?:.*/)?{shape}", re.DOTALL), line.startswith("!"), line.endswith("/")
    )


def translate(glob: str) -> str:
    """A glob as a regular expression."""
    out, at, braces = [], 0, 0
    while at < len(glob):
        for sign, shape in (("**/", "(?:.*/)?"), ("**", ".*"), ("*", "[^/]*"), ("?", "[^/]")):
            if glob.startswith(sign, at):
                out.append(shape)
                at += len(sign)
                break
        else:
            shape, at, braces = _special(glob, at, braces)
            out.append(shape)
    if braces:
        raise ValueError("unclosed alternate group; missing '}'")
    return "".join(out)


def _special(glob: str, at: int, braces: int) -> tuple[str, int, int]:
    char = glob[at]
    if char == "{":
        return "(?:", at + 1, braces + 1
    if char == "}" and braces:
        return ")", at + 1, braces - 1
    if char == "," and braces:
        return "|", at + 1, braces
    end = glob.find("]", at + 2)
    if char == "[" and end > 0:
        body = glob[at + 1 : end].replace("\\", r"\\").replace("[", r"\[")
        return f"[{'^' + body[1:] if body[0] in '!^' else body}]", end + 1, braces
    if char == "\\" and at + 1 < len(glob):
        return re.escape(glob[at + 1]), at + 2, braces
    return re.escape(char), at + 1, braces


def files(root: Path, chosen: Chosen) -> Iterator[Path]:
    """Files below ``root`` (or ``root`` itself) that count, folder by folder."""
    if not root.is_dir():
        yield root
        return
    ignored: dict[str, list[tuple[str, Rule]]] = {str(root): [("", found) for found in chosen.weakest]}
    for folder, folders, names in os.walk(root):
        here = "" if Path(folder) == root else Path(folder).relative_to(root).as_posix() + "/"
        rules = [*ignored.get(folder, []), *((here, found) for found in ignore_rules(Path(folder, ".gitignore")))]
        folders[:] = sorted(name for name in folders if _enter(here + name, chosen, rules))
        ignored |= {os.path.join(folder, name): rules for name in folders}  # noqa: PTH118 - os.walk's own key
        for name in sorted(names):
            if counts(here + name, chosen, rules) and not Path(folder, name).is_symlink():
                yield Path(folder, name)


def ignore_rules(file: Path) -> list[Rule]:
    try:
        lines = file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    return [rule(line.rstrip()) for line in lines if line.strip() and not line.startswith("#")]


def _enter(path: str, chosen: Chosen, rules: Sequence[tuple[str, Rule]]) -> bool:
    return not (
        _out_of_sight(path, chosen)
        or ignored_by(path, rules, folder=True)
        or _any(chosen.unwanted, path, folder=True)
    )


def counts(path: str, chosen: Chosen, rules: Sequence[tuple[str, Rule]]) -> bool:
    if _out_of_sight(path, chosen) or _any(chosen.unwanted, path):
        return False
    if chosen.wanted:
        return _any(chosen.wanted, path)
    return not ignored_by(path, rules) and (not chosen.kinds or _any(chosen.kinds, path))


def ignored_by(path: str, rules: Sequence[tuple[str, Rule]], *, folder: bool = False) -> bool:
    """The last rule that says anything about it decides."""
    verdicts = (each for base, each in reversed(rules) if each.says(path[len(base) :], folder))
    return next((not each.keep for each in verdicts), False)


def _out_of_sight(path: str, chosen: Chosen) -> bool:
    return not chosen.hidden and path.rpartition("/")[2].startswith(".")


def _any(rules: Sequence[Rule], path: str, *, folder: bool = False) -> bool:
    return any(each.says(path, folder) for each in rules)


def matches(path: Path, pattern: re.Pattern[str], width: int) -> Iterator[bytes]:
    """A file's matching lines as ripgrep prints them with --null."""
    try:
        raw = path.read_bytes()
    except OSError:
        return
    if b"\0" in raw[:BINARY_LOOK]:
        return
    for number, line in enumerate(raw.decode("utf-8", "surrogateescape").split("\n"), 1):
        if pattern.search(line):
            text = line[:width].encode("utf-8", "surrogateescape")
            yield b"%s\0%d:%s\n" % (os.fsencode(path), number, text)


def parsed(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for flag in ("--files", "--null", "--hidden", "--ignore-case", "--fixed-strings", "--line-number"):
        parser.add_argument(flag, action="store_true")
    for flag in ("--no-config", "--no-require-git", "--with-filename", "--no-heading"):
        parser.add_argument(flag, action="store_true")
    for flag in ("--messages", "--no-messages"):
        parser.add_argument(flag, action="store_true")
    for flag in ("--color", "--type", "--regexp", "--ignore-file"):
        parser.add_argument(flag, default="")
    parser.add_argument("--max-columns-preview", action="store_true")
    parser.add_argument("--max-columns", type=int, default=300)
    parser.add_argument("--glob", action="append", default=[])
    parser.add_argument("--type-add", action="append", default=[])
    parser.add_argument("root")
    return parser.parse_args(argv)


def chosen_by(options: argparse.Namespace) -> Chosen:
    globs = [rule(glob) for glob in options.glob]
    wanted, unwanted = [each for each in globs if not each.keep], [each for each in globs if each.keep]
    kinds = [rule(text.partition(":")[2]) for text in options.type_add]
    weakest = ignore_rules(Path(options.ignore_file)) if options.ignore_file else []
    return Chosen(wanted, unwanted, kinds, weakest, options.hidden)


def main(argv: Sequence[str]) -> int:
    options = parsed(argv)
    out = sys.stdout.buffer
    try:
        chosen = chosen_by(options)
        text = re.escape(options.regexp) if options.fixed_strings else options.regexp
        pattern = re.compile(text, re.IGNORECASE if options.ignore_case else 0)
    except (ValueError, re.error) as error:
        sys.stderr.write(f"regex parse error: {error}\n")
        return 2
    for path in files(Path(options.root), chosen):
        if options.files:
            out.write(os.fsencode(path) + b"\0")
        else:
            out.writelines(matches(path, pattern, options.max_columns))
    out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
