"""What is known of how tools are used: calls are counted, vain searches are kept until cleared or deleted."""

from __future__ import annotations

from ankita_desktop.protocol import Message, ToolCall
from ankita_desktop.store.database import Store


def session(store: Store) -> str:
    return store.create_session(cwd="/", mode="ask", model="", title="t").id


def test_calls_are_counted_over_all_conversations(store: Store) -> None:
    for names in (["read_file", "read_file"], ["git"], []):
        calls = tuple(ToolCall(f"c{n}", name) for n, name in enumerate(names))
        store.add_message(session(store), Message("assistant", "…", calls=calls))
    assert store.calls_per_tool() == {"read_file": 2, "git": 1}


def test_vain_searches_are_listed_most_frequent_first_and_can_be_cleared(store: Store) -> None:
    talk = session(store)
    for query in ("fold my  laundry", "walk the dog", "fold my laundry"):
        store.add_miss(talk, query)
    assert store.misses() == [("fold my laundry", 2), ("walk the dog", 1)]
    assert store.clear_misses() == 3
    assert store.misses() == []


def test_a_deleted_conversation_takes_its_searches_along(store: Store) -> None:
    talk, other = session(store), session(store)
    store.add_miss(talk, "a private thing")
    store.add_miss(other, "walk the dog")
    store.delete_session(talk)
    assert store.misses() == [("walk the dog", 1)]


def test_a_search_of_any_length_and_spelling_is_kept(store: Store) -> None:
    store.add_miss(session(store), "\ud800" + "x" * 10_000)
    ((query, _),) = store.misses()
    assert len(query) == 300
