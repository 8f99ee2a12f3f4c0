"""`ankita daemon`: reminders, routines and watches without a window, until it is told to end."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ankita_desktop.errors import AnkitaError
from ankita_desktop.terminal.options import Parser, model_options
from ankita_desktop.terminal.screen import one_line, say

if TYPE_CHECKING:
    from ankita_desktop.assembly import Assembly
    from ankita_desktop.automation.notify import Note, Notifier
    from ankita_desktop.events import Event

LOOK = 0.5


def main(argv: list[str]) -> int:
    """Run until SIGTERM, SIGHUP or Ctrl+C. Returns the exit code."""
    args = parser().parse_args(argv)
    if args.autostart:
        from ankita_desktop.automation.autostart import turn_off, turn_on

        say(turn_on() if args.autostart == "on" else turn_off())
        return 0
    from ankita_desktop.assembly import Options, assemble
    from ankita_desktop.terminal.desktop import ProgramDesktop

    provider = args.provider or ("openai" if args.base_url else "")
    named = {key: getattr(args, key) for key in ("cwd", "model", "base_url", "api_key", "deferral")}
    app = assemble(Options(**named, provider=provider, front="daemon"), ProgramDesktop())
    try:
        for notice in app.notices:
            say(notice)
        _run(app, take_over=args.takeover)
    finally:
        app.close()
    return 0


def parser() -> argparse.ArgumentParser:
    """The options of `ankita daemon`."""
    parser = Parser(prog="ankita daemon", description="Runs what is due, without a window.")
    parser.add_argument("--takeover", action="store_true", help="have the process that does it now hand over")
    parser.add_argument("--autostart", choices=("on", "off"), help="start it at login, or no longer")
    model_options(parser)
    return parser


class Front:
    """What a daemon shows: notifications, and a line for each on standard error."""

    def __init__(self, app: Assembly) -> None:
        from ankita_desktop.automation.notify import Notifier

        self._app = app
        self._notifier: Notifier = Notifier(self._clicked, self._unsaid)

    def say(self, note: Note) -> None:
        say(f"{note.title}: {one_line(note.text, 200)}" if note.text else note.title)
        self._notifier.say(note)

    def withdraw(self, about: str) -> None:
        self._notifier.withdraw(about)

    def hear(self, event: Event) -> None:
        """A question of a routine asks by notification; it is answered there, in the window or with `ankita
        approvals`."""
        from ankita_desktop.automation.notify import Note, offers
        from ankita_desktop.events import ApprovalAsked, ApprovalClosed

        if isinstance(event, ApprovalClosed):
            self.withdraw(f"approval/{event.session}/{event.request_id}")
        if isinstance(event, ApprovalAsked):
            request = event.request
            text = f"{request.preview.question} {request.preview.text}".strip()
            title = self._app.store.session(event.session).title or "Ankita"
            about = f"approval/{request.session}/{request.id}"
            self.say(Note(title, text, about, offers(request), stays=True))

    def _clicked(self, about: str, action: str) -> None:
        """On a thread of the notifier: nothing may escape, the next click must still be heard."""
        from ankita_desktop.automation.notify import ALLOW, OPEN
        from ankita_desktop.protocol import Decision

        kind, _, key = about.partition("/")
        session, _, request = key.partition("/")
        try:
            if kind != "approval":
                session = self._app.automation.act(about, action)
            elif action == ALLOW:
                self._app.engine.answer(request, Decision(True))
            if action == OPEN:
                open_window(session)
        except AnkitaError as error:
            say(str(error))

    def _unsaid(self, note: Note) -> None:
        """No notification service: the terminal's bell."""
        if sys.stderr.isatty():
            sys.stderr.write("\a")
            sys.stderr.flush()


def open_window(session: str = "") -> None:
    """Show a conversation ("": none) in the window; the one that runs is told by the new one, which then ends.
    What it has to complain about is said where our own lines are. Raises ``ToolError``."""
    from ankita_desktop.terminal.desktop import set_off

    set_off(window_command(session, os.environ))


def window_command(session: str, environ: Mapping[str, str]) -> list[str]:
    """The words that open the window. One that a service opens gets a scope of its own: it doesn't end with it."""
    import shutil

    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "ankita_desktop"]
    scope = ["systemd-run", "--user", "--scope", "--collect", "--quiet", "--"]
    apart = scope if environ.get("INVOCATION_ID") and shutil.which(scope[0]) else []
    return [*apart, *program, *(["--session", session] if session else [])]


def _run(app: Assembly, *, take_over: bool) -> None:
    front = Front(app)
    ended = threading.Event()
    for name in ("SIGTERM", "SIGHUP", "SIGINT"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: ended.set())
    app.engine.subscribe(front.hear)
    owner = f"{os.getpid()} daemon"
    other = app.automation.run_by()
    app.automation.start(app.engine, owner, front.say, front.withdraw)
    if take_over:
        app.automation.take_over()
    say(_first_line(other, take_over))
    told = other
    while not ended.wait(LOOK):
        now, ours = app.automation.run_by(), app.automation.running
        if now not in ("", told) and (now == owner) == ours:
            told = now
            say("Running what is due." if now == owner else f"The {_named(now)} runs what is due; waiting.")


def _first_line(other: str, take_over: bool) -> str:
    if not other:
        return "Ankita daemon: started. Ctrl+C ends it."
    if take_over:
        return f"Ankita daemon: started; asking the {_named(other)} to hand over."
    return f"Ankita daemon: started; the {_named(other)} runs what is due, so this one waits (--takeover)."


def _named(owner: str) -> str:
    pid, _, what = owner.partition(" ")
    return f"{what} (process {pid})"
