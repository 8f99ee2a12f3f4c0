"""What is sent with every request stays small, and still says enough to fill in a call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from ankita_desktop import paths
from ankita_desktop.catalog import open_catalogue
from ankita_desktop.catalog.counting import counted_by, token_count
from ankita_desktop.core.arguments import read_arguments
from ankita_desktop.core.deferral import CALL_TOOL
from ankita_desktop.models.offline.families import load
from ankita_desktop.models.offline.perform import wish_of
from ankita_desktop.protocol import ToolSpec, compact_json

SHIPPED = [*open_catalogue([paths.bundled("tools")]).specs(), CALL_TOOL]
MOST_BYTES, MOST_TOKENS = 8_192, 1_900
# Names that say by themselves what belongs there. Any other parameter describes itself, or lists its values.
OBVIOUS = frozenset(
    """path url content text command query pattern recursive old_string new_string replace_all edits patch
    start_line mode source destination job_id cursor method headers json form body redirects expect_status
    exclude ignore_case literal limit env todos name arguments port pid force id page seconds remote delete amend
    urls depth count tool model number title draft new_name about links contacts below
    limit_minutes runs_per_day tokens_per_day""".split()
)
SAMPLES: dict[str, Any] = {"string": "x", "integer": 2, "number": 2, "boolean": True, "object": {}, "array": []}
SLOTS = {"number": 3, "pair": 3, "sum": "1+1", "url": "https://example.org", "extension": ".py", "type": ".py"}


def always_sent() -> list[ToolSpec]:
    """What dispatch sends: the widest form of what every request carries."""
    return [*(spec for spec in open_catalogue().specs() if spec.always_on), CALL_TOOL]


def with_every_group() -> list[ToolSpec]:
    """The same, told of the groups that aren't built yet, too: their tools are to find room."""
    catalogue = open_catalogue()
    every = ", ".join(f"{group.name} ({group.summary})" for group in catalogue.groups() if not group.always)
    told = catalogue.groups_line
    return [replace(spec, description=spec.description.replace(told, every)) for spec in always_sent()]


@pytest.mark.parametrize("sent", [always_sent, with_every_group])
def test_what_is_always_sent_stays_within_its_bytes_and_tokens(sent: Any) -> None:
    specs = sent()
    array = compact_json([spec.entry() for spec in specs])
    assert {"find_tools", "call_tool"} <= {spec.name for spec in specs}
    assert len(array.encode()) <= MOST_BYTES
    assert token_count(array) <= MOST_TOKENS, counted_by()


def test_only_what_belongs_to_every_task_is_always_sent() -> None:
    assert {spec.group for spec in always_sent()} <= {"core", "personal", "skills"}


def parameters(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every parameter of a schema, also inside lists and objects."""
    for name, about in schema.get("properties", {}).items():
        yield name, about
        yield from parameters(about)
        yield from parameters(about.get("items", {}))


@pytest.mark.parametrize("spec", SHIPPED, ids=lambda spec: spec.name)
def test_every_parameter_that_is_not_obvious_says_what_it_is(spec: ToolSpec) -> None:
    silent = [
        name
        for name, about in parameters(spec.entry()["function"]["parameters"])
        if name not in OBVIOUS and not about.get("description") and "enum" not in about
    ]
    assert silent == []


def sample(schema: dict[str, Any]) -> Any:
    """A value made from the schema alone, as somebody who knows nothing else of the tool would."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "string")
    if kind == "object":
        return {name: sample(schema["properties"][name]) for name in schema.get("required", ())}
    if kind == "array":
        return [sample(schema.get("items", {}))]
    return SAMPLES[kind]


@pytest.mark.parametrize("spec", SHIPPED, ids=lambda spec: spec.name)
def test_what_is_sent_is_enough_to_fill_in_a_valid_call(spec: ToolSpec) -> None:
    assert read_arguments(spec, sample(spec.entry()["function"]["parameters"]))[1] == ""


class AnyRecipe(tuple[str, ...]):
    """Sentences are read here for their calls alone."""

    def __contains__(self, name: object) -> bool:
        return True


def test_every_call_that_the_shipped_sentences_make_is_valid() -> None:
    catalogue, wrong, tried = open_catalogue(), {}, 0
    files = [load(file, AnyRecipe()) for file in (paths.bundled("assets") / "intents").glob("*.yaml")]
    kinds = {slot: kind for sentences in files for slot, kind in sentences.kinds.items()}
    for family in (family for sentences in files for family in sentences.families.values()):
        values = {slot: SLOTS.get(kind, "x") for slot, kind in {**kinds, **family.kinds}.items()}
        for step in (*family.do, *family.instead):
            wish = wish_of(step, {"a": 3, "b": 5, **values})
            if spec := catalogue.spec(wish.tool):
                tried += 1
                if problem := read_arguments(spec, dict(wish.arguments))[1]:
                    wrong[family.name] = problem
    assert wrong == {} and tried > 50


def test_limits_that_nobody_would_break_are_checked_but_not_sent() -> None:
    spec = open_catalogue().spec("edit_lines")
    assert spec is not None
    sent = compact_json(spec.entry())
    assert "additionalProperties" not in sent and '"minimum"' not in sent
    _, problem = read_arguments(spec, {"path": "a", "edits": [{"start_line": 1, "colour": "red"}]})
    assert "colour" in problem
    assert read_arguments(spec, {"path": "a", "edits": []})[1]
