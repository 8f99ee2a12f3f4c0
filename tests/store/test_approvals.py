"""A question is a row: it outlives its process, and one answer counts."""

from __future__ import annotations

import threading

import pytest

from ankita_desktop.errors import StoreError
from ankita_desktop.protocol import (
    ApprovalRequest,
    Decision,
    FileChange,
    Grant,
    Preview,
    ToolCall,
    new_id,
)
from ankita_desktop.store.database import Store


def asked(session: str) -> ApprovalRequest:
    change = FileChange("/a", "modify", "old\r\n", "new\r\n", "0" * 64, facts="UTF-8, CRLF")
    preview = Preview(
        "diff", "Change 1 file?", "edit", changes=(change,), grant_key="edit:/", covered_by=("edit:/x",)
    )
    return ApprovalRequest(
        new_id(), session, ToolCall("c1", "edit_file", {"path": "/a"}), "ask", preview, "please"
    )


def test_a_question_comes_back_as_it_was_asked(store: Store, session: str) -> None:
    request = asked(session)
    store.add_approval(request)
    assert store.approval(request.id) == (request, "pending", None)
    back = store.approvals(session=session)[0][0]
    assert back.preview.fingerprint() == request.preview.fingerprint()


def test_the_answer_is_stored_with_its_hunks_and_edits(store: Store, session: str) -> None:
    request = asked(session)
    store.add_approval(request)
    decision = Decision(True, "session", "ok", hunks={"/a": (0, 2)}, edited={"/b": "text"})
    assert store.close_approval(request.id, "allowed", decision)
    assert store.approval(request.id) == (request, "allowed", decision)


def test_only_open_questions_are_listed_unless_others_are_wanted(store: Store, session: str) -> None:
    first, second = asked(session), asked(session)
    store.add_approval(first)
    store.add_approval(second)
    store.close_approval(first.id, "denied")
    assert [row[0].id for row in store.approvals()] == [second.id]
    assert [row[0].id for row in store.approvals(outcome=None)] == [first.id, second.id]
    assert [row[0].id for row in store.approvals(outcome="denied")] == [first.id]
    assert store.approvals(session="another") == []


def test_of_many_answers_at_once_exactly_one_counts(store: Store, session: str) -> None:
    request = asked(session)
    store.add_approval(request)
    barrier = threading.Barrier(8)
    counted: list[bool] = []

    def answer(allow: bool) -> None:
        barrier.wait()
        counted.append(store.close_approval(request.id, "allowed" if allow else "denied", Decision(allow)))

    threads = [threading.Thread(target=answer, args=(number % 2 == 0,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counted.count(True) == 1
    _, outcome, decision = store.approval(request.id)
    assert decision is not None
    assert outcome == ("allowed" if decision.allow else "denied")


def test_an_unknown_question_is_an_error_and_pending_is_no_answer(store: Store, session: str) -> None:
    with pytest.raises(StoreError, match="no approval"):
        store.close_approval("nothing", "denied")
    with pytest.raises(ValueError, match="pending"):
        store.close_approval("nothing", "pending")


def test_grants_are_for_always_or_for_their_session_and_can_be_taken_back(store: Store, session: str) -> None:
    other = store.create_session(cwd="/", mode="ask", model="").id
    always, here = Grant("g1", "run:git", "git …"), Grant("g2", "edit:/", "edits in /", session)
    for grant in (always, here):
        store.add_grant(grant)
    assert list(store.grants(session)) == [always, here]
    assert list(store.grants(other)) == [always]
    assert list(store.grants()) == [always]
    assert store.revoke_grant("g1")
    assert not store.revoke_grant("g1")
    assert list(store.grants(session)) == [here]


def test_the_same_grant_is_kept_once(store: Store, session: str) -> None:
    store.add_grant(Grant("g1", "run:git", "git …"))
    store.add_grant(Grant("g2", "run:git", "git …"))
    store.add_grant(Grant("g3", "run:git", "git …", session))
    assert [grant.id for grant in store.all_grants()] == ["g1", "g3"]


def test_a_grant_of_a_session_ends_with_it(store: Store, session: str) -> None:
    store.add_grant(Grant("g1", "run:git", "git …", session))
    store.delete_session(session)
    assert store.all_grants() == []
