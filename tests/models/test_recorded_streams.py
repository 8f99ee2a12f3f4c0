"""Streams recorded from real services, served over HTTP in random pieces."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from ankita_desktop.errors import ModelError
from ankita_desktop.models.openai_chat import OpenAIChat
from ankita_desktop.models.usage import usage_of
from ankita_desktop.protocol import Answer, Message, ModelPart, ModelRequest, ReasoningPart, TextPart
from ankita_desktop.toolkit import Cancel
from tests.conftest import SHARED, shared
from tests.wire import Scripted, WireServer, raw

REQUEST = ModelRequest("", (Message("user", "hi"),))
INDEX = SHARED / "sse" / "index.json"
ENTRIES: list[dict[str, Any]] = json.loads(INDEX.read_text("utf-8")) if INDEX.exists() else []
CHAT = [entry for entry in ENTRIES if entry["kind"] == "openai-chat"]
WHOLE = [entry for entry in CHAT if not entry["reference"]["error"]]


def ask(*steps: Scripted) -> list[ModelPart]:
    with WireServer(steps) as server:
        return list(OpenAIChat("m", base_url=server.base_url).stream(REQUEST, Cancel()))


def told(parts: list[ModelPart]) -> dict[str, Any]:
    """Everything of an answer that must not depend on how it arrived."""
    answer = parts[-1]
    assert isinstance(answer, Answer)
    assert "".join(part.text for part in parts if isinstance(part, TextPart)) == answer.message.text
    assert "".join(part.text for part in parts if isinstance(part, ReasoningPart)) == answer.message.reasoning
    calls = [(call.name, call.arguments, call.raw) for call in answer.message.calls]
    provider = {name: value for name, value in answer.message.provider.items() if name != "@from"}
    message = answer.message
    return {
        "text": message.text,
        "reasoning": message.reasoning,
        "calls": calls,
        "ids": [call.id for call in message.calls],
        "usage": answer.usage,
        "finish": answer.finish,
        "provider": provider,
    }


def with_comments(body: bytes) -> bytes:
    """Keep-alive comments between all events, as proxies send them."""
    return b": keep-alive\n\n" + body.replace(b"\n\n", b"\n\n: ping\n\n")


@pytest.mark.parametrize("entry", WHOLE, ids=lambda entry: str(entry["file"]))
def test_an_answer_does_not_depend_on_how_its_bytes_arrive(entry: dict[str, Any]) -> None:
    body = (shared("sse") / entry["file"]).read_bytes()
    at_once = told(ask(raw(body, piece=len(body))))
    assert told(ask(raw(body))) == at_once
    assert told(ask(raw(with_comments(body)))) == at_once
    assert told(ask(raw(body.replace(b"\n", b"\r\n")))) == at_once


@pytest.mark.parametrize("entry", WHOLE, ids=lambda entry: str(entry["file"]))
def test_an_answer_is_the_one_that_was_recorded(entry: dict[str, Any]) -> None:
    expected = entry["reference"]
    got = told(ask(raw((shared("sse") / entry["file"]).read_bytes())))
    if expected["text_chars"]:
        assert len(got["text"]) == expected["text_chars"]
    assert got["text"].startswith(expected["text_head"])
    if expected["reasoning_chars"]:
        assert len(got["reasoning"]) == expected["reasoning_chars"]
    assert [(name, arguments) for name, arguments, _ in got["calls"]] == [
        (call["name"], json.loads(call["arguments"] or "{}")) for call in expected["tool_calls"]
    ]
    assert got["ids"] == [call["id"] for call in expected["tool_calls"]]
    if expected["finish_reason"]:
        assert got["finish"] == expected["finish_reason"]
    if expected["usage"]:
        assert got["usage"] == usage_of(expected["usage"])
        assert got["usage"].input == expected["usage"]["prompt_tokens"]


@pytest.mark.parametrize("entry", [e for e in CHAT if e["reference"]["error"]], ids=lambda e: str(e["file"]))
def test_an_error_inside_a_stream_is_an_error_with_the_servers_words(entry: dict[str, Any]) -> None:
    body = (shared("sse") / entry["file"]).read_bytes()
    with pytest.raises(ModelError) as error:
        ask(raw(body))
    assert entry["reference"]["error"]["message"] in str(error.value)


def test_a_stream_broken_off_anywhere_is_replaced_by_the_next_one() -> None:
    body = (shared("sse") / "oaipy_f82268f2fefd.sse").read_bytes()
    rng = random.Random(5)
    finished = body.index(b'"finish_reason":"tool_calls"')
    whole = told(ask(raw(body)))
    for _ in range(4):
        broken = body[: rng.randrange(finished)]
        assert told(ask(raw(broken), raw(body))) == whole
