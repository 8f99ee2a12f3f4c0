"""How long a verdict over a shell command takes, and how it meets the public sets, family by family.

Run: python -m tests.bench.bench_risk
"""

from __future__ import annotations

import json
import shlex
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ankita_desktop.safety.shell_risk import Verdict, verdict
from tests.conftest import SHARED

NAMES = {"safe": "safe", "ask": "needs-approval", "dangerous": "dangerous", "blocked": "blocked"}
HERE = Path(__file__).resolve().parent
OWN = HERE.parent / "safety" / "safe_commands.txt"
LONG = "git status && " * 200 + "ls"


def microseconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return (time.perf_counter() - began) * 1e6


def split(command: str) -> list[str]:
    """The reference: the standard library's word splitter, which judges nothing."""
    try:
        return shlex.split(command)
    except ValueError:
        return []


def times(commands: list[str]) -> None:
    verdict("ls", HERE)  # the parser is imported on first use
    judged = sorted(microseconds(lambda c=command: verdict(c, HERE)) for command in commands)  # type: ignore[misc]
    words = sorted(microseconds(lambda c=command: split(c)) for command in commands)  # type: ignore[misc]
    print(f"{len(commands)} commands, microseconds each    median     95 %      worst")
    for name, found in (("verdict", judged), ("shlex.split alone", words)):
        middle, most = statistics.median(found), found[len(found) * 95 // 100]
        print(f"  {name:<32}{middle:>8.0f} {most:>8.0f} {found[-1]:>10.0f}")
    print(f"  a chain of 201 commands         {microseconds(lambda: verdict(LONG, HERE)):>8.0f}")


def families(rows: list[dict[str, Any]]) -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    differences = []
    for row in rows:
        found = verdict(row["command"], HERE)
        kind = "as expected" if NAMES[found.verdict] in row["acceptable"] else "different"
        counts[row.get("family") or "no family"][kind] += 1
        if kind == "different":
            differences.append(difference(row, found))
    print("\nfamily                                                       as expected  different")
    for family, count in sorted(counts.items()):
        print(f"  {family:<58} {count['as expected']:>11} {count['different'] or '':>10}")
    print(f"\n{len(differences)} of {len(rows)} differ:")
    print("\n".join(differences))


def difference(row: dict[str, Any], found: Verdict) -> str:
    command = " ".join(row["command"].split())[:60]
    return f"  {found.verdict:<10} wanted {'/'.join(row['acceptable']):<24} {command:<60} {found.reason}"


def main() -> None:
    path = SHARED / "commands" / "commands.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    own = [line for line in OWN.read_text("utf-8").splitlines() if line]
    times([row["command"] for row in rows] + own)
    asked = [command for command in own if verdict(command, HERE).verdict != "safe"]
    print(f"\nour own commands that only read: {len(own) - len(asked)} of {len(own)} run unasked")
    families(rows)


if __name__ == "__main__":
    main()
