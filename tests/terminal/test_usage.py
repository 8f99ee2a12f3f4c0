"""`ankita usage`: every round is counted once, and what isn't known is not called zero."""

from __future__ import annotations

from pathlib import Path

from ankita_desktop.protocol import Round, Usage
from ankita_desktop.store.database import Store
from tests.terminal.shell import at
from tests.terminal.shell import inside as ankita
from tests.wire import WireServer, text


def counted(*rounds: Round) -> str:
    """A stored conversation of those rounds."""
    store = Store()
    session = store.create_session(cwd="/somewhere", mode="ask", model="", title="t").id
    for one in rounds:
        store.add_round(session, "turn", one)
    store.close()
    return session


def test_usage_tells_every_round_and_their_sum() -> None:
    session = counted(
        Round(21, 7_900, Usage(1_000, 0, 50, 0.01), (), {"core": 7_900}),
        Round(23, 8_800, Usage(3_000, 2_400, 70, 0.02), ("git",), {"core": 7_900, "process": 900}),
    )
    counted(Round(1, 10, Usage(5, 0, 5)))
    told = ankita("usage", "--session", session[:8], "--json").json
    assert [each["input"] for each in told["rounds"]] == [1_000, 3_000]
    last = told["rounds"][1]
    assert (last["tools"], last["schema_bytes"], last["cached"], last["output"]) == (23, 8_800, 2_400, 70)
    assert last["groups"] == {"core": 7_900, "process": 900} and last["dropped_groups"] == ["git"]
    assert told["total"] == {"rounds": 2, "input": 4_000, "cached": 2_400, "output": 120, "cost": 0.03}
    assert ankita("usage", "--json").json["total"]["rounds"] == 3
    shown = ankita("usage", "--session", session).out
    assert "2 rounds: 4,000 in, 120 out, 60% of the input from the cache; cost $0.0300" in shown


def test_a_cost_that_is_not_known_is_null_and_said_so() -> None:
    counted(Round(1, 10, Usage(100, 0, 5)))
    assert ankita("usage", "--json").json["total"]["cost"] is None
    assert "cost not known" in ankita("usage").out


def test_without_any_round_there_is_nothing_to_count() -> None:
    assert ankita("usage", "--json").json["rounds"] == []
    assert "No round" in ankita("usage").out
    assert ankita("usage", "--session", "nope").code == 1


def test_a_turn_is_counted_group_by_group(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 90, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 30}}
    with WireServer([text("Hi.", usage=usage)]) as server:
        done = ankita("-p", "hello", "--json", *at(server), cwd=tmp_path)
    (one,) = ankita("usage", "--session", done.json["session"], "--json").json["rounds"]
    assert (one["input"], one["cached"], one["output"]) == (90, 30, 9)
    assert sum(one["groups"].values()) == one["schema_bytes"] and one["groups"]["core"] > 4_000
