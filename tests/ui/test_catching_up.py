"""A conversation that is open in the window while another process goes on with it."""

from __future__ import annotations

from collections.abc import Callable

from tests import wire
from tests.terminal.shell import at, daemon, has
from tests.ui.conftest import Desk, wait

Open = Callable[..., Desk]


def test_an_open_conversation_shows_what_a_daemon_adds_to_it_and_keeps_what_is_being_written(desk: Open) -> None:
    with wire.WireServer(["The first.", "The second."]) as server, daemon(*at(server)) as (_, said):
        wait(lambda: has(said, "Running what is due"), 30)
        there = desk()
        routines = there.application.assembly.automation.routines
        routine, _ = routines.add("Clock", "look", "every day at 5", cwd=str(there.folder))
        routines.want(routine.id)
        wait(lambda: (run := routines.last(routine.id)) and run.status == "done", 60)
        there.window.open(routines.find(routine.id).session)
        wait(lambda: "The first." in there.chat())
        composer = there.find("composer")
        composer.setPlainText("half a sentence")
        routines.want(routine.id)
        wait(lambda: "The second." in there.chat(), 60)
        wait(lambda: composer.toPlainText() == "half a sentence")


def test_what_is_told_by_events_is_not_read_again(desk: Open) -> None:
    there = desk("Fine.", "Good.")
    opened: list[str] = []
    for words in ("one", "two"):
        there.say(words)
        there.until_idle()
        there.window.conversation.changed.connect(opened.append)
        there.window.catching_up.look()
        asked: list[bool] = []
        there.application.bridge.do(lambda: True, asked.append)
        wait(lambda seen=asked: seen, what="the worker has done what was asked before")
        assert not opened, "the chat isn't built anew while one reads in it"
