"""Which sessions run: one thread each while there is something to do, and what was said meanwhile."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ankita_desktop.errors import AnkitaError
from ankita_desktop.events import Event, QueueChanged, TurnEnded
from ankita_desktop.protocol import Message, new_id
from ankita_desktop.toolkit.cancel import Cancel

log = logging.getLogger(__name__)

# A lease ends with its process anyway; the time only frees a session from a process that hangs.
LEASE = 24 * 3600.0
# After these endings what is queued is sent at once; after a stop or an error it waits for the person.
GOES_ON = ("done", "denied", "limit")


class Leases(Protocol):
    """Keeps several processes out of one session."""

    def lease(self, session: str, owner: str, seconds: float) -> None: ...
    def release(self, session: str, owner: str) -> None: ...


@dataclass(slots=True)
class Lane:
    """A session that runs: its turn, its stop flag, the answered question it goes on from ("" for none), and after
    how many seconds a question counts as denied."""

    session: str
    turn: str = field(default_factory=new_id)
    answered: str = ""
    patience: float | None = None
    cancel: Cancel = field(default_factory=Cancel)
    thread: threading.Thread | None = None


def guarded(step: Callable[[], object]) -> None:
    """Go on whatever the store refuses (the disk is full, the session was deleted): the end of a turn is told to
    everybody."""
    try:
        step()
    except AnkitaError as error:
        log.warning("while a turn was told of: %s", error)


class Lanes:
    """Turns are serial inside a session and parallel across. Thread-safe. ``owner`` names this process to others
    that want the same session; ``run_turn`` never raises; ``settle`` stores how a session stands after a turn.
    ``lock`` keeps everybody's words out while it is held; nothing begins any more while ``closing``."""

    def __init__(
        self,
        leases: Leases,
        owner: str,
        *,
        run_turn: Callable[[Lane], TurnEnded],
        settle: Callable[[str], None],
        emit: Callable[[Event], None],
    ) -> None:
        self._leases = leases
        self._owner = owner
        self._run_turn = run_turn
        self._settle = settle
        self._emit = emit
        self.lock = threading.RLock()
        self.closing = False
        self._lanes: dict[str, Lane] = {}
        self._threads: set[threading.Thread] = set()  # also those that only tell the end of their turn
        self._queues: dict[str, list[Message]] = {}  # said, not yet stored; survives a stop, not the process

    def lease(self, session: str) -> None:
        """Keep other processes out of a session. Raises ``SessionBusy``."""
        self._leases.lease(session, self._owner, LEASE)

    def release(self, session: str) -> None:
        self._leases.release(session, self._owner)

    def is_running(self, session: str) -> bool:
        with self.lock:
            return session in self._lanes

    def queued(self, session: str) -> tuple[str, ...]:
        """What was said while a turn runs and has not been sent."""
        with self.lock:
            return tuple(message.text for message in self._queues.get(session, ()))

    def put(self, session: str, message: Message) -> None:
        """Queue words without starting anything."""
        with self.lock:
            self._queues.setdefault(session, []).append(message)

    def edit(self, session: str, texts: Sequence[str]) -> None:
        """Replace what is queued; kept words keep their files. A stop leaves it until something is said."""
        with self.lock:
            known = {message.text: message for message in self._queues.get(session, ())}
            self._queues[session] = [known.get(text) or Message("user", text) for text in texts]
        self._tell_queue(session)

    def take(self, session: str) -> list[Message]:
        """What is queued, which is so no longer."""
        with self.lock:
            messages = self._queues.pop(session, [])
        if messages:
            self._tell_queue(session)
        return messages

    def start(
        self, session: str, message: Message | None, *, answered: str = "", patience: float | None = None
    ) -> str:
        """Have words answered by the turn that runs, or else by a new one. Returns its id."""
        with self.lock:
            if self.closing:
                raise AnkitaError("Ankita is closing.")
            lane = self._lanes.get(session)
            fresh = lane is None or lane.cancel.is_set()
            if fresh:
                self.lease(session)
            if message:
                self.put(session, message)
            if lane is None or fresh:
                return self._begin(Lane(session, answered=answered, patience=patience), after=lane)
        self._tell_queue(session)
        return lane.turn

    def cancel(self, session: str) -> None:
        """Stop what runs."""
        with self.lock:
            lane = self._lanes.get(session)
        if lane:
            lane.cancel.set()

    def forget(self, session: str, seconds: float) -> None:
        """Stop what runs in a session, waiting so long for it, and drop what is queued."""
        self.cancel(session)
        with self.lock:
            lane = self._lanes.get(session)
            self._queues.pop(session, None)
        if lane and lane.thread and lane.thread is not threading.current_thread():
            lane.thread.join(seconds)

    def stop(self) -> None:
        """Nothing begins any more; what runs is given a moment, then told to stop."""
        with self.lock:
            lanes = list(self._lanes.values())
        for lane in lanes:
            if lane.thread:
                lane.thread.join(0.1)
            lane.cancel.set()

    def join(self, deadline: float) -> None:
        """Wait for the threads until ``deadline`` (monotonic). Afterwards nobody uses the store."""
        with self.lock:
            threads = self._threads - {threading.current_thread()}
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _begin(self, lane: Lane, *, after: Lane | None) -> str:
        """Called under the lock. A lane that is being stopped ends first."""

        def run() -> None:
            if after and after.thread:
                after.thread.join()
            self._run(lane)
            with self.lock:
                self._threads.discard(threading.current_thread())

        self._lanes[lane.session] = lane
        lane.thread = threading.Thread(target=run, name=f"lane-{lane.session[:6]}", daemon=True)
        self._threads.add(lane.thread)
        lane.thread.start()
        return lane.turn

    def _run(self, lane: Lane) -> None:
        """Turns until nothing is queued. How the session stands is stored while the lane is still its own, so
        that the next one can't be overwritten; the last thing is to tell the end."""
        again = True
        while again:
            ended = self._run_turn(lane)
            guarded(lambda: self._settle(lane.session))
            again = self._goes_on(lane, ended)
            self._emit(ended)
            lane.turn, lane.answered = new_id(), ""

    def _goes_on(self, lane: Lane, ended: TurnEnded) -> bool:
        """Whether there is more to answer; if not, the session is free for others."""
        with self.lock:
            current = self._lanes.get(lane.session) is lane
            waits = bool(self._queues.get(lane.session)) and ended.status in GOES_ON
            again = current and waits and not self.closing
            if current and not again:
                del self._lanes[lane.session]
                guarded(lambda: self.release(lane.session))
            return again

    def _tell_queue(self, session: str) -> None:
        self._emit(QueueChanged(session, self.queued(session)))
