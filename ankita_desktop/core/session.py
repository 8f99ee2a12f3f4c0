"""One conversation as its lane sees it. What is active, how far a turn is, what was denied: all of it is
read back from the stored messages, so a new process knows as much as the old one did."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ankita_desktop.core.ports import Store
from ankita_desktop.core.prompts import day_note
from ankita_desktop.core.veil import NoSecrets, Veil
from ankita_desktop.events import Event, MessageAdded
from ankita_desktop.protocol import Message, Mode, SessionInfo

_TITLE = 60


class Session:
    """Owned by one lane thread at a time; other threads read the store."""

    def __init__(
        self,
        info: SessionInfo,
        store: Store,
        emit: Callable[[Event], None],
        brief: Callable[[Sequence[Message]], Message | None] = lambda messages: None,
        veil: Veil | None = None,
    ) -> None:
        self.id = info.id
        self._brief = brief
        self._veil = veil or Veil(NoSecrets())
        self._store = store
        self._emit = emit
        self.messages: list[Message] = list(store.messages(info.id))

    @property
    def info(self) -> SessionInfo:
        """The row as it is now: a person may change mode, model or folder during a turn."""
        return self._store.session(self.id)

    def add(self, message: Message) -> Message:
        """Store, then tell. Returns the message as it is kept: without secrets."""
        message = self._veil.over(message)
        self._store.add_message(self.id, message)
        self.messages.append(message)
        self._emit(MessageAdded(self.id, message))
        return message

    def say(self, message: Message) -> None:
        """Add what the person said, after notes of what has changed: the day, and what is to be known."""
        if self.messages and _day(self.messages[-1].created) != _day(message.created):
            self.add(note(day_note(message.created)))
        if news := self._brief(self.messages):
            self.add(news)
        self.add(message)

    def why(self) -> str:
        """The request being served, in the person's words."""
        return next((m.text for m in reversed(self.messages) if is_asking(m)), "")[:300]


def note(text: str, **details: object) -> Message:
    """Words of the product to the model."""
    return Message("user", text, source="note", details=details)


def is_asking(message: Message) -> bool:
    """Whether a person (or a routine) said this."""
    return message.role == "user" and message.source != "note"


def this_turn(messages: Sequence[Message]) -> Sequence[Message]:
    """What came since the person last spoke or pressed Continue."""
    for index in range(len(messages) - 1, -1, -1):
        if is_asking(messages[index]) or messages[index].details.get("continue"):
            return messages[index + 1 :]
    return messages


def was_denied(messages: Sequence[Message]) -> bool:
    """Whether this turn wanted something that nobody could allow."""
    return any(m.details.get("denied") == "nobody" for m in this_turn(messages) if m.role == "tool")


def title_of(text: str) -> str:
    """A conversation's title from its first words."""
    words = " ".join(text.split())
    return words if len(words) <= _TITLE else words[: _TITLE - 1].rsplit(" ", 1)[0] + "…"


def effective_mode(info: SessionInfo, only: Mode | None = None) -> Mode:
    """The session's mode, or ``only`` where a process has one for all its turns. The home folder itself is never
    a root in which edits pass unasked."""
    mode = only or info.mode
    at_home = Path(info.cwd).resolve() == Path.home().resolve()
    return "ask" if mode == "edits" and at_home else mode


def _day(moment: float) -> tuple[int, int]:
    local = time.localtime(moment)
    return local.tm_year, local.tm_yday
