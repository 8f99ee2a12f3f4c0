"""Any history can be sent: every call has one result behind it, and no result is without its call."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ankita_desktop.core.repair import INTERRUPTED, open_calls, repaired
from ankita_desktop.protocol import Message, ToolCall


def asks(text: str = "go") -> Message:
    return Message("user", text)


def calls(*ids: str) -> Message:
    return Message("assistant", calls=tuple(ToolCall(each, "read_file") for each in ids))


def result(call_id: str, text: str = "fine") -> Message:
    return Message("tool", text, call_id=call_id)


def shape(messages: tuple[Message, ...]) -> list[str]:
    return [f"{m.role}:{m.call_id or ','.join(c.id for c in m.calls) or m.text}" for m in messages]


def test_a_call_without_a_result_is_answered_as_interrupted() -> None:
    mended = repaired([asks(), calls("a", "b"), result("a"), asks("next")])
    assert shape(mended) == ["user:go", "assistant:a,b", "tool:a", "tool:b", "user:next"]
    assert mended[3].text == INTERRUPTED and not mended[3].ok


def test_a_result_whose_call_is_gone_is_left_out() -> None:
    assert shape(repaired([asks(), result("ghost"), calls("a"), result("a")])) == [
        "user:go",
        "assistant:a",
        "tool:a",
    ]


def test_a_second_result_of_one_call_is_left_out() -> None:
    mended = repaired([asks(), calls("a"), result("a", "first"), result("a", "second")])
    assert [m.text for m in mended if m.role == "tool"] == ["first"]


def test_results_stand_behind_their_calls_in_the_order_of_the_calls() -> None:
    assert shape(repaired([asks(), calls("a", "b"), result("b"), asks("x"), result("a")])) == [
        "user:go",
        "assistant:a,b",
        "tool:a",
        "tool:b",
        "user:x",
    ]


def test_the_same_id_used_in_two_rounds_keeps_both_results() -> None:
    mended = repaired([asks(), calls("a"), result("a", "one"), calls("a"), result("a", "two")])
    assert [m.text for m in mended if m.role == "tool"] == ["one", "two"]


def test_open_calls_are_those_of_the_newest_answer_only() -> None:
    assert [c.id for c in open_calls([asks(), calls("a", "b"), result("a")])] == ["b"]
    assert open_calls([asks(), calls("a"), asks("later")]) == ()
    assert open_calls([asks(), Message("assistant", "done")]) == ()


ids = st.sampled_from(["a", "b", "c"])
history = st.lists(
    st.one_of(
        st.builds(asks, st.sampled_from(["", "hello"])),
        st.lists(ids, max_size=3).map(lambda names: calls(*names)),
        ids.map(result),
        st.just(Message("assistant", "text")),
    ),
    max_size=12,
)


@given(history)
def test_whatever_is_stored_the_request_is_valid(messages: list[Message]) -> None:
    mended = repaired(messages)
    index = 0
    while index < len(mended):
        assert mended[index].role != "tool"
        expected = [call.id for call in mended[index].calls]
        assert len(set(expected)) == len(expected)
        following = mended[index + 1 : index + 1 + len(expected)]
        assert [m.call_id for m in following] == expected
        assert all(m.role == "tool" for m in following)
        index += 1 + len(expected)


@given(history)
def test_repair_leaves_a_valid_history_as_it_is(messages: list[Message]) -> None:
    once = repaired(messages)
    assert repaired(once) == once
