"""Run the benchmarks: all of them, or those named (``python -m tests.bench match wire``).

Each prints its figures beside a reference measured in the same run. None of them fails: figures are for people.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
import time
from pathlib import Path


def names() -> list[str]:
    return sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def main() -> int:
    known = names()
    wanted = sys.argv[1:] or known
    if unknown := [name for name in wanted if name not in known]:
        print(f"There is no benchmark {', '.join(unknown)}. There are: {', '.join(known)}.")
        return 2
    del sys.argv[1:]  # the names were for us
    os.environ.setdefault("ANKITA_HOME", tempfile.mkdtemp(prefix="bench-"))
    for name in wanted:
        began = time.perf_counter()
        print(f"\n== {name} ==", flush=True)
        importlib.import_module(f"tests.bench.bench_{name}").main()
        print(f"   ({time.perf_counter() - began:.1f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
