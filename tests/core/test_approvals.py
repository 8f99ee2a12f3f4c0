"""Nothing with a side effect happens without a yes, and a yes is for exactly what was shown."""

from __future__ import annotations

from pathlib import Path

from ankita_desktop.events import ApprovalAsked, ApprovalClosed
from ankita_desktop.protocol import Decision
from tests.core.house import call, house

CARVE = call("carve", text="a")


def stone(tmp_path: Path) -> str:
    path = tmp_path / "work" / "stone.txt"
    return path.read_text() if path.exists() else ""


def test_a_call_waits_for_the_yes_and_then_runs_once(tmp_path: Path) -> None:
    with house(tmp_path, [CARVE, "done"]) as h:
        turn = h.engine.submit(h.session, "carve an a")
        request = h.asked().request
        assert (request.preview.text, request.why, stone(tmp_path)) == ("a", "carve an a", "")
        assert h.store.session(h.session).state == "waiting"
        assert h.engine.answer(request.id, Decision(True))
        assert h.ended(turn).status == "done"
        assert stone(tmp_path) == "a"
        assert h.store.session(h.session).state == "idle"


def test_a_no_changes_nothing_and_the_model_reads_the_reason(tmp_path: Path) -> None:
    with house(tmp_path, [CARVE, "understood"]) as h:
        turn = h.engine.submit(h.session, "go")
        h.engine.answer(h.asked().request.id, Decision(False, reason="use wood"))
        assert h.ended(turn).status == "done"
        assert stone(tmp_path) == "" and "use wood" in h.results()[0].text


def test_only_one_answer_counts(tmp_path: Path) -> None:
    with house(tmp_path, [CARVE, "done"]) as h:
        turn = h.engine.submit(h.session, "go")
        request = h.asked().request.id
        assert h.engine.answer(request, Decision(False))
        assert not h.engine.answer(request, Decision(True))
        h.ended(turn)
        assert stone(tmp_path) == ""
        assert [e.outcome for e in h.of(ApprovalClosed)] == ["denied"]


def test_when_the_world_changed_meanwhile_the_fresh_preview_is_asked(tmp_path: Path) -> None:
    with house(tmp_path, [CARVE, "done"]) as h:
        turn = h.engine.submit(h.session, "go")
        first = h.asked().request
        (tmp_path / "work" / "stone.txt").write_text("old ")
        h.engine.answer(first.id, Decision(True))
        second = h.asked(2).request
        assert second.preview.text == "old a" and stone(tmp_path) == "old "
        assert not first.again and not first.news
        assert second.news == "What this would do changed since you were asked; this is what would happen now."
        h.engine.answer(second.id, Decision(True))
        h.ended(turn)
        assert stone(tmp_path) == "old a"


def test_yes_for_this_session_covers_the_same_key_there_and_nowhere_else(tmp_path: Path) -> None:
    with house(tmp_path, [CARVE, CARVE, "done", CARVE, "done"]) as h:
        turn = h.engine.submit(h.session, "go")
        h.engine.answer(h.asked().request.id, Decision(True, scope="session"))
        h.ended(turn)
        assert stone(tmp_path) == "aa" and len(h.of(ApprovalAsked)) == 1
        other = h.engine.new_session(cwd=str(tmp_path / "work")).id
        turn = h.engine.submit(other, "go")
        h.engine.answer(h.asked(2).request.id, Decision(False))
        h.ended(turn)


def test_always_is_stored_listed_and_revocable(tmp_path: Path) -> None:
    with house(tmp_path, [CARVE, "done", CARVE, "done"]) as h:
        turn = h.engine.submit(h.session, "go")
        h.engine.answer(h.asked().request.id, Decision(True, scope="always"))
        h.ended(turn)
        (grant,) = h.store.grants()
        assert (grant.key, grant.label, grant.session) == ("carve", "carving", "")
        assert h.store.revoke_grant(grant.id)
        turn = h.engine.submit(h.session, "again")
        h.engine.answer(h.asked(2).request.id, Decision(False))
        h.ended(turn)
        assert stone(tmp_path) == "a"


def test_a_level_that_cant_be_found_out_always_asks_even_in_full_mode(tmp_path: Path) -> None:
    with house(tmp_path, [call("strict"), "done"], mode="all") as h:
        turn = h.engine.submit(h.session, "go")
        request = h.asked().request
        assert request.level == "always"
        h.engine.answer(request.id, Decision(True, scope="always"))
        h.ended(turn)
        assert h.store.grants() == () or not list(h.store.grants())


def test_full_mode_runs_unasked_and_never_mode_denies(tmp_path: Path) -> None:
    with house(tmp_path, [CARVE, "done"], mode="all") as h:
        assert h.say("go").status == "done"
    assert stone(tmp_path) == "a"
    with house(tmp_path, [CARVE, "denied"], mode="never") as h:
        assert h.say("go").status == "denied"
    assert stone(tmp_path) == "a"


def test_where_nobody_can_answer_the_call_is_denied_and_the_turn_goes_on(tmp_path: Path) -> None:
    with house(tmp_path, [CARVE, "I could not."], attended=False) as h:
        ended = h.say("go")
        assert (ended.status, ended.text) == ("denied", "I could not.")
        assert "nobody is there" in h.results()[0].text and not h.of(ApprovalAsked)


def test_an_answer_after_a_restart_takes_the_turn_up_where_it_stood(tmp_path: Path) -> None:
    two = {"calls": [{"name": "peek"}, {"name": "carve", "arguments": {"text": "a"}}, {"name": "peek"}]}
    with house(tmp_path, [two]) as h:
        h.engine.submit(h.session, "go")
        request, session = h.asked().request, h.session
    with house(tmp_path, ["carved after all"], session=session) as h:
        assert h.store.session(session).state == "waiting"
        (row,) = h.store.approvals(session=session)
        assert row[0] == request
        assert h.engine.answer(request.id, Decision(True))
        ended = h.wait_for(lambda e: type(e).__name__ == "TurnEnded", "end")
        assert ended.text == "carved after all" and stone(tmp_path) == "a"
        texts = [m.text for m in h.results()]
        assert texts[:2] == ["saw ", "carved"] and texts[2].startswith("Interrupted")


def test_a_no_after_a_restart_is_told_to_the_model(tmp_path: Path) -> None:
    with house(tmp_path, [CARVE]) as h:
        h.engine.submit(h.session, "go")
        request, session = h.asked().request.id, h.session
    with house(tmp_path, ["fine"], session=session) as h:
        h.engine.answer(request, Decision(False, reason="not now"))
        h.wait_for(lambda e: type(e).__name__ == "TurnEnded", "end")
        assert "not now" in h.results()[0].text and stone(tmp_path) == ""


def test_a_preview_that_changed_over_a_restart_is_asked_again(tmp_path: Path) -> None:
    with house(tmp_path, [CARVE]) as h:
        h.engine.submit(h.session, "go")
        request, session = h.asked().request.id, h.session
    (tmp_path / "work" / "stone.txt").write_text("new ")
    with house(tmp_path, ["fine"], session=session) as h:
        h.engine.answer(request, Decision(True))
        again = h.asked().request
        assert again.id != request and again.preview.text == "new a" and again.again
        h.engine.answer(again.id, Decision(True))
        h.wait_for(lambda e: type(e).__name__ == "TurnEnded", "end")
        assert stone(tmp_path) == "new a"


def test_something_new_said_after_a_restart_denies_what_waits(tmp_path: Path) -> None:
    with house(tmp_path, [CARVE]) as h:
        h.engine.submit(h.session, "go")
        h.asked()
        session = h.session
    with house(tmp_path, ["hello"], session=session) as h:
        assert h.say("something else").text == "hello"
        assert not h.store.approvals(session=session)
        assert [m.call_id for m in h.results()] == [m.calls[0].id for m in h.messages if m.calls]
        assert stone(tmp_path) == ""


def test_closing_with_an_open_question_leaves_it_in_the_store(tmp_path: Path) -> None:
    with house(tmp_path, [CARVE]) as h:
        turn = h.engine.submit(h.session, "go")
        h.asked()
        h.engine.close()
        assert h.ended(turn).status == "cancelled"
        assert len(h.store.approvals(session=h.session)) == 1
        assert not h.results()
