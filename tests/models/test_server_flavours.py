"""Streams written after what llama.cpp's server, Ollama and Copilot chat send, which no recording covers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ankita_desktop.errors import ModelError
from ankita_desktop.models.openai_chat import OpenAIChat
from ankita_desktop.protocol import Answer, Message, ModelRequest, Usage
from ankita_desktop.toolkit import Cancel
from tests.wire import Step, WireServer, raw

REQUEST = ModelRequest("", (Message("user", "hi"),))


def stream(*chunks: dict[str, Any], done: bool = True) -> Step:
    body = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks)
    return raw(body + (b"data: [DONE]\n\n" if done else b""))


def answer(step: Step) -> Answer:
    with WireServer([step]) as server:
        parts = list(OpenAIChat("m", base_url=server.base_url).stream(REQUEST, Cancel()))
        assert isinstance(parts[-1], Answer)
        return parts[-1]


def llama(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
    return {
        "choices": [{"finish_reason": finish, "index": 0, "delta": delta}],
        "created": 1770000000,
        "id": "chatcmpl-Z8Y3",
        "model": "local.gguf",
        "system_fingerprint": "b7000-1a2b3c4",
        "object": "chat.completion.chunk",
        **more,
    }


def test_llama_cpp_text_with_thoughts_and_usage_in_a_chunk_of_its_own() -> None:
    timings = {"prompt_n": 11, "prompt_ms": 80.1, "predicted_n": 5, "predicted_ms": 210.9, "cache_n": 4}
    usage = {
        "completion_tokens": 5,
        "prompt_tokens": 15,
        "total_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 4},
    }
    got = answer(
        stream(
            llama({"role": "assistant", "content": None}),
            llama({"reasoning_content": "The person "}),
            llama({"reasoning_content": "greets."}),
            llama({"content": "Hel"}),
            llama({"content": "lo"}),
            llama({}, "stop"),
            {**llama({}), "choices": [], "usage": usage, "timings": timings},
        )
    )
    assert (got.message.text, got.message.reasoning) == ("Hello", "The person greets.")
    assert got.usage == Usage(15, 4, 5)


def test_llama_cpp_calls_open_with_a_brace_and_go_on_by_index() -> None:
    def piece(arguments: str, **opening: Any) -> dict[str, Any]:
        name = {"name": opening.pop("name")} if opening else {}
        return llama({"tool_calls": [{"index": 0, **opening, "function": {**name, "arguments": arguments}}]})

    got = answer(
        stream(
            llama({"role": "assistant", "content": None}),
            piece("{", id="Qh3", type="function", name="read_file"),
            piece('"path":'),
            piece('"a.txt"'),
            piece("}"),
            llama({}, "tool_calls"),
        )
    )
    assert [(call.id, call.name, call.arguments) for call in got.message.calls] == [
        ("Qh3", "read_file", {"path": "a.txt"})
    ]


def test_llama_cpp_errors_inside_the_stream_name_their_reason() -> None:
    error = {
        "code": 400,
        "message": "the request exceeds the available context size",
        "type": "exceed_context_size_error",
    }
    with pytest.raises(ModelError, match="available context size") as raised:
        answer(stream({"error": error}, done=False))
    assert raised.value.kind == "overflow"


def ollama(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {
        "id": "chatcmpl-312",
        "object": "chat.completion.chunk",
        "created": 1770000000,
        "model": "qwen3:4b",
        "system_fingerprint": "fp_ollama",
        "choices": [{"index": 0, "delta": {"role": "assistant", "content": "", **delta}, "finish_reason": finish}],
    }


def ollama_call(call_id: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return ollama({"tool_calls": [{"id": call_id, "index": 0, "type": "function", "function": function}]})


def test_ollama_sends_whole_calls_that_all_have_index_0() -> None:
    usage = {"prompt_tokens": 169, "completion_tokens": 44, "total_tokens": 213}
    got = answer(
        stream(
            ollama({"reasoning": "Two files"}),
            ollama({"reasoning": " then."}),
            ollama_call("call_9n2f", "read_file", {"path": "a"}),
            ollama_call("call_x81c", "read_file", {"path": "b"}),
            ollama({}, "tool_calls"),
            {**ollama({}), "choices": [], "usage": usage},
        )
    )
    assert [call.arguments["path"] for call in got.message.calls] == ["a", "b"]
    assert [call.id for call in got.message.calls] == ["call_9n2f", "call_x81c"]
    assert (got.message.reasoning, got.usage) == ("Two files then.", Usage(169, 0, 44))


def copilot(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "content_filter_offsets": {"check_offset": 90, "start_offset": 90, "end_offset": 120}}
    choice |= {"content_filter_results": {"hate": {"filtered": False, "severity": "safe"}}, "delta": delta}
    more_ = {"id": "chatcmpl-B2", "created": 1770000000, "model": "gpt-5-mini", **more}
    return {"choices": [choice | ({"finish_reason": finish} if finish else {})], **more_}


def test_copilot_begins_without_choices_and_signs_its_thoughts() -> None:
    filters = [{"content_filter_results": {"hate": {"filtered": False}}, "prompt_index": 0}]
    usage = {"completion_tokens": 9, "prompt_tokens": 500, "prompt_tokens_details": {"cached_tokens": 384}}
    got = answer(
        stream(
            {"choices": [], "created": 0, "id": "", "prompt_filter_results": filters},
            copilot({"content": None, "role": "assistant", "reasoning_text": "I look", "padding": "ab"}),
            copilot({"content": None, "reasoning_text": " first.", "reasoning_opaque": "c2ln"}),
            copilot({"content": "Let me see.", "role": "assistant"}),
            copilot({"tool_calls": [{"function": {"name": "list_dir", "arguments": ""}, "id": "call_1", "index": 0,
                                     "type": "function"}]}),
            copilot({"tool_calls": [{"function": {"arguments": '{"path":"."}'}, "index": 0}]}),
            copilot({"content": None}, "tool_calls", usage={**usage, "total_tokens": 509}),
        )
    )  # fmt: skip
    message = got.message
    assert (message.text, message.reasoning) == ("Let me see.", "I look first.")
    assert (message.provider["reasoning_text"], message.provider["reasoning_opaque"]) == ("I look first.", "c2ln")
    assert (message.calls[0].name, message.calls[0].arguments) == ("list_dir", {"path": "."})
    assert (got.usage, got.finish) == (Usage(500, 384, 9), "tool_calls")
