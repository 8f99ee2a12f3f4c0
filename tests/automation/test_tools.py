"""The tools of the group automation, called by a model through the real engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop import paths
from ankita_desktop.catalog import open_catalogue
from ankita_desktop.core.engine import Engine
from ankita_desktop.models.scripted import ScriptedModel
from ankita_desktop.protocol import Abilities, Decision, Preview
from ankita_desktop.safety.shell_risk import ShellRisk
from ankita_desktop.store.database import Store
from ankita_desktop.toolkit.automation import Allowed
from ankita_desktop.toolkit.services import Services
from tests.automation.office import Office, moment, office
from tests.core.house import House, Limits, call


@contextmanager
def talking(tmp_path: Path, *steps: Any, attended: bool = True) -> Iterator[tuple[House, Office]]:
    """A conversation whose tools reach the office."""
    (tmp_path / "work").mkdir()
    store = Store(tmp_path / "ankita.db")
    desk = office(store)
    faces = desk.automation
    catalogue = open_catalogue([paths.bundled("tools")])
    model = ScriptedModel(list(steps), abilities=Abilities())
    engine = Engine(
        store=store,
        catalogue=catalogue,
        services=Services(
            catalogue=catalogue,
            risk=ShellRisk(),
            reminders=faces.reminders,
            routines=faces.routines,
            watches=faces.watches,
            projects=store,
        ),
        settings=Limits(deferral="off"),
        model_for=lambda info: model,
        owner="1 test",
        attended=attended,
    )
    session = engine.new_session(cwd=str(tmp_path / "work"), mode="ask").id
    made = House(engine, store, session, Limits())
    engine.subscribe(made.hear)
    try:
        yield made, desk
    finally:
        engine.close()
        store.close()


def allow(made: House) -> Preview:
    """Say yes to the one question; what was shown."""
    asked = made.asked().request
    made.engine.answer(asked.id, Decision(True))
    return asked.preview


def test_a_reminder_needs_no_yes_also_where_nobody_can_answer(tmp_path: Path) -> None:
    step = call("remind", action="add", text="stretch", when="in 20 minutes")
    with talking(tmp_path, step, "Done.", attended=False) as (made, desk):
        assert made.say("remind me to stretch in 20 minutes").status == "done"
        (result,) = made.results()
        assert "Rings Mon 2 Mar 2026 07:20 (Europe/Berlin)" in result.text
        assert desk.automation.reminders.find("stretch").due == moment("2026-03-02 07:20")


def test_the_list_names_what_rings_now(tmp_path: Path) -> None:
    steps = (call("remind", action="add", text="buy milk"), call("remind", action="list"), "ok")
    with talking(tmp_path, *steps) as (made, desk):
        desk.automation.reminders.add("stretch", "at 7:05")
        desk.at("2026-03-02 07:05")
        made.say("add buy milk to my list")
        listed = made.results()[1].text
        assert listed.splitlines()[0].startswith("- RINGS NOW stretch")
        assert "buy milk" in listed


def test_the_question_of_a_new_routine_shows_when_what_and_what_it_may_do(tmp_path: Path) -> None:
    allowed = [
        {"tool": "run_command", "arguments": {"command": "git fetch origin"}},
        {"tool": "read_file", "arguments": {"path": "notes.txt"}},
    ]
    step = call("schedule", action="add", name="Fetch", when="weekdays at 9:30", prompt="fetch", allow=allowed)
    with talking(tmp_path, step, "Made.") as (made, desk):
        turn = made.engine.submit(made.session, "fetch every weekday")
        shown = allow(made)
        assert made.ended(turn).status == "done"
        assert "Mon 2 Mar 2026 09:30; Tue 3 Mar 2026 09:30" in shown.text
        assert "git fetch" in shown.text
        assert "notes.txt" not in shown.text, "what needs no yes is no grant"
        assert not shown.grant_key, "a yes to one routine is no yes to others"
        routine = desk.automation.routines.find("Fetch")
        assert [one.label for one in routine.allowed] != []
        assert "It has not run yet" in made.results()[0].text
        assert made.results()[0].text.count("09:30") >= 5
        assert "(Europe/Berlin)" in made.results()[0].text


def test_what_must_be_asked_every_time_can_not_be_allowed_beforehand(tmp_path: Path) -> None:
    allowed = [{"tool": "run_command", "arguments": {"command": "rm -rf ~/"}}]
    step = call("schedule", action="add", when="daily at 9", prompt="clean", allow=allowed)
    with talking(tmp_path, step, "I can't.") as (made, desk):
        made.say("clean up every day")
        assert not made.results()[0].ok
        assert desk.automation.routines.list() == []


def test_a_routine_whose_times_count_from_now_can_be_agreed_to_at_leisure(tmp_path: Path) -> None:
    """What is shown must not change while the person reads it, or their yes would count for nothing."""
    with talking(tmp_path, call("schedule", action="add", when="every 2 hours", prompt="look"), "Made.") as (
        made,
        desk,
    ):
        turn = made.engine.submit(made.session, "look every two hours")
        made.asked()
        desk.time.wait(600)
        allow(made)
        assert made.ended(turn).status == "done"
        assert desk.automation.routines.list()[0].due == moment("2026-03-02 09:10")


def test_a_routine_is_not_made_where_nobody_can_say_yes(tmp_path: Path) -> None:
    step = call("schedule", action="add", when="daily at 9", prompt="look")
    with talking(tmp_path, step, "Nobody is here.", attended=False) as (made, desk):
        assert made.say("look every day").status == "denied"
        assert desk.automation.routines.list() == []


def test_removing_asks_and_says_when_it_runs_right_now(tmp_path: Path) -> None:
    with talking(tmp_path, call("schedule", action="remove", name="Brief"), "Removed.") as (made, desk):
        routine, _ = desk.automation.routines.add("Brief", "brief me", "daily at 9", cwd=str(tmp_path))
        running(desk, routine.id)
        turn = made.engine.submit(made.session, "remove it")
        assert "runs right now" in allow(made).danger
        made.ended(turn)
        assert desk.automation.routines.list() == []


def running(desk: Office, routine: str) -> None:
    import os

    from ankita_desktop.toolkit.automation import Run

    desk.store.claim_run(Run("r", routine, None, desk.time.now, f"{os.getpid()} test"))


@pytest.mark.parametrize("action", ["list", "show", "pause", "history"])
def test_looking_and_pausing_need_no_yes(tmp_path: Path, action: str) -> None:
    with talking(tmp_path, call("schedule", action=action, name="Brief"), "ok", attended=False) as (made, desk):
        desk.automation.routines.add("Brief", "brief me", "daily at 9", cwd=str(tmp_path))
        assert made.say("look").status == "done"
        assert made.results()[0].ok


def test_an_edit_of_a_paused_routine_says_that_it_is_still_paused(tmp_path: Path) -> None:
    step = call("schedule", action="update", name="Brief", when="daily at 10")
    with talking(tmp_path, step, "ok") as (made, desk):
        routine, _ = desk.automation.routines.add("Brief", "brief me", "daily at 9", cwd=str(tmp_path))
        desk.automation.routines.pause(routine.id)
        turn = made.engine.submit(made.session, "at ten")
        assert "10:00" in allow(made).text
        made.ended(turn)
        assert "is paused (every day at 10:00)" in made.results()[0].text


def test_a_watched_command_is_agreed_to_when_the_watch_is_made(tmp_path: Path) -> None:
    with talking(tmp_path, call("watch", action="add", command="cat state", every="1m"), "ok") as (made, _desk):
        (tmp_path / "work" / "state").write_text("up\n")
        turn = made.engine.submit(made.session, "tell me when it changes")
        shown = allow(made)
        assert (shown.kind, shown.text.splitlines()[0]) == ("command", "cat state")
        made.ended(turn)
        assert "It is now: up" in made.results()[0].text


def test_a_file_of_the_working_folder_is_watched_unasked_one_elsewhere_is_not(tmp_path: Path) -> None:
    steps = (call("watch", action="add", path="a.txt"), call("watch", action="add", path="/etc/hosts"), "ok")
    with talking(tmp_path, *steps, attended=False) as (made, _desk):
        made.say("watch these")
        assert [result.ok for result in made.results()] == [True, False]


def test_an_address_of_this_machine_is_asked_about(tmp_path: Path) -> None:
    step = call("watch", action="add", url="http://127.0.0.1:9/")
    with talking(tmp_path, step, "ok", attended=False) as (made, _):
        assert made.say("watch it").status == "denied"


def test_the_words_of_automation_find_it() -> None:
    catalogue = open_catalogue([paths.bundled("tools")])
    for words in ("remind me tomorrow at 9", "every weekday at 8 brief me", "tell me when this page changes"):
        assert "automation" in catalogue.match(words).groups, words


def test_a_routine_works_for_the_project_named_or_in_use_and_the_question_says_which(tmp_path: Path) -> None:
    first = call("schedule", action="add", name="Rye", prompt="look at the orders", when="daily at 9")
    other = call(
        "schedule", action="add", name="Beds", prompt="look at the beds", when="daily at 9", project="garden"
    )
    with talking(tmp_path, first, "ok", other, "ok") as (made, desk):
        bakery, garden = made.store.add_project("Bakery"), made.store.add_project("Garden")
        made.store.use_project(made.session, bakery.id)
        shown = []
        for number, words in enumerate(("look at the orders daily", "and at the beds"), 1):
            turn = made.engine.submit(made.session, words)
            asked = made.asked(number).request
            shown.append(asked.preview.text)
            made.engine.answer(asked.id, Decision(True))
            made.ended(turn)
        assert "For the project Bakery." in shown[0] and "For the project garden." in shown[1]
        routines = desk.automation.routines
        assert [routines.find(name).project for name in ("Rye", "Beds")] == [bakery.id, garden.id]
        assert "for Garden" in made.results()[1].text


def test_changing_a_routine_shows_what_it_may_do_unasked_and_leaves_that_as_it_is(tmp_path: Path) -> None:
    step = call("schedule", action="update", name="Brief", prompt="delete everything")
    with talking(tmp_path, step, "ok") as (made, desk):
        allowed = (Allowed("carve", "carving"),)
        desk.automation.routines.add("Brief", "brief me", "daily at 9", cwd=str(tmp_path), allowed=allowed)
        turn = made.engine.submit(made.session, "change it")
        preview = allow(made)
        made.ended(turn)
        assert "delete everything" in preview.text and "- carving" in preview.text
        assert desk.automation.routines.find("Brief").allowed == allowed
