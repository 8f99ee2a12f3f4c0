"""What is said is kept, in order, as it was."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ankita_desktop.core import ports
from ankita_desktop.errors import StoreError
from ankita_desktop.protocol import Attachment, Message, Round, ToolCall, Usage
from ankita_desktop.store.database import Store


def texts(messages: Sequence[Message]) -> list[str]:
    return [message.text for message in messages]


def test_the_store_is_what_the_core_asks_for(store: Store) -> None:
    as_port: ports.Store = store  # mypy holds us to the signatures
    for name in vars(ports.Store):
        if not name.startswith("_"):
            assert callable(getattr(as_port, name)), name


def test_a_message_comes_back_equal_with_all_its_fields(store: Store, session: str) -> None:
    said = Message(
        "assistant",
        "Café 日本 \0 end",
        calls=(
            ToolCall("c1", "read_file", {"path": "a", "n": 1.5, "deep": [{"x": None}]}),
            ToolCall("c2", "x", {}, "{"),
        ),
        attachments=(Attachment("/tmp/a.png", "image/png", "a"),),
        details={"exit": 0, "big": 10**30},
        reasoning="because",
        provider={"reasoning_content": ""},
    )
    store.add_message(session, said)
    assert list(store.messages(session)) == [said]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(), st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5) | st.none(), max_size=3)
)
def test_any_text_and_arguments_are_kept(store: Store, text: str, arguments: dict[str, object]) -> None:
    session = store.create_session(cwd="/", mode="ask", model="").id
    said = Message("assistant", text, calls=(ToolCall("c", "t", arguments),))
    store.add_message(session, said)
    assert list(store.messages(session)) == [said]


def test_half_a_surrogate_pair_is_kept_as_a_replacement_character(store: Store, session: str) -> None:
    store.add_message(session, Message("user", "a\ud800b \ud83d\ude00"))
    assert texts(store.messages(session)) == ["a\ufffdb \U0001f600"]


def test_messages_come_in_the_order_they_were_added(store: Store, session: str) -> None:
    for number in range(30):
        store.add_message(session, Message("user", str(number), created=float(-number)))
    assert texts(store.messages(session)) == [str(number) for number in range(30)]


def test_going_back_starts_a_branch_and_the_other_branch_stays(store: Store, session: str) -> None:
    first, second, third = (Message("user", text) for text in ("one", "two", "three"))
    for message in (first, second):
        store.add_message(session, message)
    store.move_head(session, first.id)
    store.add_message(session, third)
    assert texts(store.messages(session)) == ["one", "three"]
    assert list(store.branch_ends(session)) == [second.id, third.id]
    store.move_head(session, second.id)
    assert texts(store.messages(session)) == ["one", "two"]
    store.move_head(session, "")
    assert texts(store.messages(session)) == []


def test_a_message_is_shown_with_what_was_said_after_it(store: Store, session: str) -> None:
    first, second, third = (Message("user", text) for text in ("one", "two", "three"))
    for message in (first, second):
        store.add_message(session, message)
    store.move_head(session, "")
    store.add_message(session, third)
    store.show_message(session, first.id)
    assert texts(store.messages(session)) == ["one", "two"]
    store.move_head(session, first.id)
    store.add_message(session, Message("user", "four"))
    store.move_head(session, second.id)
    store.show_message(session, first.id)
    assert texts(store.messages(session)) == ["one", "two"], "what is shown and has it stays"
    store.show_message(session, third.id)
    store.show_message(session, first.id)
    assert texts(store.messages(session)) == ["one", "four"], "else the newest branch"
    store.show_message(session, "nothing")
    assert texts(store.messages(session)) == ["one", "four"]


def test_the_same_message_is_not_stored_twice(store: Store, session: str) -> None:
    message = Message("user", "once")
    store.add_message(session, message)
    with pytest.raises(StoreError):
        store.add_message(session, message)
    assert texts(store.messages(session)) == ["once"]


def test_a_message_for_a_session_that_does_not_exist_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="no session nowhere"):
        store.add_message("nowhere", Message("user", "hello"))


def test_sessions_are_listed_with_the_one_spoken_in_last_first(store: Store) -> None:
    first, second = (store.create_session(cwd="/", mode="ask", model="", title=title) for title in "ab")
    assert [info.title for info in store.sessions()] == ["b", "a"]
    store.add_message(first.id, Message("user", "hello"))
    assert [info.title for info in store.sessions()] == ["a", "b"]
    store.update_session(second.id, unread=True)
    assert [info.title for info in store.sessions()] == ["a", "b"], "a mark doesn't move a conversation"


def test_a_session_is_found_by_the_beginning_of_its_id(store: Store, session: str) -> None:
    assert store.find_session(session[:8]).id == session
    assert store.find_session("").id == session
    with pytest.raises(StoreError, match="no session zz"):
        store.find_session("zz")
    with pytest.raises(StoreError, match="no session %"):
        store.find_session("%")


def test_only_fields_of_a_session_can_be_changed(store: Store, session: str) -> None:
    info = store.update_session(session, title="New", mode="edits", unread=True, state="waiting")
    assert (info.title, info.mode, info.unread, info.state) == ("New", "edits", True, "waiting")
    with pytest.raises(TypeError, match="head"):
        store.update_session(session, head=1)
    with pytest.raises(StoreError, match="no session"):
        store.update_session("nowhere", title="x")


def test_rounds_come_back_in_order_for_one_session_or_all(store: Store, session: str) -> None:
    other = store.create_session(cwd="/", mode="ask", model="").id
    round_ = Round(21, 7900, Usage(100, 64, 10, 0.5), ("git",))
    store.add_round(session, "t1", round_)
    store.add_round(other, "t2", Round(1, 2))
    assert [row[:3] for row in store.rounds(session)] == [(session, "t1", round_)]
    assert [row[1] for row in store.rounds()] == ["t1", "t2"]


def test_a_deleted_conversation_leaves_no_trace_in_any_file(store: Store) -> None:
    secret = "Quetzalcoatlus-Geheimnis"
    session = store.create_session(cwd="/", mode="ask", model="", title=secret).id
    kept = store.create_session(cwd="/", mode="ask", model="").id
    store.add_message(kept, Message("user", "something that stays"))
    backup = store.path.with_name("ankita.db.backup-1")
    backup.write_text(secret)
    for number in range(20):
        store.add_message(session, Message("user", f"{secret} {number} " * 50))
    store.delete_session(session)
    folder: Path = store.path.parent
    for file in folder.iterdir():
        content = file.read_bytes().lower()
        assert secret.lower().encode() not in content, file
        assert b"quetz" not in content, f"{file} still indexes it"
    assert store.search("Quetzalcoatlus") == []
    assert len(store.search("something stays")) == 1
    with pytest.raises(StoreError):
        store.session(session)


def test_everything_of_a_deleted_session_goes_with_it(store: Store, session: str) -> None:
    store.lease(session, "1 other")
    store.add_round(session, "t", Round(1, 2))
    store.delete_session(session)
    assert store.rounds() == []
    with pytest.raises(StoreError, match="no session"):
        store.delete_session(session)


def test_an_export_is_the_whole_conversation_as_json(store: Store, session: str) -> None:
    store.add_message(session, Message("user", "hi"))
    store.add_round(session, "t", Round(1, 2))
    document = json.loads(json.dumps(store.export(session)))
    assert document["session"]["id"] == session
    assert [message["text"] for message in document["messages"]] == ["hi"]
    assert document["rounds"][0]["schema_bytes"] == 2


def test_many_threads_write_and_read_at_once_and_nothing_is_lost(store: Store) -> None:
    sessions = [store.create_session(cwd="/", mode="ask", model="").id for _ in range(8)]

    def talk(session: str) -> list[int]:
        counts = []
        for number in range(20):
            store.add_message(session, Message("user", str(number)))
            counts.append(len(store.messages(session)))
        return counts

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(talk, sessions)) == [list(range(1, 21))] * 8
    for session in sessions:
        assert texts(store.messages(session)) == [str(number) for number in range(20)]


def test_a_closed_store_says_so_in_every_thread(store: Store, session: str) -> None:
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.messages(session)
    errors: list[str] = []

    def late() -> None:
        try:
            store.messages(session)
        except StoreError as error:
            errors.append(str(error))

    thread = threading.Thread(target=late)
    thread.start()
    thread.join()
    assert errors == ["The database is closed."]


def test_the_database_is_private_to_its_person(store: Store) -> None:
    for file in store.path.parent.iterdir():
        assert file.stat().st_mode & 0o077 == 0, file
