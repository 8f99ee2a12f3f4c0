"""Situations on the model's wire that people reported of other assistants."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from ankita_desktop.models.openai_chat import OpenAIChat
from ankita_desktop.protocol import Answer, Message, ModelRequest, Restarted
from ankita_desktop.toolkit import Cancel
from tests.wire import Scripted, Step, WireServer, calls, raw, status

REQUEST = ModelRequest("", (Message("user", "hi"),))


def stream(*deltas: dict[str, Any]) -> Step:
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    return raw(
        b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks) + b"data: [DONE]\n\n"
    )


def call(index: int | None, call_id: str | None, name: str | None, arguments: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"function": {"arguments": arguments} | ({"name": name} if name else {})}
    entry |= {"index": index} if index is not None else {}
    return {"tool_calls": [entry | ({"id": call_id} if call_id else {})]}


def ask(server: WireServer, *messages: Message) -> Answer:
    request = ModelRequest("", messages) if messages else REQUEST
    answer = list(OpenAIChat("m", base_url=server.base_url, api_key="sk-1").stream(request, Cancel()))[-1]
    assert isinstance(answer, Answer)
    return answer


def answered(step: Scripted) -> list[tuple[str, str, dict[str, Any]]]:
    with WireServer([step]) as server:
        return [(call.id, call.name, call.arguments) for call in ask(server).message.calls]


def test_maka_1976_and_ollama_15457_two_calls_that_share_index_0_are_two_calls() -> None:
    found = answered(stream(call(0, "i", "a", '{"x":1}'), call(0, "j", "b", '{"y"'), call(0, "j", None, ":2}")))
    assert found == [("i", "a", {"x": 1}), ("j", "b", {"y": 2})]


def test_maka_1976_a_known_id_wins_over_the_index() -> None:
    found = answered(
        stream(
            call(0, "i", "a", '{"x"'),
            call(1, "j", "b", '{"y"'),
            call(1, "i", None, ":1}"),
            call(0, "j", None, ":2}"),
        )
    )
    assert found == [("i", "a", {"x": 1}), ("j", "b", {"y": 2})]


def test_maka_1976_without_id_and_index_a_piece_belongs_to_the_current_call() -> None:
    assert answered(stream(call(0, "i", "a", '{"x"'), call(None, None, None, ":1}"))) == [("i", "a", {"x": 1})]


def test_codex_7517_an_id_only_in_the_first_delta_is_enough() -> None:
    assert answered(stream(call(0, "i", "a", ""), call(0, None, None, '{"x":1}'))) == [("i", "a", {"x": 1})]


def test_continue_13225_calls_with_an_index_but_never_an_id_get_one_that_is_kept() -> None:
    with WireServer([stream(call(0, None, "a", "{}"), call(1, None, "b", "{}")), "ok"]) as server:
        message = ask(server).message
        results = [Message("tool", "done", call_id=item.id) for item in message.calls]
        ask(server, Message("user", "hi"), message, *results)
        replayed = server.requests[1]["messages"]
    assert len({item.id for item in message.calls}) == 2
    assert [item["id"] for item in replayed[1]["tool_calls"]] == [item["tool_call_id"] for item in replayed[2:]]


def test_codegraff_752_and_openai_agents_python_2061_truncated_arguments_never_go_back_to_the_server() -> None:
    with WireServer([calls(("write_file", '{"path": "a.txt", "con')), "ok"]) as server:
        message = ask(server).message
        assert (message.calls[0].arguments, message.calls[0].raw) == ({}, '{"path": "a.txt", "con')
        ask(server, Message("user", "hi"), message, Message("tool", "not JSON", call_id=message.calls[0].id))
        sent = server.requests[1]["messages"][1]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(sent) == {}


@pytest.mark.parametrize("code", [503, 529])
def test_hermes_agent_103722_retry_after_counts_and_the_retried_answer_is_looked_at_again(code: int) -> None:
    with WireServer(
        [status(code, headers={"retry-after": "1"}), status(code, headers={"retry-after": "0"}), "ok"]
    ) as server:
        parts = list(OpenAIChat("m", base_url=server.base_url).stream(REQUEST, Cancel()))
        waited = server.times[1] - server.times[0]
    assert waited >= 1.0
    assert sum(isinstance(part, Restarted) for part in parts) == 2
    assert isinstance(parts[-1], Answer)
    assert parts[-1].message.text == "ok"


def test_nanobot_946_an_empty_reasoning_field_is_replayed() -> None:
    with WireServer([stream({"reasoning_content": "", "content": "4"}), "ok"]) as server:
        ask(server, Message("user", "2+2"), ask(server).message, Message("user", "and 3+3"))
        assert server.requests[1]["messages"][1]["reasoning_content"] == ""


def test_obsyd_97_no_log_line_holds_an_address_or_a_key(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with WireServer(["ok"]) as server:
        ask(server)
    assert not [record for record in caplog.records if record.name.startswith(("httpx", "httpcore"))]
