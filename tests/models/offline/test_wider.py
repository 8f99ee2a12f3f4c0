"""Misspelt words are understood, files of a kind are deleted one question at a time, every tool is heard of."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ankita_desktop.models.offline.hearing import hear
from ankita_desktop.models.offline.slips import Slips
from ankita_desktop.protocol import Message, ModelRequest
from ankita_desktop.toolkit.cancel import Cancel
from tests.models.offline import table
from tests.models.offline.conftest import Starter
from tests.models.offline.table_ways import HEARD, MAIL_WITHOUT_ADDRESS, NOT_TYPED, TYPED
from tests.models.offline.table_wider import SLIPS
from tests.models.offline.talk import Talk, catalogue, no, offline
from tests.tools.site import PUBLIC, Site, public, serving


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    if not (shutil.which("curl") or shutil.which("wget")):
        pytest.skip("there is neither curl nor wget here")
    public(monkeypatch)
    with serving(PUBLIC) as site:
        yield site


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


@pytest.mark.parametrize(("tool", "said"), HEARD)
def test_what_people_said_unprepared_leads_to_the_tool_they_meant(tool: str, said: str) -> None:
    request = ModelRequest("", (Message("user", said),), tuple(catalogue().specs()))
    *_, answer = offline(catalogue()).stream(request, Cancel())
    assert [call.name for call in answer.message.calls] == [tool]


@pytest.mark.parametrize("said", TYPED)
def test_a_command_as_typed_into_a_terminal_is_run_as_it_stands(said: str) -> None:
    (reading,) = offline(catalogue()).understand(said)
    assert (reading.family.name, reading.values["shell"]) == ("run_typed", said)


@pytest.mark.parametrize("said", NOT_TYPED)
def test_words_that_are_programs_too_are_no_command(said: str) -> None:
    assert "run_typed" not in [reading.family.name for reading in offline(catalogue()).understand(said)]


@pytest.mark.parametrize("said", MAIL_WITHOUT_ADDRESS)
def test_mail_without_an_address_is_answered_with_what_can_be_done(talk: Talk, said: str) -> None:
    answer = talk.say(said)
    assert "write an email to ann@example.com" in answer and "You send it there yourself" in answer
    assert talk.calls == []


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("remove the last line of notes.txt", "one TODO\ntwo\nthree TODO\n"),
        ("delete the last 3 lines of notes.txt", "one TODO\n"),
        ("delete the last 9 lines of notes.txt", ""),
        ("make the last line of notes.txt say end", "one TODO\ntwo\nthree TODO\nend\n"),
        ("insert almost before the last line of notes.txt", "one TODO\ntwo\nthree TODO\nalmost\nfour\n"),
        ("remove the first line of notes.txt", "two\nthree TODO\nfour\n"),
        ("cut the first two lines off notes.txt", "three TODO\nfour\n"),
    ],
)
def test_lines_at_either_end_of_a_file_are_changed(talk: Talk, said: str, left: str) -> None:
    talk.say(said)
    assert (talk.folder / "notes.txt").read_text() == left
    assert talk.asked == ["edit_lines"]


def test_an_empty_file_has_no_last_line(talk: Talk) -> None:
    (talk.folder / "empty.txt").write_text("")
    assert "so there is no last line" in talk.say("remove the last line of empty.txt")


def test_every_job_is_stopped_at_once(talk: Talk) -> None:
    assert talk.say("stop all background jobs") == "No job is running."
    talk.say("run sleep 300 in the background")
    talk.say("run sleep 301 in the background")
    assert talk.say("stop all jobs") == "Stopped 2 jobs."
    assert not any(job.running for job in map(talk.jobs.get, (one.id for one in talk.jobs.list())))


@pytest.mark.parametrize(
    ("said", "tool"),
    [("notes.txt", "read_file"), ("report.pdf", "read_document"), ("photos.zip", "archive"), ("it", None)],
)
def test_the_name_of_a_file_alone_means_to_look_at_it(said: str, tool: str | None) -> None:
    talk = Talk(Path(), catalogue())
    try:
        talk.messages.append(Message("user", said))
        call = talk.round(tuple(catalogue().specs()))
        assert [one.name for one in call.calls] == ([tool] if tool else [])
    finally:
        talk.close()


def test_a_file_of_the_web_is_saved_under_its_name_and_never_over_another(site: Site, talk: Talk) -> None:
    url = site.page("/files/list.csv", b"a,b\n1,2\n", "text/csv")
    assert talk.say(f"download {url}") == f"Saved {url} as list.csv."
    assert (talk.folder / "list.csv").read_bytes() == b"a,b\n1,2\n"
    assert "list.csv is there already" in talk.say(f"download {url}")
    assert talk.say(f"save {url} as data/mine.csv") == f"Saved {url} as data/mine.csv."
    assert (talk.folder / "data" / "mine.csv").read_bytes() == b"a,b\n1,2\n"
    assert talk.asked == ["run_command"] * 3


def test_what_is_not_there_to_download_is_said_and_leaves_no_file(site: Site, talk: Talk) -> None:
    said = talk.say(f"download {site.url}/gone.csv")
    assert "ended with exit code" in said
    assert not (talk.folder / "gone.csv").exists()
