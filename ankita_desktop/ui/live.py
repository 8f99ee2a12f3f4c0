"""What of a running turn isn't stored yet, so that a conversation opened midway shows all of it. No Qt here."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ankita_desktop.events import (
    CallEnded,
    CallProgress,
    CallStarted,
    Event,
    MessageAdded,
    TextDelta,
    TextReset,
    TurnEnded,
    TurnStarted,
)

Pending = TextDelta | CallStarted | CallProgress | CallEnded | TurnStarted | TurnEnded


@dataclass(slots=True)
class Live:
    """The unsettled events of one conversation, oldest first. Feed it every event; replay ``events``."""

    events: list[Pending]
    running: bool = False

    def take(self, event: Event) -> None:
        """Follow one event: what a stored message settles is dropped, deltas run together."""
        match event:
            case TurnStarted():
                self.events, self.running = [event], True
            case TurnEnded():
                self.events, self.running = [event], False
            case TextReset():
                self._drop_text()
            case MessageAdded(message=message):
                self._settle(message.role, message.call_id)
            case TextDelta():
                self._add_text(event)
            case CallStarted() | CallProgress() | CallEnded():
                self.events.append(event)
            case _:
                pass

    def _add_text(self, event: TextDelta) -> None:
        last = self.events[-1] if self.events else None
        if isinstance(last, TextDelta) and last.reasoning == event.reasoning:
            self.events[-1] = replace(last, text=last.text + event.text)
        else:
            self.events.append(event)

    def _settle(self, role: str, call_id: str) -> None:
        if role == "assistant":
            self._drop_text()
        elif role == "tool":
            self.events = [each for each in self.events if _call_of(each) != call_id]

    def _drop_text(self) -> None:
        self.events = [each for each in self.events if not isinstance(each, TextDelta)]


def _call_of(event: Pending) -> str | None:
    if isinstance(event, CallStarted | CallEnded):
        return event.call.id
    return event.call_id if isinstance(event, CallProgress) else None
