"""Services that defer by themselves: the tools of a request never change, a result names what was found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ankita_desktop.models import native_deferral as native
from ankita_desktop.models.sse import EventStream
from ankita_desktop.protocol import Message, ModelRequest, ToolCall, ToolSpec
from tests.conftest import shared

FIND = ToolSpec(
    "find_tools", "Find tools.", {"type": "object", "properties": {"query": {"type": "string"}}}, "core", True
)
READ = ToolSpec("read_file", "Read.", {"type": "object", "properties": {"path": {"type": "string"}}}, "core", True)
PORT = ToolSpec(
    "port_status", "Ports.", {"type": "object", "properties": {"port": {"type": "integer"}}}, "process"
)
GIT = ToolSpec("git", "Git.", {"type": "object", "properties": {}}, "git")
REQUEST = ModelRequest("s", (), (READ, FIND), "x", (PORT, GIT))


def result(*names: str, ok: bool = True, tool: str = "find_tools") -> Message:
    return Message("tool", "Found.", call_id="c1", name=tool, ok=ok, details={"tools": list(names)})


def recorded(name: str) -> list[dict[str, Any]]:
    """The events of a recorded stream."""
    stream = EventStream()
    data = [*stream.feed((shared("sse") / name).read_bytes()), *stream.finish()]
    return [json.loads(each) for each in data if each != "[DONE]"]


# --- Anthropic ----------------------------------------------------------------------------------


def test_anthropic_is_sent_every_tool_and_told_which_to_hold_back() -> None:
    tools = native.anthropic_tools(REQUEST)
    assert [tool["name"] for tool in tools] == ["read_file", "find_tools", "git", "port_status"]
    assert [tool.get("defer_loading", False) for tool in tools] == [False, False, True, True]
    assert tools[3]["input_schema"] == PORT.parameters


def test_a_server_that_reorders_its_tools_changes_nothing_for_anthropic() -> None:
    other = ModelRequest("s", (), (READ, FIND), "x", (GIT, PORT))
    assert native.anthropic_tools(other) == native.anthropic_tools(REQUEST)


def test_what_was_found_is_referred_to_in_the_result() -> None:
    assert native.anthropic_result(REQUEST, result("port_status")) == [
        {"type": "tool_reference", "tool_name": "port_status"}
    ]


@pytest.mark.parametrize(
    "message", [result(), result("gone"), result("git", ok=False), result("git", tool="read_file")]
)
def test_a_result_that_found_nothing_is_text(message: Message) -> None:
    assert native.anthropic_result(REQUEST, message) == [{"type": "text", "text": "Found."}]


def test_a_recorded_stream_after_a_search_refers_to_nothing_more() -> None:
    events = recorded("pai_api.anthropic.com_anthropic_native_tool_search_streaming_1.sse")
    assert any(event["type"] == "message_stop" for event in events)
    assert native.references(events) == []


def searched(content: dict[str, Any]) -> list[dict[str, Any]]:
    """A search that the service runs itself, as its stream tells it."""
    use = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "tool_search_tool_bm25", "input": {}}
    query = {"type": "input_json_delta", "partial_json": '{"query": "ports"}'}
    block = {"type": "tool_search_tool_result", "tool_use_id": "srvtoolu_1", "content": content}
    call = {"type": "tool_use", "id": "toolu_1", "name": "port_status", "input": {}}
    return [
        {"type": "content_block_start", "index": 0, "content_block": use},
        {"type": "content_block_delta", "index": 0, "delta": query},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": block},
        {"type": "content_block_stop", "index": 1},
        {"type": "content_block_start", "index": 2, "content_block": call},
    ]


def test_references_are_read_from_a_stream() -> None:
    names = [{"type": "tool_reference", "tool_name": name} for name in ("port_status", "git", "port_status")]
    found = {"type": "tool_search_tool_search_result", "tool_references": names}
    assert native.references(searched(found)) == ["port_status", "git"]


def test_a_search_that_failed_refers_to_nothing() -> None:
    failed = {"type": "tool_search_tool_result_error", "error_code": "unavailable"}
    assert native.references(searched(failed)) == []


# --- OpenAI -------------------------------------------------------------------------------------


def test_openai_is_given_the_search_that_runs_here_and_no_deferred_schema() -> None:
    read, find = native.openai_tools(REQUEST)
    assert (read["type"], read["name"], read["parameters"]) == ("function", "read_file", READ.parameters)
    assert (find["type"], find["execution"], find["parameters"]) == ("tool_search", "client", FIND.parameters)
    assert "name" not in find


def test_without_anything_deferred_find_tools_is_a_function_like_any_other() -> None:
    assert native.openai_tools(ModelRequest("s", (), (FIND,)))[0]["type"] == "function"


@pytest.mark.parametrize("arguments", [{"query": "ports"}, '{"query": "ports"}'])
def test_a_search_is_a_call_of_find_tools(arguments: Any) -> None:
    item = {"type": "tool_search_call", "id": "ts_1", "call_id": "call_1", "execution": "client"}
    event = {"type": "response.output_item.done", "item": {**item, "arguments": arguments}}
    assert native.openai_search(event) == ToolCall("call_1", "find_tools", {"query": "ports"})


def test_arguments_that_are_cut_off_are_never_run() -> None:
    item = {"type": "tool_search_call", "call_id": "c", "execution": "client", "arguments": '{"query": "po'}
    call = native.openai_search({"type": "response.output_item.done", "item": item})
    assert call is not None and call.raw == '{"query": "po' and call.arguments == {}


def test_a_search_that_the_service_ran_itself_is_not_ours_to_run() -> None:
    item = {"type": "tool_search_call", "call_id": None, "execution": "server", "arguments": {"paths": ["git"]}}
    assert native.openai_search({"type": "response.output_item.done", "item": item}) is None
    recorded_events = recorded("pai_api.openai.com_openai_conversation_id_streaming_provider_details_1.sse")
    assert all(native.openai_search(event) is None for event in recorded_events)


def test_what_was_found_comes_back_with_its_schemas() -> None:
    item = native.openai_result(REQUEST, result("port_status", "gone"))
    assert (item["type"], item["call_id"], item["execution"]) == ("tool_search_output", "c1", "client")
    assert [(tool["name"], tool["defer_loading"]) for tool in item["tools"]] == [("port_status", True)]
    assert native.openai_result(REQUEST, result())["tools"] == []
    call = native.openai_call(ToolCall("c1", "find_tools", {"query": "ports"}))
    assert call["call_id"] == item["call_id"] and call["arguments"] == {"query": "ports"}
