"""What the engine costs per round: a model that answers at once and a tool that does nothing, beside an empty loop
over the same script, and beside the same messages written to the store alone."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from ankita_desktop.models.scripted import ScriptedModel
from ankita_desktop.protocol import Message, ModelRequest, ToolCall
from ankita_desktop.store.database import Store
from ankita_desktop.toolkit.cancel import Cancel
from tests.core.house import call, house

ROUNDS = 300


def steps() -> list[object]:
    return [*[call("peek", text=str(n)) for n in range(ROUNDS)], "done"]


def empty_loop() -> float:
    model = ScriptedModel(steps())  # type: ignore[arg-type]
    began = time.perf_counter()
    for _ in range(ROUNDS + 1):
        for _part in model.stream(ModelRequest("", ()), Cancel()):
            pass
    return time.perf_counter() - began


def store_alone(folder: Path) -> float:
    store = Store(folder / "alone.db")
    session = store.create_session(cwd=str(folder), mode="ask", model="").id
    began = time.perf_counter()
    for n in range(ROUNDS):
        store.add_message(session, Message("assistant", calls=(ToolCall(f"c{n}", "peek", {"text": str(n)}),)))
        store.add_message(session, Message("tool", f"saw {n}", call_id=f"c{n}", name="peek"))
    spent = time.perf_counter() - began
    store.close()
    return spent


def engine(folder: Path) -> float:
    with house(folder, steps()) as h:  # type: ignore[arg-type]
        h.limits.max_rounds = ROUNDS + 1
        began = time.perf_counter()
        ended = h.say("go")
        spent = time.perf_counter() - began
        assert ended.status == "done", ended
    return spent


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        loop, alone, whole = empty_loop(), store_alone(folder), engine(folder)
    for label, spent in (("empty loop", loop), ("two stored messages a round", alone), ("engine", whole)):
        print(f"{label:30} {spent / ROUNDS * 1000:7.2f} ms a round")


if __name__ == "__main__":
    main()
