"""Which changes belong together: those that one request of the person led to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ankita_desktop.protocol import Message


def changes_of(messages: Iterable[Message]) -> tuple[str, ...]:
    """The checkpoints of all calls, in order."""
    found = (str(message.details.get("checkpoint") or "") for message in messages if message.role == "tool")
    return tuple(dict.fromkeys(name for name in found if name))


def turn_of(messages: Sequence[Message], message: str) -> Sequence[Message]:
    """The part of a conversation that the same request led to as this message: from what the person said up to
    what they said next."""
    asked = [place for place, each in enumerate(messages) if each.role == "user" and each.source != "note"]
    here = next((place for place, each in enumerate(messages) if each.id == message), -1)
    if here < 0:
        return ()
    begin = max((place for place in asked if place <= here), default=0)
    end = min((place for place in asked if place > here), default=len(messages))
    return messages[begin:end]


def turn_with(messages: Sequence[Message], checkpoint: str) -> tuple[str, ...]:
    """All changes of the request that led to this one; this one alone when it isn't in the conversation."""
    places = (each.id for each in messages if each.role == "tool" and each.details.get("checkpoint") == checkpoint)
    found = next(places, "")
    return changes_of(turn_of(messages, found)) if found else (checkpoint,)
