"""Any text may be searched and finds its message; none is a syntax."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ankita_desktop.protocol import Message
from ankita_desktop.store.database import Store
from ankita_desktop.store.text import fold

SAID = [
    "the id is CFF90D7C-A2EC, keep it",
    "write to @x about it",
    "I don't know",
    "C++ is fine, C# too",
    "what does NEAR( mean in a query",
    "日本 is far away",
    "the Café in Ürümqi opened",
    'she said "quoted words" twice',
    "path C:\\temp\\new and /etc/hosts",
    "100% sure * always",
    "smile 😀 now",
    "col:umn -minus ^caret",
    "Straße und STRASSE",
]


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("CFF90D7C-A2EC", 0),
        ("cff90d7c", 0),
        ("@x", 1),
        ("don't", 2),
        ("C++", 3),
        ("C#", 3),
        ("NEAR(", 4),
        ("日本", 5),
        ("日", 5),
        ("cafe urumqi", 6),
        ("CAFÉ", 6),
        ('"quoted', 7),
        ("C:\\temp", 8),
        ("/etc/hosts", 8),
        ("100%", 9),
        ("*", 9),
        ("😀", 10),
        ("col:umn", 11),
        ("-minus ^caret", 11),
        ("strasse", 12),
        ("away far", 5),
    ],
)
def test_a_text_finds_its_message_and_no_other(store: Store, session: str, query: str, place: int) -> None:
    messages = [Message("user", text) for text in SAID]
    for message in messages:
        store.add_message(session, message)
    assert [hit.message for hit in store.search(query)] == [messages[place].id]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=40))
def test_no_text_is_a_syntax_error(store: Store, query: str) -> None:
    store.search(query)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4), st.data())
def test_every_word_of_a_message_finds_it(store: Store, words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    assume(text.replace("\0", " ").split())
    session = store.create_session(cwd="/", mode="ask", model="").id
    message = Message("user", text)
    store.add_message(session, message)
    word = data.draw(st.sampled_from(text.replace("\0", " ").split()))
    assume(fold(word).strip())  # accents without a letter are nothing to look for
    assert message.id in [hit.message for hit in store.search(word, limit=100_000)]


def test_a_hit_shows_the_words_around_it_and_where_they_are(store: Store, session: str) -> None:
    message = Message("assistant", "x" * 500 + " the needle is here " + "y" * 500)
    store.add_message(session, message)
    (hit,) = store.search("needle")
    assert (hit.session, hit.message, hit.time) == (session, message.id, message.created)
    assert "the needle is here" in hit.snippet
    assert len(hit.snippet) < 200
    assert "\n" not in hit.snippet


def test_the_newest_hits_come_first_and_no_more_than_asked(store: Store, session: str) -> None:
    for number in range(5):
        store.add_message(session, Message("user", f"apple {number}"))
    assert [hit.snippet for hit in store.search("apple", limit=2)] == ["apple 4", "apple 3"]


def test_nothing_to_search_finds_nothing(store: Store, session: str) -> None:
    store.add_message(session, Message("user", "something"))
    assert store.search("") == []
    assert store.search("  \n ") == []


def test_what_tools_returned_is_found_and_notes_to_the_model_are_not(store: Store, session: str) -> None:
    store.add_message(session, Message("tool", "grepped pineapple", call_id="c", name="search_files"))
    store.add_message(session, Message("user", "internal pineapple", source="note"))
    assert [hit.snippet for hit in store.search("pineapple")] == ["grepped pineapple"]
