"""What the core tells the world. Front ends only read events.

Everything is a frozen value, made on the thread where the thing happens. A turn is always
``TurnStarted``, then anything, then exactly one ``TurnEnded``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ankita_desktop.protocol import (
    ApprovalRequest,
    JobInfo,
    Message,
    Outcome,
    Round,
    SessionInfo,
    Status,
    ToolCall,
    ToolResult,
)


@dataclass(frozen=True, slots=True)
class TurnStarted:
    session: str
    turn: str


@dataclass(frozen=True, slots=True)
class MessageAdded:
    """A message is stored. This is the truth; deltas before it were decoration."""

    session: str
    message: Message


@dataclass(frozen=True, slots=True)
class TextDelta:
    session: str
    text: str
    reasoning: bool = False


@dataclass(frozen=True, slots=True)
class TextReset:
    """The deltas since the last message are void: the request is tried again, in ``wait`` seconds."""

    session: str
    reason: str
    wait: float = 0.0

    @property
    def words(self) -> str:
        """What the person is told while they wait."""
        when = f" in {self.wait:.0f} s" if self.wait >= 1 else ""
        return f"{self.reason} Trying again{when}."


@dataclass(frozen=True, slots=True)
class CallStarted:
    session: str
    call: ToolCall


@dataclass(frozen=True, slots=True)
class CallProgress:
    session: str
    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class CallEnded:
    session: str
    call: ToolCall
    result: ToolResult
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    session: str
    request: ApprovalRequest


@dataclass(frozen=True, slots=True)
class ApprovalClosed:
    session: str
    request_id: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class RoundEnded:
    session: str
    round: Round


@dataclass(frozen=True, slots=True)
class QueueChanged:
    """Texts submitted while a turn runs, in order, not yet sent."""

    session: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JobChanged:
    session: str
    job: JobInfo


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """The row changed, or (``info`` None) the session was deleted."""

    session: str
    info: SessionInfo | None


@dataclass(frozen=True, slots=True)
class Notice:
    """One line for the person: never the model's words."""

    session: str
    text: str


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """Exactly one per turn. ``text`` is the last assistant text; ``reason`` says why for all but done."""

    session: str
    turn: str
    status: Status
    text: str = ""
    reason: str = ""
    can_continue: bool = False


Event = (
    TurnStarted
    | MessageAdded
    | TextDelta
    | TextReset
    | CallStarted
    | CallProgress
    | CallEnded
    | ApprovalAsked
    | ApprovalClosed
    | RoundEnded
    | QueueChanged
    | JobChanged
    | SessionChanged
    | Notice
    | TurnEnded
)


class Sink(Protocol):
    """Reads events, on the thread where they happen; must return at once and never raise."""

    def __call__(self, event: Event, /) -> None: ...
