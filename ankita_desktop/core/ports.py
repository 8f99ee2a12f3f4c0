"""What the core needs from outside, as protocols. The composition roots (`app.py`, `cli.py`) hand it in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ankita_desktop.protocol import (
    ApprovalRequest,
    Decision,
    Grant,
    Message,
    Mode,
    Outcome,
    Round,
    SessionInfo,
)


class Store(Protocol):
    """The database as the core sees it. Every method may be called from any thread and is durable on return."""

    # sessions
    def create_session(self, *, cwd: str, mode: Mode, model: str, title: str = "") -> SessionInfo: ...
    def session(self, session: str) -> SessionInfo:
        """The row. Raises ``StoreError`` when there is none."""
        ...

    def update_session(self, session: str, **fields: object) -> SessionInfo:
        """Set any of title, cwd, mode, model, state, unread. Returns the new row."""
        ...

    def sessions(self) -> Sequence[SessionInfo]:
        """All rows, newest first."""
        ...

    def delete_session(self, session: str) -> None: ...
    def lease(self, session: str, owner: str, seconds: float = 60.0) -> None:
        """Take or renew the right to run the session. Raises ``SessionBusy`` when a live other has it.
        ``owner`` is "PID what", such as "4121 window"; a lease whose process is gone is free."""
        ...

    def release(self, session: str, owner: str) -> None: ...

    # messages
    def add_message(self, session: str, message: Message) -> None: ...
    def messages(self, session: str) -> Sequence[Message]:
        """The branch that ends at the session's head, oldest first."""
        ...

    def move_head(self, session: str, message: str) -> None:
        """Show the branch that ends at ``message`` (an id; empty: before the first). Nothing is deleted."""
        ...

    def branch_session(self, session: str, message: str, *, title: str = "") -> SessionInfo:
        """A new conversation with everything up to and including ``message``."""
        ...

    # approvals
    def add_approval(self, request: ApprovalRequest) -> None: ...
    def approval(self, request: str) -> tuple[ApprovalRequest, Outcome, Decision | None]: ...
    def approvals(
        self, *, session: str = "", outcome: Outcome | None = "pending"
    ) -> Sequence[tuple[ApprovalRequest, Outcome, Decision | None]]: ...
    def close_approval(self, request: str, outcome: Outcome, decision: Decision | None = None) -> bool:
        """Answer a pending request. False when it was answered before: at most one answer counts."""
        ...

    # grants
    def add_grant(self, grant: Grant) -> None: ...
    def grants(self, session: str = "") -> Sequence[Grant]:
        """Grants for always, and the session's own when it is named."""
        ...

    def revoke_grant(self, grant: str) -> bool: ...

    def add_miss(self, session: str, query: str) -> None:
        """Keep that a search for tools found nothing, for whoever looks after the keywords."""
        ...

    # usage
    def add_round(self, session: str, turn: str, round_: Round) -> None: ...
    def rounds(self, session: str = "") -> Sequence[tuple[str, str, Round, float]]:
        """(session, turn, round, time), oldest first."""
        ...


class Redactor(Protocol):
    """Knows the person's secrets. Thread-safe; the first call may take seconds while a keyring is asked."""

    def hide(self, text: str) -> str:
        """The text with each secret replaced by its placeholder; the same object when there is none."""
        ...

    def hide_printed(self, text: str, asked: str) -> str:
        """As ``hide``, of what came of the call ``asked``: also what is left of a secret beside a cut, passwords
        in addresses, and a .env file that git has kept."""
        ...

    def show(self, text: str) -> str:
        """The reverse, for the person's eyes and for what they wrote themselves."""
        ...

    def held(self, text: str) -> int:
        """How many characters at the end may be the beginning of a secret."""
        ...


class EngineSettings(Protocol):
    """The settings the core reads, live: a change counts from the next round on."""

    @property
    def max_rounds(self) -> int: ...
    @property
    def deferral(self) -> str: ...
    @property
    def schema_tokens(self) -> int: ...
    def as_dict(self) -> Mapping[str, object]: ...
