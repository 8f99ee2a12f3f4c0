"""Makes any history one that every wire accepts: each declared call is followed by exactly one result.

Histories break when a process dies in the middle of a call, when a conversation is imported, or when an
older version stored less. Repair is pure and runs before every request; what it changes is never stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ankita_desktop.protocol import Message, ToolCall

INTERRUPTED = "Interrupted: the app stopped before this call's outcome was known. Check before you repeat it."


def open_calls(messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """The calls of the newest assistant message that have no result yet, in order."""
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role == "assistant":
            answered = {m.call_id for m in messages[index + 1 :] if m.role == "tool"}
            return tuple(call for call in messages[index].calls if call.id not in answered)
        if messages[index].role == "user" and messages[index].source != "note":
            return ()
    return ()


def repaired(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The same history with results right behind their calls, none missing, none twice, none orphaned,
    and no empty messages (which some services refuse)."""
    source = [m for m in messages if _says_something(m)]
    results: dict[str, list[Message]] = {}
    for message in source:
        if message.role == "tool":
            results.setdefault(message.call_id, []).append(message)
    valid: list[Message] = []
    for message in source:
        if message.role == "tool":
            continue
        message = _distinct(message)
        valid.append(message)
        valid.extend(_result(call, results) for call in message.calls)
    return tuple(valid)


def _says_something(message: Message) -> bool:
    return message.role == "tool" or bool(message.text or message.calls or message.attachments)


def _distinct(message: Message) -> Message:
    """A message whose calls have one id each (a second call of the same id could never be answered)."""
    seen: dict[str, ToolCall] = {}
    for call in message.calls:
        seen.setdefault(call.id, call)
    return message if len(seen) == len(message.calls) else replace(message, calls=tuple(seen.values()))


def _result(call: ToolCall, results: dict[str, list[Message]]) -> Message:
    waiting = results.get(call.id)
    if waiting:
        return waiting.pop(0)
    return Message(
        "tool", INTERRUPTED, id=f"repair-{call.id}", call_id=call.id, name=call.name, ok=False, created=0.0
    )
