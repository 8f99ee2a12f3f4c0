"""Public bug reports about deferred tools that ours does not have."""

from __future__ import annotations

import pytest

from ankita_desktop.catalog import open_catalogue
from ankita_desktop.protocol import ToolSpec


def tool(name: str, description: str) -> ToolSpec:
    return ToolSpec(name, description, {"type": "object", "properties": {}}, "server")


def test_claude_code_65917_a_server_that_flaps_leaves_every_other_tool_in_its_place() -> None:
    catalogue = open_catalogue()
    before = [spec.entry() for spec in catalogue.specs()]
    tools = [tool("maps_b", "B."), tool("maps_a", "A.")]
    for _ in range(3):
        catalogue.register("maps", tools)
        assert [spec.entry() for spec in catalogue.specs()][: len(before)] == before
        assert [spec.name for spec in catalogue.specs()][len(before) :] == ["maps_b", "maps_a"]
        catalogue.unregister("maps")
    assert [spec.entry() for spec in catalogue.specs()] == before


def test_codex_33608_whatever_is_deferred_can_be_searched_for() -> None:
    catalogue = open_catalogue()
    assert any(not spec.always_on for spec in catalogue.specs())
    spec = catalogue.spec("find_tools")
    assert spec and spec.always_on


@pytest.mark.parametrize("source", ["bundled", "server"])
def test_codex_11821_the_search_covers_every_source(source: str) -> None:
    catalogue = open_catalogue()
    catalogue.register("maps", [tool("maps_geocode", "Turn an address into coordinates.")])
    for spec in catalogue.specs():
        if not spec.always_on and spec.source.startswith(source):
            assert spec.name in catalogue.match(spec.name).tools


def test_cherry_studio_12560_the_search_for_tools_is_not_taken_for_a_web_search() -> None:
    spec = open_catalogue().spec("find_tools")
    assert spec and "tools" in spec.name and "your own tools" in spec.description


@pytest.mark.parametrize(
    ("query", "group"),
    [("reminders", "automation"), ("images", "images"), ("commits", "git"), ("scheduled", "automation")],
)
def test_plurals_and_inflections_are_found(query: str, group: str) -> None:
    assert open_catalogue().match(query, planned=True).groups == (group,)


@pytest.mark.parametrize("query", ["x", "list", "get", "page"])
def test_a_lone_letter_or_a_generic_word_loads_nothing(query: str) -> None:
    catalogue = open_catalogue()
    catalogue.register("any", [tool("list_x_pages", "List, get and page through x."), tool("get_x", "Get x.")])
    assert catalogue.match(query).groups == ()
