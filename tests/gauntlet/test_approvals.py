"""Public reports about questions that got lost, blocked everything, or were passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankita_desktop.events import ApprovalClosed, SessionChanged, TurnEnded
from ankita_desktop.models.scripted import Scripted
from ankita_desktop.protocol import ApprovalRequest, Decision, Preview, ToolCall
from tests.core.house import call, house


def test_chatml_1087_only_an_answer_removes_a_question(tmp_path: Path) -> None:
    """chatml#1087: the card of a question is cleared by an idle event, of its own or another conversation."""
    with house(tmp_path, [call("carve", text="x"), "Other.", "Done."]) as h:
        turn = h.engine.submit(h.session, "carve it")
        asked = h.asked().request
        other = h.engine.new_session(cwd=str(tmp_path))
        h.ended(h.engine.submit(other.id, "something else"))
        h.engine.update_session(h.session, title="renamed", unread=False)
        assert h.of(SessionChanged) and not h.of(ApprovalClosed)
        assert [row[0].id for row in h.store.approvals()] == [asked.id]
        assert h.store.session(h.session).state == "waiting"
        assert h.engine.answer(asked.id, Decision(True))
        assert h.ended(turn).status == "done" and (tmp_path / "work" / "stone.txt").read_text() == "x"


def test_openclaw_150769_a_question_whose_run_is_gone_blocks_nothing(tmp_path: Path) -> None:
    """openclaw#150769, deepchat#2213: an approval whose run is gone blocks the queue."""
    with house(tmp_path, ["Fine."]) as h:
        stale = ApprovalRequest(
            "r1", h.session, ToolCall("gone", "carve", {"text": "x"}), "ask", Preview("text", "Carve?")
        )
        h.store.add_approval(stale)
        assert h.say("something new").status == "done"
        assert h.store.approvals() == [] and h.store.approval("r1")[1] == "denied"
        assert not h.engine.answer("r1", Decision(True)), "and a late yes does nothing"
        assert not (tmp_path / "work" / "stone.txt").exists()


def test_a_late_yes_to_a_question_whose_run_is_gone_ends_politely(tmp_path: Path) -> None:
    with house(tmp_path, ["Nothing to do."]) as h:
        h.say("hello")
        h.store.add_approval(
            ApprovalRequest("r1", h.session, ToolCall("gone", "carve"), "ask", Preview("text", "Carve?"))
        )
        assert h.engine.answer("r1", Decision(True))
        h.wait_for(lambda e: isinstance(e, TurnEnded) and e is not h.of(TurnEnded)[0], "second TurnEnded")
        assert h.store.approvals() == [] and h.store.session(h.session).state == "idle"
        assert not (tmp_path / "work" / "stone.txt").exists()


def test_an_empty_preview_is_asked_all_the_same(tmp_path: Path) -> None:
    """A tool without a preview of its own still shows its name and its arguments."""
    with house(tmp_path, [call("strict", text=""), "Done."]) as h:
        turn = h.engine.submit(h.session, "go")
        shown = h.asked().request.preview
        assert "strict" in shown.question and shown.text
        h.engine.answer(h.asked().request.id, Decision(False))
        assert h.ended(turn).status == "done" and not h.results()[0].ok


@pytest.mark.parametrize("scope", ["session", "always"])
def test_always_for_one_kind_of_call_is_no_yes_to_another(tmp_path: Path, scope: str) -> None:
    steps: list[Scripted] = [call("carve", text="x"), call("run_command", command="touch made"), "Done."]
    with house(tmp_path, steps) as h:
        turn = h.engine.submit(h.session, "go")
        h.engine.answer(h.asked().request.id, Decision(True, scope))  # type: ignore[arg-type]
        second = h.asked(2).request
        assert second.call.name == "run_command" and not (tmp_path / "work" / "made").exists()
        h.engine.answer(second.id, Decision(False))
        h.ended(turn)
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["stone.txt"]
