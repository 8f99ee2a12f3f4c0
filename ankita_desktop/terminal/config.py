"""`ankita config`: the settings, key by key."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from ankita_desktop.store.settings import Settings, all_settings
from ankita_desktop.terminal.options import Parser
from ankita_desktop.terminal.screen import say, show_json


def main(argv: list[str]) -> int:
    """Run `ankita config …`. Returns the exit code."""
    args = parser().parse_args(argv)
    command: Callable[[Settings, argparse.Namespace], None] = args.run
    settings = Settings()
    for notice in settings.notices:
        say(notice)
    command(settings, args)
    return 0


def parser() -> argparse.ArgumentParser:
    """The options of `ankita config`."""
    parser = Parser(prog="ankita config", description="The settings.")
    commands = parser.add_subparsers(required=True, metavar="get | set | path", parser_class=Parser)
    getting = commands.add_parser("get", help="one setting; without a key all of them")
    getting.add_argument("key", nargs="?")
    setting = commands.add_parser("set", help="change one setting")
    setting.add_argument("key")
    setting.add_argument("value")
    where = commands.add_parser("path", help="where the settings are")
    for command, run in ((getting, _get), (setting, _set), (where, _path)):
        command.add_argument("--json", action="store_true", help="JSON on standard output")
        command.set_defaults(run=run)
    return parser


def _get(settings: Settings, args: argparse.Namespace) -> None:
    if args.key:
        value = settings.get(args.key)
        if args.json:
            show_json(value)
        else:
            print(as_text(value))
        return
    if args.json:
        show_json(settings.as_dict())
        return
    for one in all_settings():
        print(f"{one.key} = {as_text(settings.get(one.key))}\n    {one.description}")


def _set(settings: Settings, args: argparse.Namespace) -> None:
    settings.set(args.key, args.value)
    if args.json:
        show_json({args.key: settings.get(args.key)})
    else:
        print(f"{args.key} = {as_text(settings.get(args.key))}")


def _path(settings: Settings, args: argparse.Namespace) -> None:
    if args.json:
        show_json(str(settings.path))
    else:
        print(settings.path)


def as_text(value: Any) -> str:
    """A value as `config set` takes it; a list one item a line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list):
        return "\n".join(str(item) for item in value)
    return str(value)
