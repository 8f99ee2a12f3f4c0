"""From the pieces of a chat completion to one assistant message. Pure: no network, no clock.

Servers that call themselves compatible differ in nearly everything here, so each rule says what it is for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ankita_desktop.models.failures import Broken, Failure
from ankita_desktop.models.sse import EventStream
from ankita_desktop.models.streamed_calls import StreamedCalls, whole_characters
from ankita_desktop.models.usage import usage_of
from ankita_desktop.protocol import Answer, Message, ReasoningPart, TextPart, Usage

# Where servers put what the model thinks, best first: only the first that is filled is shown.
_REASONING = ("reasoning_content", "reasoning", "reasoning_text", "thinking")
ORIGIN = "@from"
LARGEST_ANSWER = 64 * 1024 * 1024  # bytes on the wire

Chunk = Mapping[str, Any]


class ChunkReader:
    """Bytes of an answer in any pieces to its JSON objects. A server that answers a streaming request with one
    plain JSON document is understood too."""

    def __init__(self) -> None:
        self.done = False
        self._events = EventStream()
        self._size = 0
        self._plain: bytearray | None = None
        self._begun = False

    def feed(self, piece: bytes) -> list[Chunk]:
        self._size += len(piece)
        if self._size > LARGEST_ANSWER:
            raise Broken(Failure(message="the answer is larger than 64 MB"))
        if not self._begun and piece.strip():
            self._begun = True
            self._plain = bytearray() if piece.lstrip()[:1] in (b"{", b"<") else None
        if self._plain is None:
            return self._objects(self._events.feed(piece))
        self._plain += piece
        return []

    def finish(self) -> list[Chunk]:
        if self._plain is None:
            return self._objects(self._events.finish())
        if self._plain.lstrip().startswith(b"<"):
            raise Broken(Failure(404))  # a web page: the base URL is not the one of an API
        self.done = True
        return self._objects([self._plain.decode("utf-8", "replace")])

    def _objects(self, events: list[str]) -> list[Chunk]:
        chunks = []
        for data in events:
            if data.startswith("{"):
                chunks.append(_loaded(data))
            elif data.strip() == "[DONE]":
                self.done = True
        return chunks


def _loaded(data: str) -> Chunk:
    try:
        chunk: Chunk = json.loads(data)
    except ValueError as error:
        raise Broken(Failure(fault="cut")) from error
    return chunk


class Assembler:
    """Takes the chunks of one completion (or a whole one) in order; ``answer`` is the message they make."""

    def __init__(self) -> None:
        self.finish = ""
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._half = {"text": "", "reasoning": ""}
        self._provider: dict[str, Any] = {}
        self._calls = StreamedCalls()
        self._usage: Usage | None = None

    @property
    def text(self) -> str:
        return "".join(self._text)

    @property
    def empty(self) -> bool:
        return not self._calls and not self.text.strip()

    def feed(self, chunk: Mapping[str, Any]) -> list[TextPart | ReasoningPart]:
        """Add one chunk; returns what of it can be shown at once."""
        self._count(chunk)
        choice = _first_choice(chunk)
        if choice is None:
            return []
        self.finish = str(choice.get("finish_reason") or self.finish)
        if isinstance(choice.get("usage"), dict):
            self._usage = usage_of(choice["usage"])
        delta = self._delta(choice)
        self._keep(delta)
        self._calls.feed(delta)
        return self._parts(delta)

    def answer(self, origin: str = "") -> Answer:
        """The whole message. ``origin`` names the server whose own fields it keeps."""
        calls, extras = self._calls.finish()
        provider = dict(self._provider)
        if extras:
            provider["calls"] = extras
        if provider and origin:
            provider[ORIGIN] = origin
        message = Message(
            "assistant", self.text, calls=calls, reasoning="".join(self._reasoning), provider=provider
        )
        return Answer(message, self._usage or Usage(), self.finish or ("tool_calls" if calls else "stop"))

    def _count(self, chunk: Mapping[str, Any]) -> None:
        # Cumulative where it comes more than once, so the last counts; Groq may have it only in its own field.
        own = chunk.get("x_groq")
        for fields in (own.get("usage") if isinstance(own, dict) else None, chunk.get("usage")):
            if isinstance(fields, dict) and fields:
                self._usage = usage_of(fields)

    def _delta(self, choice: Mapping[str, Any]) -> Mapping[str, Any]:
        delta = choice.get("delta")
        if isinstance(delta, dict):
            return delta
        message = choice.get("message")
        repeated = bool(self._text or self._calls)  # some servers close the stream with the whole message again
        return message if isinstance(message, dict) and not repeated else {}

    def _parts(self, delta: Mapping[str, Any]) -> list[TextPart | ReasoningPart]:
        text, thought = _content(delta.get("content"))
        thought = _thought(delta) or thought
        if isinstance(refusal := delta.get("refusal"), str):
            text += refusal
        parts: list[TextPart | ReasoningPart] = []
        if thought and (shown := self._whole("reasoning", thought)):
            self._reasoning.append(shown)
            parts.append(ReasoningPart(shown))
        if text and (shown := self._whole("text", text)):
            self._text.append(shown)
            parts.append(TextPart(shown))
        return parts

    def _whole(self, kind: str, text: str) -> str:
        """``text`` without a broken character: half of a surrogate pair waits for its other half."""
        if text.isascii() and not self._half[kind]:
            return text
        text = self._half[kind] + text
        self._half[kind] = text[-1] if "\ud800" <= text[-1] <= "\udbff" else ""
        return whole_characters(text.removesuffix(self._half[kind]))

    def _keep(self, delta: Mapping[str, Any]) -> None:
        """Collect the server's own fields, which it wants to see again with this message, even empty."""
        for name, value in delta.items():
            if not name.startswith(("reasoning", "thinking")) or value is None:
                continue
            if isinstance(value, str):
                self._provider[name] = whole_characters(str(self._provider.get(name, "")) + value)
            elif isinstance(value, list):
                self._provider[name] = _merged(self._provider.get(name), value)
            else:
                self._provider[name] = value


def _first_choice(chunk: Mapping[str, Any]) -> Mapping[str, Any] | None:
    choices = chunk.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, dict) and not choice.get("index"):
            return choice
    return None


def _content(content: Any) -> tuple[str, str]:
    """Text and thought of a ``content`` field: a string, null, or a list of typed parts."""
    if isinstance(content, str):
        return content, ""
    text, thought = "", ""
    for part in content if isinstance(content, list) else ():
        if isinstance(part, str):
            text += part
        elif isinstance(part, dict) and part.get("type") in ("thinking", "reasoning"):
            thought += _flat(part.get("thinking", part.get("text")))
        elif isinstance(part, dict):
            text += _flat(part.get("text", part.get("refusal")))
    return text, thought


def _flat(value: Any) -> str:
    return value if isinstance(value, str) else _content(value)[0]


def _thought(delta: Mapping[str, Any]) -> str:
    for name in _REASONING:
        if isinstance(value := delta.get(name), str) and value:
            return value
    details = delta.get("reasoning_details")
    parts = [part for part in details if isinstance(part, dict)] if isinstance(details, list) else []
    return "".join(str(part.get("text") or part.get("summary") or "") for part in parts)


def _merged(known: Any, pieces: list[Any]) -> list[Any]:
    """Streamed details joined per index and type: their texts run on, other fields take the latest value."""
    merged: list[Any] = list(known) if isinstance(known, list) else []
    for piece in pieces:
        last = merged[-1] if merged else None
        if not (isinstance(piece, dict) and isinstance(last, dict) and _same_detail(last, piece)):
            merged.append(dict(piece) if isinstance(piece, dict) else piece)
            continue
        joined = {name: str(last.get(name) or "") + str(piece[name]) for name in _RUNNING if piece.get(name)}
        merged[-1] = last | {name: value for name, value in piece.items() if value is not None} | joined
    return merged


_RUNNING = ("text", "summary", "data")


def _same_detail(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one.get(key) == other.get(key) for key in ("index", "type", "format"))
