"""Skills: read leniently, strict in effect, fresh on change, and only from folders the person trusts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop import paths
from ankita_desktop.toolkit.skill_text import Skill, read_skill
from ankita_desktop.toolkit.skills import SkillShelf
from tests.conftest import shared

SHIPPED = {
    "ankita-dev", "bug-repro", "commit-review", "file-organiser", "meeting-notes",
    "morning-briefing", "release-notes", "web-research", "write-a-tool",
}  # fmt: skip


def written(folder: Path, text: str | bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "SKILL.md"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def skill(tmp_path: Path, text: str | bytes, name: str = "tidy") -> Skill:
    return read_skill(written(tmp_path / name, text))


class Trust(list[str]):
    def __call__(self) -> list[str]:
        return list(self)


@pytest.fixture
def trust() -> Trust:
    return Trust()


@pytest.fixture
def shelf(tmp_path: Path, trust: Trust) -> SkillShelf:
    return SkillShelf(bundled=tmp_path / "bundled", own=tmp_path / "own", trusted=trust)


HEADED = "---\nname: tidy\ndescription: Tidy up.\n{}\n---\nDo it.\n"


def test_a_header_is_read_as_the_specification_has_it(tmp_path: Path) -> None:
    found = skill(
        tmp_path,
        HEADED.format(
            "license: MIT\ncompatibility: needs git\nmetadata: {author: somebody, version: '1.0'}\n"
            "allowed-tools: Bash(git:*) Read\nsuggested-tools: [git, read_file]"
        ),
    )
    assert (found.name, found.description, found.license) == ("tidy", "Tidy up.", "MIT")
    assert found.compatibility == "needs git"
    assert found.metadata == {"author": "somebody", "version": "1.0"}
    assert found.allowed_tools == ("Bash(git:*)", "Read")
    assert found.suggested_tools == ("git", "read_file")
    assert (found.problems, found.broken) == ((), False)


@pytest.mark.parametrize(
    "text",
    [
        HEADED.format("").replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + HEADED.format("").encode(),
        b"\n\n" + HEADED.format("").encode(),
        HEADED.format("").replace("Tidy up.", '"Tidy\\n  up."').encode(),
        HEADED.format("").replace("description: Tidy up.", "description: >\n  Tidy\n  up.").encode(),
    ],
    ids=["crlf", "bom", "blank-lines", "quoted", "folded"],
)
def test_line_ends_marks_and_forms_of_text_make_no_difference(tmp_path: Path, text: bytes) -> None:
    found = skill(tmp_path, text)
    assert (found.name, found.description, found.problems) == ("tidy", "Tidy up.", ())


@pytest.mark.parametrize(
    ("text", "name", "description"),
    [
        ("# Tidy\n\nNo header at all.", "tidy", "Tidy"),
        ("---\ndescription: no name\n---\nx", "tidy", "no name"),
        ("---\nname: other\n---\n# Heading", "other", "Heading"),
        ("---\n- a\n- list\n---\n# Heading", "tidy", "Heading"),
        ("---\nname: [a, b\ndescription: cut off\n---\nx", "[a, b", "cut off"),
        ("---\nname: tidy\ndescription: never closed\n", "tidy", "---"),
        ("", "tidy", ""),
    ],
)
def test_any_text_is_a_skill_and_says_what_is_wrong(
    tmp_path: Path, text: str, name: str, description: str
) -> None:
    found = skill(tmp_path, text)
    assert (found.name, found.description) == (name, description)
    assert found.problems


@pytest.mark.parametrize(
    "body", [b"\xff\xfe\x00bad", b"---\nname: \x00\n---\n", b"---\n" + b"[" * 5_000 + b"\n---\n"]
)
def test_bytes_that_are_no_text_break_nothing(tmp_path: Path, body: bytes) -> None:
    assert skill(tmp_path, body).problems


def public() -> list[dict[str, Any]]:
    lines = (shared("skills") / "skills_index.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def rebuilt(folder: Path, facts: dict[str, Any]) -> Skill:
    """A file with the facts of a public one: its fields, name, length of description, line ends, mark."""
    values = {
        "name": facts["name"],
        "description": ("word " * 300)[: facts["desc_chars"] or 0].strip().ljust(facts["desc_chars"] or 0, "x"),
        "metadata": "{author: somebody}",
        "allowed-tools": "[Read, Glob]",
    }
    lines = [f"{field}: {values.get(field, 'something')}" for field in facts["fields"]]
    text = "\n".join(["---", *lines, "---", "", "# Title", *["text"] * 3])
    text = text.replace("\n", "\r\n") if facts["crlf"] else text
    place = folder / Path(facts["path"]).parent.name
    return read_skill(written(place, (b"\xef\xbb\xbf" if facts["bom"] else b"") + text.encode()))


def test_every_public_skill_is_read_under_its_name(tmp_path: Path) -> None:
    rows = public()
    assert len(rows) > 150
    for number, facts in enumerate(rows):
        found = rebuilt(tmp_path / str(number), facts)
        assert found.name == (facts["name"] or Path(facts["path"]).parent.name), facts["path"]
        assert found.description and not found.broken, facts["path"]


def test_what_the_strict_reader_of_the_specification_refuses_is_reported_and_nothing_else(tmp_path: Path) -> None:
    for number, facts in enumerate(public()):
        found = rebuilt(tmp_path / str(number), facts)
        if facts["skills_ref_parse"]:  # one file is refused for a form of YAML that the standard allows
            assert bool(found.problems) == bool(facts["skills_ref_problems"]), (facts["path"], found.problems)


def test_the_shipped_skills_are_flawless_short_and_name_tools_that_exist_or_are_planned() -> None:
    shelf = SkillShelf(bundled=paths.bundled("skills"), own=paths.config() / "skills", trusted=list)
    found = {one.name: one for one in shelf.skills(paths.config())}
    assert set(found) >= SHIPPED
    for one in found.values():
        assert one.problems == ()
        assert len(one.file.read_text("utf-8")) < 8_000
        assert one.license == "MIT"


def test_the_nearer_of_two_skills_of_one_name_counts(
    tmp_path: Path, shelf: SkillShelf, trust: Trust, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    work = tmp_path / "work"
    trust.append(str(work))
    places = [
        (tmp_path / "bundled" / "tidy", "bundled"),
        (tmp_path / "home" / ".agents" / "skills" / "tidy", "agents"),
        (tmp_path / "own" / "tidy", "own"),
        (work / ".agents" / "skills" / "tidy", "project"),
    ]
    for place, source in places:
        written(place, HEADED.format(""))
        found = shelf.skill("Tidy", work)
        assert found and found.source == source


def test_a_projects_skills_count_only_once_its_folder_is_trusted(
    tmp_path: Path, shelf: SkillShelf, trust: Trust
) -> None:
    inner = tmp_path / "work" / "src" / "deep"
    inner.mkdir(parents=True)
    written(tmp_path / "work" / ".agents" / "skills" / "tidy", HEADED.format(""))
    assert shelf.skill("tidy", inner) is None
    assert shelf.untrusted(inner) == tmp_path / "work" / ".agents" / "skills"
    trust.append(str(tmp_path / "work" / "src"))
    assert shelf.skill("tidy", inner) is None, "trusting a part doesn't trust the whole"
    trust.append(str(tmp_path / "work"))
    assert shelf.skill("tidy", inner)
    assert shelf.untrusted(inner) is None


def test_a_skill_that_is_written_changed_or_deleted_counts_at_once(tmp_path: Path, shelf: SkillShelf) -> None:
    assert shelf.skills(tmp_path) == []
    file = written(tmp_path / "own" / "tidy", HEADED.format(""))
    assert [one.description for one in shelf.skills(tmp_path)] == ["Tidy up."]
    file.write_text(HEADED.format("").replace("Tidy up.", "Tidy up well."))
    assert [one.description for one in shelf.skills(tmp_path)] == ["Tidy up well."]
    file.unlink()
    assert shelf.skills(tmp_path) == []


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("review my changes before the commit", "commit-review"),
        ("write the release notes", "release-notes"),
        ("please tidy my downloads folder, find duplicate files", "file-organiser"),
        ("make minutes with decisions and tasks from this transcript", "meeting-notes"),
    ],
)
def test_a_sentence_finds_the_skill_that_fits(said: str, name: str) -> None:
    shelf = SkillShelf(bundled=paths.bundled("skills"), own=paths.config() / "skills", trusted=list)
    assert [one.name for one in shelf.fitting(said, paths.config())][:1] == [name]


@pytest.mark.parametrize("said", ["what is 3 + 4", "hello", "who won the match"])
def test_talk_of_other_things_finds_no_skill(said: str) -> None:
    shelf = SkillShelf(bundled=paths.bundled("skills"), own=paths.config() / "skills", trusted=list)
    assert shelf.fitting(said, paths.config()) == []
