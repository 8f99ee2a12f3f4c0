"""What is told to the built-in assistant is kept, found and taken back."""

from __future__ import annotations

from tests.models.offline.conftest import Starter
from tests.models.offline.talk import Talk, no


def test_a_fact_can_be_taken_back_right_away(talk: Talk) -> None:
    talk.say("remember that I prefer tea")
    assert "Undone" in talk.say("undo that")
    assert "don't remember anything" in talk.say("what do you know about me?")


def test_a_correction_can_be_taken_back(talk: Talk) -> None:
    talk.say("my name is Ravi")
    assert "instead of" in talk.say("my name is Ravindra")
    talk.say("undo that")
    assert "My name is Ravi" in talk.say("what do you know about me?").split("\n")[-1]


def test_a_pin_can_be_taken_back(talk: Talk) -> None:
    talk.say("pin that I speak Irish")
    assert "(pinned)" in talk.say("what do you know about me?")
    talk.say("undo that")
    assert "(pinned)" not in talk.say("what do you know about me?")


def test_what_is_forgotten_is_gone_and_that_is_said(talk: Talk) -> None:
    talk.say("remember that I prefer tea")
    talk.say("forget that I prefer tea")
    assert talk.asked == ["remember"]
    assert "tell me again" in talk.say("undo that")


def test_a_no_keeps_what_was_to_be_forgotten(start: Starter) -> None:
    talk = start(no)
    talk.say("remember that I prefer tea")
    talk.say("forget that I prefer tea")
    assert "I prefer tea" in talk.say("what do you know about me?")


def test_looking_at_what_is_remembered_changes_nothing_to_undo(talk: Talk) -> None:
    talk.say("what do you know about me?")
    assert "nothing to undo" in talk.say("undo that")


def test_a_project_is_found_kept_and_told_in_plain_sentences(talk: Talk) -> None:
    assert "Mill" in talk.say("start a project called Mill")
    talk.say("add a project todo to grease the axle")
    assert "grease the axle" in talk.say("show me the project brief")
    assert "Done: grease the axle" in talk.say("mark the project todo grease the axle as done")
    assert "Mill" in talk.say("list my projects")


def test_ready_instructions_are_read_by_their_name(talk: Talk) -> None:
    assert "# Put files in order" in talk.say("follow the file-organiser skill")
    assert "There is no skill" in talk.say("use the skill nowhere")
