"""Slash commands about what happens by itself: reminders and routines. They need no model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ankita_desktop.errors import UsageError
from ankita_desktop.terminal.screen import one_line, safe

if TYPE_CHECKING:
    from ankita_desktop.assembly import Assembly
    from ankita_desktop.toolkit.automation import Reminder, Routine

LINE = 300
ENDED = {"done": "done.", "cancel": "cancelled."}


class ByItself:
    """Part of the slash commands; what they need of the product is ``_app``."""

    _app: Assembly

    def _remind(self, rest: str) -> None:
        reminders = self._app.automation.reminders
        word, _, named = rest.partition(" ")
        if not rest:
            for one in reminders.list():
                print(_reminder(one, reminders.receipt(one)))
            if not reminders.list():
                print("No reminders, and the list is empty. /remind in 20 minutes to stretch makes one.")
        elif word in ("done", "snooze") or (word == "cancel" and named):
            one = getattr(reminders, word)(named.strip())
            print(_reminder(one, reminders.receipt(one) if word == "snooze" else ENDED[word]))
        elif word == "cancel":
            raise UsageError("/remind cancel takes the words of a reminder, or its id.")
        else:
            self._new_reminder(rest)

    def _new_reminder(self, line: str) -> None:
        from ankita_desktop.automation.apart import apart

        desk = self._app.automation.desk
        text, when = apart(line, desk.now, desk.zone)
        one = self._app.automation.reminders.add(text, when)
        print(_reminder(one, self._app.automation.reminders.receipt(one)))

    def _routines(self, rest: str) -> None:
        word, _, name = rest.partition(" ")
        routines = self._app.automation.routines
        if not rest:
            for one in routines.list():
                print(safe(self._routine(one)))
            if not routines.list():
                print("There are no routines. Say “every weekday at 8 brief me”, or use `ankita routines add`.")
        elif word in ("run", "pause", "resume", "history"):
            self._with_routine(word, name.strip())
        else:
            print(safe(self._routine(routines.find(rest))))

    def _with_routine(self, word: str, name: str) -> None:
        routines = self._app.automation.routines
        if not name:
            raise UsageError(f"/routines {word} takes the name of a routine; /routines lists them.")
        if word == "history":
            runs = routines.history(name)
            print("\n".join(one_line(routines.told(run), LINE) for run in runs) or "It has not run yet.")
        elif word == "run":
            print(f"{safe(routines.want(name).name)} was asked to run now; its result comes as a notification.")
        else:
            print(safe(routines.receipt(routines.pause(name, word == "pause"))))

    def _routine(self, one: Routine) -> str:
        routines = self._app.automation.routines
        last = routines.last(one.id)
        said = f" Last: {last.status}." if last else ""
        return f"{routines.receipt(one)}{' Runs now.' if routines.running(one.id) else said}"


def _reminder(one: Reminder, receipt: str) -> str:
    rings = "RINGS NOW " if one.rang is not None else ""
    return one_line(f"{rings}{one.text}: {receipt}", LINE)
