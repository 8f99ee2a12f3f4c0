"""Deferral that services do themselves: the request's tools never change, and a result names what was found.

Pure functions for the wires. Anthropic (Messages): deferred tools go along marked ``defer_loading``, which costs
nothing, and the result of find_tools refers to those found. OpenAI (Responses): find_tools is the client's
``tool_search``, and its output carries the schemas. Either way the service shows them where they were found, so
what it has cached of the conversation stays good.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ankita_desktop.protocol import Message, ModelRequest, ToolCall, ToolSpec

Wire = dict[str, Any]
FINDER = "find_tools"


def found_tools(request: ModelRequest, result: Message) -> tuple[ToolSpec, ...]:
    """The deferred tools that a result of find_tools names, in its order; empty for any other message."""
    if result.role != "tool" or result.name != FINDER or not result.ok:
        return ()
    known = {spec.name: spec for spec in request.deferred}
    return tuple(known[name] for name in result.details.get("tools", ()) if name in known)


# --- Anthropic: Messages ----------------------------------------------------------------------


def anthropic_tools(request: ModelRequest) -> list[Wire]:
    """The request's ``tools``: what is always sent, then the deferred ones by name."""
    deferred = sorted(request.deferred, key=lambda spec: spec.name)
    return [*map(_anthropic, request.tools), *(_anthropic(spec) | {"defer_loading": True} for spec in deferred)]


def anthropic_result(request: ModelRequest, result: Message) -> list[Wire]:
    """The content of a ``tool_result`` block: references when tools were found, else its text. (A block with
    references can't hold text as well.)"""
    found = found_tools(request, result)
    if not found:
        return [{"type": "text", "text": result.text}]
    return [{"type": "tool_reference", "tool_name": spec.name} for spec in found]


def anthropic_references(event: Mapping[str, Any]) -> tuple[str, ...]:
    """The tools that an event of the stream refers to: a search which the service ran itself."""
    block = event.get("content_block")
    if event.get("type") != "content_block_start" or not isinstance(block, Mapping):
        return ()
    content = block.get("content")
    if block.get("type") != "tool_search_tool_result" or not isinstance(content, Mapping):
        return ()  # another block, or a search that failed: its content is an error
    references = content.get("tool_references") or ()
    return tuple(
        str(each["tool_name"]) for each in references if isinstance(each, Mapping) and "tool_name" in each
    )


def _anthropic(spec: ToolSpec) -> Wire:
    function = spec.entry()["function"]
    return {"name": spec.name, "description": spec.description, "input_schema": function["parameters"]}


# --- OpenAI: Responses ------------------------------------------------------------------------


def openai_tools(request: ModelRequest) -> list[Wire]:
    """The request's ``tools``, with find_tools as the search that runs here."""
    return [_search(spec) if spec.name == FINDER and request.deferred else _openai(spec) for spec in request.tools]


def openai_search(event: Mapping[str, Any]) -> ToolCall | None:
    """The call of find_tools that an event of the stream completes, if it is one to run here."""
    item = event.get("item")
    if event.get("type") != "response.output_item.done" or not isinstance(item, Mapping):
        return None
    if item.get("type") != "tool_search_call" or item.get("execution") != "client":
        return None
    arguments = item.get("arguments")
    parsed = _parsed(arguments)
    raw = None if parsed is not None else str(arguments)
    return ToolCall(str(item.get("call_id") or item.get("id")), FINDER, parsed or {}, raw)


def openai_result(request: ModelRequest, result: Message) -> Wire:
    """The input item that answers a search: the schemas of what was found, none when nothing was."""
    tools = [_openai(spec) | {"defer_loading": True} for spec in found_tools(request, result)]
    about = {"type": "tool_search_output", "call_id": result.call_id, "execution": "client", "status": "completed"}
    return about | {"tools": tools}


def openai_call(call: ToolCall) -> Wire:
    """The input item of a search that the model made, as it is replayed in later requests."""
    about = {"type": "tool_search_call", "call_id": call.id, "execution": "client", "status": "completed"}
    return about | {"arguments": call.arguments}


def _openai(spec: ToolSpec) -> Wire:
    return {"type": "function", "strict": False, **spec.entry()["function"]}


def _search(spec: ToolSpec) -> Wire:
    function = spec.entry()["function"]
    about = {"type": "tool_search", "execution": "client", "description": spec.description}
    return about | {"parameters": function["parameters"]}


def _parsed(arguments: Any) -> Wire | None:
    """Arguments as an object: they come as one, or as its JSON text."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except ValueError:
            return None
    return dict(arguments) if isinstance(arguments, Mapping) else None


def references(events: Iterable[Mapping[str, Any]]) -> Sequence[str]:
    """All tools that a whole Anthropic stream refers to, in order, each once."""
    return list(dict.fromkeys(name for event in events for name in anthropic_references(event)))
