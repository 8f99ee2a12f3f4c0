"""The engine owns the sessions: one lane each, serial inside, parallel across.

Every public method is thread-safe and returns at once, but for ``close``.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ankita_desktop.core.approvals import Approvals, Closing
from ankita_desktop.core.briefing import Briefing, briefed
from ankita_desktop.core.calls import Calls, Row, Scene
from ankita_desktop.core.deferral import Deferral
from ankita_desktop.core.history import History
from ankita_desktop.core.lanes import Lane, Lanes, guarded
from ankita_desktop.core.ports import EngineSettings, Redactor, Store
from ankita_desktop.core.prompts import CONTINUE_NOTE
from ankita_desktop.core.repair import open_calls
from ankita_desktop.core.running import Running
from ankita_desktop.core.session import Session, effective_mode, note, title_of
from ankita_desktop.core.turn import Desk, Turn
from ankita_desktop.core.veil import NoSecrets, Veil
from ankita_desktop.errors import AnkitaError, SessionBusy
from ankita_desktop.events import (
    Event,
    MessageAdded,
    SessionChanged,
    Sink,
    TextDelta,
    TurnEnded,
    TurnStarted,
)
from ankita_desktop.protocol import (
    Attachment,
    Decision,
    Message,
    Mode,
    Model,
    SessionInfo,
    Source,
    Usage,
)
from ankita_desktop.toolkit.attachments import settled
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.services import Catalogue, Services
from ankita_desktop.toolkit.text import whole

log = logging.getLogger(__name__)


class Engine(History, Running):
    """``model_for`` gives the model of a session, asked anew at each turn; ``owner`` names this process to
    others that want the same session; ``attended`` is false when nobody can answer a question; ``only`` is the
    mode of every turn here, whatever its session says."""

    def __init__(
        self,
        *,
        store: Store,
        catalogue: Catalogue,
        services: Services,
        settings: EngineSettings,
        model_for: Callable[[SessionInfo], Model],
        owner: str,
        attended: bool = True,
        price: Callable[[str, Usage], float | None] = lambda model, usage: usage.cost,
        redactor: Redactor | None = None,
        only: Mode | None = None,
    ) -> None:
        self.store = store
        self._veil = Veil(redactor or NoSecrets())
        Running.__init__(self, self._emit, self._veil)
        self.catalogue = catalogue
        self.approvals = Approvals(store, self._emit)
        self._services = services
        self._settings = settings
        self._model_for = model_for
        self._attended = attended
        calls = Calls(
            catalogue=catalogue,
            approvals=self.approvals,
            services=services,
            settings=settings,
            emit=self._emit,
            veil=self._veil,
        )
        mode_for = partial(effective_mode, only=only)
        self._desk = Desk(store, catalogue, calls, settings, self._emit, price, mode_for, self._veil)
        self._sinks: list[Sink] = []
        self._sinks_lock = threading.Lock()
        self._lanes = Lanes(store, owner, run_turn=self._run_turn, settle=self._settle, emit=self._emit)

    # --- events -----------------------------------------------------------------------------

    def subscribe(self, sink: Sink) -> Callable[[], None]:
        """Have ``sink`` called with every event, on the thread where it happens. Returns an unsubscriber."""
        with self._sinks_lock:
            self._sinks = [*self._sinks, sink]

        def unsubscribe() -> None:
            with self._sinks_lock:
                self._sinks = [other for other in self._sinks if other is not sink]

        return unsubscribe

    def _emit(self, event: Event) -> None:
        if not isinstance(event, MessageAdded | TextDelta):  # these have no secrets by now
            event = self._veil.over(event)
        for sink in self._sinks:
            guarded(partial(sink, event))

    # --- sessions ---------------------------------------------------------------------------

    def new_session(self, *, cwd: str, mode: Mode = "ask", model: str = "", title: str = "") -> SessionInfo:
        """Start a conversation in a folder."""
        info = self.store.create_session(cwd=cwd, mode=mode, model=model, title=title)
        self._emit(SessionChanged(info.id, info))
        return info

    def update_session(self, session: str, **fields: object) -> SessionInfo:
        """Change title, cwd, mode, model or unread. Counts from the next round on."""
        info = self.store.update_session(session, **fields)
        self._emit(SessionChanged(session, info))
        return info

    def delete_session(self, session: str) -> None:
        """Delete for good; a running turn is stopped first. Raises ``SessionBusy`` when another process has it."""
        self._lanes.forget(session, 1.0)
        self._lanes.lease(session)
        if jobs := self._forget_jobs(session):
            jobs.close()
        self.store.delete_session(session)
        self._emit(SessionChanged(session, None))

    def active_groups(self, session: str) -> tuple[str, ...]:
        """The deferred groups whose tools the session can call now."""
        info = self.store.session(session)
        abilities = self._model_for(info).abilities
        return Deferral(self.catalogue, self._settings, abilities).groups(self.store.messages(session))

    def is_running(self, session: str) -> bool:
        return self._lanes.is_running(session)

    # --- talking ----------------------------------------------------------------------------

    def submit(
        self,
        session: str,
        text: str,
        *,
        source: Source = "typed",
        attachments: Sequence[Attachment] = (),
        patience: float | None = None,
    ) -> str:
        """Say something. Returns the id of the turn that answers it: a new one, or the one that runs (the text
        is then queued and sent before the next request). ``patience``: seconds after which a question of that
        turn counts as denied (None: it waits). Raises ``SessionBusy``, ``StoreError``."""
        text = self._veil.over(whole(text))
        if not self.store.session(session).title:
            self.update_session(session, title=title_of(text))
        message = Message("user", text, source=source, attachments=tuple(map(settled, attachments)))
        return self._lanes.start(session, message, patience=patience)

    def resume(self, session: str) -> str:
        """Go on after a limit or an error."""
        return self._lanes.start(session, note(CONTINUE_NOTE, **{"continue": True}))

    def _take_idle(self, session: str) -> None:
        if self.is_running(session):
            raise AnkitaError("An answer is being written: stop it first.")
        self._lanes.lease(session)

    def _say(self, session: str, text: str, instead: Message | None) -> str:
        return (
            self.submit(session, text, attachments=instead.attachments)
            if instead
            else self._lanes.start(session, None)
        )

    def _changed(self, info: SessionInfo) -> None:
        self._emit(SessionChanged(info.id, info))

    def answer(self, request: str, decision: Decision) -> bool:
        """Answer a question. False when it was answered before. Its turn goes on where it waits, here or in
        another process; when it waits nowhere (after a restart), it is taken up again here."""
        decision = self._veil.over(decision)
        asked, outcome, _ = self.store.approval(request)
        if outcome != "pending":
            return False
        if self.approvals.is_live(request):
            return self.approvals.answer(request, decision)
        try:
            self._lanes.lease(asked.session)
        except SessionBusy:  # that process hears it from the row
            return self.approvals.answer(request, decision)
        if not self.approvals.answer(request, decision):
            return False
        self._lanes.start(asked.session, None, answered=request)
        return True

    def queued(self, session: str) -> tuple[str, ...]:
        """What was said while a turn runs and has not been sent."""
        return self._lanes.queued(session)

    def edit_queue(self, session: str, texts: Sequence[str]) -> None:
        """Replace what is queued; kept words keep their files. A stop leaves it until something is submitted."""
        self._lanes.edit(session, [self._veil.over(text) for text in texts])

    def cancel(self, session: str) -> None:
        """Stop what runs. The turn ends within 200 ms, whatever it waits for."""
        self._lanes.cancel(session)

    # --- turns ------------------------------------------------------------------------------

    def _run_turn(self, lane: Lane) -> TurnEnded:
        session = lane.session
        self._emit(TurnStarted(session, lane.turn))
        try:
            return self._turn(lane)
        except Closing:
            return TurnEnded(session, lane.turn, "cancelled", reason="Closed; the question waits for an answer.")
        except AnkitaError as error:
            return TurnEnded(session, lane.turn, "error", reason=str(error), can_continue=True)
        except Exception as error:
            log.exception("a turn failed")
            reason = f"Something went wrong inside Ankita ({type(error).__name__}: {error}). Nothing was lost."
            return TurnEnded(session, lane.turn, "error", reason=reason, can_continue=True)

    def _turn(self, lane: Lane) -> TurnEnded:
        session = lane.session
        talk = self._talk(session)
        rows = self._rows(talk, lane.answered)
        self._set_state(session, "running")
        scene = replace(self._scene(talk, lane.cancel), patience=lane.patience)
        turn = Turn(
            lane.turn,
            self._desk,
            talk,
            model_for=self._model_for,
            scene=scene,
            take_queued=lambda: self._lanes.take(session),
        )
        try:
            return turn.run(rows)
        finally:
            if not self._lanes.closing:  # a question never outlives its turn, however that ended
                for request, _, _ in self.store.approvals(session=session):
                    self.approvals.close(request.id, "closed")

    def _talk(self, session: str) -> Session:
        info = self.store.session(session)
        briefing = Briefing(self._services, self._settings.as_dict())

        def brief(messages: Sequence[Message]) -> Message | None:
            return briefed(briefing.parts(session, info.cwd), messages)

        return Session(info, self.store, self._emit, brief, self._veil)

    def _scene(self, talk: Session, cancel: Cancel) -> Scene:
        info = talk.info
        jobs = self._jobs_of(talk.id)
        return Scene(
            talk.id,
            Path(info.cwd),
            self._desk.mode_for(info),
            talk.why(),
            jobs,
            cancel,
            self._attended,
            messages=lambda: talk.messages,
        )

    def _rows(self, talk: Session, answered: str) -> dict[str, Row]:
        """Approval rows of the calls that are still open. Something new said into a waiting session denies what
        waits; an answered question goes on with its answer."""
        pending = {call.id for call in open_calls(talk.messages)}
        if not answered:
            for request, _, _ in self.store.approvals(session=talk.id):
                self.approvals.close(
                    request.id, "denied", Decision(False, reason="something else was asked instead")
                )
        rows = self.store.approvals(session=talk.id, outcome=None)
        # Some models number the calls of each answer alike: a question about an earlier one is none about this.
        since = next((message.created for message in reversed(talk.messages) if message.role == "assistant"), 0.0)
        waits = [row for row in rows if row[0].call.id in pending and row[0].created >= since]
        if not answered:
            return {row[0].call.id: row for row in waits if row[1] in ("denied", "expired", "closed")}
        return {row[0].call.id: row for row in waits if row[0].id == answered or row[1] == "pending"}

    def _set_state(self, session: str, state: str) -> None:
        info = self.store.update_session(session, state=state)
        self._emit(SessionChanged(session, info))

    def _settle(self, session: str) -> None:
        """Bring the row up to date: whether something waits, that there is something unread."""
        state = "waiting" if self.store.approvals(session=session) else "idle"
        self._emit(SessionChanged(session, self.store.update_session(session, state=state, unread=True)))

    # --- the end ----------------------------------------------------------------------------

    def close(self, seconds: float = 3.0) -> None:
        """End everything within ``seconds``: questions stay in the store, streams and calls are stopped, jobs
        and their children ended."""
        deadline = time.monotonic() + seconds
        self._lanes.closing = True
        self.approvals.leave()
        self._lanes.stop()
        for each in self._all_jobs():
            each.close()
        self._lanes.join(deadline)
