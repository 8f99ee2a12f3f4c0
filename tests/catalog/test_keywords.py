"""Keywords don't drift: every tool is found by its own words, no phrase means two groups, and candidates to add
come as a change that a person cuts down and applies."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ankita_desktop.catalog import open_catalogue
from ankita_desktop.catalog.keywords import as_diff, problems, review
from tests.catalog.test_catalogue import roots, write

__all__ = ["roots"]


def test_every_bundled_tool_is_found_by_its_own_words_and_no_phrase_is_fought_over() -> None:
    found = review(open_catalogue())
    assert found.ok(), problems(found)


def test_a_tool_that_nothing_finds_is_reported(roots: list[Path]) -> None:
    write(roots[0] / "tea", "wibble", description="Wobbles.")
    found = review(open_catalogue(roots))
    assert "wibble" in found.unreachable and not found.ok()
    assert any("No sentence of its own finds wibble" in each for each in problems(found))


def test_a_phrase_that_two_groups_claim_is_reported(roots: list[Path]) -> None:
    with (roots[0] / "catalog.toml").open("a", encoding="utf-8") as file:
        file.write('[groups.kitchen]\nsummary = "kitchen"\nplanned = true\nsure = ["kettle"]\n')
    found = review(open_catalogue(roots))
    assert found.fights[0][0] == "kettle" and set(found.fights[0][1]) == {"tea", "kitchen"}
    assert any("add a rule" in each for each in problems(found))


@pytest.mark.parametrize(
    "maybe", ["", "maybe = []\n", 'maybe = ["steep"]\n', 'maybe = ["steep",\n  "brew",\n]\n'], ids=len
)
def test_the_candidates_are_a_change_that_applies_and_settles_them(roots: list[Path], maybe: str) -> None:
    catalog = roots[0] / "catalog.toml"
    text = catalog.read_text("utf-8").replace('sure = ["tea", "kettle"]\n', f'sure = ["tea", "kettle"]\n{maybe}')
    catalog.write_text(text, "utf-8")
    write(roots[0] / "tea", "boil_water", description="Boils water in a samovar or saucepan.")
    catalogue = open_catalogue(roots)
    diff = as_diff(review(catalogue), catalogue)
    assert '+  "' in diff and "samovar" in diff and "# boil_water" in diff
    subprocess.run(
        ["git", "apply", "--recount", "-"], input=diff, text=True, cwd=roots[0].parent, check=True, timeout=30
    )
    after = open_catalogue(roots)
    assert review(after).candidates == {}
    assert as_diff(review(after), after) == ""


def test_words_that_say_nothing_are_not_proposed(roots: list[Path]) -> None:
    write(roots[0] / "tea", "boil_water", description="List or get a page of the samovar, and so on.")
    assert set(review(open_catalogue(roots)).candidates["boil_water"]) == {"samovar", "boil", "water"}


def test_words_of_several_groups_and_known_words_are_not_proposed(roots: list[Path]) -> None:
    write(roots[0] / "tea", "boil_water", description="Boils the kettle of a person with a samovar.")
    write(roots[0] / "soup", "cook_soup", description="Cooks soup, also in a samovar.")
    found = review(open_catalogue(roots)).candidates
    assert "samovar" not in found["boil_water"] + found["cook_soup"]
    assert not {"kettle", "person"} & set(found["boil_water"])
