"""Asking a compatible server: what is sent, what is made of trouble, and how fast it stops."""

from __future__ import annotations

import functools
import socket
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.errors import Cancelled, ModelError
from ankita_desktop.models import openai_chat
from ankita_desktop.models.openai_chat import OpenAIChat
from ankita_desktop.protocol import (
    Abilities,
    Answer,
    Attachment,
    Message,
    ModelPart,
    ModelRequest,
    Restarted,
    TextPart,
    ToolCall,
    ToolSpec,
)
from ankita_desktop.toolkit import Cancel, loop, net
from tests.tools.test_images import png
from tests.wire import Scripted, Step, WireServer, calls, raw, reset, silent, status, text

KEY = "sk-very-secret"
NOW = {"retry-after": "0"}


def request(*messages: Message, tools: tuple[ToolSpec, ...] = ()) -> ModelRequest:
    return ModelRequest("You help.", messages or (Message("user", "hi"),), tools)


def model(server: WireServer, **fields: Any) -> OpenAIChat:
    return OpenAIChat("m-1", base_url=server.base_url, api_key=KEY, **fields)


def ask(server: WireServer, asked: ModelRequest | None = None, **fields: Any) -> list[ModelPart]:
    return list(model(server, **fields).stream(asked or request(), Cancel()))


def answer(parts: list[ModelPart]) -> Answer:
    assert isinstance(parts[-1], Answer)
    assert sum(isinstance(part, Answer) for part in parts) == 1
    return parts[-1]


def failure(*steps: Scripted, **fields: Any) -> tuple[ModelError, int]:
    """The error of a request against these steps, and how many requests were made."""
    with WireServer(steps) as server:
        with pytest.raises(ModelError) as error:
            ask(server, **fields)
        assert KEY not in str(error.value)
        return error.value, len(server.requests)


# --- what is sent ---------------------------------------------------------------------------


def sent(*messages: Message, **fields: Any) -> list[dict[str, Any]]:
    with WireServer(["ok"]) as server:
        ask(server, request(*messages), **fields)
        found: list[dict[str, Any]] = server.requests[0]["messages"]
        return found


def test_a_request_holds_the_model_the_key_the_tools_and_asks_for_a_stream() -> None:
    tool = ToolSpec("look", "Looks.", {"type": "object", "properties": {}}, "core")
    with WireServer(["ok"]) as server:
        ask(server, request(tools=(tool,)), headers={"X-Title": "Ankita"})
        body, headers = server.requests[0], server.headers[0]
    assert body == {
        "model": "m-1",
        "messages": [{"role": "system", "content": "You help."}, {"role": "user", "content": "hi"}],
        "tools": [tool.entry()],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert (headers["authorization"], headers["x-title"]) == (f"Bearer {KEY}", "Ankita")


def test_without_tools_and_key_neither_is_mentioned() -> None:
    with WireServer(["ok"]) as server:
        list(OpenAIChat("m", base_url=server.base_url).stream(request(), Cancel()))
        assert "tools" not in server.requests[0]
        assert "authorization" not in server.headers[0]


def test_calls_results_and_notes_go_over_in_the_wires_form() -> None:
    call = ToolCall("c1", "look", {"at": "ü"})
    messages = sent(
        Message("user", "hi"),
        Message("assistant", calls=(call,)),
        Message("tool", "", call_id="c1", name="look"),
        Message("user", "The person looks at b.txt.", source="note"),
    )
    function = {"name": "look", "arguments": '{"at":"ü"}'}
    assert messages[2:] == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "(no output)"},
        {"role": "user", "content": "The person looks at b.txt."},
    ]


def test_a_broken_call_is_sent_again_as_a_valid_empty_object() -> None:
    broken = ToolCall("c1", "look", {}, raw='{"at": ')
    sent_call = sent(Message("assistant", calls=(broken,)), Message("tool", "no", call_id="c1"))[1]["tool_calls"][
        0
    ]
    assert sent_call["function"]["arguments"] == "{}"


def test_reasoning_goes_back_to_the_server_it_came_from_even_when_empty() -> None:
    thoughtless = b'data: {"choices":[{"delta":{"reasoning_content":"","content":"4"}}]}\n\ndata: [DONE]\n\n'
    with WireServer([raw(thoughtless), "ok"]) as server:
        said = answer(ask(server)).message
        ask(server, request(Message("user", "2+2"), said, Message("user", "sure?")))
        assert server.requests[1]["messages"][2] == {"role": "assistant", "content": "4", "reasoning_content": ""}
    with WireServer(["ok"]) as other:
        ask(other, request(Message("user", "2+2"), said, Message("user", "sure?")))
        assert other.requests[0]["messages"][2] == {"role": "assistant", "content": "4"}


@pytest.fixture
def picture(tmp_path: Path) -> Attachment:
    path = tmp_path / "p.png"
    path.write_bytes(png())
    return Attachment(str(path), "image/png", "p.png")


def test_pictures_reach_a_model_that_sees(picture: Attachment) -> None:
    content = sent(Message("user", "what is it", attachments=(picture,)), abilities=Abilities(vision=True))[1][
        "content"
    ]
    assert content[0] == {"type": "text", "text": "what is it"}
    assert content[1]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")


def test_a_model_that_can_not_see_is_told_that_there_was_a_picture(picture: Attachment) -> None:
    assert "p.png" in sent(Message("user", "what is it", attachments=(picture,)))[1]["content"]


def test_pictures_of_tools_follow_all_results_of_their_round(picture: Attachment) -> None:
    messages = sent(
        Message("assistant", calls=(ToolCall("c1", "shot"), ToolCall("c2", "look"))),
        Message("tool", "taken", call_id="c1", name="shot", attachments=(picture,)),
        Message("tool", "seen", call_id="c2", name="look"),
        abilities=Abilities(vision=True),
    )
    assert [message["role"] for message in messages] == ["system", "assistant", "tool", "tool", "user"]
    assert messages[2]["content"] == "taken"
    assert messages[4]["content"][1]["type"] == "image_url"


def test_other_files_of_tools_are_named_also_to_a_model_that_sees(tmp_path: Path) -> None:
    sheet = Attachment(str(tmp_path / "t.pdf"), "application/pdf")
    result = Message("tool", "made", call_id="c1", attachments=(sheet,))
    messages = sent(
        Message("assistant", calls=(ToolCall("c1", "make"),)), result, abilities=Abilities(vision=True)
    )
    assert "t.pdf" in messages[2]["content"]


def test_a_picture_that_is_gone_does_not_stop_the_conversation(picture: Attachment) -> None:
    Path(picture.path).unlink()
    content = sent(Message("user", "it", attachments=(picture,)), abilities=Abilities(vision=True))[1]["content"]
    assert "no longer there" in content[1]["text"]


def test_text_that_is_no_valid_unicode_is_sent_all_the_same() -> None:
    assert sent(Message("user", "file \udcff.txt"))[1]["content"] == "file ?.txt"


# --- what comes -----------------------------------------------------------------------------


def test_text_is_handed_on_while_it_comes() -> None:
    with WireServer([silent(60, "Hello")]) as server:
        cancel = Cancel()
        parts = model(server).stream(request(), cancel)
        assert next(parts) == TextPart("Hello")
        cancel.set()
        with pytest.raises(Cancelled):
            next(parts)


def test_a_plain_json_answer_to_a_streaming_request_is_read() -> None:
    with WireServer([text("hi", plain=True), calls(("a", {"x": 1}), plain=True)]) as server:
        assert answer(ask(server)).message.text == "hi"
        assert answer(ask(server)).message.calls[0].arguments == {"x": 1}


def test_a_server_that_knows_no_usage_option_is_asked_again_without_it() -> None:
    refused = status(400, "Unrecognized request argument supplied: stream_options")
    with WireServer([refused, "one", "two"]) as server:
        asked = model(server)
        assert answer(list(asked.stream(request(), Cancel()))).message.text == "one"
        assert answer(list(asked.stream(request(), Cancel()))).message.text == "two"
        assert ["stream_options" in body for body in server.requests] == [True, False, False]


def test_a_server_that_refuses_fields_of_another_one_is_asked_again_without_them() -> None:
    said = Message("assistant", "4", provider={"reasoning_content": "2+2"})
    refused = status(400, "messages.2: property 'reasoning_content' is unsupported")
    with WireServer([refused, "ok"]) as server:
        assert (
            answer(ask(server, request(Message("user", "2+2"), said, Message("user", "?")))).message.text == "ok"
        )
        assert ["reasoning_content" in body["messages"][2] for body in server.requests] == [True, False]


def test_a_server_that_can_not_see_after_all_is_told_of_the_picture_in_words(picture: Attachment) -> None:
    with WireServer([status(400, "this model does not support image_url"), "ok"]) as server:
        ask(server, request(Message("user", "it", attachments=(picture,))), abilities=Abilities(vision=True))
        assert "p.png" in server.requests[1]["messages"][1]["content"]


def test_an_answer_that_is_finished_counts_though_the_connection_ends_badly() -> None:
    finished = b'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n'
    with WireServer([raw(finished), raw(finished, reset=True)]) as server:
        assert [answer(ask(server)).message.text for _ in range(2)] == ["hi", "hi"]


def test_the_connection_is_used_again() -> None:
    with WireServer(["one", "two", "three"]) as server:
        opened = []
        connected = server.connected
        server.connected = lambda sock, there: (opened.append(there), connected(sock, there))[1]  # type: ignore[method-assign]
        for _ in range(3):
            ask(server)
        assert opened.count(True) == 1


# --- trouble --------------------------------------------------------------------------------


@pytest.mark.parametrize("broken", [reset("Hel"), text("Hel", cut=True), raw(b"data: {\n\n"), raw(b"")])
def test_a_broken_stream_is_asked_again_and_the_new_answer_replaces_it(broken: Step) -> None:
    with WireServer([broken, broken, "Hello again"]) as server:
        parts = ask(server)
    assert sum(isinstance(part, Restarted) for part in parts) == 2
    assert answer(parts).message.text == "Hello again"


def test_when_every_try_breaks_the_text_that_came_is_kept() -> None:
    error, tries = failure(reset("one"), reset("two"), reset("three"), "never asked")
    assert (error.kind, error.partial, tries) == ("network", "three", 3)


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504, 529])
def test_a_busy_server_is_asked_again_and_the_second_answer_is_looked_at_too(code: int) -> None:
    with WireServer([status(code, headers=NOW), status(503, headers=NOW), reset("x"), "fine"]) as server:
        parts = ask(server)
    assert answer(parts).message.text == "fine"
    assert sum(isinstance(part, Restarted) for part in parts) == 3


def test_retries_end() -> None:
    error, tries = failure(*[status(503, "overloaded", headers=NOW)] * 9)
    assert (error.kind, error.status, tries) == ("server", 503, 5)
    assert "overloaded" in str(error)


@pytest.mark.parametrize("kind", ["seconds", "milliseconds", "date"])
def test_the_wait_a_server_asks_for_is_kept(kind: str) -> None:
    dated = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)  # one to two seconds are left
    headers = {
        "seconds": ("retry-after", "1"),
        "milliseconds": ("retry-after-ms", "900"),
        "date": ("retry-after", dated),
    }
    with WireServer([status(429, headers=dict([headers[kind]])), "fine"]) as server:
        parts = ask(server)
        waited = server.times[1] - server.times[0]
    restarted = [part for part in parts if isinstance(part, Restarted)]
    assert waited >= restarted[0].wait > 0.5


def test_a_wait_that_is_too_long_is_told_instead_of_waited_for() -> None:
    error, tries = failure(status(429, headers={"retry-after": "3600"}))
    assert (error.kind, error.retry_after, tries) == ("limit", 3600.0, 1)
    assert "3600 seconds" in str(error)


def test_an_empty_account_is_not_asked_again() -> None:
    error, tries = failure(status(429, "You exceeded your current quota", code="insufficient_quota", headers=NOW))
    assert (error.kind, tries) == ("limit", 1)
    assert "credit" in str(error)


@pytest.mark.parametrize(
    ("step", "kind", "words"),
    [
        (status(401, f"Incorrect API key provided: {KEY}"), "auth", "Settings"),
        (status(403), "auth", "rights"),
        (status(404, "The model `m-1` does not exist"), "bad_request", "m-1"),
        (status(413), "overflow", "new chat"),
        (status(400, "maximum context length is 8192", code="context_length_exceeded"), "overflow", "new chat"),
        (status(400, "flagged", code="content_filter"), "refused", "content rules"),
        (status(400, "bad temperature"), "bad_request", "bad temperature"),
        (raw(b"<!doctype html><html></html>"), "bad_request", "/v1"),
        (text("", finish="content_filter"), "refused", "content rules"),
        (text("", reasoning="hmm", finish="length"), "overflow", "thinking"),
        (Step(status=307, headers={"location": "/elsewhere"}, body=b""), "bad_request", "base URL"),
    ],
)
def test_what_can_not_be_helped_by_waiting_is_explained_at_once(step: Step, kind: str, words: str) -> None:
    error, tries = failure(step)
    assert (error.kind, tries) == (kind, 1)
    assert words in str(error)


def test_an_empty_answer_is_asked_for_again_and_then_reported() -> None:
    error, tries = failure(text(""), text(""), text(""))
    assert (error.kind, tries) == ("empty", 3)


def test_an_overloaded_server_may_say_so_inside_the_stream() -> None:
    busy = raw(b'data: {"error":{"message":"Overloaded","code":503}}\n\n')
    with WireServer([busy, "fine"]) as server:
        assert answer(ask(server)).message.text == "fine"


def test_a_server_that_is_not_running_is_named_with_what_to_do() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(ModelError, match="start its server") as error:
        list(OpenAIChat("m", base_url=f"http://user:{KEY}@{host}/v1").stream(request(), Cancel()))
    assert (error.value.kind, host in str(error.value), KEY in str(error.value)) == ("network", True, False)
    assert "refused" in str(error.value)


def test_a_server_on_this_machine_is_asked_without_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setattr(net, "client", functools.cache(net.client.__wrapped__))
    with WireServer(["ok"]) as server:
        assert answer(ask(server)).message.text == "ok"
        loop.run(net.client().aclose())


def test_an_error_whose_body_never_ends_is_told_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_chat, "AFTER_FINISH", 0.1)
    error, tries = failure(Step(status=400, body=b"", hang=60))
    assert (error.status, tries) == (400, 1)


@pytest.mark.parametrize("url", ["", "nonsense", "ftp://x/v1", "http://", "http://[::1"])
def test_an_address_that_is_none_is_explained(url: str) -> None:
    with pytest.raises(ModelError, match="base URL"):
        list(OpenAIChat("m", base_url=url).stream(request(), Cancel()))


def test_a_key_with_impossible_characters_is_explained() -> None:
    with WireServer([]) as server, pytest.raises(ModelError, match="Copy it again") as error:
        list(OpenAIChat("m", base_url=server.base_url, api_key="sk-…").stream(request(), Cancel()))
    assert error.value.kind == "auth"


# --- stopping -------------------------------------------------------------------------------


def stop_after_start(server: WireServer, parts: Iterator[ModelPart], cancel: Cancel) -> float:
    """Seconds from Stop to the end of the stream."""
    pressed: list[float] = []

    def stop() -> None:
        server.wait_for(1)
        pressed.append(time.monotonic())
        cancel.set()

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(Cancelled):
        list(parts)
    ended = time.monotonic()
    thread.join()
    return ended - pressed[0]


@pytest.mark.parametrize("step", [silent(60), silent(60, "Hello"), text("x", wait=60),
                                  status(429, headers={"retry-after": "50"})])  # fmt: skip
def test_stop_is_immediate_however_silent_the_server_is(step: Step) -> None:
    with WireServer([step]) as server:
        cancel = Cancel()
        assert stop_after_start(server, model(server).stream(request(), cancel), cancel) < 0.1


def test_a_stream_stopped_before_it_began_asks_nobody() -> None:
    with WireServer(["never"]) as server:
        cancel = Cancel()
        cancel.set()
        with pytest.raises(Cancelled):
            list(model(server).stream(request(), cancel))
        assert server.requests == []


def test_a_reader_that_leaves_early_ends_the_request() -> None:
    with WireServer([text("word " * 2000, hang=60), "next"]) as server:
        parts = model(server).stream(request(), Cancel())
        next(parts)
        parts.close()  # type: ignore[attr-defined]
        assert answer(ask(server)).message.text == "next"


def test_a_slow_reader_gets_every_word() -> None:
    words = " ".join(str(number) for number in range(3000))
    with WireServer([text(words)]) as server:
        slow = []
        for part in model(server).stream(request(), Cancel()):
            slow.append(part)
            if len(slow) % 500 == 0:
                threading.Event().wait(0.02)
        assert answer(slow).message.text == words
        assert "".join(part.text for part in slow if isinstance(part, TextPart)) == words
