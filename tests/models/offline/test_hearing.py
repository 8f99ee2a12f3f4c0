"""Politeness goes, meaning stays."""

from __future__ import annotations

import pytest

from ankita_desktop.models.offline.hearing import LONGEST, hear, polite_core, sequels

POLITE = [
    ("Hey Ankita, could you please list the files? Thanks!", "list the files"),
    ("list the files, please", "list the files"),
    ("Please list the files.", "list the files"),
    ("can you list the files for me", "list the files"),
    ("I'd like you to list the files", "list the files"),
    ("I’d like to list the files", "list the files"),
    ("would you kindly list the files, thank you very much!!", "list the files"),
    ("ok Ankita list the files right now", "list the files"),
    ("let's list the files", "list the files"),
    ("Ankita: list the files", "list the files"),
    ("go ahead and list the files if you can", "list the files"),
    ("hi there, list the files", "list the files"),
    ("could u list the files pls", "list the files"),
]


@pytest.mark.parametrize(("said", "core"), POLITE, ids=[row[0] for row in POLITE])
def test_politeness_is_stripped(said: str, core: str) -> None:
    assert polite_core(said) == core


@pytest.mark.parametrize("said", ["thanks", "hello", "hey Ankita", "please", "Thank you!", "hi there"])
def test_what_is_nothing_but_politeness_stays(said: str) -> None:
    assert polite_core(said) == said.rstrip("!")


@pytest.mark.parametrize(
    ("said", "core"),
    [("list ..", "list .."), ("list .", "list ."), ("read a.txt.", "read a.txt"), ("what?!", "what")],
)
def test_a_full_stop_goes_and_a_path_of_dots_stays(said: str, core: str) -> None:
    assert polite_core(said) == core


@pytest.mark.parametrize(
    "quoted", ['"a b"', "'a b'", "“a b”", "‘a b’", "`a b`", "«a b»", "```a b```"], ids=lambda text: text[0]
)
def test_every_kind_of_quotes_makes_one_word(quoted: str) -> None:
    heard = hear(f"read {quoted} now")
    assert [token.quoted for token in heard.tokens] == [None, "a b", None]


def test_an_apostrophe_quotes_nothing() -> None:
    assert hear("what's in Anna's folder").masked == "what's in Anna's folder"


def test_a_quotation_ends_at_its_own_mark() -> None:
    tokens = hear("write 'it's fine' to a.txt").tokens
    assert tokens[1].quoted == "it's fine"


def test_a_range_of_lines_is_two_numbers_and_still_the_persons_text() -> None:
    heard = hear("show lines 3-8 of a.txt")
    assert heard.masked.startswith("show lines 3 to 8 of ")
    assert heard.said(heard.tokens[2:5]) == "3-8"


def test_joints_split_and_quotes_hold_together() -> None:
    parts = sequels(hear("read 'a and then b' and then please show c; then list d"))
    assert [part.words for part in parts] == ["read 'a and then b'", "show c", "list d"]


def test_a_text_too_long_for_a_request_has_no_words() -> None:
    assert hear("x " * LONGEST).tokens == ()
