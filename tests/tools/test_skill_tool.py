"""The tool that reads skills: capped, paged, and inside the skill's folder only."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankita_desktop.toolkit import ToolContext, ToolError
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services
from ankita_desktop.toolkit.skills import SkillShelf
from tests.tools.calls import call


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own"


@pytest.fixture
def ctx(tmp_path: Path, own: Path) -> ToolContext:
    shelf = SkillShelf(bundled=tmp_path / "bundled", own=own, trusted=list)
    return ToolContext(tmp_path, Jobs(), services=Services(skills=shelf))


def made(own: Path, body: str, header: str = "", **files: str) -> Path:
    folder = own / "tidy"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: tidy\ndescription: Tidy up.\n{header}\n---\n{body}")
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


def test_the_text_of_a_skill_comes_with_its_folder_and_its_files(ctx: ToolContext, own: Path) -> None:
    folder = made(own, "First look, then move.", "suggested-tools: glob", more__md="More.")
    result = call("skill", ctx, name="tidy")
    assert str(folder) in result.text and "First look, then move." in result.text
    assert "glob" in result.text
    assert "more.md" in result.text
    assert call("skill", ctx, name="tidy", file="more.md").text == "More."


def test_without_a_name_all_skills_are_listed(ctx: ToolContext, own: Path) -> None:
    assert call("skill", ctx).text == "There are no skills."
    made(own, "x")
    assert call("skill", ctx).text == "- tidy: Tidy up."


def test_a_long_text_comes_in_pages_that_lose_nothing(ctx: ToolContext, own: Path) -> None:
    lines = [f"line {number} of the skill" for number in range(1_500)]
    made(own, "\n".join(lines))
    pages = call("skill", ctx, name="tidy").details["pages"]
    assert pages > 2
    texts = [call("skill", ctx, name="tidy", page=page).text for page in range(1, pages + 1)]
    assert all(len(text) < 8_400 for text in texts)
    read = [line for text in texts for line in text.split("\n") if line.startswith("line ")]
    assert read == lines
    assert "page 1 of" in texts[0] and "page=" in texts[0]
    with pytest.raises(ToolError, match=f"only {pages} pages"):
        call("skill", ctx, name="tidy", page=pages + 1)


@pytest.mark.parametrize("name", ["../secret.txt", "/etc/passwd", "a/../../secret.txt", "link.txt", ".."])
def test_a_file_outside_the_skill_is_refused_whichever_way_it_is_named(
    ctx: ToolContext, own: Path, name: str
) -> None:
    folder = made(own, "x")
    (own / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(own / "secret.txt")
    with pytest.raises(ToolError, match="outside"):
        call("skill", ctx, name="tidy", file=name)


def test_what_is_not_there_is_said_with_what_is(ctx: ToolContext, own: Path) -> None:
    made(own, "x", notes__md="n", data__bin="\0")
    with pytest.raises(ToolError, match=r"no skill 'tydi'. There are: tidy"):
        call("skill", ctx, name="tydi")
    with pytest.raises(ToolError, match=r"no file gone.md.*notes.md"):
        call("skill", ctx, name="tidy", file="gone.md")
    with pytest.raises(ToolError, match="no text"):
        call("skill", ctx, name="tidy", file="data.bin")


def test_a_broken_header_is_said_and_its_wishes_are_not_passed_on(ctx: ToolContext, own: Path) -> None:
    made(own, "Body.", "allowed-tools: run_command\nwhat: is: this")
    result = call("skill", ctx, name="tidy")
    assert "grants nothing" in result.text
    assert "run_command" not in result.text
