"""`ankita skills`: which instructions there are, and whether a file is a good one."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ankita_desktop.assembly import skill_shelf
from ankita_desktop.errors import UsageError
from ankita_desktop.store.settings import Settings
from ankita_desktop.terminal.options import Parser
from ankita_desktop.terminal.screen import one_line, safe, say, show_json
from ankita_desktop.toolkit.skill_text import Skill, read_skill, text_of
from ankita_desktop.toolkit.skills import SkillShelf


def main(argv: list[str]) -> int:
    """Run `ankita skills …`. Returns the exit code: 1 when `check` found something."""
    args = parser().parse_args(argv)
    command: Callable[[SkillShelf, argparse.Namespace], int] = args.run
    return command(skill_shelf(Settings()), args)


def parser() -> argparse.ArgumentParser:
    """The options of `ankita skills`."""
    parser = Parser(prog="ankita skills", description="Instructions for recurring kinds of work.")
    commands = parser.add_subparsers(required=True, metavar="list | show | check", parser_class=Parser)
    listing = commands.add_parser("list", help="all that can be used here")
    showing = commands.add_parser("show", help="one of them")
    showing.add_argument("name")
    checking = commands.add_parser("check", help="whether skills keep to the specification")
    checking.add_argument("path", nargs="*", type=Path, help="SKILL.md files or folders (default: all used here)")
    for command, run in ((listing, _list), (showing, _show), (checking, _check)):
        command.add_argument("--cwd", type=Path, default=Path(), help="the working folder")
        command.add_argument("--json", action="store_true", help="JSON on standard output")
        command.set_defaults(run=run)
    return parser


def _list(shelf: SkillShelf, args: argparse.Namespace) -> int:
    skills = shelf.skills(args.cwd.resolve())
    if args.json:
        show_json([_facts(skill) for skill in skills])
        return 0
    for skill in skills:
        print(f"{skill.name:<20} {skill.source:<8} {one_line(skill.description, 100)}")
    waiting = shelf.untrusted(args.cwd.resolve())
    if waiting:
        say(f"Not used, since {waiting.parent.parent} is not trusted: {waiting}")
    return 0


def _show(shelf: SkillShelf, args: argparse.Namespace) -> int:
    skill = shelf.skill(args.name, args.cwd.resolve())
    if skill is None:
        raise UsageError(f"There is no skill {args.name!r}. `ankita skills list` shows all.")
    if args.json:
        show_json({**_facts(skill), "text": text_of(skill.file)})
    else:
        print(safe(text_of(skill.file)))
    return 0


def _check(shelf: SkillShelf, args: argparse.Namespace) -> int:
    """Each skill with what is wrong; those that only lean on our leniency still work."""
    files = [file for path in args.path for file in _files(path)]
    skills = [read_skill(file) for file in files] if args.path else list(shelf.skills(args.cwd.resolve()))
    if args.json:
        show_json([_facts(skill) for skill in skills])
    else:
        for skill in skills:
            state = "broken" if skill.broken else "departs" if skill.problems else "ok"
            print(f"{state:<8} {skill.name:<20} {skill.file}")
            for problem in skill.problems:
                print(f"         {one_line(problem, 140)}")
    return 1 if any(skill.problems for skill in skills) else 0


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    found = sorted([*path.glob("SKILL.md"), *path.glob("*/SKILL.md")])
    if not found:
        raise UsageError(f"There is no SKILL.md in {path}.")
    return found


def _facts(skill: Skill) -> dict[str, Any]:
    return {
        "name": skill.name,
        "description": skill.description,
        "source": skill.source,
        "file": str(skill.file),
        "license": skill.license,
        "compatibility": skill.compatibility,
        "metadata": skill.metadata,
        "allowed_tools": list(skill.allowed_tools),
        "suggested_tools": list(skill.suggested_tools),
        "broken": skill.broken,
        "problems": list(skill.problems),
    }
