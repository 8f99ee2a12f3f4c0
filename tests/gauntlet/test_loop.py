"""Situations in the loop of model and calls that people reported of other assistants."""

from __future__ import annotations

from pathlib import Path

from ankita_desktop.core.repair import repaired
from ankita_desktop.models.chat_request import body
from ankita_desktop.models.scripted import ScriptedModel
from ankita_desktop.protocol import Decision, Message, ModelRequest, ToolCall
from tests.core.house import call, house


def valid(request: ModelRequest) -> bool:
    """Whether a strict service takes the request: each declared call answered once, right behind it."""
    wire = body(request, "any", vision=False)["messages"]
    waiting: list[str] = []
    for message in wire:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                return False
            waiting.remove(message["tool_call_id"])
        elif waiting:
            return False
        waiting += [each["id"] for each in message.get("tool_calls", [])]
    return not waiting


def test_crush_529_a_stop_during_a_call_leaves_a_history_that_can_be_sent(tmp_path: Path) -> None:
    two = {"calls": [{"name": "deaf"}, {"name": "peek"}]}
    model = ScriptedModel([two, "fine"])
    with house(tmp_path, model) as h:
        turn = h.engine.submit(h.session, "go")
        h.wait_for(lambda e: type(e).__name__ == "CallStarted", "call")
        h.engine.cancel(h.session)
        h.ended(turn)
        assert h.say("go on").status == "done"
        assert valid(model.requests[-1])


def test_positron_15719_a_result_without_its_call_is_not_sent() -> None:
    history = [Message("user", "hi"), Message("tool", "lost", call_id="gone"), Message("assistant", "hello")]
    assert valid(ModelRequest("", repaired(history)))


def test_cherry_studio_8727_a_loop_that_ends_says_why_and_offers_to_go_on(tmp_path: Path) -> None:
    with house(tmp_path, [*[call("peek", text=str(n)) for n in range(3)], "so far"]) as h:
        h.limits.max_rounds = 3
        ended = h.say("go")
        assert ended.status == "limit" and ended.reason and ended.can_continue and ended.text == "so far"


def test_prime_agent_1326_the_same_call_over_and_over_asks_instead_of_going_on(tmp_path: Path) -> None:
    with house(tmp_path, [call("peek", text="x")] * 30) as h:
        ended = h.say("go")
        assert ended.status == "limit" and "same result" in ended.reason and ended.can_continue
        assert len(h.results()) == 3


def test_gemini_cli_8928_reading_many_files_is_no_false_alarm(tmp_path: Path) -> None:
    with house(tmp_path, [*[call("peek", text=f"file {n}") for n in range(40)], "read"]) as h:
        assert h.say("go").status == "done"


def test_cline_1511_the_same_failing_change_is_tried_twice_and_then_asks(tmp_path: Path) -> None:
    edit = call("edit_file", path="notes.txt", old_string="not there", new_string="x")
    with house(tmp_path, [edit] * 9) as h:
        (tmp_path / "work" / "notes.txt").write_text("here\n")
        ended = h.say("go")
        assert ended.status == "limit" and "failed twice" in ended.reason and ended.can_continue
        assert len(h.results()) == 2


def test_llm_1104_an_invented_tool_gets_near_names_and_the_turn_goes_on(tmp_path: Path) -> None:
    with house(tmp_path, [call("read_fil", path="a"), "sorry"]) as h:
        assert h.say("go").status == "done"
        assert "read_file" in h.results()[0].text


def test_codegraff_752_truncated_arguments_are_stored_as_an_object(tmp_path: Path) -> None:
    broken = {"calls": [ToolCall("c1", "carve", {}, raw='{"text": "cut o')]}
    model = ScriptedModel([broken, "again"])
    with house(tmp_path, model) as h:
        h.say("go")
        sent = body(model.requests[-1], "any", vision=False)["messages"]
        assert next(m for m in sent if m.get("tool_calls"))["tool_calls"][0]["function"]["arguments"] == "{}"


def test_a_note_of_ours_is_never_shown_as_the_assistants_words(tmp_path: Path) -> None:
    with house(tmp_path, [call("peek", text="1"), ""]) as h:
        h.limits.max_rounds = 1
        ended = h.say("go")
        assert ended.text == "" and ended.status == "limit" and ended.reason
        assert [m.source for m in h.messages if "limit of tool rounds" in m.text] == ["note"]


def test_a_tool_that_shows_nothing_still_asks(tmp_path: Path) -> None:
    with house(tmp_path, [call("strict"), "ok"]) as h:
        turn = h.engine.submit(h.session, "go")
        request = h.asked().request
        assert "strict" in request.preview.text
        h.engine.answer(request.id, Decision(False))
        h.ended(turn)
        assert not h.results()[0].ok


def test_always_for_one_call_covers_nothing_else(tmp_path: Path) -> None:
    write = call("write_file", path="a.txt", content="x")
    with house(tmp_path, [call("carve", text="a"), "ok", write, "ok"]) as h:
        turn = h.engine.submit(h.session, "carve")
        h.engine.answer(h.asked().request.id, Decision(True, scope="always"))
        h.ended(turn)
        turn = h.engine.submit(h.session, "write")
        h.engine.answer(h.asked(2).request.id, Decision(False))
        h.ended(turn)
        assert not (tmp_path / "work" / "a.txt").exists()
