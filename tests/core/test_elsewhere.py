"""A question that one process asks and a person answers in another."""

from __future__ import annotations

import os
from pathlib import Path

from ankita_desktop.catalog import open_catalogue
from ankita_desktop.core.engine import Engine
from ankita_desktop.events import TurnStarted
from ankita_desktop.models.scripted import ScriptedModel
from ankita_desktop.protocol import Decision
from ankita_desktop.store.database import Store
from ankita_desktop.toolkit.services import Services
from tests.core.house import Limits, call, house


def window(file: Path) -> tuple[Engine, Store]:
    """Another live process with the same database: its engine has nothing to say by itself."""
    store = Store(file)
    engine = Engine(
        store=store,
        catalogue=open_catalogue([]),
        services=Services(),
        settings=Limits(),
        model_for=lambda info: ScriptedModel([]),
        owner=f"{os.getppid()} window",
    )
    return engine, store


def test_an_answer_given_in_another_process_is_heard_by_the_one_that_asked(tmp_path: Path) -> None:
    """A routine's question is asked by the daemon and answered in the window."""
    with house(tmp_path, [call("carve", text="a"), "Carved."]) as made:
        turn = made.engine.submit(made.session, "carve")
        request = made.asked().request.id
        other, store = window(tmp_path / "ankita.db")
        try:
            told: list[object] = []
            other.subscribe(told.append)
            assert other.answer(request, Decision(True))
            assert made.ended(turn).text == "Carved."
            assert not any(isinstance(event, TurnStarted) for event in told), "the turn goes on where it waits"
            assert not other.answer(request, Decision(False)), "the first answer counts"
        finally:
            other.close()
            store.close()
    assert (tmp_path / "work" / "stone.txt").read_text() == "a"
