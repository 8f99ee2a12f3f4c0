"""`ankita tools audit` and `review`, for people, for scripts and for continuous integration."""

from __future__ import annotations

from pathlib import Path

from ankita_desktop.protocol import Message, ToolCall
from ankita_desktop.store.database import Store
from tests.catalog.test_catalogue import roots, write
from tests.terminal.shell import inside as ankita

__all__ = ["roots"]


def stored() -> None:
    """A conversation with a call and a search that found nothing."""
    store = Store()
    talk = store.create_session(cwd="/", mode="ask", model="").id
    store.add_message(talk, Message("assistant", "…", calls=(ToolCall("c", "read_file"),)))
    store.add_miss(talk, "fold my laundry")
    store.close()


def test_the_audit_counts_uses_and_lists_vain_searches() -> None:
    stored()
    told = ankita("tools", "audit", "--json").json
    used = {cost["tool"]: cost["used"] for cost in told["always"]}
    assert used["read_file"] == 1 and used["write_file"] == 0
    assert {"call_tool", "find_tools"} <= set(used)
    assert told["misses"] == [["fold my laundry", 1]]
    assert (
        told["counted"] in ("o200k_base", "estimate")
        and min(told["lines"]["groups"], told["lines"]["skills"]) > 20
    )
    shown = ankita("tools", "audit").out
    assert "fold my laundry" in shown and "Always sent:" in shown


def test_vain_searches_can_be_forgotten() -> None:
    stored()
    assert ankita("tools", "audit", "--clear-misses", "--json").json == {"cleared": 1}
    assert ankita("tools", "audit", "--json").json["misses"] == []


def test_review_passes_on_what_is_shipped() -> None:
    done = ankita("tools", "review")
    assert done.code == 0 and "no phrase is fought over" in done.err
    assert ankita("tools", "review", "--json").json["ok"] is True


def test_review_fails_when_nothing_finds_a_tool(roots: list[Path]) -> None:
    write(roots[0] / "tea", "wibble", description="Wobbles.")
    done = ankita("tools", "review", "--folder", str(roots[0]))
    assert done.code == 1 and "finds wibble" in done.err
    assert done.out.startswith("--- a/bundled/catalog.toml")
    told = ankita("tools", "review", "--folder", str(roots[0]), "--json")
    assert told.code == 1 and told.json["unreachable"] == ["wibble"]
