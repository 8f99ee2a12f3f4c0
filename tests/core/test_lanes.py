"""Who runs when: the end of a turn is told to everybody, and after closing nobody is at work."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from ankita_desktop.errors import StoreError
from ankita_desktop.events import Event, SessionChanged, TurnEnded
from tests.core.house import WAIT, house


def test_closing_waits_for_those_who_are_being_told_of_an_end(tmp_path: Path) -> None:
    with house(tmp_path, ["Done."]) as h:
        told, go, titles = threading.Event(), threading.Event(), list[str]()

        def hear(event: Event) -> None:
            if isinstance(event, TurnEnded):
                told.set()
                go.wait(WAIT)
                titles.append(h.store.session(h.session).title)  # as routines do: they store how it went

        h.engine.subscribe(hear)
        h.engine.submit(h.session, "hello")
        assert told.wait(WAIT)
        closer = threading.Thread(target=h.engine.close, args=(WAIT,))
        closer.start()
        closer.join(0.3)
        assert closer.is_alive()
        go.set()
        closer.join(WAIT)
        assert titles == ["hello"]


@pytest.mark.parametrize("what", ["update_session", "release"])
def test_the_end_of_a_turn_is_told_although_nothing_more_can_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    with house(tmp_path, ["Done.", "Again."]) as h:
        right = getattr(h.store, what)

        def full(*values: object, **fields: object) -> object:
            if what == "release" or fields.get("state") == "idle":
                raise StoreError("The disk is full.")
            return right(*values, **fields)

        monkeypatch.setattr(h.store, what, full)
        assert h.say("hello").status == "done"
        assert h.say("once more").text == "Again."


def test_a_listener_that_fails_does_not_keep_the_others_from_hearing(tmp_path: Path) -> None:
    with house(tmp_path, ["Done."]) as h:
        heard: list[Event] = []

        def fail(event: Event) -> None:
            if isinstance(event, TurnEnded):
                raise StoreError("The disk is full.")

        h.engine.subscribe(fail)
        h.engine.subscribe(heard.append)
        ended = h.say("hello")
        h.engine.close()
        assert ended in heard


def test_what_is_said_while_an_end_is_being_stored_is_answered_by_the_same_lane(tmp_path: Path) -> None:
    with house(tmp_path, ["One.", "Two."]) as h:
        states: list[str] = []

        def hear(event: Event) -> None:
            if isinstance(event, SessionChanged) and event.info:
                states.append(event.info.state)
                if states[-2:] == ["running", "idle"] and states.count("running") == 1:
                    h.engine.submit(h.session, "and now?")

        h.engine.subscribe(hear)
        h.say("hello")
        h.wait_for(lambda e: isinstance(e, TurnEnded) and e.text == "Two.", "the second answer")
        assert not h.engine.is_running(h.session)
        assert states[-1] == "idle"
