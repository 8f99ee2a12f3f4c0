"""Discovery beside its references: written sentences, outside data beside BM25 and recorded baselines, and time.

python -m tests.bench.bench_match
"""

from __future__ import annotations

import json
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from ankita_desktop.catalog import ToolCatalogue, open_catalogue
from ankita_desktop.catalog.derived import DerivedIndex
from ankita_desktop.protocol import ToolSpec
from tests.catalog.bm25 import Bm25, read_queries, read_tools
from tests.catalog.sentences import figures, sentences
from tests.conftest import SHARED

SETS = ("metatool_single", "bfcl_live_multiple", "bfcl_multiple", "sealtools", "snips")
DATA = SHARED / "tool_retrieval"
MANY = 10_000


def main() -> None:
    catalogue, opened = timed(open_catalogue)
    _, first = timed(lambda: catalogue.match("what holds port 3000"))
    print(f"opening {opened:.1f} ms, first match {first:.1f} ms\n")
    written(catalogue)
    if DATA.is_dir():
        retrieval()
        many()
    else:
        print(f"{DATA} is not here: no outside data, no reference")


def timed(call: Callable[[], object]) -> tuple[object, float]:
    start = time.perf_counter()
    result = call()
    return result, 1000 * (time.perf_counter() - start)


def spread(times: Iterable[float]) -> str:
    ordered = sorted(times)
    return f"median {ordered[len(ordered) // 2]:.3f} ms, p95 {ordered[int(0.95 * len(ordered))]:.3f} ms"


def written(catalogue: ToolCatalogue) -> None:
    print("written sentences       recall   exact  silence")
    for name in ("queries.jsonl", "last_set.jsonl"):
        found = figures(catalogue, sentences(name))
        print(f"{name:<22}{found.recall:>8.3f}{found.exact:>8.3f}{found.silence:>9.3f}")
    fresh = open_catalogue()
    fresh.match("warm")
    times = [
        timed(lambda row=row: fresh.match(row["query"], planned=True))[1] for row in sentences("queries.jsonl")
    ]
    print(f"built-in catalogue, first pass: {spread(times)}\n")


def retrieval() -> None:
    rows = [json.loads(line) for line in (DATA / "baselines.jsonl").read_text(encoding="utf-8").splitlines()]
    print(f"{'set':<20}{'method':<34}{'hit@1':>7}{'hit@5':>7}")
    for name in SETS:
        specs = read_tools(DATA / name / "tools.jsonl")
        queries = read_queries(DATA / name / "queries.jsonl")
        index, reference = DerivedIndex(specs), Bm25(specs)
        show(name, "ours (derived words)", queries, partial(names, index))
        show(name, "BM25, same run and fields", queries, reference.search)
        for row in rows:
            if row["dataset"] == name:
                method = f"{row['method']} {row.get('fields', '')}"[:33]
                print(f"{name:<20}{method:<34}{row['hit@1']:>7}{row['hit@5']:>7}")
    print()


def names(index: DerivedIndex, query: str) -> list[str]:
    return [spec.name for spec, _ in index.search(query, 5)]


def show(name: str, method: str, queries: list[tuple[str, set[str]]], search: Callable[[str], list[str]]) -> None:
    first = five = 0
    for query, gold in queries:
        found = search(query)
        first += bool(gold & set(found[:1]))
        five += bool(gold & set(found[:5]))
    print(f"{name:<20}{method:<34}{100 * first / len(queries):>7.1f}{100 * five / len(queries):>7.1f}")


def many() -> None:
    specs = ten_thousand([spec for name in SETS for spec in read_tools(DATA / name / "tools.jsonl")])
    catalogue = open_catalogue()
    _, build = timed(lambda: catalogue.register("many", specs))
    tracemalloc.start()
    measured = open_catalogue()
    measured.register("many", specs)
    size = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    measured.unregister("many")
    queries = [query for name in SETS for query, _ in read_queries(DATA / name / "queries.jsonl")[:200]]
    times = [timed(lambda query=query: catalogue.match(query))[1] for query in queries]
    print(f"{MANY} tools: built in {build / 1000:.2f} s, {size:.0f} MB, {spread(times)}")


def ten_thousand(specs: list[ToolSpec]) -> list[ToolSpec]:
    rounds = -(-MANY // len(specs))
    return [replace(spec, name=f"{spec.name}_{number}") for number in range(rounds) for spec in specs][:MANY]


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    main()
