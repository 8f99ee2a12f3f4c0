"""search_files beside raw ripgrep on the same tree. Run: python -m tests.bench.bench_search [FOLDER]"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ankita_desktop.toolkit import ToolContext, ripgrep
from ankita_desktop.toolkit.process import Jobs
from tests.tools.calls import tool

FILES, LINES, ROUNDS = 6_000, 120, 25
QUERIES = {
    "no match": ("zzz_not_there_zzz", {}),
    "40 matches": ("needle_[0-9]+", {}),
    "200 of 6,000 matches": ("common_word", {}),
    "one kind of file": ("needle_[0-9]+", {"include": "*.py"}),
    "a path pattern": ("needle_[0-9]+", {"include": "d1*/**/*.py"}),
}


def tree(folder: Path) -> None:
    """Files of plain words, some with a needle."""
    body = "\n".join(f"some ordinary words on line {number} of a file" for number in range(LINES))
    for number in range(FILES):
        file = folder / f"d{number % 60}" / f"e{number % 7}" / f"f{number}.{'py' if number % 2 else 'txt'}"
        file.parent.mkdir(parents=True, exist_ok=True)
        needle = f"\nneedle_{number}" if number % 150 == 1 else ""
        file.write_text(f"{body}{needle}\ncommon_word {number}\n")


def milliseconds(work: Callable[[], object]) -> float:
    before = time.perf_counter()
    work()
    return (time.perf_counter() - before) * 1000


def measure(folder: Path, pattern: str, options: dict[str, str]) -> tuple[float, float]:
    """The best of both, taken in turn: what else the machine does only ever adds."""
    binary = ripgrep.binary()
    assert binary, "ripgrep is needed as the reference"
    glob = [f"--glob={options['include']}"] if options else []
    argv = [binary, "--no-config", "--line-number", *glob, f"--regexp={pattern}", "--", "."]
    ctx = ToolContext(folder, Jobs())
    raw, ours = [], []
    for _ in range(ROUNDS):
        raw.append(milliseconds(lambda: subprocess.run(argv, cwd=folder, capture_output=True, check=False)))
        ours.append(milliseconds(lambda: tool("search_files").run({"pattern": pattern, **options}, ctx)))
    return min(raw), min(ours)


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else made)
        if len(sys.argv) < 2:
            tree(folder)
        print(f"search_files beside raw rg, {folder}, best of {ROUNDS} (target: at most 1.3 times)")
        print(f"{'query':<24}{'rg ms':>10}{'ours ms':>10}{'ratio':>8}")
        for title, (pattern, options) in QUERIES.items():
            raw, ours = measure(folder, pattern, options)
            print(f"{title:<24}{raw:>10.1f}{ours:>10.1f}{ours / raw:>8.2f}")


if __name__ == "__main__":
    main()
