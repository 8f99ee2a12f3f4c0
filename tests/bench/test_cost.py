"""Finding a tool costs nothing twice, and the shape that is chosen before a conversation is known is a good one.

Figures over long conversations are printed by ``python -m tests.bench cost``; these are the promises behind them.
"""

from __future__ import annotations

import statistics
from functools import cache

import pytest

from ankita_desktop.assembly import OPENAI, abilities_at
from ankita_desktop.core.deferral import shape_of
from tests.bench import bench_cost
from tests.bench.caches import CACHES, Breakpoints, Parts, Prefixes, Prompt
from tests.conftest import shared


def prompt(tools: list[int], *messages: int) -> Prompt:
    system = 0
    return Prompt((*tools, system, *messages), (len(tools), len(tools) + 1, len(tools) + 1 + len(messages)))


def thousand_each(count: int) -> Parts:
    parts = Parts()
    parts.tokens = [1_000] * count
    return parts


def test_openai_reads_a_common_beginning_in_steps() -> None:
    kept = Prefixes(thousand_each(20))
    assert kept.cached(prompt([1, 2], 10), 0) == 0
    assert kept.cached(prompt([1, 2], 10, 11), 1) == 1_024 + 128 * 23  # of 4,000
    assert kept.cached(prompt([1, 2, 3], 10, 11), 2) == 1_024 + 128 * 7  # the tools alone: 2,000
    assert kept.cached(prompt([1, 2, 3], 10, 11), 2 + kept.life) == 0


def test_anthropic_looks_back_from_each_mark_for_five_minutes() -> None:
    kept = Breakpoints(thousand_each(60))
    assert kept.cached(prompt([1, 2], 10), 0) == 0
    assert kept.cached(prompt([1, 2], 10, 11), 1) == 4_000
    assert kept.cached(prompt([1, 2, 3], 10, 11), 2) == 2_000
    assert kept.cached(prompt([1, 2, 3], 10, 11, *range(20, 39)), 3) == 6_000  # 19 further parts
    assert kept.cached(prompt([1, 2, 3], 10, 11, *range(20, 59)), 4) == 25_000
    assert kept.cached(prompt([1, 2, 3], 10, 11, *range(20, 59)), 5 + kept.life) == 0


def test_what_lies_further_back_than_anthropic_looks_is_read_anew() -> None:
    kept = Breakpoints(thousand_each(60))
    kept.cached(prompt([1, 2], 10), 0)
    assert kept.cached(prompt([1, 2], 10, *range(20, 50)), 1) == 3_000  # tools and system, by their own marks


@pytest.fixture
def cases() -> list[bench_cost.Case]:
    shared("tool_retrieval")
    return played()


@cache
def played() -> list[bench_cost.Case]:
    found = []
    for _, catalogue, tools in bench_cost.catalogues():
        for seed, turns in enumerate((5, 8, 25)):
            for when in (bench_cost.early, bench_cost.late, bench_cost.many, bench_cost.uniform):
                found.append(bench_cost.case(catalogue, tools, 50 + seed, turns, when))
    return found


@pytest.mark.parametrize("service", CACHES)
@pytest.mark.parametrize("shape", ["dispatch", "native"])
def test_a_found_tool_makes_no_service_read_anything_again(
    cases: list[bench_cost.Case], service: str, shape: str
) -> None:
    again = [count for one in cases for count in one.bills[service][shape].again]
    assert len(again) > 20 and set(again) == {0}
    assert any(count for one in cases for count in one.bills[service]["attach"].again)


@pytest.mark.parametrize("service", CACHES)
@pytest.mark.parametrize("shapes", [("off", "attach", "dispatch"), bench_cost.SHAPES], ids=len)
def test_the_automatic_choice_is_never_far_from_the_best(
    cases: list[bench_cost.Case], service: str, shapes: tuple[str, ...]
) -> None:
    """At most 5 % above the best of the shapes on average, at most 25 % in any conversation."""
    over = bench_cost.above(cases, service, bench_cost.automatic(shapes), shapes)
    assert statistics.fmean(over) <= 0.05
    assert max(over) <= 0.25


def test_a_paid_service_gets_the_shape_that_keeps_what_it_has_cached() -> None:
    assert (
        shape_of("auto", abilities_at(OPENAI)) == bench_cost.automatic(("off", "attach", "dispatch")) == "dispatch"
    )
