"""A real engine over a real store and real tool files, with a scripted model at the far end."""

from __future__ import annotations

import os
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ankita_desktop import paths
from ankita_desktop.catalog import open_catalogue
from ankita_desktop.core.engine import Engine
from ankita_desktop.events import ApprovalAsked, Event, TurnEnded
from ankita_desktop.models.scripted import Scripted, ScriptedModel
from ankita_desktop.protocol import Abilities, Message, Model
from ankita_desktop.store.database import Store
from ankita_desktop.toolkit.services import Services

WAIT = 20.0


@dataclass
class Limits:
    """Settings that a test turns."""

    max_rounds: int = 60
    deferral: str = "auto"
    schema_tokens: int = 16_000
    trusted: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        return {"folders": {"trusted": self.trusted}}


@dataclass
class House:
    """One engine and what it said. ``events`` grows on the threads where things happen."""

    engine: Engine
    store: Store
    session: str
    limits: Limits
    events: list[Event] = field(default_factory=list)
    _news: threading.Condition = field(default_factory=threading.Condition)

    def hear(self, event: Event) -> None:
        with self._news:
            self.events.append(event)
            self._news.notify_all()

    def wait_for(self, fits: Callable[[Event], bool], what: str) -> Any:
        """The first event that fits, waiting for it if need be."""
        with self._news:
            found = self._news.wait_for(lambda: any(fits(event) for event in self.events), WAIT)
            assert found, f"no {what} within {WAIT:.0f} s; seen: {[type(e).__name__ for e in self.events]}"
            return next(event for event in self.events if fits(event))

    def ended(self, turn: str) -> TurnEnded:
        ended = self.wait_for(lambda e: isinstance(e, TurnEnded) and e.turn == turn, "TurnEnded")
        assert isinstance(ended, TurnEnded)
        return ended

    def say(self, text: str) -> TurnEnded:
        return self.ended(self.engine.submit(self.session, text))

    def asked(self, number: int = 1) -> ApprovalAsked:
        """The n-th question."""
        questions: list[ApprovalAsked] = []

        def enough(_: Event) -> bool:
            questions[:] = [e for e in self.events if isinstance(e, ApprovalAsked)]
            return len(questions) >= number

        self.wait_for(enough, f"question {number}")
        return questions[number - 1]

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def messages(self) -> list[Message]:
        return list(self.store.messages(self.session))

    def results(self) -> list[Message]:
        return [m for m in self.messages if m.role == "tool"]


@contextmanager
def house(
    tmp_path: Path,
    steps: list[Scripted] | Model,
    *,
    mode: str = "ask",
    attended: bool = True,
    session: str = "",
    **services: Any,
) -> Iterator[House]:
    """Open an engine in ``tmp_path/work`` with the tools of ``TOOLS`` beside the shipped ones."""
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    own = tmp_path / "own"
    for name, source in TOOLS.items():
        (own / "extra").mkdir(parents=True, exist_ok=True)
        (own / "extra" / f"{name}.py").write_text(textwrap.dedent(source), "utf-8")
    model = ScriptedModel(steps, abilities=Abilities()) if isinstance(steps, list) else steps
    store = Store(tmp_path / "ankita.db")
    catalogue = open_catalogue([paths.bundled("tools"), own])
    limits = Limits()
    engine = Engine(
        store=store,
        catalogue=catalogue,
        services=Services(catalogue=catalogue, memory=store, projects=store, **services),
        settings=limits,
        model_for=lambda info: model,
        owner=f"{os.getpid()} test",
        attended=attended,
    )
    chosen = session or engine.new_session(cwd=str(folder), mode=mode).id  # type: ignore[arg-type]
    made = House(engine, store, chosen, limits)
    engine.subscribe(made.hear)
    try:
        yield made
    finally:
        engine.close()
        store.close()


HEADER = """
name = "{name}"
description = "{description}"
parameters = {{"type": "object", "properties": {{"text": {{"type": "string"}}}}, "additionalProperties": False}}
"""

TOOLS = {
    "peek": HEADER.format(name="peek", description="Echo a text.")
    + """
approval = "never"
read_only = True

def run(args, ctx):
    ctx.progress("looking")
    return "saw " + args.get("text", "")
""",
    "carve": HEADER.format(name="carve", description="Carve a text into stone.")
    + """
from ankita_desktop.toolkit import Preview

def preview(args, ctx):
    stone = ctx.cwd / "stone.txt"
    seen = stone.read_text() if stone.exists() else ""
    return Preview("text", "Carve?", text=seen + args["text"], grant_key="carve", grant_label="carving")

def run(args, ctx):
    stone = ctx.cwd / "stone.txt"
    with stone.open("a") as file:
        file.write(args["text"])
    return "carved"
""",
    "deaf": HEADER.format(name="deaf", description="Hangs and hears no stop.")
    + """
import time
approval = "never"

def run(args, ctx):
    time.sleep(30)
    return "late"
""",
    "meet": HEADER.format(name="meet", description="Waits until another one runs.")
    + """
import threading
approval = "never"
read_only = True
_door = threading.Barrier(2)

def run(args, ctx):
    _door.wait(10)
    return "met"
""",
    "boom": HEADER.format(name="boom", description="Fails.")
    + """
approval = "never"

def run(args, ctx):
    raise RuntimeError("a wire came loose")
""",
    "strict": HEADER.format(name="strict", description="Its level can't be found out.")
    + """
def approval_for(args, ctx):
    raise ValueError("no idea")

def run(args, ctx):
    return "ran"
""",
}


def call(name: str, /, **arguments: Any) -> dict[str, Any]:
    """A step that calls one tool."""
    return {"calls": [{"name": name, "arguments": arguments}]}
