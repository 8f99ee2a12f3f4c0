"""`ankita chat`: a conversation in the terminal, line by line; works on a pipe too."""

from __future__ import annotations

import argparse
import select
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

from ankita_desktop.assembly import Assembly
from ankita_desktop.core.session import is_asking
from ankita_desktop.errors import AnkitaError, UsageError
from ankita_desktop.events import TurnEnded
from ankita_desktop.protocol import Attachment, Decision, Mode, SessionInfo
from ankita_desktop.terminal import slash
from ankita_desktop.terminal.asking import ask
from ankita_desktop.terminal.options import Parser, approval_options, assembled, model_options, somebody_is_there
from ankita_desktop.terminal.run import attachment
from ankita_desktop.terminal.screen import is_person, one_line, painted, safe, say
from ankita_desktop.terminal.sessions import as_markdown
from ankita_desktop.terminal.turns import Following, Lines


def main(argv: list[str]) -> int:
    """Talk until /quit, the end of the input, or Ctrl+C on an empty line. Returns the exit code."""
    args = parser().parse_args(argv)
    app = assembled(args)
    try:
        for notice in app.notices:
            say(notice)
        Chat(app, _session(app, args), plain=args.plain).run()
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
    """One person, one terminal, one session at a time. Everything happens on the main thread."""

    def __init__(self, app: Assembly, info: SessionInfo, *, plain: bool = False) -> None:
        self.app = app
        self.session = info.id
        self.plain = plain
        self.attached: list[Attachment] = []
        self._commands: dict[str, Callable[[str], None]] = {
            name: getattr(self, f"_{name}") for name in slash.COMMANDS if name != "quit"
        }

    def run(self) -> None:
        """Read lines until there are no more."""
        say(self._greeting())
        self._take_up()
        for line in _lines():
            try:
                command = slash.read(line)
                if command is None:
                    self._submit(line)
                elif command[0] == "quit":
                    return
                else:
                    self._commands[command[0]](command[1])
            except AnkitaError as error:
                say(str(error))

    def _greeting(self) -> str:
        info = self.app.store.session(self.session)
        model = self.app.models.model_name(info)
        return f"{model} in {info.cwd} (mode {info.mode}). /help lists commands, /quit leaves."

    # --- turns ---

    def _submit(self, text: str) -> None:
        if text.strip():
            attachments, self.attached = tuple(self.attached), []
            self._follow(lambda: self.app.engine.submit(self.session, text, attachments=attachments))

    def _follow(self, start: Callable[[], object]) -> None:
        following = Following(self.app.engine, self.session, Lines(plain=self.plain), ask)
        if is_person(sys.stdin):
            following.meanwhile = self._hear
        self._told(following.turn(start))
        self.app.store.update_session(self.session, unread=False)

    def _told(self, ended: TurnEnded) -> None:
        if ended.status not in ("done", "denied"):
            more = " (/continue goes on, /retry asks again)" if ended.can_continue else ""
            say(painted(f"{ended.reason or ended.status}{more}", "yellow", sys.stderr))

    def _hear(self) -> None:
        """What is typed while a turn runs: /stop and looks at jobs count now, the rest waits for its turn."""
        if sys.platform == "win32" or not select.select([sys.stdin], [], [], 0)[0]:
            return
        line = sys.stdin.readline()
        try:
            command = slash.read(line)
            if command is None and line.strip():
                self.app.engine.submit(self.session, line.strip())
                say("(sent before the next step)")
            elif command and command[0] in ("stop", "jobs", "job", "help", "tools", "find", "mode", "doctor"):
                self._commands[command[0]](command[1])
            elif command:
                say(f"/{command[0]} has to wait until the answer is there; /stop ends it.")
        except AnkitaError as error:
            say(str(error))

    # --- commands ---

    def _help(self, _rest: str) -> None:
        print(slash.help_text())

    def _new(self, _rest: str) -> None:
        info = self.app.store.session(self.session)
        self.session = self.app.engine.new_session(cwd=info.cwd, mode=info.mode, model=info.model).id
        say("A new conversation.")

    def _model(self, rest: str) -> None:
        if rest:
            self.app.engine.update_session(self.session, model=rest)
        info = self.app.store.session(self.session)
        print(f"{self.app.models.model_name(info)}")

    def _mode(self, rest: str) -> None:
        if rest:
            if rest not in get_args(Mode):
                raise UsageError(f"There is no mode {rest!r}. There are: {', '.join(get_args(Mode))}.")
            self.app.engine.update_session(self.session, mode=rest)
        print(self.app.store.session(self.session).mode)

    def _approve(self, _rest: str) -> None:
        if not self._take_up():
            say("Nothing waits in this conversation.")

    def _take_up(self) -> bool:
        """A question that a former process left is asked here; the answer takes up its turn, and with it the
        other questions. False when there is none."""
        waiting = [request for request, _, _ in self.app.store.approvals(session=self.session)]
        if not waiting:
            return False
        decision = ask(waiting[0]) if somebody_is_there() else None
        if decision is not None:
            answer: Decision = decision
            self._follow(lambda: self.app.engine.answer(waiting[0].id, answer))
        return True

    def _tools(self, _rest: str) -> None:
        for spec in sorted(
            self.app.catalogue.specs(), key=lambda spec: (not spec.always_on, spec.group, spec.name)
        ):
            print(f"{spec.name:<16} {spec.group:<12} {one_line(spec.description, 80)}")

    def _find(self, rest: str) -> None:
        if not rest:
            raise UsageError("Say what you look for: /find what holds port 3000")
        match = self.app.catalogue.match(rest)
        for group in match.groups:
            print(f"{group}: {' '.join(spec.name for spec in self.app.catalogue.in_group(group))}")
        if not match.groups:
            print("Nothing matches.")

    def _retry(self, _rest: str) -> None:
        messages = self.app.store.messages(self.session)
        place = next((at for at in range(len(messages) - 1, -1, -1) if is_asking(messages[at])), -1)
        if place < 0:
            raise UsageError("There is nothing to ask again yet.")
        last = messages[place]
        self.app.store.move_head(self.session, messages[place - 1].id if place else "")
        self._follow(lambda: self.app.engine.submit(self.session, last.text, attachments=last.attachments))

    def _continue(self, _rest: str) -> None:
        if not self.app.store.messages(self.session):
            raise UsageError("There is nothing to go on with yet.")
        self._follow(lambda: self.app.engine.resume(self.session))

    def _attach(self, rest: str) -> None:
        if not rest:
            raise UsageError("Say which file: /attach notes.txt")
        self.attached.append(attachment(rest))
        say(f"{self.attached[-1].name} goes with the next message.")

    def _jobs(self, _rest: str) -> None:
        jobs = self.app.engine.jobs(self.session)
        for job in jobs:
            state = "running" if job.exit_code is None else f"exit {job.exit_code}"
            print(f"{job.id:<5} {state:<9} {one_line(job.command, 80)}")
        if not jobs:
            print("No commands have run.")

    def _job(self, rest: str) -> None:
        if not rest:
            raise UsageError("Say which job: /job j1 (/jobs lists them)")
        print(safe(self.app.engine.job_output(self.session, rest).text))

    def _stop(self, rest: str) -> None:
        if rest:
            self.app.engine.stop_job(self.session, rest)
        elif self.app.engine.is_running(self.session):
            self.app.engine.cancel(self.session)
        else:
            say("Nothing is being answered.")

    def _export(self, rest: str) -> None:
        info = self.app.store.session(self.session)
        text = as_markdown(info, self.app.store.messages(self.session))
        if not rest:
            print(safe(text))
            return
        file = Path(rest).expanduser()
        try:
            with file.open("x", encoding="utf-8") as out:
                out.write(text + "\n")
        except OSError as error:
            raise UsageError(f"Can't write {file}: {error.strerror}. Nothing was written.") from error
        say(f"Written to {file}.")

    def _doctor(self, _rest: str) -> None:
        from ankita_desktop.terminal.doctor import checks, drawn

        print("\n".join(drawn(check) for check in checks()))


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
