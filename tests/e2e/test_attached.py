"""Files that a person attaches: they may be read without a question, those files and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.e2e.test_remembering import OFFLINE
from tests.terminal.shell import at
from tests.terminal.shell import inside as ankita
from tests.tools import papers
from tests.wire import WireServer, calls


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Files outside the working folder."""
    folder = tmp_path / "other"
    folder.mkdir()
    papers.pdf(folder / "report.pdf", ["The first page.", "The second page."], title="Report")
    (folder / "notes.txt").write_text("three apples\n")
    (folder / "secret.txt").write_text("not for you\n")
    return folder


def turn(cwd: Path, step: Any, *options: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    with WireServer([step, "Done."]) as server:
        document = ankita("-p", "look", "--json", *options, *at(server), cwd=cwd).json
        return document, list(server.requests)


@pytest.mark.parametrize(
    ("name", "tool", "said"),
    [
        ("notes.txt", "read_file", "three apples"),
        ("report.pdf", "read_document", "The second page."),
        ("notes.txt", "file_info", "13 B"),
    ],
)
def test_an_attached_file_is_read_without_a_question(
    work: Path, other: Path, name: str, tool: str, said: str
) -> None:
    find = ("find_tools", {"query": "read a pdf; facts of a file"})
    document, _ = turn(work, calls(find, (tool, {"path": str(other / name)})), "--attach", str(other / name))
    assert document["status"] == "done" and said in document["calls"][1]["text"]


def test_the_files_beside_it_are_asked_about_as_ever(work: Path, other: Path) -> None:
    reads = [("read_file", {"path": str(other / "secret.txt")}), ("list_dir", {"path": str(other)})]
    document, _ = turn(work, calls(*reads), "--attach", str(other / "notes.txt"))
    assert document["status"] == "denied"
    assert [call["ok"] for call in document["calls"]] == [False, False]


def test_to_attach_a_file_lets_nobody_change_it(work: Path, other: Path) -> None:
    change = ("write_file", {"path": str(other / "notes.txt"), "content": "gone\n"})
    document, _ = turn(work, calls(change), "--attach", str(other / "notes.txt"))
    assert document["status"] == "denied" and (other / "notes.txt").read_text() == "three apples\n"


def test_another_file_put_in_its_place_by_a_link_is_asked_about(work: Path, other: Path) -> None:
    link = work / "link.txt"
    link.symlink_to(other / "notes.txt")
    with WireServer(["Thanks.", calls(("read_file", {"path": "link.txt"})), "Done."]) as server:
        assert ankita("-p", "keep it", "--attach", str(link), *at(server), cwd=work).code == 0
        link.unlink()
        link.symlink_to(other / "secret.txt")
        document = ankita("-p", "now read it", "--continue", "--json", *at(server), cwd=work).json
    assert document["status"] == "denied"


def test_it_stays_given_in_the_same_conversation_and_in_no_other(work: Path, other: Path) -> None:
    read = calls(("read_file", {"path": str(other / "notes.txt")}))
    with WireServer(["Thanks.", read, "Done.", read, "Done."]) as server:
        ankita("-p", "keep it", "--attach", str(other / "notes.txt"), *at(server), cwd=work)
        later = ankita("-p", "now read it", "--continue", "--json", *at(server), cwd=work).json
        elsewhere = ankita("-p", "read it", "--json", *at(server), cwd=work).json
    assert (later["status"], elsewhere["status"]) == ("done", "denied")


@pytest.mark.parametrize(
    "words", ["summarise this", "read the attached file", "what does it say", "explain", "look at the attachment"]
)
@pytest.mark.parametrize(("name", "said"), [("notes.txt", "three apples"), ("report.pdf", "The second page.")])
def test_without_a_model_what_is_attached_is_shown(
    work: Path, other: Path, words: str, name: str, said: str
) -> None:
    done = ankita("-p", words, "--attach", str(other / name), *OFFLINE, cwd=work)
    assert done.code == 0 and said in done.out, done.err


def test_without_a_model_two_files_are_both_shown(work: Path, other: Path) -> None:
    files = [str(other / "notes.txt"), str(other / "report.pdf")]
    said = ankita("-p", "read these", "--attach", *files, *OFFLINE, cwd=work).out
    assert "three apples" in said and "The second page." in said


def test_without_a_model_a_request_of_its_own_is_what_is_done(work: Path, other: Path) -> None:
    (work / "mine.txt").write_text("x")
    said = ankita("-p", "what's in this folder", "--attach", str(other / "notes.txt"), *OFFLINE, cwd=work).out
    assert "mine.txt" in said and "apples" not in said


def test_a_picture_that_is_too_large_for_any_service_is_sent_smaller(work: Path, other: Path) -> None:
    Image.new("RGB", (9000, 500), "red").save(other / "wide.png")
    (other / "bad.png").write_bytes(b"no picture at all")
    files = [str(other / "wide.png"), str(other / "bad.png")]
    _, requests = turn(work, "I see.", "--attach", *files)
    parts = requests[0]["messages"][-1]["content"]
    assert [part["type"] for part in parts].count("image_url") == 1
    assert "bad.png" in str(parts) and len(str(parts)) < 100_000


@pytest.mark.parametrize("spelt", ["{}", "'{}'", '"{}"', "escaped"])
def test_a_name_is_taken_as_terminals_paste_it(work: Path, other: Path, spelt: str) -> None:
    file = other / "my notes.txt"
    file.write_text("two pears\n")
    path = str(file).replace(" ", "\\ ") if spelt == "escaped" else spelt.format(file)
    assert "two pears" in ankita("-p", "summarise this", "--attach", path, *OFFLINE, cwd=work).out


@pytest.mark.parametrize(("path", "said"), [("none.txt", "There is no file none.txt"), (".", "is a folder")])
def test_what_can_not_be_attached_is_said_before_anything_is_asked(work: Path, path: str, said: str) -> None:
    done = ankita("-p", "look", "--attach", path, *OFFLINE, cwd=work)
    assert done.code == 2 and said in done.err
