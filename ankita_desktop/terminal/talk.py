"""What a conversation in the terminal does: it talks, and it obeys the commands that begin with a slash."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

from ankita_desktop.assembly import Assembly
from ankita_desktop.core.session import is_asking
from ankita_desktop.errors import UsageError
from ankita_desktop.events import TurnEnded
from ankita_desktop.protocol import Attachment, Decision, Mode
from ankita_desktop.terminal import slash
from ankita_desktop.terminal.asking import ask
from ankita_desktop.terminal.by_itself import ByItself
from ankita_desktop.terminal.knowing import Knowing
from ankita_desktop.terminal.options import somebody_is_there
from ankita_desktop.terminal.run import attached
from ankita_desktop.terminal.screen import is_person, one_line, painted, safe, say
from ankita_desktop.terminal.sessions import as_markdown
from ankita_desktop.terminal.turns import Following, Lines
from ankita_desktop.terminal.undo import redo_last, told, undo_last
from ankita_desktop.terminal.usage import table
from ankita_desktop.toolkit.scrub import scrub

AT_ANY_TIME = (
    *("help", "tools", "find", "memory", "skills", "usage", "mode", "jobs", "job", "stop", "doctor"),
    *("remind", "routines"),
)


class Talk:
    """One session in this terminal. ``meanwhile`` is called while a turn runs, a few times a second."""

    def __init__(self, app: Assembly, session: str, *, plain: bool = False) -> None:
        self.app = app
        self.session = session
        self.plain = plain
        self.attached: list[Attachment] = []
        self.meanwhile: Callable[[], None] = lambda: None

    def greeting(self) -> str:
        info = self.app.store.session(self.session)
        model = self.app.models.model_name(info)
        return f"{model} in {info.cwd} (mode {info.mode}). /help lists commands, /quit leaves."

    def submit(self, text: str) -> None:
        """Say something, with the files attached before, and follow the answer."""
        if text.strip():
            attachments, self.attached = tuple(self.attached), []
            self.follow(lambda: self.app.engine.submit(self.session, text, attachments=attachments))

    def say_meanwhile(self, text: str) -> None:
        """Say something into the turn that runs."""
        if text.strip():
            self.app.engine.submit(self.session, text.strip())
            say("(sent before the next step)")

    def follow(self, start: Callable[[], object]) -> None:
        """Start a turn and show it to its end."""
        following = Following(self.app.engine, self.session, Lines(plain=self.plain), ask)
        if is_person(sys.stdin):
            following.meanwhile = self.meanwhile
        self._tell_end(following.turn(start))
        self.app.store.update_session(self.session, unread=False)

    def take_up(self) -> bool:
        """A question that a former process left is asked here; the answer takes up its turn, and with it the
        other questions. False when there is none."""
        waiting = [request for request, _, _ in self.app.store.approvals(session=self.session)]
        if not waiting:
            return False
        decision = ask(waiting[0]) if somebody_is_there() else None
        if decision is not None:
            answer: Decision = decision
            self.follow(lambda: self.app.engine.answer(waiting[0].id, answer))
        return True

    def _tell_end(self, ended: TurnEnded) -> None:
        if ended.status not in ("done", "denied"):
            more = " (/continue goes on, /retry asks again)" if ended.can_continue else ""
            say(painted(f"{ended.reason or ended.status}{more}", "yellow", sys.stderr))


class Commands(Knowing, ByItself):
    """The slash commands; each method takes what stands after its name."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._app = talk.app
        self._by_name: dict[str, Callable[[str], None]] = {
            name: getattr(self, f"_{name}") for name in slash.COMMANDS if name != "quit"
        }

    def run(self, name: str, rest: str) -> None:
        """Run a command. Raises ``AnkitaError`` with what to do instead."""
        self._by_name[name](rest)

    def _help(self, _rest: str) -> None:
        print(slash.help_text())

    def _new(self, _rest: str) -> None:
        info = self._app.store.session(self._talk.session)
        self._talk.session = self._app.engine.new_session(cwd=info.cwd, mode=info.mode, model=info.model).id
        say("A new conversation.")

    def _model(self, rest: str) -> None:
        if rest:
            self._app.engine.update_session(self._talk.session, model=rest)
        info = self._app.store.session(self._talk.session)
        print(f"{self._app.models.model_name(info)}")

    def _mode(self, rest: str) -> None:
        if rest:
            if rest not in get_args(Mode):
                raise UsageError(f"There is no mode {rest!r}. There are: {', '.join(get_args(Mode))}.")
            self._app.engine.update_session(self._talk.session, mode=rest)
        print(self._app.store.session(self._talk.session).mode)

    def _approve(self, _rest: str) -> None:
        if not self._talk.take_up():
            say("Nothing waits in this conversation.")

    def _tools(self, _rest: str) -> None:
        for spec in sorted(
            self._app.catalogue.specs(), key=lambda spec: (not spec.always_on, spec.group, spec.name)
        ):
            print(f"{spec.name:<16} {spec.group:<12} {one_line(spec.description, 80)}")

    def _find(self, rest: str) -> None:
        if not rest:
            raise UsageError("Say what you look for: /find what holds port 3000")
        match = self._app.catalogue.match(rest)
        for group in match.groups:
            print(f"{group}: {' '.join(spec.name for spec in self._app.catalogue.in_group(group))}")
        if not match.groups:
            print("Nothing matches.")

    def _usage(self, _rest: str) -> None:
        print(table(self._app.store.rounds(self._talk.session)))

    def _retry(self, _rest: str) -> None:
        if not any(is_asking(message) for message in self._app.store.messages(self._talk.session)):
            raise UsageError("There is nothing to ask again yet.")
        self._talk.follow(lambda: self._app.engine.regenerate(self._talk.session))

    def _continue(self, _rest: str) -> None:
        if not self._app.store.messages(self._talk.session):
            raise UsageError("There is nothing to go on with yet.")
        self._talk.follow(lambda: self._app.engine.resume(self._talk.session))

    def _undo(self, rest: str) -> None:
        if rest not in ("", "redo"):
            raise UsageError("/undo takes back the last change of files, /undo redo brings it back.")
        kept, session = self._app.checkpoints, self._talk.session
        print(told(redo_last(kept, session) if rest else undo_last(kept, session)))

    def _attach(self, rest: str) -> None:
        if not rest:
            raise UsageError("Say which file: /attach notes.txt")
        self._talk.attached.append(attached(rest))
        say(f"{self._talk.attached[-1].name} goes with the next message.")

    def _jobs(self, _rest: str) -> None:
        jobs = self._app.engine.jobs(self._talk.session)
        for job in jobs:
            state = "running" if job.exit_code is None else f"exit {job.exit_code}"
            print(f"{job.id:<5} {state:<9} {one_line(job.command, 80)}")
        if not jobs:
            print("No commands have run.")

    def _job(self, rest: str) -> None:
        if not rest:
            raise UsageError("Say which job: /job j1 (/jobs lists them)")
        print(safe(self._app.engine.job_output(self._talk.session, rest).text))

    def _stop(self, rest: str) -> None:
        if rest:
            self._app.engine.stop_job(self._talk.session, rest)
        elif self._app.engine.is_running(self._talk.session):
            self._app.engine.cancel(self._talk.session)
        else:
            say("Nothing is being answered.")

    def _export(self, rest: str) -> None:
        info = self._app.store.session(self._talk.session)
        text = scrub(as_markdown(info, self._app.store.messages(self._talk.session)))
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
