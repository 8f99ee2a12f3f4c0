"""Whether a call may run: levels, modes, grants, and the questions that wait for a person.

A question is a row in the store; the waiter here is only how a live lane hears the answer.
"""

from __future__ import annotations

import contextlib
import math
import queue
import threading
import time
from collections.abc import Callable
from typing import Literal

from ankita_desktop.core.ports import Store
from ankita_desktop.errors import Cancelled
from ankita_desktop.events import ApprovalAsked, ApprovalClosed, Event, SessionChanged
from ankita_desktop.protocol import ApprovalRequest, Decision, Grant, Level, Mode, Outcome, Preview, new_id
from ankita_desktop.toolkit.cancel import Cancel

NOBODY = "Denied: this needs a person's yes, and nobody is there to give it. Don't repeat it; go on without."
NEVER = "Denied: this conversation is set to allow nothing that needs a yes. Don't repeat it; go on without."

EXPIRED = (
    "Denied: this needs a person's yes, and nobody answered in time. Don't repeat it; go on without, and say at "
    "the end what was not done."
)

_LOOK = 1.0  # seconds between looks for an answer given in another process
_Heard = Decision | Literal["stop", "close", "late"]


class Closing(BaseException):
    """The process is closing while a question waits: the turn ends here, the question stays in the store.

    Not an ``Exception``: no handler on the way may take it for a failure of the call.
    """


class Expired(Exception):
    """Nobody answered before the question's time was up."""


def verdict(level: Level, preview: Preview, mode: Mode) -> Literal["run", "ask", "deny"]:
    """What the mode says of a call, before grants and people are asked."""
    if level == "never":
        return "run"
    if mode == "never":
        return "deny"
    if level == "always":
        return "ask"
    passes = {
        "ask": False,
        "reads": preview.effect == "read",
        "edits": preview.effect == "read" or (preview.effect == "edit" and preview.inside),
        "all": True,
    }
    return "run" if passes[mode] else "ask"


class Approvals:
    """Asks, waits and remembers. Thread-safe; ``ask`` blocks the calling thread."""

    def __init__(self, store: Store, emit: Callable[[Event], None]) -> None:
        self._store = store
        self._emit = emit
        self._lock = threading.Lock()
        self._waiting: dict[str, queue.SimpleQueue[_Heard]] = {}

    def granted(self, session: str, level: Level, preview: Preview) -> bool:
        """Whether an earlier "this session" or "always" covers the call. Level "always" is never covered."""
        if level != "ask":
            return False
        given = {grant.key for grant in self._store.grants(session)}
        keys = {key for key in (preview.grant_key, *preview.covered_by) if key}
        together = set(preview.covered_by_all)
        return bool(keys & given) or (bool(together) and together <= given)

    def allowed(self, session: str) -> list[ApprovalRequest]:
        """What the person of this session said yes to, oldest first."""
        rows = self._store.approvals(session=session, outcome="allowed") if session else ()
        return [request for request, _, _ in rows]

    def ask(self, request: ApprovalRequest, cancel: Cancel, *, stored: bool = False) -> Decision:
        """Put the question and wait. ``stored``: the row is there already (after a restart).

        Raises ``Cancelled`` on Stop (the question is then closed), ``Closing`` when the process ends
        (the question stays) and ``Expired`` when its time is up. Registered first, then the flag is looked at,
        then told: no stop can be lost.
        """
        box: queue.SimpleQueue[_Heard] = queue.SimpleQueue()
        with self._lock:
            self._waiting[request.id] = box
        if not stored:
            self._store.add_approval(request)
        forget = cancel.on_set(lambda: box.put("stop"))
        self._set_state(request.session, "waiting")
        self._emit(ApprovalAsked(request.session, request))
        try:
            answer = self._heard(box, request)
        finally:
            forget()
            with self._lock:
                self._waiting.pop(request.id, None)
        if answer == "close":
            raise Closing
        if answer == "stop":
            self.close(request.id, "closed")
            raise Cancelled
        self._set_state(request.session, "running")
        if answer == "late":
            raise Expired
        return answer

    def _heard(self, box: queue.SimpleQueue[_Heard], request: ApprovalRequest) -> _Heard:
        """The answer: of this process, or one that another process wrote into the row; "late" when neither came
        before the question expired. The steady clock counts: setting the other one answers nothing."""
        left = request.expires - time.time() if request.expires is not None else math.inf
        end = time.monotonic() + left
        while True:
            try:
                return box.get(timeout=max(0.0, min(_LOOK, end - time.monotonic())))
            except queue.Empty:
                if time.monotonic() >= end:
                    self.close(request.id, "expired")  # unless an answer was quicker: the row says so below
                _, outcome, decision = self._store.approval(request.id)
            if outcome == "expired":
                return "late"
            if outcome != "pending":
                with contextlib.suppress(queue.Empty):
                    return box.get(timeout=_LOOK)  # it was given here and is on its way
                self._emit(ApprovalClosed(request.session, request.id, outcome))
                return decision or "stop"

    def answer(self, request_id: str, decision: Decision) -> bool:
        """A person's answer. False when it was answered before, or nobody waits for it and its time is up. Emits
        before the lane goes on."""
        outcome: Outcome = "allowed" if decision.allow else "denied"
        request, _, _ = self._store.approval(request_id)
        if request.expires is not None and request.expires < time.time() and not self.is_live(request_id):
            self.close(request_id, "expired")
            return False
        if not self._store.close_approval(request_id, outcome, decision):
            return False
        if decision.allow:
            self._remember(request, decision)
        self._emit(ApprovalClosed(request.session, request_id, outcome))
        with self._lock:
            box = self._waiting.get(request_id)
        if box is not None:
            box.put(decision)
        return True

    def is_live(self, request_id: str) -> bool:
        """Whether a lane of this process waits for this answer."""
        with self._lock:
            return request_id in self._waiting

    def close(self, request_id: str, outcome: Outcome, decision: Decision | None = None) -> None:
        """Take a question back: stopped, expired or superseded."""
        request, _, _ = self._store.approval(request_id)
        if self._store.close_approval(request_id, outcome, decision):
            self._emit(ApprovalClosed(request.session, request_id, outcome))

    def leave(self) -> None:
        """End every wait of this process; the rows stay pending."""
        with self._lock:
            boxes = list(self._waiting.values())
        for box in boxes:
            box.put("close")

    def _set_state(self, session: str, state: str) -> None:
        self._emit(SessionChanged(session, self._store.update_session(session, state=state)))

    def _remember(self, request: ApprovalRequest, decision: Decision) -> None:
        preview = request.preview
        if decision.scope == "once" or request.level == "always" or not preview.grant_key:
            return
        session = request.session if decision.scope == "session" else ""
        label = preview.grant_label or preview.grant_key
        self._store.add_grant(Grant(new_id(), preview.grant_key, label, session))
