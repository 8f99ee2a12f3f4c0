"""find_tools and write_todos: the model asks in plain words, and keeps its plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.catalog import ToolCatalogue, open_catalogue
from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import ToolResult, ToolSpec
from ankita_desktop.toolkit import ToolContext
from ankita_desktop.toolkit.services import Services


def call(catalogue: ToolCatalogue, name: str, args: dict[str, Any]) -> ToolResult:
    ctx = ToolContext(cwd=Path(), jobs=None, services=Services(catalogue=catalogue))  # type: ignore[arg-type]
    result = catalogue.load(name).run(args, ctx)
    assert isinstance(result, ToolResult)
    return result


def find(catalogue: ToolCatalogue, query: str) -> ToolResult:
    return call(catalogue, "find_tools", {"query": query})


def test_what_holds_a_port_activates_the_process_group() -> None:
    result = find(open_catalogue(), "what holds port 3000")
    assert result.details["groups"] == ["process"]
    assert "port_status" in result.details["tools"]
    assert "- port_status: " in result.text


def test_nothing_is_promised_that_the_budget_could_drop() -> None:
    text = find(open_catalogue(), "commit my changes").text
    assert "next step if there is room" in text
    assert "callable" not in text


def test_nothing_found_says_what_exists_and_activates_nothing() -> None:
    result = find(open_catalogue(), "fold my laundry")
    assert result.details == {"groups": [], "tools": [], "missed": "fold my laundry"}
    assert "Groups that exist: git" in result.text


def test_a_misspelt_name_is_answered_with_near_ones() -> None:
    assert "port_status" in find(open_catalogue(), "prt_statsu").text


def test_a_tool_that_is_always_sent_is_said_to_be_at_hand() -> None:
    assert "read_file is always at hand" in find(open_catalogue(), "read_file").text


def test_a_part_of_a_large_group_names_the_rest() -> None:
    catalogue = open_catalogue()
    schema = {"type": "object", "properties": {}}
    specs = [ToolSpec(f"crm_report_{n}", f"Revenue of region {n}.", schema, "crm") for n in range(40)]
    catalogue.register("crm", specs)
    result = find(catalogue, "crm_report_7")
    assert "crm (24 of 40 tools)" in result.text
    assert "Not activated" in result.text
    named = set(result.details["tools"]) | {word.strip(",") for word in result.text.split()}
    assert {spec.name for spec in specs} <= named


def test_finding_never_asks_and_changes_nothing() -> None:
    spec = open_catalogue().spec("find_tools")
    assert spec and spec.approval == "never" and spec.read_only


def test_a_plan_is_kept_for_the_person_to_see() -> None:
    todos = [{"content": " look ", "status": "done"}, {"content": "fix", "status": "in_progress"}]
    result = call(open_catalogue(), "write_todos", {"todos": todos})
    assert result.details["todos"][0] == {"content": "look", "status": "done"}
    assert result.text == "[x] look\n[>] fix"


def test_an_empty_todo_is_refused() -> None:
    with pytest.raises(ToolError, match="needs a content"):
        call(open_catalogue(), "write_todos", {"todos": [{"content": " ", "status": "pending"}]})
