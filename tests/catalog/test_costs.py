"""What tools cost: counted over the bytes as they go over the wire."""

from __future__ import annotations

import sys

import pytest

from ankita_desktop.catalog import counting, open_catalogue
from ankita_desktop.catalog.costs import audit, audit_text
from ankita_desktop.protocol import compact_json


def test_the_audit_says_what_always_sent_tools_cost_and_which_were_never_used() -> None:
    specs = open_catalogue().specs()
    found = audit(specs, {"read_file": 7, "git": 2}, misses=[("fold my laundry", 3)])
    array = compact_json([spec.entry() for spec in specs if spec.always_on])
    assert found.bytes == len(array.encode()) < found.full_bytes
    assert found.tokens < found.full_tokens
    assert sum(cost.bytes for cost in found.always) < found.bytes
    assert 0.97 < sum(cost.share for cost in found.always) < 1.01
    assert "write_todos" in found.deferrable and not {"read_file", "find_tools"} & set(found.deferrable)
    assert next(cost for cost in found.deferred if cost.tool == "git").used == 2
    text = audit_text(found)
    assert "fold my laundry  (3 times)" in text and "Deferred and used: git (2)" in text


def test_before_anything_was_used_nothing_is_called_useless() -> None:
    assert audit(open_catalogue().specs(), {}).deferrable == ()


def test_what_the_model_is_told_of_groups_is_counted_too() -> None:
    catalogue = open_catalogue()
    found = audit(catalogue.specs(), {}, lines={"groups": catalogue.groups_line, "skills": ""})
    assert found.lines["groups"] > 20 and found.lines["skills"] == 0
    assert "tell which groups there are" in audit_text(found) and "which skills" not in audit_text(found)


def test_without_the_token_table_tokens_are_estimated_and_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = open_catalogue().specs()
    counting._table.cache_clear()
    monkeypatch.setitem(sys.modules, "bpe_openai", None)
    try:
        found = audit(specs, {})
    finally:
        counting._table.cache_clear()
    assert found.counted == "estimate" and "estimated" in audit_text(found)
    monkeypatch.undo()
    if counting.counted_by() == "estimate":
        pytest.skip("the token table isn't installed")
    counted = audit(specs, {})
    assert counted.counted == "o200k_base" and "estimated" not in audit_text(counted)
    assert abs(found.tokens - counted.tokens) < 0.1 * counted.tokens
