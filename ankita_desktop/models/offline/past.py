"""What the messages say happened: requests of the person, and the calls made for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ankita_desktop.protocol import Message, ToolCall

LOOKING = "look-"
"""Calls of ``find_tools`` that the model made on its own way to another tool have ids that start so."""


DISPATCH = "call_tool"
"""Where the tools of a request never change, found ones are run through this one."""


@dataclass(frozen=True, slots=True)
class Done:
    """A call and its result."""

    call: ToolCall
    result: Message


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and what was done for it. ``closed`` when it was answered in words."""

    asked: Message
    done: tuple[Done, ...]
    looked: tuple[Done, ...]
    closed: bool


def exchanges(messages: Sequence[Message]) -> tuple[Exchange, ...]:
    """The conversation request by request, oldest first; the last one may be under way. Notes are no requests."""
    return tuple(_exchange(part) for part in _parts(messages))


def _parts(messages: Sequence[Message]) -> Iterator[list[Message]]:
    part: list[Message] = []
    for message in messages:
        if message.role == "user" and message.source != "note":
            if part:
                yield part
            part = [message]
        elif part:
            part.append(message)
    if part:
        yield part


def _exchange(part: list[Message]) -> Exchange:
    results = {message.call_id: message for message in part if message.role == "tool"}
    calls = [_inner(call) for message in part if message.role == "assistant" for call in message.calls]
    pairs = [Done(call, results[call.id]) for call in calls if call.id in results]
    given_up = _given_up(part)
    closed = any(message.role == "assistant" and not message.calls for message in part)
    done = tuple(p for p in pairs if not p.call.id.startswith(LOOKING) and p.call.id not in given_up)
    looked = tuple(pair for pair in pairs if pair.call.id.startswith(LOOKING))
    return Exchange(part[0], done, looked, closed)


def _inner(call: ToolCall) -> ToolCall:
    """The call that ``call_tool`` makes, where tools are run through it."""
    if call.name != DISPATCH or not isinstance(call.arguments.get("arguments"), dict):
        return call
    return ToolCall(call.id, str(call.arguments.get("name")), call.arguments["arguments"])


def _given_up(part: list[Message]) -> frozenset[str]:
    """Calls without success before the person pressed Continue: they are made anew."""
    resumed = [index for index, message in enumerate(part) if message.details.get("continue")]
    before = part[: resumed[-1]] if resumed else []
    return frozenset(message.call_id for message in before if message.role == "tool" and not message.ok)


def found_tools(messages: Sequence[Message]) -> frozenset[str]:
    """The tools that ``find_tools`` named so far."""
    found = [m.details.get("tools", ()) for m in messages if m.role == "tool" and m.name == "find_tools" and m.ok]
    return frozenset(str(tool) for tools in found for tool in tools)


_PATHS = ("destination", "path")


def path_of(done: Done) -> str | None:
    """The file or folder a call was about; what a search found when it found exactly one."""
    text = done.result.text
    if done.call.name == "glob":
        return text.partition("\n")[0] if done.result.details.get("count") == 1 else None
    if done.call.name == "search_files":
        return text.partition(":")[0] if done.result.details.get("files") == 1 else None
    for key in _PATHS:
        value = done.call.arguments.get(key)
        if isinstance(value, str) and value not in ("", "."):
            return value
    return None


def focus_after(done: Done) -> dict[str, str]:
    """What "it" means after a call, by kind: path or branch."""
    arguments = done.call.arguments
    if (
        done.call.name == "git"
        and arguments.get("action") in ("branch", "checkout", "merge")
        and "ref" in arguments
    ):
        return {"branch": str(arguments["ref"])}
    path = path_of(done)
    return {"path": path} if path else {}
