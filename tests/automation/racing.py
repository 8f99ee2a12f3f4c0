"""What tests play in processes of their own: ``python -m tests.automation.racing race|die FILE …``.

race FILE ID        claim every slot of a thousand, print those that were ours
die FILE PHASE LOG  run the routine that is due, and be killed at PHASE
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from ankita_desktop.automation.runner import Runner
from ankita_desktop.protocol import new_id
from ankita_desktop.store.database import Store
from ankita_desktop.toolkit.automation import Run

SLOTS = 1_000
PHASES = (
    "before the claim",
    "after the claim",
    "while the model is asked",
    "between the answer and the tool",
    "in the tool",
    "while the model has the result",
    "after it ran",
    "after it was told",
)
FATAL = """
name = "carve"
description = "Carves, and doesn't live to tell."
parameters = {"type": "object", "properties": {"text": {"type": "string"}}, "additionalProperties": False}

from ankita_desktop.toolkit import Preview

def preview(args, ctx):
    return Preview("text", "Carve?", grant_key="carve", grant_label="carving")

def run(args, ctx):
    import os, signal
    with (ctx.cwd / "stone.txt").open("a") as file:
        file.write(args["text"])
    os.kill(os.getpid(), signal.SIGKILL)
"""


def race(file: str, routine: str) -> None:
    """Both processes go through all slots as fast as they can."""
    store = Store(Path(file))
    sys.stdin.readline()
    for slot in range(1, SLOTS + 1):
        run = Run(new_id(), routine, float(slot), 0.0, f"{os.getpid()} race")
        if store.claim_run(run, then=slot + 1.0):
            print(slot)
    store.close()


def die(file: str, phase: str, now: str) -> None:
    """A real engine and a real scheduler; the kill comes at the named moment, and nothing is cleaned up."""
    from tests.automation.office import FakeTime, office
    from tests.core.house import TOOLS, call, house

    kill_at(phase)
    folder = Path(file).parent
    steps: list[Any] = [call("carve", text="x"), "carved"]
    if phase == "in the tool":
        TOOLS["carve"] = FATAL
    elif phase in ASKED:
        steps[ASKED[phase]] = dead
    with house(folder, steps) as made:
        desk = office(made.store, time=FakeTime(float(now)), turns=made.engine, owner=f"{os.getpid()} daemon")
        desk.tick()
        desk.ended(desk.automation.routines.list()[0].id)


ASKED = {"while the model is asked": 0, "while the model has the result": 1}
"""Which request to the model is the last one."""


def dead(*_: Any, **__: Any) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def kill_at(phase: str) -> None:
    """Have this process killed at a moment, by hooking what comes right before or after it."""
    if phase == "before the claim":
        Runner.start = dead  # type: ignore[method-assign,assignment]
    elif phase == "after the claim":
        Store.claim_run = claimed()  # type: ignore[method-assign]
    elif phase == "between the answer and the tool":
        Runner._count = dead  # type: ignore[method-assign,assignment]
    elif phase == "after it ran":
        Runner._store_end = dead  # type: ignore[method-assign]
    elif phase == "after it was told":
        Store.mark_told = dead  # type: ignore[method-assign,assignment]


def claimed() -> Any:
    """A claim that is stored, and the last thing that was done."""
    claim = Store.claim_run

    def once(store: Store, *args: Any, **how: Any) -> None:
        claim(store, *args, **how)
        dead()

    return once


if __name__ == "__main__":
    {"race": race, "die": die}[sys.argv[1]](*sys.argv[2:])
