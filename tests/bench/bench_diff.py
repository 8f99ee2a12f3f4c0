"""How long differences take beside the standard library's, and how much there is to read."""

from __future__ import annotations

import difflib
import random
import time

from ankita_desktop.toolkit.diff import unified

LINES = 20_000
CHANGES = 300


def texts(period: int) -> tuple[list[str], list[str]]:
    chance = random.Random(period)
    old = [f"line {number % period}\n" for number in range(LINES)]
    new = list(old)
    for place in chance.sample(range(LINES), CHANGES):
        new[place] = f"changed {place}\n"
    return old, new


def main() -> None:
    print(f"{LINES} lines, {CHANGES} changed; seconds and lines of unified diff")
    print(f"{'distinct lines':>14} {'ours':>8} {'lines':>7} {'difflib':>8} {'lines':>7}")
    for period in (5, 50, 1000, LINES):
        old, new = texts(period)
        started = time.perf_counter()
        ours = unified("".join(old), "".join(new), "f").count("\n")
        middle = time.perf_counter()
        theirs = sum(1 for _ in difflib.unified_diff(old, new))
        end = time.perf_counter()
        print(f"{period:>14} {middle - started:>8.2f} {ours:>7} {end - middle:>8.2f} {theirs:>7}")


if __name__ == "__main__":
    main()
