"""`ankita checkpoints`: the changes of files that can be undone."""

from __future__ import annotations

from dataclasses import asdict

from ankita_desktop.safety.checkpoints import Checkpoint
from ankita_desktop.terminal.options import Parser
from ankita_desktop.terminal.screen import one_line, say, show_json
from ankita_desktop.terminal.sessions import day
from ankita_desktop.terminal.undo import open_checkpoints


def main(argv: list[str]) -> int:
    """Run `ankita checkpoints list`. Returns the exit code."""
    parser = Parser(prog="ankita checkpoints", description="Changes of files that can be undone.")
    commands = parser.add_subparsers(required=True, metavar="list", parser_class=Parser)
    listing = commands.add_parser("list", help="all changes, the last one first")
    listing.add_argument("--session", default="", help="of one conversation")
    listing.add_argument("--json", action="store_true", help="JSON on standard output")
    args = parser.parse_args(argv)
    rows = open_checkpoints().list(args.session)
    if args.json:
        show_json([asdict(row) for row in rows])
        return 0
    for row in rows:
        print(f"{row.id}  {day(row.time)}  {_state(row):<7} {one_line(row.label, 90)}")
    if not rows:
        say("Nothing was changed that could be undone.")
    return 0


def _state(row: Checkpoint) -> str:
    return "undone" if row.restored else "undo" if row.undoes else ""
