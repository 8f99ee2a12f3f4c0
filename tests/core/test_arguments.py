"""What is plainly meant is mended; what is wrong is explained so that the next call can be right."""

from __future__ import annotations

from ankita_desktop.core.arguments import read_arguments
from ankita_desktop.protocol import ToolSpec

SPEC = ToolSpec(
    "take",
    "Takes things.",
    {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "limit": {"type": "integer"},
            "deep": {"type": "boolean"},
            "items": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["path"],
        "additionalProperties": False,
    },
    group="core",
)


def test_a_number_sent_as_text_counts_as_the_number() -> None:
    assert read_arguments(SPEC, {"path": "a", "limit": "5", "deep": "true"}) == (
        {"path": "a", "limit": 5, "deep": True},
        "",
    )


def test_a_list_sent_as_json_text_counts_as_the_list() -> None:
    assert read_arguments(SPEC, {"path": "a", "items": '["x"]'})[0]["items"] == ["x"]


def test_null_for_an_optional_argument_means_not_given() -> None:
    assert read_arguments(SPEC, {"path": "a", "limit": None}) == ({"path": "a"}, "")


def test_text_that_looks_like_a_number_stays_text_where_text_is_wanted() -> None:
    assert read_arguments(SPEC, {"path": "2024"}) == ({"path": "2024"}, "")


def test_a_missing_argument_is_named_with_what_the_tool_takes() -> None:
    _, problem = read_arguments(SPEC, {"limit": 1})
    assert "'path' is a required property" in problem and '"limit"' in problem


def test_an_invented_argument_is_named() -> None:
    _, problem = read_arguments(SPEC, {"path": "a", "color": "red"})
    assert "color" in problem


def test_true_is_not_taken_for_a_number() -> None:
    _, problem = read_arguments(SPEC, {"path": "a", "limit": "true"})
    assert "limit" in problem


def test_null_for_one_of_a_list_of_values_counts_as_not_given() -> None:
    sorted_by = ToolSpec("sort", "", {"type": "object", "properties": {"by": {"enum": ["time", "name"]}}}, "core")
    assert read_arguments(sorted_by, {"by": None}) == ({}, "")
