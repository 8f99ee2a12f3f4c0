"""Misspelt words are understood, files of a kind are deleted one question at a time, every tool is heard of."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankita_desktop.models.offline.hearing import hear
from ankita_desktop.models.offline.slips import Slips
from tests.models.offline import table
from tests.models.offline.conftest import Starter
from tests.models.offline.table_wider import SLIPS
from tests.models.offline.talk import Talk, catalogue, no, offline


@pytest.mark.parametrize(("said", "family"), SLIPS)
def test_a_slip_of_the_finger_is_understood(said: str, family: str) -> None:
    assert [reading.family.name for reading in offline(catalogue()).understand(said)] == [family]


def test_what_stands_in_a_slot_stays_as_it_was_typed() -> None:
    (reading,) = offline(catalogue()).understand("delte raed.log")
    assert reading.values["path"] == "raed.log"
    (reading,) = offline(catalogue()).understand("rememebr that my freind is Tom")
    assert reading.values["text"] == "my freind is Tom"


@pytest.mark.parametrize("said", ["beaz notes", '"raed" notes', "rd notes", "raed shwo notse delte"])
def test_what_may_be_another_word_is_no_slip(said: str) -> None:
    assert Slips(["read {path}", "bear {path}", "beat", "show", "notes", "delete"]).mended(hear(said)) is None


def test_every_file_of_a_kind_is_asked_about_and_no_other_goes(talk: Talk, folder: Path) -> None:
    for name in ("a.log", "B.LOG", "blog", "a.log.txt", "src/deep.log"):
        (folder / name).write_text("x")
    talk.say("delete every .log file")
    assert talk.asked == ["delete_file", "delete_file"]
    assert sorted(path.name for path in folder.rglob("*log*")) == ["a.log.txt", "blog", "deep.log"]
    assert "so there is nothing to delete" in talk.say("delete all log files")


def test_a_no_keeps_the_rest_of_a_kind(start: Starter, folder: Path) -> None:
    for name in ("a.log", "b.log"):
        (folder / name).write_text("x")
    talk = start(no)
    talk.say("delete all log files")
    assert talk.asked == ["delete_file"]
    assert (folder / "a.log").exists() and (folder / "b.log").exists()


def test_so_many_files_that_nobody_reads_the_questions_are_left_alone(talk: Talk, folder: Path) -> None:
    for number in range(21):
        (folder / f"{number}.log").write_text("x")
    assert "Nothing was deleted" in talk.say("delete all log files")
    assert talk.asked == []


@pytest.mark.parametrize(
    "said",
    [
        "delete everything",
        "delete all",
        "remove all files",
        "delete anything",
        "get rid of every folder",
        "wipe all",
    ],
)
def test_no_file_is_called_everything(talk: Talk, said: str) -> None:
    assert talk.say(said).startswith("I did not understand")
    assert talk.calls == []


def test_a_patch_that_lies_in_a_file_is_applied_after_a_yes(talk: Talk, folder: Path) -> None:
    (folder / "fix.diff").write_text("--- a/notes.txt\n+++ b/notes.txt\n@@ -1,2 +1,2 @@\n one TODO\n-two\n+2\n")
    talk.say("apply the patch fix.diff")
    assert talk.asked == ["apply_patch"]
    assert (folder / "notes.txt").read_text() == "one TODO\n2\nthree TODO\nfour\n"


def test_a_name_that_only_a_file_can_have_is_no_site() -> None:
    readings = offline(catalogue()).understand("summarise notes.docx")
    assert [reading.family.name for reading in readings] == ["document_read"]


def test_every_tool_is_called_by_some_sentence() -> None:
    told_elsewhere = {
        "apply_patch": "read first, see above",
        "write_todos": "the list where there are no reminders, see test_conversations",
    }
    called = {tool for tool, *_ in table.CALLS}
    assert {spec.name for spec in catalogue().specs()} - called == set(told_elsewhere)


@pytest.mark.parametrize(
    "said",
    [
        "forget everything",
        "forget everything you know about me",
        "erase your memory",
        "delete all my conversations",
    ],
)
def test_all_that_is_remembered_is_not_deleted_on_a_sentence(talk: Talk, said: str) -> None:
    talk.say("remember that I prefer tea")
    assert "forget-everything" in talk.say(said)
    assert [fact.text for fact in talk.store.facts()] == ["I prefer tea"]
    assert talk.asked == []
