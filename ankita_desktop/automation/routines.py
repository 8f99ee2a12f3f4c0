"""Routines: made, changed, listed. They are run by ``runner``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ankita_desktop.automation import report, timetable
from ankita_desktop.automation.ports import DUTY, Desk, named
from ankita_desktop.errors import StoreError, ToolError
from ankita_desktop.protocol import new_id
from ankita_desktop.toolkit.automation import MINUTE, Routine, Run

CHANGEABLE = frozenset(
    {"name", "prompt", "when", "model", "project", "late", "grace", "limit", "tokens", "runs", "cwd"}
)
FLOOR = MINUTE
LATE = ("once", "skip", "all")


class Routines:
    """Implements ``toolkit.automation.Routines``. Thread-safe."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._book = desk.book

    def add(self, name: str, prompt: str, when: str, **fields: Any) -> tuple[Routine, bool]:
        now, wishes = self._desk.now, self._desk.wishes()
        prompt = prompt.strip()
        if not prompt:
            raise ToolError("prompt is empty: say what the routine has to do.")
        times = self._times(when)
        usual = {"late": wishes.late, "grace": wishes.grace_minutes * MINUTE, "cwd": ""}
        fields = self._meant(fields)
        routine = Routine(
            id=new_id(),
            name=_line(name) or _line(prompt),
            prompt=prompt,
            when=times.words,
            schedule=times.schedule,
            created=now,
            due=times.due,
            **_checked({**usual, **fields}),
        )
        try:
            return self._book.add_routine(routine)
        except StoreError as error:
            raise ToolError(str(error)) from error

    def plan(self, when: str) -> tuple[str, Sequence[str]]:
        times = self._times(when)
        if timetable.understood(when, self._desk.now + 90, self._desk.zone).schedule != times.schedule:
            return when, ()  # counted from the moment it is made: what is shown must not change while it is read
        words = f"{times.words}. {times.note}" if times.note else times.words
        return words, timetable.upcoming(times.schedule, self._desk.now)

    def list(self) -> Sequence[Routine]:
        return self._book.routines()

    def find(self, name: str) -> Routine:
        found: Routine = named(name, self._book.routines(), "routine")
        return found

    def update(self, name: str, /, **fields: Any) -> Routine:
        """Change it. Whether it is paused stays as it is; so does what it may do."""
        found = self.find(name)
        unknown = set(fields) - CHANGEABLE
        if unknown:
            raise ToolError(f"A routine's {', '.join(sorted(unknown))} can't be changed; make a new routine.")
        changed = _checked(self._meant(fields))
        if "when" in changed:
            times = self._times(str(changed["when"]))
            changed |= {"when": times.words, "schedule": times.schedule, "due": times.due}
        try:
            return self._book.update_routine(found.id, **changed) if changed else found
        except StoreError as error:
            raise ToolError(str(error)) from error

    def pause(self, name: str, paused: bool = True) -> Routine:
        """Paused: no time counts. Resumed: it goes on with its next time, nothing is made up for."""
        found = self.find(name)
        due = found.due if paused else timetable.next_due(found.schedule, self._desk.now)
        return self._book.update_routine(found.id, paused=paused, due=due)

    def remove(self, name: str) -> Routine:
        found = self.find(name)
        self._book.delete_routine(found.id)
        return found

    def want(self, name: str) -> Routine:
        found = self.find(name)
        if not self._book.duty_of(DUTY, self._desk.now):
            raise ToolError(
                "Nothing runs routines now, so it was not started. Open the window or start `ankita daemon`; "
                f"`ankita routines run {found.id}` runs it in a terminal."
            )
        return self._book.update_routine(found.id, wanted=self._desk.now)

    def history(self, name: str, limit: int = 20) -> Sequence[Run]:
        return self._book.runs(self.find(name).id, limit)

    def last(self, routine: str) -> Run | None:
        """The latest run or missed time."""
        return next(iter(self._book.runs(routine, 1)), None)

    def running(self, routine: str) -> Run | None:
        return next((run for run in self._book.open_runs() if run.routine == routine), None)

    def bring_up(self, run: str) -> str:
        """Have the conversation of a run show just that run, unless something goes on in it now. Returns the
        conversation, empty when it is gone."""
        found = self._book.run(run)
        if found is None:
            return ""
        if found.message and not self._book.leased_by(found.session):
            self._book.show_message(found.session, found.message)
        return found.session

    def receipt(self, routine: Routine) -> str:
        if routine.paused:
            return f"{routine.name} ({routine.id}) is paused ({routine.when}); resume starts it again."
        following = timetable.upcoming(routine.schedule, self._desk.now)
        if not following:
            return f"{routine.name} ({routine.id}) has no time left to come."
        project = self.project_of(routine)
        named = f"{routine.name} ({routine.id}{f', for {project}' if project else ''})"
        lines = [f"{named}: {routine.when}.", f"Next: {'; '.join(following)} ({self._desk.zone.key})."]
        lines.append("It has not run yet." if self.last(routine.id) is None else "")
        return " ".join(filter(None, [*lines, self._desk.idle_note()]))

    def told(self, run: Run) -> str:
        """A run in one line."""
        when = self._desk.at(run.slot if run.slot is not None else run.started)
        undone = f" Not done: {'; '.join(run.undone)}." if run.undone else ""
        said = " ".join(filter(None, (run.reason, " ".join(run.text.split())[:200])))
        return f"{when}: {', '.join(report.outcome(run))}.{undone} {said}".rstrip()

    def project_of(self, routine: Routine) -> str:
        """The name of the project it works for; "" for the one its folder lies in."""
        found = self._book.find_projects(routine.project) if routine.project else ()
        return found[0].name if found else "one that is gone" if routine.project else ""

    def _meant(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields with the project as its id. Raises ``ToolError`` when none or several are meant."""
        wanted = str(fields.get("project") or "").strip()
        if not wanted:
            return fields
        found = self._book.find_projects(wanted)
        if len(found) == 1:
            return {**fields, "project": found[0].id}
        if found:
            raise ToolError(f"Which project? {', '.join(one.name for one in found)} fit {wanted!r}.")
        known = ", ".join(one.name for one in self._book.projects()) or "none yet"
        raise ToolError(f"There is no project {wanted!r}. There are: {known}.")

    def _times(self, when: str) -> timetable.Times:
        times = timetable.understood(when, self._desk.now, self._desk.zone)
        assert times.due is not None
        following = timetable.next_due(times.schedule, times.due)
        if following is not None and following - times.due < FLOOR:
            raise ToolError("A routine runs once a minute at most. For quicker looks use watch (from 15 s).")
        return times


def _line(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 60 else words[:59].rsplit(" ", 1)[0] + "…"


def _checked(fields: dict[str, Any]) -> dict[str, Any]:
    """Values a routine can have. Raises ``ToolError`` that says what is valid."""
    found = {name: value for name, value in fields.items() if value is not None}
    if found.get("late", "once") not in LATE:
        raise ToolError(f"late is one of {', '.join(LATE)}, not {found['late']!r}.")
    if "name" in found:
        found["name"] = _line(str(found["name"]))
    for name in ("name", "prompt", "when"):
        if name in found and not str(found[name]).strip():
            raise ToolError(f"{name} can't be empty.")
    if found.get("limit", FLOOR) <= 0:
        raise ToolError("limit is seconds of one run: more than 0.")
    return found
