"""What undo costs: keeping a change of a thousand files, looks at a folder around a command, undoing both.

The reference is the plain work that can't be saved: reading, hashing and copying the same files.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ankita_desktop.safety.checkpoints import CheckpointStore
from ankita_desktop.safety.shell_risk import ShellRisk
from ankita_desktop.toolkit import ToolContext
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.process import Jobs
from ankita_desktop.toolkit.services import Services

FILES, MANY = 1_000, 15_000


def main() -> None:
    for count, size in ((FILES, 8_000), (MANY, 4_000)):
        with folder(count, size) as (work, store):
            print(f"{count:,} files of {size:,} bytes, seconds")
            show("reading, hashing and copying them", partial(copied, work))
            if count == FILES:
                patch(work, store)
            command(work, store)
    with folder(MANY, 4_000) as (work, store):
        beside_a_command(work, store)


def patch(work: Path, store: CheckpointStore) -> None:
    paths = sorted(path for path in work.rglob("*") if path.is_file())
    name = show("checkpoint before a change of all", lambda: store.before(paths, **WORDS))
    for path in paths:
        path.write_bytes(b"new")
    show("after it", lambda: store.after(name))
    show("what undo would do", lambda: store.outlook(name))
    show("undo", lambda: store.restore(name))


def command(work: Path, store: CheckpointStore) -> None:
    first = show("look before the first command", lambda: store.around(work, cancel=Cancel(), **WORDS))
    show("look after it", lambda: store.after(first))
    time.sleep(0.2)
    store.after(store.around(work, cancel=Cancel(), **WORDS))
    name = show("look before a later command", lambda: store.around(work, cancel=Cancel(), **WORDS))
    changed = sorted(work.rglob("*.txt"))[:FILES]
    for path in changed:
        path.write_bytes(b"new")
    show(f"look after it, {len(changed):,} files changed", lambda: store.after(name))
    show("undo", lambda: store.restore(name))


def beside_a_command(work: Path, store: CheckpointStore) -> None:
    """A whole call of run_command, with undo and without."""
    from tests.tools.calls import call

    print("run_command, seconds")
    for label, command in (("ls (safe: no look)", "ls"), ("python (asked: a look)", "python3 -c pass")):
        for kept in (None, store):
            jobs = Jobs()
            ctx = ToolContext(work, jobs, services=Services(checkpoints=kept, risk=ShellRisk()))
            call("run_command", ctx, command=command)
            show(
                f"{label}{'' if kept else ', without undo'}",
                partial(call, "run_command", ctx, command=command),
            )
            jobs.close()


WORDS = {"session": "s", "call_id": "c", "label": "bench"}


@contextmanager
def folder(count: int, size: int) -> Iterator[tuple[Path, CheckpointStore]]:
    root = Path(tempfile.mkdtemp(prefix="ankita-bench-"))
    try:
        for number in range(count):
            place = root / "work" / f"d{number // 50}" / f"{number}.txt"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(f"{number} ".encode() * (size // 6))
        subprocess.run(["sync", "-f", str(root)], check=False)
        yield root / "work", CheckpointStore(root / "undo")
    finally:
        shutil.rmtree(root)


def copied(work: Path) -> None:
    target = work.parent / "copy"
    target.mkdir()
    for number, path in enumerate(work.rglob("*.txt")):
        data = path.read_bytes()
        hashlib.sha256(data).hexdigest()
        (target / str(number)).write_bytes(data)


def show(what: str, work: Callable[[], Any]) -> Any:
    began = time.perf_counter()
    result = work()
    print(f"  {what:<52} {time.perf_counter() - began:8.3f}")
    return result


if __name__ == "__main__":
    main()
