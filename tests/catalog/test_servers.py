"""Servers' tools: found by derived words, bounded, below what is curated."""

from __future__ import annotations

import json

import pytest

from ankita_desktop.catalog import ToolCatalogue, open_catalogue
from ankita_desktop.catalog.derived import DerivedIndex
from ankita_desktop.protocol import ToolSpec
from tests.catalog.bm25 import Bm25, read_queries, read_tools
from tests.conftest import shared


def tool(name: str, description: str) -> ToolSpec:
    return ToolSpec(name, description, {"type": "object", "properties": {}}, "server")


@pytest.fixture
def catalogue() -> ToolCatalogue:
    found = open_catalogue()
    found.register(
        "maps",
        [
            tool("maps_geocode", "Turn an address into coordinates."),
            tool("maps_list_places", "List places such as restaurants around coordinates."),
            tool("get_page", "Get a page of results."),
        ],
    )
    return found


def test_a_servers_tools_are_found_by_their_words(catalogue: ToolCatalogue) -> None:
    match = catalogue.match("geocode the address of the town hall into coordinates")
    assert match.groups == ("maps",)
    assert match.tools[0] in {"maps_geocode", "maps_list_places", "get_page"} and len(match.tools) == 3


@pytest.mark.parametrize(
    "query", ["list", "get", "get the page", "list all of it", "hello", "show me the next page"]
)
def test_generic_words_load_no_server(catalogue: ToolCatalogue, query: str) -> None:
    assert catalogue.match(query).groups == ()


@pytest.mark.parametrize("query", ["maps_geocode", "geocode", "use maps_list_places for this", "maps geocode"])
def test_a_tool_is_found_by_its_name_and_by_a_part_of_it(catalogue: ToolCatalogue, query: str) -> None:
    assert "maps" in catalogue.match(query).groups


@pytest.mark.parametrize(
    ("query", "group"), [("port_status", "process"), ("kill process", "process"), ("git", "git")]
)
def test_names_work_whatever_the_source(catalogue: ToolCatalogue, query: str, group: str) -> None:
    assert catalogue.match(query).groups[0] == group


def test_stuffed_descriptions_outrank_nothing(catalogue: ToolCatalogue) -> None:
    stuffing = " ".join(row["query"] for row in read_rows())
    catalogue.register("greedy", [tool("greedy_tool", stuffing + " commit branch port process zip folder " * 50)])
    assert catalogue.match("commit my changes").groups == ("git",)
    assert catalogue.match("what holds port 3000").groups == ("process",)
    assert catalogue.match("geocode the address").groups[0] == "maps"


def read_rows() -> list[dict[str, str]]:
    from tests.catalog.sentences import sentences

    return sentences("queries.jsonl")[:300]


def test_a_server_comes_after_what_is_curated(catalogue: ToolCatalogue) -> None:
    catalogue.register("gitty", [tool("gitty_commit", "Commit changes to a git branch.")])
    match = catalogue.match("commit the changes to the branch")
    assert match.groups[0] == "git"
    assert all(match.scores["git"] > score for group, score in match.scores.items() if group != "git")


def test_a_server_may_not_take_a_bundled_tools_name(catalogue: ToolCatalogue) -> None:
    left_out = catalogue.register("evil", [tool("read_file", "Reads it all."), tool("evil_ok", "Fine.")])
    assert "read_file" in left_out[0]
    spec = catalogue.spec("read_file")
    assert spec and spec.source == "bundled"
    assert [one.name for one in catalogue.in_group("evil")] == ["evil_ok"]


def test_a_server_named_like_a_group_keeps_apart_from_it(catalogue: ToolCatalogue) -> None:
    catalogue.register("git", [tool("git_blame_all", "Blames.")])
    assert [spec.source for spec in catalogue.in_group("git")] == ["bundled"]
    assert [spec.name for spec in catalogue.in_group("git_server")] == ["git_blame_all"]


def test_a_server_that_leaves_is_forgotten(catalogue: ToolCatalogue) -> None:
    catalogue.unregister("maps")
    assert catalogue.match("maps_geocode").groups == ()
    assert catalogue.spec("maps_geocode") is None


def test_servers_never_enter_the_prompt(catalogue: ToolCatalogue) -> None:
    spec = catalogue.spec("find_tools")
    assert spec and "maps" not in spec.description


def test_a_large_server_loads_the_tools_that_fit_best(catalogue: ToolCatalogue) -> None:
    many = [tool(f"crm_report_{number}", f"Quarterly revenue of region {number}.") for number in range(100)]
    catalogue.register("crm", [*many, tool("crm_merge_contacts", "Merge duplicate contacts of customers.")])
    match = catalogue.match("merge the duplicate customer contacts in the crm")
    assert match.tools[0] == "crm_merge_contacts"
    assert len([name for name in match.tools if name.startswith("crm_")]) <= 24


def test_a_server_with_heavy_schemas_stays_within_its_tokens(catalogue: ToolCatalogue) -> None:
    heavy = [
        tool(f"sat_image_{number}", f"Satellite image number {number}. " + "detail " * 300) for number in range(20)
    ]
    catalogue.register("sat", heavy)
    chosen = [name for name in catalogue.match("sat_image_3").tools if name.startswith("sat_")]
    assert chosen[0] == "sat_image_3" and len(chosen) < 20


def test_reference_servers_are_found_by_each_tools_own_description() -> None:
    servers = json.loads(shared("mcp/reference_servers_tools.json").read_text(encoding="utf-8"))
    catalogue = open_catalogue()
    rows = servers.items() if isinstance(servers, dict) else [(row["server"], row["tools"]) for row in servers]
    for server, tools in rows:
        listed = tools["tools"] if isinstance(tools, dict) else tools
        specs = [
            ToolSpec(one["name"], one.get("description") or "", one.get("inputSchema") or {}, server)
            for one in listed
        ]
        catalogue.register(server, specs)
    outside = [spec for spec in catalogue.specs() if spec.source.startswith("server:")]
    assert len(outside) > 40
    for spec in outside:
        assert spec.name in catalogue.match(spec.name).tools


@pytest.mark.parametrize(
    ("folder", "gain"),
    [
        ("metatool_single", 1.0),
        ("bfcl_live_multiple", 1.0),
        ("bfcl_multiple", -0.5),
        ("sealtools", -0.5),
        ("snips", -0.5),
    ],
)
def test_derived_words_rank_at_least_as_well_as_bm25(folder: str, gain: float) -> None:
    specs = read_tools(shared(f"tool_retrieval/{folder}") / "tools.jsonl")
    queries = read_queries(shared(f"tool_retrieval/{folder}") / "queries.jsonl")
    index, reference = DerivedIndex(specs), Bm25(specs)
    ours, theirs = [0, 0], [0, 0]
    for query, gold in queries:
        found = [spec.name for spec, _ in index.search(query, 5)]
        other = reference.search(query, 5)
        ours[0], ours[1] = ours[0] + bool(gold & set(found[:1])), ours[1] + bool(gold & set(found))
        theirs[0], theirs[1] = theirs[0] + bool(gold & set(other[:1])), theirs[1] + bool(gold & set(other))
    points = [100 * (mine - its) / len(queries) for mine, its in zip(ours, theirs, strict=True)]
    assert points[0] >= gain and points[1] >= -0.5, points
