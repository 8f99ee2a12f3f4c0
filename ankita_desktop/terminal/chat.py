"""`ankita chat`: a conversation in the terminal, line by line; works on a pipe too."""

from __future__ import annotations

import argparse
import select
import sys
from collections.abc import Iterator
from pathlib import Path

from ankita_desktop.assembly import Assembly
from ankita_desktop.errors import AnkitaError
from ankita_desktop.protocol import SessionInfo
from ankita_desktop.terminal import slash
from ankita_desktop.terminal.options import (
    Parser,
    approval_options,
    assembled,
    model_options,
    somebody_is_there,
)
from ankita_desktop.terminal.screen import is_person, say
from ankita_desktop.terminal.talk import AT_ANY_TIME, Commands, Talk
from ankita_desktop.terminal.trust import settle_trust


def main(argv: list[str]) -> int:
    """Talk until /quit, the end of the input, or Ctrl+C on an empty line. Returns the exit code."""
    args = parser().parse_args(argv)
    app = assembled(args)
    try:
        for notice in app.notices:
            say(notice)
        info = _session(app, args)
        settle_trust(app.settings, info.cwd)
        Chat(app, info, plain=args.plain).run()
    finally:
        app.close()
    return 0


def parser() -> argparse.ArgumentParser:
    """The options of `ankita chat`."""
    parser = Parser(prog="ankita chat", description="A conversation in the terminal. /help lists its commands.")
    parser.add_argument(
        "--continue",
        dest="session",
        metavar="SESSION",
        nargs="?",
        const="",
        help="go on in a session (the last one)",
    )
    parser.add_argument("--plain", action="store_true", help="answers without markdown decoration")
    approval_options(parser)
    model_options(parser)
    return parser


def _session(app: Assembly, args: argparse.Namespace) -> SessionInfo:
    if args.session is None:
        mode = app.mode() if somebody_is_there() else app.options.mode or "ask"
        return app.new_session(model=args.model, mode=mode)
    info = app.store.find_session(args.session)
    changes = {"model": args.model, "mode": app.options.mode, "cwd": app.folder() if args.cwd else ""}
    wanted: dict[str, object] = {name: value for name, value in changes.items() if value}
    return app.store.update_session(info.id, **wanted)


class Chat:
    """One person, one terminal, one conversation at a time. Everything happens on the main thread."""

    def __init__(self, app: Assembly, info: SessionInfo, *, plain: bool = False) -> None:
        self.talk = Talk(app, info.id, plain=plain)
        self.commands = Commands(self.talk)
        self.talk.meanwhile = self._hear

    def run(self) -> None:
        """Read lines until there are no more."""
        say(self.talk.greeting())
        self.talk.take_up()
        for line in _lines():
            try:
                command = slash.read(line)
                if command is None:
                    self.talk.submit(line)
                elif command[0] == "quit":
                    return
                else:
                    self.commands.run(*command)
            except AnkitaError as error:
                say(str(error))

    def _hear(self) -> None:
        """What is typed while a turn runs: /stop and looks at things count now, words go into the turn."""
        if sys.platform == "win32" or not select.select([sys.stdin], [], [], 0)[0]:
            return
        line = sys.stdin.readline()
        try:
            command = slash.read(line)
            if command is None:
                self.talk.say_meanwhile(line)
            elif command[0] in AT_ANY_TIME:
                self.commands.run(*command)
            else:
                say(f"/{command[0]} has to wait until the answer is there; /stop ends it.")
        except AnkitaError as error:
            say(str(error))


def _lines() -> Iterator[str]:
    """What the person types, or the lines of a pipe. Ends at the end of the input and on Ctrl+C."""
    person = is_person(sys.stdin)
    if person:
        _complete_with_tab()
    while True:
        try:
            yield input("> ") if person else next(sys.stdin).rstrip("\r\n")
        except (EOFError, StopIteration):
            return
        except KeyboardInterrupt:
            print(file=sys.stderr)
            return


def _complete_with_tab() -> None:
    try:
        import readline
    except ImportError:  # not on Windows
        return

    def complete(text: str, state: int) -> str | None:
        found = slash.completions(text) if readline.get_begidx() == 0 else _files(text)
        return found[state] if state < len(found) else None

    readline.set_completer_delims(" \t\n")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")


def _files(text: str) -> list[str]:
    path = Path(text).expanduser()
    folder = path if text.endswith("/") else path.parent
    try:
        names = sorted(folder.iterdir())
    except OSError:
        return []
    return [f"{found}/" if found.is_dir() else str(found) for found in names if str(found).startswith(str(path))]
