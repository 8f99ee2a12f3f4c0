"""What the messages say happened: requests of the person, and the calls made for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ankita_desktop.protocol import Message, ToolCall

LOOKING = "look-"
"""Calls of ``find_tools`` that the model made on its own way to another tool have ids that start so."""


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
    calls = [call for message in part if message.role == "assistant" for call in message.calls]
    pairs = [Done(call, results[call.id]) for call in calls if call.id in results]
    closed = any(message.role == "assistant" and not message.calls for message in part)
    done = tuple(pair for pair in pairs if not pair.call.id.startswith(LOOKING))
    looked = tuple(pair for pair in pairs if pair.call.id.startswith(LOOKING))
    return Exchange(part[0], done, looked, closed)


_PATHS = ("destination", "path")


def path_of(done: Done) -> str | None:
    """The file or folder a call was about; what a search found when it found exactly one."""
    if done.call.name in ("glob", "search_files"):
        found = found_paths(done.result)
        return found[0] if len(found) == 1 else None
    for key in _PATHS:
        value = done.call.arguments.get(key)
        if isinstance(value, str) and value not in ("", "."):
            return value
    return None


def found_paths(result: Message) -> list[str]:
    """The paths in the details of a search, [] when it names none."""
    listed = result.details.get("paths") or result.details.get("matches") or []
    paths = [item.get("path") if isinstance(item, dict) else item for item in listed]
    return list(dict.fromkeys(path for path in paths if isinstance(path, str)))


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
