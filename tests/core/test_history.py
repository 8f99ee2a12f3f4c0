"""Going back: branch from a message, say something else, have it answered anew; nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankita_desktop.errors import AnkitaError, StoreError
from ankita_desktop.events import SessionChanged
from ankita_desktop.models.scripted import ScriptedModel
from ankita_desktop.protocol import Attachment, Decision
from tests.core.house import call, house


def texts(messages: list) -> list[tuple[str, str]]:  # type: ignore[type-arg]
    return [(m.role, m.text) for m in messages if m.role != "tool" and m.text]


def test_a_branch_holds_what_was_said_until_there_and_goes_its_own_way(tmp_path: Path) -> None:
    with house(tmp_path, ["one", "two", "other"]) as h:
        h.say("first")
        h.say("second")
        middle = h.messages[1].id
        branch = h.engine.branch(h.session, middle)
        assert branch.id != h.session
        assert branch.cwd == h.store.session(h.session).cwd
        h.ended(h.engine.submit(branch.id, "another way"))
        assert texts(list(h.store.messages(branch.id))) == [
            ("user", "first"),
            ("assistant", "one"),
            ("user", "another way"),
            ("assistant", "other"),
        ]
        assert len(texts(h.messages)) == 4, "the first conversation stays as it was"
        assert branch in [event.info for event in h.of(SessionChanged)]


def test_active_groups_follow_the_branch(tmp_path: Path) -> None:
    steps = ["hi", call("find_tools", query="what holds port 3000"), "found", "later"]
    with house(tmp_path, steps) as h:
        h.say("hello")
        h.say("port 3000?")
        early, late = h.messages[1].id, h.messages[-1].id
        assert h.engine.active_groups(h.session) == ("process",)
        assert h.engine.active_groups(h.engine.branch(h.session, early).id) == ()
        assert h.engine.active_groups(h.engine.branch(h.session, late).id) == ("process",)


def test_a_branch_in_the_middle_of_calls_can_be_talked_to(tmp_path: Path) -> None:
    model = ScriptedModel([call("peek", text="x"), "done", "fine"])
    with house(tmp_path, model) as h:
        h.say("look")
        calling = h.messages[1]
        assert calling.calls
        branch = h.engine.branch(h.session, calling.id)
        assert h.ended(h.engine.submit(branch.id, "well?")).status == "done"
    sent = model.requests[-1].messages
    assert [m.role for m in sent] == ["user", "assistant", "tool", "user"]
    assert not sent[2].ok


def test_the_project_in_use_follows_the_branch(tmp_path: Path) -> None:
    with house(tmp_path, ["one"]) as h:
        h.store.use_project(h.session, h.store.add_project("Mill").id)
        h.say("first")
        branch = h.engine.branch(h.session, h.messages[-1].id)
        project = h.store.current_project(branch.id, "/")
        assert project and project.name == "Mill"


def test_what_was_said_can_be_changed_and_sent_again_with_its_files(tmp_path: Path) -> None:
    model = ScriptedModel(["one", "two", "better"])
    attached = Attachment(str(tmp_path / "a.png"), "image/png")
    with house(tmp_path, model) as h:
        h.say("first")
        h.ended(h.engine.submit(h.session, "secnod", attachments=(attached,)))
        wrong = h.messages[-2]
        h.ended(h.engine.edit(h.session, wrong.id, "second"))
        assert texts(h.messages) == [
            ("user", "first"),
            ("assistant", "one"),
            ("user", "second"),
            ("assistant", "better"),
        ]
        assert h.messages[-2].attachments == (attached,)
        assert len(h.store.branch_ends(h.session)) == 2, "the old way is kept"
    assert "secnod" not in str(model.requests[-1].messages)


def test_the_first_words_can_be_changed_and_what_is_known_stays_told_once(tmp_path: Path) -> None:
    model = ScriptedModel(["one", "two"])
    with house(tmp_path, model) as h:
        h.store.pin_fact(h.store.add_fact("The person speaks Irish").fact.id)
        h.say("frist")
        h.ended(h.engine.edit(h.session, h.messages[1].id, "first"))
        assert [m.text for m in h.messages if m.source != "note"] == ["first", "two"]
    assert model.requests[0].system == model.requests[1].system
    assert "Irish" in model.requests[1].system


def test_an_answer_can_be_had_anew_without_repeating_the_question(tmp_path: Path) -> None:
    model = ScriptedModel([call("peek", text="x"), "one", "two"])
    with house(tmp_path, model) as h:
        h.say("look")
        h.ended(h.engine.regenerate(h.session))
        assert texts(h.messages) == [("user", "look"), ("assistant", "two")]
    assert [m.role for m in model.requests[-1].messages] == ["user"]


def test_a_question_that_waits_is_closed_when_the_person_goes_back(tmp_path: Path) -> None:
    with house(tmp_path, [call("carve", text="x"), "first", "second"]) as h:
        turn = h.engine.submit(h.session, "carve it")
        h.asked()
        with pytest.raises(AnkitaError, match="stop it first"):
            h.engine.regenerate(h.session)
        with pytest.raises(AnkitaError, match="stop it first"):
            h.engine.edit(h.session, h.messages[0].id, "x")
        h.engine.answer(h.asked().request.id, Decision(False))
        h.ended(turn)
        h.ended(h.engine.regenerate(h.session))
        assert h.store.approvals(session=h.session) == []
        assert texts(h.messages)[-1] == ("assistant", "second")


def test_only_the_persons_own_words_can_be_changed(tmp_path: Path) -> None:
    with house(tmp_path, ["one"]) as h:
        with pytest.raises(StoreError, match="Nothing has been said"):
            h.engine.regenerate(h.session)
        h.say("first")
        with pytest.raises(StoreError, match="said yourself"):
            h.engine.edit(h.session, h.messages[1].id, "x")
        with pytest.raises(StoreError, match="no message nowhere"):
            h.engine.edit(h.session, "nowhere", "x")
        with pytest.raises(StoreError, match="no message nowhere"):
            h.engine.branch(h.session, "nowhere")
        assert texts(h.messages) == [("user", "first"), ("assistant", "one")]


def test_words_of_a_branch_are_found_and_recalled_once(tmp_path: Path) -> None:
    with house(tmp_path, ["one"]) as h:
        h.say("the zeppelin landed")
        branch = h.engine.branch(h.session, h.messages[-1].id)
        assert {hit.session for hit in h.store.search("zeppelin")} == {h.session, branch.id}
        assert len(h.store.recall("zeppelin")) == 1
        h.engine.delete_session(h.session)
        assert len(h.store.recall("zeppelin")) == 1
