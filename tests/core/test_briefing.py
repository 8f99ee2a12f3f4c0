"""What a conversation knows from its start: bounded, told once, and nothing of a folder nobody trusts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ankita_desktop import paths
from ankita_desktop.core.briefing import PROJECT_LENGTH, SKILLS_BYTES, pinned, project_block, skill_lines
from ankita_desktop.models.scripted import ScriptedModel
from ankita_desktop.store.database import Store
from ankita_desktop.toolkit.agents_file import asks_for_trust, instructions
from ankita_desktop.toolkit.remembering import PIN_LENGTH, PINS, Fact
from ankita_desktop.toolkit.skill_text import Skill
from ankita_desktop.toolkit.skills import SkillShelf
from tests.core.house import house


def shelf(own: Path) -> SkillShelf:
    return SkillShelf(bundled=paths.bundled("skills"), own=own, trusted=list)


def skills(count: int, description: str = "Does this and that, whenever it is needed.") -> list[Skill]:
    return [Skill(f"skill-number-{number}", description, Path("SKILL.md")) for number in range(count)]


def test_pinned_facts_are_in_the_prompt_from_the_first_word(tmp_path: Path) -> None:
    model = ScriptedModel(["hello", "again"])
    with house(tmp_path, model) as h:
        h.store.pin_fact(h.store.add_fact("The person speaks Irish").fact.id)
        h.store.add_fact("The person owns a boat")
        h.say("hi")
        h.say("still there?")
    first, second = model.requests
    assert "The person speaks Irish" in first.system
    assert "boat" not in first.system
    assert second.system == first.system
    assert [m.text for m in second.messages] == ["hi", "hello", "still there?"]


def test_what_is_pinned_later_is_told_in_a_note_and_the_prompt_stays(tmp_path: Path) -> None:
    model = ScriptedModel(["one", "two", "three"])
    with house(tmp_path, model) as h:
        h.say("hi")
        fact = h.store.add_fact("The person speaks Irish").fact
        h.store.pin_fact(fact.id)
        h.say("now?")
        h.store.pin_fact(fact.id, False)
        h.say("and now?")
        shown = [m for m in h.messages if m.source == "note"]
    assert len({request.system for request in model.requests}) == 1
    assert "The person speaks Irish" in model.requests[1].messages[-2].text
    assert "No facts are pinned any more" in model.requests[2].messages[-2].text
    assert len(shown) == 2


def test_a_conversation_with_nothing_to_know_is_told_nothing(tmp_path: Path) -> None:
    with house(tmp_path, ["hello"]) as h:
        h.say("hi")
        assert [m.role for m in h.messages] == ["user", "assistant"]


def test_a_new_process_goes_on_with_the_same_prompt(tmp_path: Path) -> None:
    first, second = ScriptedModel(["one"]), ScriptedModel(["two"])
    with house(tmp_path, first, skills=shelf(tmp_path / "own")) as h:
        h.store.pin_fact(h.store.add_fact("The person speaks Irish").fact.id)
        h.say("hi")
        session = h.session
    with house(tmp_path, second, session=session, skills=shelf(tmp_path / "own")) as h:
        h.say("again")
    assert second.requests[0].system == first.requests[0].system
    assert "commit-review" in first.requests[0].system


def test_pins_are_bounded_each_and_together() -> None:
    text = pinned([Fact(f"m{n}", "x" * 400) for n in range(PINS)])
    assert max(len(line) for line in text.split("\n")) <= PIN_LENGTH + 2
    assert len(text) < PINS * (PIN_LENGTH + 3) + 80


@pytest.mark.parametrize("count", [1, 9, 30, 400])
@pytest.mark.parametrize("description", ["Short.", "Long words about it, " * 40, "日本語の説明" * 60])
def test_skills_are_announced_in_six_hundred_bytes(count: int, description: str) -> None:
    text = skill_lines(skills(count, description))
    assert len(text.encode()) <= SKILLS_BYTES
    assert "skill-number-0" in text
    assert (f"skill-number-{count - 1}" in text) or "skill() lists more" in text


def test_every_shipped_skill_is_announced_by_name(tmp_path: Path) -> None:
    there = shelf(tmp_path / "own").skills(tmp_path)
    text = skill_lines(there)
    assert all(f"- {skill.name}" in text for skill in there)


def test_the_block_of_a_project_is_bounded(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.db")
    project = store.add_project("Mill", about="a" * 900, conventions=["c" * 300] * 30)
    for number in range(50):
        store.add_note(project.id, "todo", f"todo {number} " + "t" * 500)
    assert len(project_block(project, store)) <= PROJECT_LENGTH
    store.close()


def test_the_project_of_the_folder_is_known(tmp_path: Path) -> None:
    model = ScriptedModel(["hello"])
    with house(tmp_path, model) as h:
        project = h.store.add_project("Mill", place=str(tmp_path), conventions=["tabs"])
        h.store.add_note(project.id, "decision", "The wheel is oak")
        h.say("hi")
    assert all(part in model.requests[0].system for part in ("Mill", "tabs", "The wheel is oak"))


def test_agents_md_counts_only_in_a_trusted_folder(tmp_path: Path) -> None:
    model = ScriptedModel(["one", "two"])
    with house(tmp_path, model) as h:
        (tmp_path / "work" / "AGENTS.md").write_text("Always run the tests.")
        h.say("hi")
        assert "run the tests" not in str(model.requests)
        h.limits.trusted = (str(tmp_path / "work"),)
        h.say("now?")
    assert "run the tests" in model.requests[1].messages[-2].text
    assert model.requests[1].system == model.requests[0].system


def tree(tmp_path: Path, *files: str) -> Path:
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"in {name}")
    inner = tmp_path / "repo" / "src" / "deep"
    inner.mkdir(parents=True, exist_ok=True)
    return inner


def test_the_nearest_agents_md_holds_and_none_from_outside_the_repository(tmp_path: Path) -> None:
    trusted = [str(tmp_path)]
    inner = tree(tmp_path, "AGENTS.md", "repo/.git/HEAD", "repo/AGENTS.md")
    assert instructions(inner, trusted) == "in repo/AGENTS.md"
    tree(tmp_path, "repo/src/AGENTS.md")
    assert instructions(inner, trusted) == "in repo/src/AGENTS.md"
    for name in ("repo/src/AGENTS.md", "repo/AGENTS.md"):
        (tmp_path / name).unlink()
    assert instructions(inner, trusted) == ""


def test_a_long_agents_md_is_cut_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("x" * 50_000)
    text = instructions(tmp_path, [str(tmp_path)])
    assert len(text) < 8_300
    assert "read_file reads the rest" in text


@pytest.mark.parametrize("home", ["", "repo"])
def test_one_question_covers_all_that_a_folder_would_have_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / home if home else tmp_path / "elsewhere"))
    inner = tree(tmp_path, "repo/AGENTS.md", "repo/.agents/skills/tidy/SKILL.md", "repo/src/deep/.env")
    asked: Any = asks_for_trust(inner, [])
    if home:
        assert asked == (inner, (".env",)), "the home folder itself is nobody's project"
        return
    assert asked == (tmp_path / "repo", ("AGENTS.md", ".agents/skills", ".env"))
    assert asks_for_trust(inner, [str(tmp_path / "repo")]) is None
    assert asks_for_trust(tmp_path / "repo" / "nothing", [str(tmp_path)]) is None
