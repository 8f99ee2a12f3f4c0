"""Commands that outlived an Ankita which was killed. Jobs end with their session, also when nobody was left to
end them: the next start does it. Every set of jobs has a file that names its owner while it may hold some."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ankita_desktop import paths

if TYPE_CHECKING:
    import psutil

GRACE = 1.0
SHOWN = 3
LONGEST = 80


def note(mark: str) -> None:
    """Jobs with this mark are about to be started by this process. Does without a file that can't be written."""
    import psutil

    try:
        _folder().mkdir(parents=True, exist_ok=True)
        (_folder() / mark).write_text(f"{os.getpid()} {psutil.Process().create_time()}")
    except OSError:
        return


def drop(mark: str) -> None:
    """All jobs with this mark were ended."""
    try:
        (_folder() / mark).unlink(missing_ok=True)
    except OSError:
        return


def end() -> tuple[str, ...]:
    """End what jobs of owners that are gone left running. One sentence for the person; none when there was
    nothing, which costs no more than a look into a folder."""
    gone = list(_ownerless())
    if not gone:
        return ()
    from ankita_desktop.toolkit import proc_info

    marks = tuple(f"{mark}." for mark in gone)
    left = proc_info.marked(lambda mark: mark.startswith(marks))
    told = _told(left)
    proc_info.end(left, GRACE)
    for mark in gone:
        drop(mark)
    return told


def _folder() -> Path:
    return paths.state() / "jobs"


def _ownerless() -> Iterator[str]:
    try:
        files = sorted(_folder().iterdir())
    except OSError:
        return
    for file in files:
        try:
            pid, created = file.read_text().split()
            alive = _lives(int(pid), float(created))
        except (OSError, ValueError):
            alive = False
        if not alive:
            yield file.name


def _lives(pid: int, created: float) -> bool:
    from ankita_desktop.toolkit import proc_info

    owner = proc_info.find(pid)
    return owner is not None and abs(owner.created - created) < proc_info.SAME


def _told(left: list[psutil.Process]) -> tuple[str, ...]:
    from ankita_desktop.toolkit import proc_info

    pids = {process.pid for process in left}
    seen = [info for info in map(proc_info.look, left) if info]
    first = [info for info in seen if info.parent not in pids]  # the others were started by these
    if not first:
        return ()
    named = ", ".join(_command(info.command or info.name) for info in first[:SHOWN])
    more = f" and {len(first) - SHOWN} more" if len(first) > SHOWN else ""
    what = "a command" if len(first) == 1 else f"{len(first)} commands"
    return (f"Ankita had been ended by force and left {what} running. Now ended: {named}{more}.",)


def _command(line: str) -> str:
    text = line.partition(" -c ")[2] or line
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
