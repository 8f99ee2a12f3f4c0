"""`ankita -p TEXT`: one turn, the answer on standard output, progress on standard error."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ankita_desktop import __version__
from ankita_desktop.errors import AnkitaError, UsageError
from ankita_desktop.protocol import Attachment
from ankita_desktop.terminal import COMMANDS
from ankita_desktop.terminal.options import (
    Parser,
    approval_options,
    assembled,
    mode_here,
    model_options,
)
from ankita_desktop.terminal.screen import say, show_json
from ankita_desktop.toolkit.attachments import attachment
from ankita_desktop.toolkit.process import Jobs

if TYPE_CHECKING:
    from ankita_desktop.assembly import Assembly
    from ankita_desktop.events import TurnEnded
    from ankita_desktop.protocol import SessionInfo


def main(argv: list[str]) -> int:
    """Run one turn. Returns the exit code of INTERFACE: 0, 1, 2, 3 or 130."""
    args = parser().parse_args(_glued(argv))
    text = sys.stdin.read() if args.prompt == "-" else args.prompt
    if not text or not text.strip():
        raise UsageError('There is nothing to ask. Say something: ankita -p "what is in this folder"')
    attachments = tuple(attached(path) for path in args.attach)
    try:
        return _answered(args, text, attachments)
    except UsageError:
        raise
    except AnkitaError as error:
        if not args.json:
            raise
        from ankita_desktop.terminal.report import failure

        show_json(failure(str(error)))
        say(str(error))
        return 1


def _answered(args: argparse.Namespace, text: str, attachments: tuple[Attachment, ...]) -> int:
    app = assembled(args, max_rounds=args.max_rounds, only=mode_here(args))
    try:
        for notice in app.notices:
            say(notice)
        info = _session(app, args)
        return one_turn(app, info, args, lambda: app.engine.submit(info.id, text, attachments=attachments))
    finally:
        app.close()


def one_turn(app: Assembly, info: SessionInfo, args: argparse.Namespace, start: Callable[[], object]) -> int:
    """Follow a turn and print what came of it. Returns the exit code."""
    from ankita_desktop.terminal.asking import ask
    from ankita_desktop.terminal.report import EXIT, report
    from ankita_desktop.terminal.turns import Following, Lines

    view = Lines(plain=args.plain, answer=not args.json)
    Jobs.stay = False
    try:
        ended = Following(app.engine, info.id, view, ask).turn(start)
    finally:
        Jobs.stay = True
        app.store.update_session(info.id, unread=False)
    if args.json:
        show_json(report(app, ended))
    _tell_end(ended)
    _tell_jobs(app, info)
    return EXIT[ended.status]


def parser() -> argparse.ArgumentParser:
    """The options of `ankita` without a command."""
    parser = Parser(
        prog="ankita",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Opens the window; with -p answers one question in the terminal.",
        epilog="commands:\n" + "\n".join(f"  {name:<10} {text}" for name, text in COMMANDS.items()),
    )
    parser.add_argument("--version", action="version", version=f"Ankita Desktop {__version__}")
    parser.add_argument("-p", "--prompt", metavar="TEXT", help="what to ask; - reads it from standard input")
    parser.add_argument("--attach", metavar="FILE", nargs="+", action="extend", default=[], help="files to add")
    parser.add_argument(
        "--continue",
        dest="session",
        metavar="SESSION",
        nargs="?",
        const="",
        help="go on in a session (the last one)",
    )
    parser.add_argument(
        "--max-rounds", metavar="N", type=_positive, default=0, help="rounds of tool calls at most"
    )
    output_options(parser)
    approval_options(parser)
    model_options(parser)
    return parser


def output_options(parser: argparse.ArgumentParser) -> None:
    """How the answer is printed."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--json", action="store_true", help="one JSON document on standard output")
    group.add_argument("--plain", action="store_true", help="the answer without markdown decoration")


def attached(path: str) -> Attachment:
    """A file as it goes with a message. Raises ``UsageError`` when it isn't there."""
    items = [attachment(path), *map(attachment, _as_pasted(path))]
    for item in items:
        if Path(item.path).is_file():
            return item
    if any(Path(item.path).is_dir() for item in items):
        raise UsageError(f"{path} is a folder. Attach the files in it, or work in it with --cwd.")
    if any(Path(item.path).exists() for item in items):
        raise UsageError(f"{path} is a device, pipe or socket. Only files can be attached.")
    raise UsageError(f"There is no file {path} to attach.")


def _as_pasted(path: str) -> tuple[str, str]:
    """How a path is meant that a terminal pasted: in quotes, or with its spaces escaped."""
    return path.strip().strip("'\""), path.strip().replace("\\ ", " ")


def _session(app: Assembly, args: argparse.Namespace) -> SessionInfo:
    if args.session is None:
        return app.new_session(mode=app.settings.values.approvals.mode, model=args.model)
    info = app.store.find_session(args.session)
    fields = {"cwd": app.folder() if args.cwd else "", "model": args.model}
    changed: dict[str, object] = {name: value for name, value in fields.items() if value}
    return app.store.update_session(info.id, **changed)


def _tell_end(ended: TurnEnded) -> None:
    if ended.status == "denied":
        say("Something was denied because nobody could answer. Allow it with --approve or --yes.")
    elif ended.status != "done":
        say(ended.reason or ended.status)


def _tell_jobs(app: Assembly, info: SessionInfo) -> None:
    for job in app.engine.jobs(info.id):
        if job.exit_code is None:
            say(f"Ended with this run: job {job.id} ({job.command}). In ankita chat or the window it runs on.")


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of rounds: give 1 or more")
    return int(text)


def _glued(argv: list[str]) -> list[str]:
    """The text after -p is a text, also when it begins with a dash."""
    words = list(argv)
    for flag in ("-p", "--prompt"):
        place = words.index(flag) if flag in words else -1
        if 0 <= place < len(words) - 1 and words[place + 1].startswith("-") and words[place + 1] != "-":
            words[place : place + 2] = [f"{flag}={words[place + 1]}"]
    return words
