"""The pieces of an answer become one message, however a server cuts and labels them."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankita_desktop.models.failures import Broken
from ankita_desktop.models.stream import Assembler, ChunkReader
from ankita_desktop.protocol import Answer, ToolCall, Usage


def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def piece(arguments: Any = None, *, name: str | None = None, **where: Any) -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return chunk(tool_calls=[{**where, "function": function}])


def assembled(*chunks: dict[str, Any]) -> Answer:
    assembler = Assembler()
    for item in chunks:
        assembler.feed(item)
    return assembler.answer()


def calls(*chunks: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    found = assembled(*chunks).message.calls
    assert len({call.id for call in found}) == len(found)
    assert all(call.id for call in found)
    return [(call.name, call.arguments) for call in found]


A, B = ("a", {"x": 1}), ("b", {"y": 2})


def test_arguments_in_single_characters_are_joined() -> None:
    letters = [piece(letter, index=0) for letter in '{"x": 1}']
    assert calls(piece("", name="a", index=0, id="i"), *letters) == [A]


def test_two_calls_may_take_turns() -> None:
    assert calls(
        piece("", name="a", index=0, id="i"),
        piece("", name="b", index=1, id="j"),
        piece('{"x":', index=0),
        piece('{"y":', index=1),
        piece("1}", index=0),
        piece("2}", index=1),
    ) == [A, B]


def test_the_id_may_come_with_every_piece() -> None:
    assert calls(
        piece('{"x":', name="a", id="i"),
        piece('{"y":', name="b", id="j"),
        piece("1}", id="i"),
        piece("2}", id="j"),
    ) == [A, B]


def test_a_new_id_on_a_used_index_is_a_new_call() -> None:
    assert calls(
        piece('{"x":1}', name="a", index=0, id="i"),
        piece('{"y":', name="b", index=0, id="j"),
        piece("2}", index=0),
    ) == [A, B]


def test_an_index_without_any_id_is_enough() -> None:
    assert calls(
        piece('{"x":', name="a", index=0),
        piece('{"y":', name="b", index=1),
        piece("1}", index=0),
        piece("2}", index=1),
    ) == [A, B]


def test_neither_id_nor_index_belongs_to_the_current_call() -> None:
    assert calls(piece('{"x":', name="a"), piece("1}"), piece('{"y":', name="b"), piece("2}")) == [A, B]


def test_whole_calls_without_id_that_share_an_index_stay_apart() -> None:
    assert calls(piece('{"x":1}', name="a", index=0), piece('{"y":2}', name="b", index=0)) == [A, B]
    assert calls(piece('{"x":1}', name="a", index=0), piece('{"x":1}', name="a", index=0)) == [A, A]


def test_one_id_for_several_calls_is_made_unique() -> None:
    assert calls(piece('{"x":1}', name="a", index=0, id="i"), piece('{"y":2}', name="b", index=1, id="i")) == [
        A,
        B,
    ]
    whole = [{"id": "i", "function": {"name": n, "arguments": json.dumps(a)}} for n, a in (A, B)]
    assert calls(chunk(tool_calls=whole)) == [A, B]


def test_an_id_made_up_for_every_piece_does_not_split_a_call() -> None:
    assert calls(piece('{"x":', name="a", index=0, id="i"), piece("1}", index=0, id="j")) == [A]


def test_a_name_said_again_with_every_piece_is_one_name() -> None:
    assert calls(
        piece('{"x":', name="a", index=0), piece("1}", name="a", index=0), piece("", name="a", index=0)
    ) == [A]


def test_a_name_in_pieces_is_joined() -> None:
    assert calls(piece(name="read_", index=0, id="i"), piece(name="file", index=0), piece("{}", index=0)) == [
        ("read_file", {})
    ]


def test_empty_strings_count_as_no_id() -> None:
    assert calls(piece('{"x":1}', name="a", index=0, id=""), piece('{"y":2}', name="b", index=1, id="")) == [A, B]


@pytest.mark.parametrize("arguments", ["", None, "null", "{}", " ", {}])
def test_no_arguments_in_any_form_are_an_empty_object(arguments: Any) -> None:
    assert calls(piece(arguments, name="a", id="i")) == [("a", {})]


@pytest.mark.parametrize("arguments", ['{"x":1}', {"x": 1}, json.dumps('{"x":1}'), ' {"x": 1}\n'])
def test_arguments_as_text_object_or_twice_encoded_are_read(arguments: Any) -> None:
    assert calls(piece(arguments, name="a", id="i")) == [A]


@pytest.mark.parametrize("text", ['{"path": "a.t', "[1]", "7", '{"x": NaN}', "no json", '"words"'])
def test_arguments_that_are_no_object_are_kept_aside(text: str) -> None:
    (call,) = assembled(piece(text, name="a", id="i")).message.calls
    assert call == ToolCall("i", "a", {}, raw=text)


def test_line_breaks_inside_argument_strings_are_tolerated() -> None:
    assert calls(piece('{"text": "one\ntwo"}', name="a", id="i")) == [("a", {"text": "one\ntwo"})]


def test_the_old_function_call_field_is_understood() -> None:
    old = [chunk(function_call={"name": "a", "arguments": '{"x"'}), chunk(function_call={"arguments": ":1}"})]
    assert calls(*old) == [A]


def test_an_empty_opening_piece_is_no_call() -> None:
    assert calls(piece("", index=0), chunk(content="hi")) == []


def test_content_may_be_null_or_a_list_of_parts() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "b"},
        "c",
    ]
    message = assembled(chunk(content=None), chunk(content="a"), chunk(content=parts)).message
    assert (message.text, message.reasoning) == ("abc", "hm")


def test_a_refusal_is_shown_as_text() -> None:
    assert assembled(chunk(refusal="I can't"), chunk(refusal=" do that.")).message.text == "I can't do that."


def test_only_the_first_choice_counts() -> None:
    both = {"choices": [{"index": 1, "delta": {"content": "no"}}, {"index": 0, "delta": {"content": "yes"}}]}
    other = {"choices": [{"index": 1, "delta": {"content": "no"}, "finish_reason": "length"}]}
    answer = assembled(both, other, chunk("stop"))
    assert (answer.message.text, answer.finish) == ("yes", "stop")


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning", "reasoning_text", "thinking"])
def test_thoughts_are_read_from_every_known_field_and_kept_for_replay(name: str) -> None:
    message = assembled(chunk(**{name: "let me "}), chunk(**{name: "see"}), chunk(content="4")).message
    assert (message.text, message.reasoning, message.provider) == ("4", "let me see", {name: "let me see"})


def test_an_empty_reasoning_field_is_kept() -> None:
    assert assembled(chunk(reasoning_content="", content="4")).message.provider == {"reasoning_content": ""}


def test_reasoning_details_are_joined_and_shown_once() -> None:
    details = [{"type": "reasoning.text", "text": t, "index": 0} for t in ("let ", "me")]
    signed = {"type": "reasoning.text", "index": 0, "signature": "s"}
    message = assembled(
        *(chunk(reasoning=d["text"], reasoning_details=[d]) for d in details), chunk(reasoning_details=[signed])
    ).message
    assert message.reasoning == "let me"
    assert message.provider["reasoning_details"] == [
        {"type": "reasoning.text", "text": "let me", "index": 0, "signature": "s"}
    ]


def test_a_signature_of_a_call_is_kept_for_replay() -> None:
    extra = {"google": {"thought_signature": "s"}}
    message = assembled(chunk(tool_calls=[{"id": "i", "function": {"name": "a"}, "extra_content": extra}])).message
    assert message.provider == {"calls": {"i": extra}}


def test_usage_may_come_last_repeatedly_or_in_the_choice() -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 1}
    early = {**chunk(content="a"), "usage": {"prompt_tokens": 5, "completion_tokens": 0}}
    assert assembled(early, {"choices": [], "usage": usage}).usage == Usage(5, 0, 1)
    assert assembled({"choices": [{"delta": {"content": "a"}, "usage": usage}]}).usage == Usage(5, 0, 1)
    assert assembled(early, {"choices": [], "usage": None}).usage == Usage(5, 0, 0)


def test_a_closing_repetition_of_the_whole_message_is_not_said_twice() -> None:
    again = {"choices": [{"index": 0, "message": {"content": "ab"}, "finish_reason": "stop"}]}
    assert assembled(chunk(content="a"), chunk(content="b"), again).message.text == "ab"


def test_a_character_split_between_two_pieces_arrives_whole() -> None:
    assembler = Assembler()
    shown = [part.text for text in ("a\ud83d", "\ude00b") for part in assembler.feed(chunk(content=text))]
    assert "".join(shown) == assembler.answer().message.text == "a😀b"


@given(st.text(max_size=30), st.lists(st.integers(0, 60), max_size=6))
def test_any_text_and_any_arguments_can_be_stored_and_sent_again(text: str, places: list[int]) -> None:
    encoded = json.dumps({"x": text})
    edges = sorted({0, len(encoded), *(place % (len(encoded) + 1) for place in places)})
    parts = [piece(encoded[a:b], index=0) for a, b in pairwise(edges)]
    message = assembled(piece(name="a", index=0, id="i"), *parts, chunk(content=text)).message
    assert message.calls[0].raw is None
    assert message.calls[0].arguments["x"] == message.text == text
    message.text.encode()


KEYS = [
    *("choices", "delta", "content", "tool_calls", "function", "name", "id", "arguments", "index", "usage"),
    *("message", "text", "thinking", "reasoning_details", "finish_reason", "prompt_tokens", "extra_content"),
]
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=25,
)


@given(JSON)
def test_no_shape_of_json_breaks_the_reading(value: Any) -> None:
    for shaped in ({"choices": [value]}, {"choices": [{"delta": value}]}, {"choices": value, "usage": value}):
        assembled(shaped, {"choices": [{"delta": {"content": value, "tool_calls": [value], "reasoning": value}}]})


def test_json_that_is_broken_inside_a_stream_counts_as_a_broken_stream() -> None:
    with pytest.raises(Broken):
        ChunkReader().feed(b'data: {"choices": [\n\n')


def test_events_that_are_no_objects_are_skipped() -> None:
    assert ChunkReader().feed(b'data: ping\n\ndata:\n\ndata: {"a": 1}\n\n') == [{"a": 1}]
