"""Public bug reports about deferred tools in a running conversation that ours does not have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.catalog import ToolCatalogue, open_catalogue
from ankita_desktop.core.deferral import Deferral
from ankita_desktop.errors import ToolError
from ankita_desktop.models.scripted import ScriptedModel
from ankita_desktop.protocol import Abilities, ToolResult, ToolSpec
from ankita_desktop.toolkit.services import LoadedTool
from tests.core.house import Limits, call, house

SHAPES = ("attach", "dispatch", "native")
SERVER = [
    ToolSpec(f"maps_{word}", f"Maps: {word} of a place. " * 20, {"type": "object"}, "maps", read_only=True)
    for word in ("geocode", "route", "elevation")
]


def loaded(spec: ToolSpec) -> LoadedTool:
    return LoadedTool(spec, lambda args, ctx: ToolResult("Found."), approval_for=lambda args, ctx: "never")


def deferral(catalogue: ToolCatalogue, shape: str) -> Deferral:
    abilities = Abilities(deferral="native") if shape == "native" else Abilities()
    return Deferral(catalogue, Limits(deferral=shape), abilities)


@pytest.mark.parametrize("shape", SHAPES)
def test_codex_33608_whatever_is_deferred_a_way_to_find_it_is_offered(shape: str) -> None:
    catalogue = open_catalogue()
    catalogue.register("maps", SERVER)
    offered = {spec.name for spec in deferral(catalogue, shape).offer([]).tools}
    assert {spec.name for spec in catalogue.specs()} - offered, "nothing is deferred"
    assert "find_tools" in offered
    assert "call_tool" in offered or shape != "dispatch"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["port_status", "maps_route", "carve"])
def test_codex_11821_openclaw_99464_one_search_reaches_every_source(tmp_path: Path, shape: str, name: str) -> None:
    """Bundled, a server's, and the person's own: found by the same search, and called."""
    arguments: dict[str, Any] = {"port_status": {"port": 1}, "carve": {"text": "x"}}.get(name, {})
    direct = call(name, **arguments)
    wrapped = call("call_tool", name=name, arguments=arguments)
    steps = [call("find_tools", query=name), wrapped if shape == "dispatch" else direct, "ok"]
    abilities = Abilities(deferral="native") if shape == "native" else Abilities()
    with house(tmp_path, ScriptedModel(steps, abilities=abilities), mode="all") as h:
        h.engine.catalogue.register("maps", SERVER, loaded)  # type: ignore[attr-defined]
        h.limits.deferral = shape
        h.say("go")
        finding, ran = h.results()
        assert name in finding.details["tools"]
        assert (ran.name, ran.ok) == (name, True), ran.text


def test_cherry_studio_12560_no_meta_tool_has_a_name_that_means_something_else() -> None:
    sent = {spec.name for shape in SHAPES for spec in deferral(open_catalogue(), shape).offer([]).tools}
    assert {"find_tools", "call_tool"} <= sent
    assert not sent & {"search", "find", "call", "run", "execute", "tools", "query", "lookup"}


@pytest.mark.parametrize("shape", SHAPES)
def test_claude_code_65917_92033_a_server_that_goes_away_changes_no_request_and_fails_clearly(
    tmp_path: Path, shape: str
) -> None:
    """Also oh-my-pi#890: its tools stay where they were, a call says why it fails, and a return is enough."""
    catalogue = open_catalogue()
    catalogue.register("maps", SERVER, loaded)
    before = [spec.entry() for spec in catalogue.specs()]
    offered = deferral(catalogue, shape).offer([])
    catalogue.disconnect("maps")
    assert [spec.entry() for spec in catalogue.specs()] == before
    assert deferral(catalogue, shape).offer([]) == offered
    assert "maps_route" in catalogue.match("maps_route").tools
    with pytest.raises(ToolError, match="server maps, which is not connected now"):
        catalogue.load("maps_route")
    catalogue.register("maps", SERVER[::-1], loaded)
    assert catalogue.load("maps_route").spec.name == "maps_route"


def test_a_call_to_a_tool_of_a_server_that_is_gone_is_answered_and_the_turn_goes_on(tmp_path: Path) -> None:
    with house(tmp_path, [call("find_tools", query="maps_route"), call("maps_route"), "Without it."]) as h:
        catalogue: Any = h.engine.catalogue
        catalogue.register("maps", SERVER, loaded)
        catalogue.disconnect("maps")
        ended = h.say("route?")
        assert (ended.status, ended.text) == ("done", "Without it.")
        assert not h.results()[1].ok and "not connected now" in h.results()[1].text
