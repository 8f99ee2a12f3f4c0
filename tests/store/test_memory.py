"""What is remembered about the person: equal facts merge, corrections replace, the forgotten stays forgotten."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from ankita_desktop.errors import StoreError
from ankita_desktop.protocol import Message
from ankita_desktop.store.connection import connect
from ankita_desktop.store.database import Store
from ankita_desktop.store.memory_schema import MEMORY
from ankita_desktop.store.migrations import MIGRATIONS, prepare
from ankita_desktop.store.text import to_json
from ankita_desktop.toolkit.remembering import PINS


def texts(store: Store) -> list[str]:
    return [fact.text for fact in store.facts()]


def said(store: Store, *lines: str) -> str:
    """A conversation in which the person said this."""
    session = store.create_session(cwd="/", mode="ask", model="", title="Old talk").id
    for line in lines:
        store.add_message(session, Message("user", line))
    return session


def test_a_fact_is_there_in_the_next_process(store: Store) -> None:
    saved = store.add_fact("The user plays the cello.")
    again = Store(store.path)
    assert [(fact.id, fact.text) for fact in again.facts()] == [(saved.fact.id, "The user plays the cello.")]
    again.close()


@pytest.mark.parametrize(
    "other",
    ["I play the cello", "the user plays  the CELLO!", "User plays the cello", "My user plays the cello."],
)
def test_the_same_fact_in_other_words_is_kept_once(store: Store, other: str) -> None:
    first = store.add_fact("The user plays the cello.")
    second = store.add_fact(other)
    assert second.how == "merged"
    assert second.fact.id == first.fact.id
    assert len(texts(store)) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My favourite colour is blue", "My favourite colour is green"),
        ("The user's name is Sam", "The user's name is Sam Field"),
        ("My email is a@example.org", "my email: b@example.org"),
        ("User's preferred editor is vim", "The user's preferred editor is helix"),
    ],
)
def test_a_new_value_of_what_one_has_once_replaces_the_old_one(store: Store, old: str, new: str) -> None:
    store.add_fact(old)
    saved = store.add_fact(new)
    assert saved.how == "replaced"
    assert saved.before and saved.before.text == old
    assert texts(store) == [new]


@pytest.mark.parametrize(
    ("one", "other"),
    [("My brother is Tom", "My brother is Jim"), ("I like tea", "I like coffee"), ("Tea is hot", "Tea is green")],
)
def test_what_one_may_have_several_of_is_kept_beside_each_other(store: Store, one: str, other: str) -> None:
    store.add_fact(one)
    assert store.add_fact(other).how == "added"
    assert len(texts(store)) == 2


def test_a_save_can_be_taken_back(store: Store) -> None:
    first = store.add_fact("My favourite colour is blue").fact
    store.pin_fact(first.id)
    saved = store.add_fact("My favourite colour is green")
    undo = {"fact": first.id, "after": saved.fact.text, "before": {"text": first.text, "pinned": True}}
    assert store.undo_fact(undo)
    assert [(fact.text, fact.pinned) for fact in store.facts()] == [(first.text, True)]
    assert not store.undo_fact(undo), "what has changed since isn't touched"
    assert store.undo_fact({"fact": first.id, "after": first.text, "before": None})
    assert texts(store) == []


def test_pins_are_few_and_come_in_the_order_they_were_pinned(store: Store) -> None:
    facts = [store.add_fact(f"The user owns boat{number}").fact for number in range(PINS + 1)]
    for fact in facts[:PINS]:
        store.pin_fact(fact.id)
    with pytest.raises(StoreError, match="unpin one first"):
        store.pin_fact(facts[PINS].id)
    assert [fact.id for fact in store.pins()] == [fact.id for fact in facts[:PINS]]
    store.pin_fact(facts[0].id, False)
    store.pin_fact(facts[PINS].id)
    assert store.pins()[-1].id == facts[PINS].id


def test_a_number_is_never_given_to_another_fact(store: Store) -> None:
    first = store.add_fact("I have a dog").fact
    store.forget_fact(first.id)
    assert store.add_fact("I have a cat").fact.id != first.id
    assert not store.forget_fact(first.id)


def test_old_conversations_do_not_teach_again_what_was_forgotten(store: Store) -> None:
    said(store, "Remember that my sister is called Mirabel.", "Then the garden fence. Mirabel waved.")
    fact = store.add_fact("The user's sister is called Mirabel").fact
    store.forget_fact(fact.id)
    found = store.recall("what is my sister called")
    assert not [one for one in found if "Mirabel" in one.text]
    assert [one.text for one in store.recall("garden fence")], "the rest of a conversation is still found"


def test_a_correction_keeps_old_conversations_from_teaching_the_old_value(store: Store) -> None:
    said(store, "my favourite colour is blue")
    store.add_fact("My favourite colour is blue")
    store.add_fact("My favourite colour is green")
    said(store, "as I said, my favourite colour is green")
    found = [one.text for one in store.recall("favourite colour")]
    assert len(found) == 2
    assert not [text for text in found if "blue" in text]


def test_what_is_told_again_after_it_was_forgotten_is_known_again(store: Store) -> None:
    said(store, "my bicycle is called Thunder")
    fact = store.add_fact("my bicycle is called Thunder").fact
    store.forget_fact(fact.id)
    assert store.recall("bicycle") == []
    store.add_fact("My bicycle is called Thunder")
    assert [one.kind for one in store.recall("bicycle")] == ["fact", "said"]


def test_what_was_forgotten_is_not_kept_in_readable_form(store: Store) -> None:
    fact = store.add_fact("The user's safe word is Quetzalcoatl").fact
    store.forget_fact(fact.id)
    store.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    content = b"".join(file.read_bytes() for file in store.path.parent.glob("ankita.db*"))
    assert b"uetzalcoatl" not in content.lower()


def test_recall_tells_the_source_and_the_time_of_each_find(store: Store) -> None:
    session = said(store, "The plumber came on Monday and mended the boiler.")
    store.add_fact("The user's plumber is called Okoro")
    fact, talk = store.recall("plumber")
    assert (fact.kind, fact.source) == ("fact", "fact")
    assert (talk.kind, talk.time > 0) == ("said", True)
    assert "Old talk" in talk.source and session[:8] in talk.source


def test_recall_leaves_out_the_conversation_that_asks(store: Store) -> None:
    session = said(store, "we planted a cherry tree")
    assert store.recall("cherry tree", session=session) == []
    assert len(store.recall("cherry tree")) == 1


@pytest.mark.parametrize(
    "query",
    ["trees", "the tree, please", 'tree" OR "x', "tree* NEAR(", "what do you know about my tree?", "arbres"],
)
def test_any_words_can_be_asked_for(store: Store, query: str) -> None:
    store.add_fact("The user planted a cherry tree")
    found = [one.text for one in store.recall(query)]
    assert found == ([] if query == "arbres" else ["The user planted a cherry tree"])


def test_accents_and_endings_do_not_matter(store: Store) -> None:
    store.add_fact("The user's café is Zoë's")
    assert store.recall("cafe zoe")
    assert store.recall("CAFÉS")


@pytest.mark.parametrize("query", ["東京", "東京について何を知っていますか", "住んで"])
def test_scripts_without_spaces_are_found_by_parts(store: Store, query: str) -> None:
    said(store, "東京の天気はいいです")
    store.add_fact("私は東京に住んでいます")
    store.add_fact("猫が好きです")
    found = [one.text for one in store.recall(query)]
    assert found[0] == "私は東京に住んでいます"
    assert "猫が好きです" not in found


def test_facts_are_found_among_many_that_hold_the_same_words(store: Store) -> None:
    with store.write() as connection:
        connection.executemany(
            "INSERT INTO facts (text, sense, session, created, updated) VALUES (?, ?, '', 0, 0)",
            [(f"The user visited city number {n}", f"city {n}") for n in range(3_000)],
        )
    store.add_fact("The user visited city Timbuktu twice")
    assert store.recall("which city did I visit twice, Timbuktu?")[0].text.endswith("Timbuktu twice")
    assert len(store.recall("visited city")) == 12


def test_a_deleted_conversation_is_not_recalled(store: Store) -> None:
    session = said(store, "the zeppelin landed")
    store.delete_session(session)
    assert store.recall("zeppelin") == []


def test_conversations_from_before_memory_can_be_recalled(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    prepare(path, MIGRATIONS[: MIGRATIONS.index(MEMORY)])
    with closing(connect(path)) as connection:
        connection.execute("INSERT INTO sessions VALUES ('s', 'Ponds', '/', 'ask', '', 'idle', 0, 1, 1, 1)")
        body = to_json(Message("user", "a heron stood in the pond"))
        connection.execute("INSERT INTO messages VALUES (1, 's', 'm', NULL, 1, ?)", (body,))
    store = Store(path)
    assert [(one.kind, one.time) for one in store.recall("heron pond")] == [("said", 1.0)]
    store.close()


def test_notes_of_the_product_and_results_of_tools_teach_nothing(store: Store) -> None:
    session = said(store, "look at the file")
    store.add_message(session, Message("user", "xylophone", source="note"))
    store.add_message(session, Message("tool", "xylophone", call_id="1", name="read_file"))
    assert store.recall("xylophone") == []


@pytest.mark.parametrize(
    ("fact", "query"),
    [
        ("내 고양이 이름은 나비입니다", "고양이"),
        ("私はがくせいです", "がくせい"),
        ("我的狗叫旺财", "狗"),
        ("Мой любимый композитор — Чайковский", "чайковский"),
        ("أخي أحمد يعيش في بيروت", "أحمد"),
        ("मेरी बिल्ली का नाम मीना है", "बिल्ली"),
        ("எனக்கு மாம்பழம் பிடிக்கும்", "மாம்பழம்"),
        ("ชื่อแมวของฉันคือมะลิ", "แมว"),
        ("Ich heiße Groß", "heiße"),
        ("Tôi sống ở Hà Nội", "hà nội"),
        ("Η αγαπημένη μου πόλη είναι ο Βόλος", "ΒΌΛΟΣ"),
        ("Dzień urodzin Zażółć", "zażółć"),
        ("La cafetera está en la cocina", "CAFETERA"),
        ("cafe\u0301 au lait, always", "café"),
    ],
)
def test_a_fact_is_found_by_its_words_in_any_language(store: Store, fact: str, query: str) -> None:
    store.add_fact(fact)
    store.add_fact("Something else altogether")
    talk = store.create_session(cwd="/", mode="ask", model="").id
    store.add_message(talk, Message("user", fact))
    found = store.recall(query)
    assert [one.text for one in found if one.kind == "fact"] == [fact]
    assert [one.kind for one in found].count("said") <= 1
    store.forget_fact("m1")
    assert store.recall(query) == []


def test_words_that_differ_in_their_vowel_signs_are_different_facts(store: Store) -> None:
    store.add_fact("मेरा नाम राम")
    assert store.add_fact("मेरी नामी रमा").how == "added"


def test_a_first_search_loads_no_stemmer_of_every_language() -> None:
    code = """
import sys
from ankita_desktop.store.database import Store
store = Store()
store.add_fact("I play the cello")
assert store.recall("playing cellos")
print("snowballstemmer" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
