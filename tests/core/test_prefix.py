"""What a service has cached of a conversation stays good: each request begins with the bytes of the one before."""

from __future__ import annotations

import random
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.core import session as core_session
from ankita_desktop.models.chat_request import body
from ankita_desktop.models.scripted import ScriptedModel
from ankita_desktop.protocol import ModelRequest, ToolSpec, compact_json
from tests.core.house import call, house

LONG = "Says where its figures come from and how old they are. " * 8  # too large a server to be sent whole
SERVER = [
    ToolSpec(
        f"weather_{word}", f"Weather: {word} of a city. {LONG}", {"type": "object"}, "weather", read_only=True
    )
    for word in ("now", "tomorrow", "history", "alerts")
]


def conversation(turns: int, seed: int) -> list[Any]:
    """Steps of ``turns`` turns: talk, core calls, and three searches that load groups at odd times."""
    dice = random.Random(seed)
    finds = dict(zip(sorted(dice.sample(range(turns), 3)), ("port_status", "git", "weather_now"), strict=True))
    steps: list[Any] = []
    for turn in range(turns):
        if turn in finds:
            steps.append(call("find_tools", query=finds[turn]))
        if dice.random() < 0.5:
            steps.append(call("peek", text=f"thing {turn}"))
        steps.append(f"answer {turn}")
    return steps


def played(tmp_path: Path, shape: str, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Forty turns with activations, a server that flaps and reorders, changed settings and a new day; the
    requests as they go over the wire."""
    model = ScriptedModel(conversation(40, seed=7))
    midnight = float("inf")
    monkeypatch.setattr(core_session, "_day", lambda moment: (0, int(moment > midnight)))
    with house(tmp_path, model) as h:
        h.limits.deferral = shape
        for turn in range(40):
            if turn % 5 == 0:
                h.engine.catalogue.register("weather", SERVER if turn % 2 else SERVER[::-1])  # type: ignore[attr-defined]
            if turn == 20:
                midnight = time.time()
                h.limits.max_rounds = 30
                h.engine.update_session(h.session, mode="reads")
            if turn % 9 == 4:
                h.store.pin_fact(h.store.add_fact(f"The person likes number {turn}").fact.id)
                h.store.use_project(h.session, h.store.add_project(f"Project {turn}").id)
            assert h.say(f"question {turn}").status == "done"
    return [wire(request) for request in model.requests]


def wire(request: ModelRequest) -> dict[str, Any]:
    return body(request, "any", vision=False)


def text(parts: list[Any]) -> str:
    """A list as JSON, without its closing bracket."""
    return compact_json(parts)[:-1]


@pytest.mark.parametrize("shape", ["dispatch", "native", "attach"])
def test_messages_only_ever_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: str) -> None:
    requests = played(tmp_path, shape, monkeypatch)
    assert len(requests) > 50
    for before, after in pairwise(requests):
        assert text(after["messages"]).startswith(text(before["messages"]))
    for news in ("day has changed", "pinned facts have changed", "project in use has changed"):
        assert any(news in str(m["content"]) for m in requests[-1]["messages"]), news


@pytest.mark.parametrize("shape", ["dispatch", "native"])
def test_tools_that_are_dispatched_never_change_a_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: str
) -> None:
    requests = played(tmp_path, shape, monkeypatch)
    assert len({compact_json(request["tools"]) for request in requests}) == 1


def test_attached_tools_are_equal_up_to_where_new_ones_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = played(tmp_path, "attach", monkeypatch)
    sizes = set()
    for before, after in pairwise(requests):
        assert text(after["tools"]).startswith(text(before["tools"]))
        sizes.add(len(after["tools"]))
    assert len(sizes) == 4  # the core, and three activations
