"""What a person may rely on in every turn."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ankita_desktop.errors import ModelError
from ankita_desktop.events import (
    CallProgress,
    MessageAdded,
    QueueChanged,
    TextDelta,
    TextReset,
    TurnEnded,
    TurnStarted,
)
from ankita_desktop.models.scripted import ScriptedModel, Step
from ankita_desktop.protocol import Attachment, Decision, ModelRequest, ToolCall
from tests.core.house import call, house


def test_a_turn_runs_the_calls_and_ends_with_the_text(tmp_path: Path) -> None:
    with house(tmp_path, [call("peek", text="ants"), "There are ants."]) as h:
        ended = h.say("what's there?")
        assert (ended.status, ended.text) == ("done", "There are ants.")
        assert [m.role for m in h.messages] == ["user", "assistant", "tool", "assistant"]
        assert h.results()[0].text == "saw ants"
        assert h.of(CallProgress)[0].text == "looking"
        assert "".join(e.text for e in h.of(TextDelta)) == "There are ants."


def test_events_tell_the_stored_messages_in_order_and_one_end(tmp_path: Path) -> None:
    with house(tmp_path, [call("peek"), "ok"]) as h:
        h.say("go")
        assert [e.message.id for e in h.of(MessageAdded)] == [m.id for m in h.messages]
        kinds = [type(e) for e in h.events]
        assert kinds.count(TurnStarted) == kinds.count(TurnEnded) == 1
        assert kinds[-1] is TurnEnded


def test_read_only_calls_of_one_round_run_side_by_side(tmp_path: Path) -> None:
    both = {"calls": [{"name": "meet"}, {"name": "meet"}]}
    with house(tmp_path, [both, "ok"]) as h:
        h.say("go")
        assert [m.text for m in h.results()] == ["met", "met"]


def test_results_come_in_the_order_of_the_calls(tmp_path: Path) -> None:
    steps = [{"calls": [{"name": "peek", "arguments": {"text": str(n)}} for n in range(5)]}, "ok"]
    with house(tmp_path, steps) as h:
        h.say("go")
        assert [m.text for m in h.results()] == [f"saw {n}" for n in range(5)]


def test_an_invented_tool_gets_an_error_with_near_names(tmp_path: Path) -> None:
    with house(tmp_path, [call("peeek"), "sorry"]) as h:
        assert h.say("go").status == "done"
        assert "peek" in h.results()[0].text and not h.results()[0].ok


def test_wrong_arguments_get_an_error_that_says_what_the_tool_takes(tmp_path: Path) -> None:
    with house(tmp_path, [call("peek", colour="red"), "sorry"]) as h:
        h.say("go")
        assert "colour" in h.results()[0].text and '"text"' in h.results()[0].text


def test_arguments_that_are_no_json_are_not_run_and_the_next_request_is_valid(tmp_path: Path) -> None:
    broken = Step(calls=(ToolCall("c1", "carve", {}, raw='{"text": "ha'),))
    with house(tmp_path, [broken, "again"]) as h:
        assert h.say("go").status == "done"
        assert "not one complete JSON object" in h.results()[0].text
        assert h.messages[1].calls[0].arguments == {}


def test_a_tool_that_breaks_is_an_error_result_not_the_end(tmp_path: Path) -> None:
    with house(tmp_path, [call("boom"), "it broke"]) as h:
        assert h.say("go").status == "done"
        assert "a wire came loose" in h.results()[0].text


def test_the_round_limit_ends_in_a_tools_free_answer_with_continue(tmp_path: Path) -> None:
    seen: list[ModelRequest] = []

    def last(request: ModelRequest) -> str:
        seen.append(request)
        return "Two looks done, the rest is open."

    with house(tmp_path, [call("peek", text="1"), call("peek", text="2"), last, "all done"]) as h:
        h.limits.max_rounds = 2
        ended = h.say("look at everything")
        assert (ended.status, ended.can_continue) == ("limit", True)
        assert ended.text == "Two looks done, the rest is open."
        assert seen[0].tools == ()
        note = next(m for m in h.messages if m.source == "note")
        assert note.role == "user"
        assert h.ended(h.engine.resume(h.session)).status == "done"


def test_the_same_call_with_the_same_result_stops_with_a_reason_and_continue(tmp_path: Path) -> None:
    with house(tmp_path, [call("peek", text="x")] * 5) as h:
        ended = h.say("go")
        assert ended.status == "limit" and ended.can_continue and "peek" in ended.reason
        assert len(h.results()) == 3


def test_many_different_reads_are_no_circle(tmp_path: Path) -> None:
    with house(tmp_path, [*[call("peek", text=str(n)) for n in range(12)], "read all"]) as h:
        assert h.say("read them").status == "done"


def test_an_empty_answer_is_said_and_can_be_continued(tmp_path: Path) -> None:
    with house(tmp_path, [call("peek"), "", "here"]) as h:
        ended = h.say("go")
        assert ended.status == "error" and ended.can_continue and "empty" in ended.reason
        assert h.ended(h.engine.resume(h.session)).text == "here"


def test_a_model_that_fails_keeps_the_partial_text_and_says_why(tmp_path: Path) -> None:
    with house(tmp_path, [Step(text="so far", error="The service is down.")]) as h:
        ended = h.say("go")
        assert (ended.status, ended.reason) == ("error", "The service is down.")
        assert h.messages[-1].text == "so far"


def test_a_good_retry_replaces_the_partial_text(tmp_path: Path) -> None:
    with house(tmp_path, [Step(text="whole", restart="the line broke")]) as h:
        assert h.say("go").text == "whole"
        assert h.of(TextReset)[0].reason == "the line broke"
        assert [m.text for m in h.messages] == ["go", "whole"]


def test_what_is_said_during_a_turn_is_queued_and_sent_before_the_next_request(tmp_path: Path) -> None:
    steps = [call("carve", text="a"), lambda request: request.messages[-1].text]
    with house(tmp_path, steps) as h:
        turn = h.engine.submit(h.session, "carve a")
        question = h.asked()
        assert h.engine.submit(h.session, "and hurry") == turn
        assert h.engine.queued(h.session) == ("and hurry",)
        h.engine.edit_queue(h.session, ["no hurry"])
        h.engine.answer(question.request.id, Decision(True))
        assert h.ended(turn).text == "no hurry"
        assert h.of(QueueChanged)[-1].texts == ()


def test_a_queued_message_keeps_its_files_when_another_one_is_edited(tmp_path: Path) -> None:
    file = Attachment(str(tmp_path / "a.pdf"), "application/pdf", "a.pdf")
    with house(tmp_path, [call("carve", text="a"), "done"]) as h:
        turn = h.engine.submit(h.session, "carve a")
        question = h.asked()
        h.engine.submit(h.session, "read this", attachments=[file])
        h.engine.submit(h.session, "and hurry")
        h.engine.edit_queue(h.session, ["read this", "no hurry"])
        h.engine.answer(question.request.id, Decision(True))
        h.ended(turn)
        assert [(m.text, m.attachments) for m in h.messages if m.role == "user"][1:] == [
            ("read this", (file,)),
            ("no hurry", ()),
        ]


def test_when_no_model_can_be_had_the_words_are_kept_and_the_turn_ends_once(tmp_path: Path) -> None:
    with house(tmp_path, ["ok"]) as h:

        def broken(_: object) -> ScriptedModel:
            raise ModelError("No key is set.", kind="auth")

        good, h.engine._model_for = h.engine._model_for, broken
        ended = h.say("hello")
        assert (ended.status, ended.reason, ended.can_continue) == ("error", "No key is set.", True)
        assert [m.text for m in h.messages] == ["hello"]
        assert len(h.of(TurnEnded)) == 1
        h.engine._model_for = good
        assert h.ended(h.engine.resume(h.session)).text == "ok"


def test_a_failure_inside_ankita_ends_the_turn_once_and_keeps_the_words(tmp_path: Path) -> None:
    def broken(_: ModelRequest) -> str:
        raise RuntimeError("a bug")

    with house(tmp_path, [broken]) as h:
        ended = h.say("hello")
        assert ended.status == "error" and "a bug" in ended.reason
        assert [m.text for m in h.messages] == ["hello"] and len(h.of(TurnEnded)) == 1


def test_what_is_queued_survives_a_stop_and_goes_with_the_next_words(tmp_path: Path) -> None:
    with house(tmp_path, [call("deaf"), lambda request: " + ".join(m.text for m in request.messages[-2:])]) as h:
        turn = h.engine.submit(h.session, "go")
        h.wait_for(lambda e: type(e).__name__ == "CallStarted", "call")
        h.engine.submit(h.session, "wait")
        h.engine.cancel(h.session)
        h.ended(turn)
        assert h.engine.queued(h.session) == ("wait",)
        assert h.say("go on").text == "wait + go on"


def test_two_sessions_run_at_the_same_time(tmp_path: Path) -> None:
    with house(tmp_path, [call("meet"), call("meet"), "ok", "ok"]) as h:
        other = h.engine.new_session(cwd=str(tmp_path / "work")).id
        turns = [h.engine.submit(h.session, "a"), h.engine.submit(other, "b")]
        assert [h.ended(turn).status for turn in turns] == ["done", "done"]


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param([Step(delay=60)], id="a silent server"),
        pytest.param([call("deaf")], id="a tool that hears nothing"),
        pytest.param([call("carve", text="a")], id="a question nobody answers"),
    ],
)
def test_stop_ends_the_turn_at_once_and_every_call_has_its_result(tmp_path: Path, steps: list[object]) -> None:
    with house(tmp_path, steps) as h:  # type: ignore[arg-type]
        turn = h.engine.submit(h.session, "go")
        h.wait_for(lambda e: isinstance(e, TurnStarted) or True, "start")
        if steps[0] != Step(delay=60):
            h.wait_for(lambda e: type(e).__name__ in ("CallStarted", "ApprovalAsked"), "call")
        began = time.monotonic()
        h.engine.cancel(h.session)
        ended = h.ended(turn)
        assert ended.status == "cancelled"
        assert time.monotonic() - began < 2.0  # the promise is 0.2 s; the rest is a busy machine's
        declared = [c.id for m in h.messages for c in m.calls]
        assert [m.call_id for m in h.results()] == declared
        assert not h.store.approvals(session=h.session)


def test_stop_keeps_the_text_that_had_come(tmp_path: Path) -> None:
    with house(tmp_path, [Step(text="word " * 4000)]) as h:
        turn = h.engine.submit(h.session, "go")
        h.wait_for(lambda e: isinstance(e, TextDelta), "text")
        h.engine.cancel(h.session)
        ended = h.ended(turn)
        assert ended.status in ("cancelled", "done")
        assert h.messages[-1].text.startswith("word word")


def test_after_a_stop_the_conversation_goes_on(tmp_path: Path) -> None:
    with house(tmp_path, [call("deaf"), "fine again"]) as h:
        turn = h.engine.submit(h.session, "go")
        h.wait_for(lambda e: type(e).__name__ == "CallStarted", "call")
        h.engine.cancel(h.session)
        h.ended(turn)
        assert h.say("never mind").text == "fine again"


def test_a_deferred_group_found_is_offered_from_the_next_round_on(tmp_path: Path) -> None:
    model = ScriptedModel([call("find_tools", query="port_status"), "ok", "ok"])
    with house(tmp_path, model) as h:
        h.say("what holds port 3000?")
        names = [[spec.name for spec in request.tools] for request in model.requests]
        assert "port_status" not in names[0] and "port_status" in names[1]
        assert names[1][: len(names[0])] == names[0]


def test_what_was_activated_is_read_back_from_the_store(tmp_path: Path) -> None:
    with house(tmp_path, [call("find_tools", query="port_status"), "ok"]) as h:
        h.say("what holds port 3000?")
        session = h.session
    later = ScriptedModel(["still here"])
    with house(tmp_path, later, session=session) as h:
        h.say("again")
        assert "port_status" in [spec.name for spec in later.requests[0].tools]


def test_a_group_that_does_not_fit_is_left_out_whole_and_said(tmp_path: Path) -> None:
    model = ScriptedModel([call("find_tools", query="port_status"), "ok"])
    with house(tmp_path, model) as h:
        h.limits.schema_tokens = 0
        h.say("what holds port 3000?")
        assert h.store.rounds(h.session)[-1][2].dropped_groups == ("process",)


def test_a_long_history_is_cut_from_the_front_and_stays_valid(tmp_path: Path) -> None:
    def big(_: ModelRequest) -> Step:
        return Step(text="x" * 200_000)

    model = ScriptedModel([big, big, big, "short"])
    with house(tmp_path, model) as h:
        for text in ("one", "two", "three", "four"):
            h.say(text)
        sent = model.requests[-1].messages
        assert sent[-1].text == "four"
        assert sum(len(m.text) for m in sent) < 4 * 128_000


def test_the_title_is_the_first_words(tmp_path: Path) -> None:
    with house(tmp_path, ["ok"]) as h:
        h.say("please  tidy\nmy downloads folder")
        assert h.store.session(h.session).title == "please tidy my downloads folder"
