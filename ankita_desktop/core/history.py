"""Going back in a conversation: nothing is deleted, the head of the branch moves, and talk goes on there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from ankita_desktop.core.lanes import Lanes
from ankita_desktop.core.ports import Store
from ankita_desktop.core.session import is_asking
from ankita_desktop.errors import StoreError
from ankita_desktop.protocol import Message, SessionInfo, Source


class History(ABC):
    """The engine's ways back. Thread-safe as the engine is; raises ``AnkitaError`` while an answer is written."""

    store: Store
    _lanes: Lanes

    def branch(self, session: str, message: str) -> SessionInfo:
        """Another conversation that goes on from ``message``; what was activated until there is active in it."""
        info = self.store.branch_session(session, message)
        self._changed(info)
        return info

    def edit(self, session: str, message: str, text: str) -> str:
        """Say something else in place of what was said, and have it answered. Returns the turn's id."""
        self._take_idle(session)
        said = before(self.store, session, message)
        return self._say(session, text, said)

    def regenerate(self, session: str) -> str:
        """Have the last question answered anew. Returns the turn's id."""
        self._take_idle(session)
        to_last_question(self.store, session)
        return self._say(session, "", None)

    def begin(
        self, session: str, preface: Message, text: str, *, claim: Callable[[], bool], patience: float | None
    ) -> str:
        """Have a routine's words answered, after a note to the model, in a branch that begins anew. Returns the
        turn's id, "" when ``claim`` said no: it is asked once the session is ours, before anything is changed."""
        with self._lanes.lock:  # nobody's words come in between
            self._take_idle(session)
            if not claim():
                self._lanes.release(session)
                return ""
            self.store.move_head(session, "")
            self._lanes.put(session, preface)
            return self.submit(session, text, source="routine", patience=patience)

    @abstractmethod
    def submit(self, session: str, text: str, *, source: Source = "typed", patience: float | None = None) -> str:
        """Start a turn with what is queued and this text."""

    @abstractmethod
    def _take_idle(self, session: str) -> None:
        """Make sure that nothing runs in the session, here or elsewhere."""

    @abstractmethod
    def _say(self, session: str, text: str, instead: Message | None) -> str:
        """Start a turn: with words in place of others, or (None) with what stands there."""

    @abstractmethod
    def _changed(self, info: SessionInfo) -> None:
        """Tell of a new row."""


def before(store: Store, session: str, message: str) -> Message:
    """Move to before something the person said, so that it can be said anew. Returns what was said there."""
    messages = store.messages(session)
    place = next((n for n, one in enumerate(messages) if one.id == message), -1)
    if place < 0:
        raise StoreError(f"Session {session} has no message {message} in the branch that is shown.")
    if not is_asking(messages[place]):
        raise StoreError("Only what you said yourself can be changed and sent again.")
    store.move_head(session, messages[place - 1].id if place else "")
    return messages[place]


def to_last_question(store: Store, session: str) -> None:
    """Move to the last thing the person said, so that it is answered anew."""
    messages = store.messages(session)
    place = _last_question(messages)
    if place < 0:
        raise StoreError("Nothing has been said yet that could be answered again.")
    store.move_head(session, messages[place].id)


def _last_question(messages: Sequence[Message]) -> int:
    return next((n for n in range(len(messages) - 1, -1, -1) if is_asking(messages[n])), -1)
