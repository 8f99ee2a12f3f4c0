"""What is replayed of a turn that a person joins midway: what isn't stored yet, once."""

from __future__ import annotations

from ankita_desktop.events import (
    CallEnded,
    CallProgress,
    CallStarted,
    MessageAdded,
    TextDelta,
    TextReset,
    TurnEnded,
    TurnStarted,
)
from ankita_desktop.protocol import Message, ToolCall, ToolResult
from ankita_desktop.ui.live import Live

START, END = TurnStarted("s", "t"), TurnEnded("s", "t", "done")
CALL = ToolCall("c1", "look")


def after(*events: object) -> list[object]:
    live = Live([])
    for event in events:
        live.take(event)  # type: ignore[arg-type]
    return list(live.events)


def test_text_that_streams_is_kept_as_one_piece() -> None:
    assert after(START, TextDelta("s", "Hel"), TextDelta("s", "lo")) == [START, TextDelta("s", "Hello")]


def test_reasoning_and_text_stay_apart() -> None:
    thought = TextDelta("s", "Hm", reasoning=True)
    assert after(START, thought, TextDelta("s", "Yes")) == [START, thought, TextDelta("s", "Yes")]


def test_a_stored_message_takes_its_deltas_away() -> None:
    assert after(START, TextDelta("s", "Hello"), MessageAdded("s", Message("assistant", "Hello"))) == [START]


def test_a_retry_voids_what_came() -> None:
    assert after(START, TextDelta("s", "Hel"), TextReset("s", "again"), TextDelta("s", "Hi")) == [
        START,
        TextDelta("s", "Hi"),
    ]


def test_a_call_is_kept_until_its_result_is_stored() -> None:
    running = (START, CallStarted("s", CALL), CallProgress("s", "c1", "half"))
    assert after(*running) == list(running)
    ended = CallEnded("s", CALL, ToolResult("all"))
    assert after(*running, ended, MessageAdded("s", Message("tool", "all", call_id="c1"))) == [START]


def test_the_end_of_a_turn_is_kept_for_its_reason() -> None:
    assert after(START, TextDelta("s", "x"), END) == [END]
