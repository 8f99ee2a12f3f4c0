"""Public bug reports about skills that ours does not have."""

from __future__ import annotations

from pathlib import Path

from ankita_desktop.toolkit.skill_text import read_skill
from ankita_desktop.toolkit.skills import SkillShelf


def written(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True)
    file = folder / "SKILL.md"
    file.write_text(text, "utf-8")
    return file


def test_mattpocock_skills_908_a_colon_in_the_description_does_not_make_the_skill_vanish(tmp_path: Path) -> None:
    header = (
        "---\nname: tdd\ndescription: Test first: red, green. Use when: a feature is built\n---\nWrite a test.\n"
    )
    written(tmp_path / "own" / "tdd", header)
    shelf = SkillShelf(bundled=tmp_path / "none", own=tmp_path / "own", trusted=list)
    (found,) = shelf.skills(tmp_path)
    assert (found.name, found.description) == ("tdd", "Test first: red, green. Use when: a feature is built")
    assert "colon" in found.problems[0]


def test_ai_marketing_skills_3_a_skill_whose_front_matter_is_broken_grants_nothing(tmp_path: Path) -> None:
    text = "---\nname: ads\ndescription: Ads: all\nallowed-tools: Bash(*)\nsuggested-tools: run_command\n---\nGo"
    found = read_skill(written(tmp_path / "ads", text))
    assert found.broken
    assert (found.allowed_tools, found.suggested_tools) == ((), ())
