"""Runs routines: claims the time, submits the prompt, follows the turn, stores and tells how it ended."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ankita_desktop.automation import report, timetable
from ankita_desktop.automation.missed import ALL, Missed, allowance
from ankita_desktop.automation.ports import Desk, Turns
from ankita_desktop.errors import AnkitaError, StoreError
from ankita_desktop.events import Event, RoundEnded, TurnEnded
from ankita_desktop.protocol import Grant, Message, new_id
from ankita_desktop.toolkit.automation import MINUTE, Routine, Run, RunStatus

AT_ONCE = 4
OFF = "nothing ran routines then"


@dataclass(slots=True)
class _Active:
    """A run of this process. ``left`` is what it may still use of today's tokens (None: no bound)."""

    run: Run
    routine: Routine
    began: float
    left: int | None
    turn: str = ""
    stopped: str = ""


class Held(AnkitaError):
    """A run can't begin yet; the text says why, as the end of a sentence."""


class Runner:
    """One per process. ``run_due`` is called on the scheduler's thread, events come on the lanes' threads."""

    def __init__(self, desk: Desk, turns: Turns, owner: str) -> None:
        self._desk = desk
        self._book = desk.book
        self._turns = turns
        self._owner = owner
        self._missed = Missed(desk, owner)
        self._held: dict[str, str] = {}  # why a routine that is due could not begin yet
        self._lock = threading.Lock()
        self._active: dict[str, _Active] = {}  # by session
        self._begun: deque[str] = deque(maxlen=1_000)  # turns
        self._closing = False
        turns.subscribe(self._hear)

    def close(self) -> None:
        """Nothing is begun any more. What runs is ended by the engine, and its end is stored."""
        self._closing = True

    def tells(self, turn: str) -> bool:
        """Whether a turn is a run of this process, whose end is told by it."""
        return turn in self._begun

    # --- the scheduler's side ---------------------------------------------------------------

    def begin(self) -> None:
        """After a start: say of runs that were cut off that they were, and repeat none of them."""
        for run in self._book.cut_off_runs():
            for request, _, _ in self._book.approvals(session=run.session) if run.session else ():
                self._book.close_approval(request.id, "expired")
            said = report.last_words(self._messages(run.session))
            reason = "Ankita was ended while it ran. It was not repeated."
            self._store_end(replace(run, status="interrupted", reason=reason, text=said), late=True)

    def run_due(self, now: float) -> None:
        self._stop_overdue()
        for routine in self._book.due_routines(now):
            if self._closing or len(self._active) >= AT_ONCE:
                return
            try:
                self._take(routine, now)
                self._held.pop(routine.id, None)
            except Held as held:  # tried again at every look, until it would be too late
                self._held[routine.id] = str(held)

    def clock_went_back(self, now: float) -> None:
        """Times the wrong clock led to are given up; a time that was run once is never run again."""
        for routine in self._book.routines():
            due = timetable.next_due(routine.schedule, now) if routine.due is not None else None
            if due is not None and routine.due is not None and due < routine.due:
                self._book.update_routine(routine.id, due=due)

    def _take(self, routine: Routine, now: float) -> None:
        why = self._held.get(routine.id, "")
        if routine.wanted is not None:
            if why and now - routine.wanted > allowance(routine):
                self._missed.record(routine, None, None, f"Not run: {why}.", tell=True)
            else:
                self.start(routine, None)
            return
        assert routine.due is not None
        slots, _ = timetable.passed(routine.schedule, routine.due, now, ALL)
        then = timetable.next_due(routine.schedule, now)
        if routine.late == "all":
            self._make_up(routine, slots[-ALL:], then)
            return
        if now - slots[-1] > allowance(routine):
            self._missed.miss(routine, slots, then, why or OFF)
            return
        self._be_free(routine)
        if len(slots) > 1:
            self._missed.miss(routine, slots[:-1], slots[-1], why or OFF, tell=False)
        self.start(routine, slots[-1], then)

    def _make_up(self, routine: Routine, slots: Sequence[float], then: float | None) -> None:
        """The oldest of the missed times; the next one's turn comes when it has ended."""
        self.start(routine, slots[0], slots[1] if len(slots) > 1 else then)

    def _be_free(self, routine: Routine) -> None:
        """Raises ``Held`` while a run of it, or somebody's talk in its conversation, goes on anywhere."""
        if any(run.routine == routine.id for run in self._book.open_runs()):
            raise Held("its last run was not over")
        if owner := self._book.leased_by(routine.session):
            raise Held(_used_by(owner, self._owner))

    def _stop_overdue(self) -> None:
        with self._lock:
            active = list(self._active.items())
        for session, one in active:
            if not one.stopped and self._desk.time.steady() - one.began > one.routine.limit:
                one.stopped = f"Stopped after {one.routine.limit / MINUTE:.0f} minutes, its time limit."
                self._turns.cancel(session)

    # --- a run ------------------------------------------------------------------------------

    def start(self, routine: Routine, slot: float | None, then: float | None = None) -> Run | None:
        """Claim and begin a run; ``slot`` None: by hand. None when it was claimed before, today's budget is used
        up, or it can't be begun, which is recorded. Raises ``Held`` when it has to wait: nothing is claimed."""
        self._be_free(routine)
        now = self._desk.now
        runs, tokens = self._book.used_since(routine.id, timetable.midnight(now, self._desk.zone))
        if spent := _spent(routine, runs, tokens):
            told = next((run.reason for run in self._book.runs(routine.id, 1)), "") == spent
            self._missed.record(routine, slot, then, spent, tell=slot is None or not told)
            return None
        run = Run(new_id(), routine.id, slot, now, self._owner)
        left = routine.tokens - tokens if routine.tokens else None
        try:
            place = self._place(routine)
        except AnkitaError as error:
            if self._book.claim_run(run, then=then):
                self._store_end(replace(run, status="error", reason=str(error)))
            return None
        return self._begin(_Active(replace(run, session=place), routine, self._desk.time.steady(), left), then)

    def session_for(self, routine: Routine) -> str:
        """Its conversation, made with its grants on first use or when the person deleted it."""
        try:
            return self._book.session(routine.session).id
        except StoreError:
            pass
        session = self._turns.new_session(cwd=routine.cwd, model=routine.model, title=routine.name).id
        for one in routine.allowed:
            self._book.add_grant(Grant(new_id(), one.key, one.label, session))
        self._book.update_routine(routine.id, session=session)
        return session

    def _place(self, routine: Routine) -> str:
        """The conversation it runs in, with its project. Raises ``AnkitaError`` when something of it is gone."""
        if not Path(routine.cwd).is_dir():
            raise AnkitaError(f"Its folder {routine.cwd} is not there.")
        if routine.project and not self._book.find_projects(routine.project):
            raise AnkitaError("Its project is not there any more: choose another, or none.")
        session = self.session_for(routine)
        self._book.use_project(session, routine.project)
        return session

    def _begin(self, active: _Active, then: float | None) -> Run | None:
        """Every run begins anew in its conversation; earlier ones stay as branches."""
        routine, run, claimed = active.routine, active.run, False
        last = next((run for run in self._book.runs(routine.id) if run.text), None)

        def claim() -> bool:
            nonlocal claimed
            claimed = self._book.claim_run(run, then=then)
            return claimed

        try:
            with self._lock:  # events of the turn wait until its id is known
                active.turn = self._turns.begin(
                    run.session,
                    report.opening(routine, run.slot, last, self._desk),
                    routine.prompt,
                    claim=claim,
                    patience=self._desk.wishes().answer_minutes * MINUTE,
                )
                if not claimed:
                    return None
                self._active[run.session] = active
                self._begun.append(active.turn)
        except AnkitaError as error:
            if not claimed:
                raise Held(_used_by(getattr(error, "owner", self._owner), self._owner)) from error
            self._store_end(replace(run, status="error", reason=str(error)))
            return None
        return run

    def _hear(self, event: Event) -> None:
        if isinstance(event, RoundEnded):
            self._count(event)
        elif isinstance(event, TurnEnded):
            with self._lock:
                active = self._active.get(event.session)
                if active is None or active.turn != event.turn:
                    return
                del self._active[event.session]
            self._ended(active, event)

    def _count(self, event: RoundEnded) -> None:
        """Add up what the run uses; past today's budget it is stopped."""
        with self._lock:
            active = self._active.get(event.session)
        if active is None:
            return
        usage = event.round.usage
        cost = (
            None if usage.cost is None and active.run.cost is None else (active.run.cost or 0) + (usage.cost or 0)
        )
        tokens = active.run.tokens + usage.input + usage.output
        active.run = replace(active.run, tokens=tokens, cost=cost)
        if active.left is not None and tokens > active.left and not active.stopped:
            active.stopped = f"Stopped: its {active.routine.tokens:,} tokens for today are used up."
            self._turns.cancel(event.session)

    def _ended(self, active: _Active, event: TurnEnded) -> None:
        messages = self._messages(event.session)
        status: RunStatus = event.status
        reason = event.reason
        if active.stopped and event.status == "cancelled":
            status, reason = "limit", active.stopped
        elif self._closing and event.status == "cancelled":
            status, reason = "interrupted", "Ankita was closed while it ran. It was not repeated."
        ended = replace(
            active.run,
            status=status,
            reason="" if status == "done" else reason,
            text=event.text or report.last_words(messages),
            undone=report.undone(messages),
            message=messages[-1].id if messages else "",
        )
        self._store_end(ended)

    def _store_end(self, run: Run, *, late: bool = False) -> None:
        ended = replace(run, ended=self._desk.now)
        routine = self._book.routine(run.routine)
        if routine is None:  # removed while it ran
            return
        note = report.telling(routine, ended, late=late, now=self._desk.now)
        if self._book.end_run(ended, note) and note and ended.session:
            with suppress(StoreError):  # the person deleted the conversation meanwhile
                self._book.update_session(ended.session, unread=True)

    def _messages(self, session: str) -> Sequence[Message]:
        try:
            return self._book.messages(session) if session else ()
        except StoreError:
            return ()


def _used_by(owner: str, us: str) -> str:
    if owner == us:
        return "its conversation was in use"
    pid, _, what = owner.partition(" ")
    return f"its conversation was in use by another {what or 'process'} (process {pid})"


def _spent(routine: Routine, runs: int, tokens: int) -> str:
    """Why today's budget forbids another run; empty when it doesn't."""
    if routine.runs and runs >= routine.runs:
        return f"Not run: its {routine.runs} runs for today are used up."
    if routine.tokens and tokens >= routine.tokens:
        return f"Not run: its {routine.tokens:,} tokens for today are used up."
    return ""
