"""Public bug reports about what happens by itself, which this product does not have."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from ankita_desktop.automation.runner import Held
from ankita_desktop.toolkit.automation import Run
from tests.automation.office import Office, moment, office, opened
from tests.core.house import call, house
from tests.tools.calls import until


@pytest.fixture
def desk(tmp_path: Path):  # type: ignore[no-untyped-def]
    with opened(tmp_path) as made:
        yield made


def test_one_slot_never_fires_twice_however_often_and_by_whom_it_is_looked_at(tmp_path: Path) -> None:
    """openclaw#16094, goose#11695: a slot fires several times. Here it is claimed in the database."""
    with house(tmp_path, ["one", "two", "three"]) as made:
        first, second = (office(made.store, turns=made.engine, owner=f"1 {name}") for name in "ab")
        second.time = first.time
        routine, _ = first.automation.routines.add("r", "go", "daily at 9", cwd=str(tmp_path / "work"))
        first.time.now = moment("2026-03-02 09:00")
        for runner in (first.runner, second.runner, first.runner):
            assert runner
            for due in [first.store.routine(routine.id)]:
                assert due
                with suppress(Held):  # the run of the one before goes on
                    runner.start(due, moment("2026-03-02 09:00"), moment("2026-03-03 09:00"))
        until(lambda: all(run.status != "running" for run in first.runs(routine.id)))
        assert len(first.runs(routine.id)) == 1


@pytest.mark.parametrize("change", ["edit", "restart", "resume"])
def test_the_next_day_is_not_skipped_after_an_edit_or_a_restart(desk: Office, tmp_path: Path, change: str) -> None:
    """openclaw#10086, #17852: after an edit or restart the next day is skipped."""
    routines = desk.automation.routines
    routine, _ = routines.add("r", "go", "daily at 9", cwd=str(tmp_path))
    desk.time.wait(moment("2026-03-02 12:00") - desk.time.now)
    desk.store.claim_run(
        Run("x", routine.id, moment("2026-03-02 09:00"), desk.time.now, "1 test", "missed"),
        then=moment("2026-03-03 09:00"),
    )
    if change == "edit":
        routines.update(routine.id, when="daily at 10", prompt="go on")
        assert routines.find(routine.id).due == moment("2026-03-03 10:00")
    elif change == "restart":
        office(desk.store, time=desk.time).tick()
        assert routines.find(routine.id).due == moment("2026-03-03 09:00")
    else:
        routines.pause(routine.id)
        routines.pause(routine.id, False)
        assert routines.find(routine.id).due == moment("2026-03-03 09:00")


def test_a_reminder_whose_minute_was_slept_through_still_rings(desk: Office) -> None:
    """zhanshuyou/Pomodo#7: asleep through the minute, the reminder is lost."""
    desk.automation.reminders.add("stand up", "at 8:00")
    desk.tick()
    desk.time.sleep(4 * 3600)
    desk.tick()
    assert desk.titles() == ["stand up"]


def test_an_unattended_run_goes_on_after_a_question_nobody_answers(tmp_path: Path) -> None:
    """goose#11164: an unattended run dies at its first approval, an interrupted one says "running" for ever."""
    with house(tmp_path, [call("carve", text="x"), call("peek", text="y"), "Looked, not carved."]) as made:
        desk = office(made.store, turns=made.engine)
        desk.wishes.answer_minutes = 0.002  # type: ignore[assignment]
        routine, _ = desk.automation.routines.add("r", "go", "daily at 9", cwd=str(tmp_path / "work"))
        desk.at("2026-03-02 09:00")
        (run,) = desk.ended(routine.id)
        assert (run.text, run.undone) == ("Looked, not carved.", ("carve x (nobody answered)",))
        desk.store.claim_run(Run("dead", routine.id, 1.0, 1.0, "999999999 window"))
        office(made.store, time=desk.time, turns=made.engine, owner="1 next").runner.begin()  # type: ignore[union-attr]
        assert {run.status for run in desk.runs(routine.id)} == {"denied", "interrupted"}


def test_no_alert_is_empty_and_one_miss_is_no_change(desk: Office, tmp_path: Path) -> None:
    """changedetection.io#1679, #962: an alert with an empty diff; an element missing once counts as change."""
    from ankita_desktop.toolkit.cancel import Cancel

    file = tmp_path / "state"
    file.write_text("a  b\n\n")
    watches = desk.automation.watches
    watches.add(watches.draft(path=str(file), every="1m"), Cancel())
    for text in ("a b", "a b\n", None, "a\tb"):
        file.write_text(text) if text is not None else file.unlink()
        desk.time.wait(60)
        desk.tick()
    assert desk.notes == []


def test_known_entries_of_a_feed_are_never_announced_as_new() -> None:
    """gitify#2303: old items are announced as new."""
    from ankita_desktop.automation.verdicts import difference
    from ankita_desktop.toolkit.automation import Watch

    feed = Watch("w", "w", "feed", "http://example.com", 0.0, 60.0)
    assert difference(feed, "b\na", "a") == ""
    assert difference(feed, "b\na", "a\nb") == ""
    assert difference(feed, "b\na", "c\nb") == "New: c"
