"""Promises on reminders whose time has passed, is misspelt, or is said in one of the rarer ways."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.offline.talk import Talk


def added(talk: Talk) -> list[dict[str, Any]]:
    return [call.arguments for call in talk.calls if call.name == "remind"]


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("remind me yesterday at 9 to call mum", "yesterday at 9"),
        ("remind me to call mum yesterday at 9", "yesterday at 9"),
        ("remind me to call mum 3 hours ago", "3 hours ago"),
        ("remind me last friday at 9 to call mum", "last friday at 9"),
        ("remind me to call mum last week", "last week"),
    ],
)
def test_a_time_that_has_passed_is_refused_and_never_put_on_the_list(talk: Talk, text: str, when: str) -> None:
    answer = talk.say(text)
    assert f'"{when}" can\'t be kept' in answer and "has passed" in answer
    assert list(talk.services.reminders.list()) == []  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("remind me to call mum tomorow at 9", "tomorrow at 9"),
        ("remind me thrusday at 9 to call mum", "thursday at 9"),
        ("remind me to call mum evry monday at 9", "every monday at 9"),
    ],
)
def test_a_misspelt_time_is_asked_about_and_never_put_on_the_list(talk: Talk, text: str, meant: str) -> None:
    assert f"Did you mean “{meant}”?" in talk.say(text)
    assert list(talk.services.reminders.list()) == []  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "what", "when"),
    [
        ("remind me on christmas eve at 9 to call mum", "call mum", "on christmas eve at 9"),
        ("remind me a week from monday at 9 to pay rent", "pay rent", "a week from monday at 9"),
        ("remind me to pay rent two weeks from tomorrow at 9", "pay rent", "two weeks from tomorrow at 9"),
        ("remind me at the end of the month at 6pm to pay rent", "pay rent", "at the end of the month at 6pm"),
        ("remind me to stretch twice a day", "stretch", "twice a day"),
        ("remind me every weekday except friday to stand up", "stand up", "every weekday except friday"),
        ("remind me to stand up the day after tomorrow at noon", "stand up", "the day after tomorrow at noon"),
    ],
)
def test_the_rarer_ways_to_say_a_time_are_told_from_the_words(talk: Talk, text: str, what: str, when: str) -> None:
    talk.say(text)
    assert added(talk) == [{"action": "add", "text": what, "when": when}]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("remind me to buy a week planner", "buy a week planner"),
        ("remind me to clean the house", "clean the house"),
        ("remind me to plan the end of the project", "plan the end of the project"),
    ],
)
def test_what_only_looks_like_a_time_stays_what_is_to_be_done(talk: Talk, text: str, what: str) -> None:
    talk.say(text)
    assert added(talk) == [{"action": "add", "text": what}]
