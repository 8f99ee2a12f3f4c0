"""What a reminder promises: it rings once, at its time, and is never lost."""

from __future__ import annotations

import pytest

from ankita_desktop.errors import ToolError
from tests.automation.office import Office, moment, office


def test_it_rings_once_at_its_time_and_offers_done_and_later(desk: Office) -> None:
    desk.automation.reminders.add("stretch", "in 20 minutes")
    desk.tick()
    assert desk.notes == []
    desk.time.wait(20 * 60)
    desk.tick()
    desk.tick()
    (note,) = desk.notes
    assert note.title == "stretch"
    assert [key for key, _ in note.actions] == ["done", "snooze10", "snooze60", "tomorrow"]
    assert note.stays, "a reminder may not vanish before it is seen"
    assert desk.automation.due_count() == 1


@pytest.mark.parametrize(
    ("action", "rings"), [("snooze10", "07:15"), ("snooze60", "08:05"), ("tomorrow", "2026-03-03 09:00")]
)
def test_later_rings_again_when_it_was_said(desk: Office, action: str, rings: str) -> None:
    made = desk.automation.reminders.add("call home", "at 7:05")
    desk.at("2026-03-02 07:05")
    desk.automation.act(f"reminder/{made.id}", action)
    assert desk.automation.due_count() == 0
    again = moment(rings if len(rings) > 5 else f"2026-03-02 {rings}")
    desk.time.wait(again - desk.time.now - 1)
    desk.tick()
    assert len(desk.notes) == 1
    desk.time.wait(1)
    desk.tick()
    assert desk.titles() == ["call home", "call home"]


def test_done_is_the_end_of_it(desk: Office) -> None:
    made = desk.automation.reminders.add("call home", "at 7:05")
    desk.at("2026-03-02 07:05")
    desk.automation.act(f"reminder/{made.id}", "done")
    desk.at("2026-03-09 07:05")
    assert desk.titles() == ["call home"]
    assert desk.automation.reminders.list() == []


def test_a_click_on_a_reminder_that_is_gone_does_nothing(desk: Office) -> None:
    made = desk.automation.reminders.add("call home", "at 7:05")
    desk.at("2026-03-02 07:05")
    desk.automation.reminders.cancel(made.id)
    desk.automation.act(f"reminder/{made.id}", "snooze10")
    desk.at("2026-03-02 12:00")
    assert desk.titles() == ["call home"]


def test_one_that_repeats_goes_on_after_done(desk: Office) -> None:
    made = desk.automation.reminders.add("pills", "every day at 9")
    desk.at("2026-03-02 09:00")
    desk.automation.act(f"reminder/{made.id}", "done")
    desk.at("2026-03-03 09:00")
    assert desk.titles() == ["pills", "pills"]


def test_what_was_killed_between_ringing_and_telling_is_told_by_the_next_process(desk: Office) -> None:
    desk.automation.reminders.add("stretch", "in 20 minutes")
    desk.time.wait(20 * 60)
    desk.automation.reminders.run_due(desk.time.now)  # rung and stored, and then the process is gone
    fresh = office(desk.store, time=desk.time)
    fresh.tick()
    assert fresh.titles() == ["stretch"]


def test_what_rang_and_was_not_answered_is_told_again_after_a_restart(desk: Office) -> None:
    desk.automation.reminders.add("stretch", "in 20 minutes")
    desk.time.wait(20 * 60)
    desk.tick()
    fresh = office(desk.store, time=desk.time)
    fresh.tick()
    fresh.tick()
    assert fresh.titles() == ["stretch"]
    assert "waits for you" in fresh.notes[0].text


def test_what_became_due_while_nothing_ran_is_said_to_be_late(desk: Office) -> None:
    desk.automation.reminders.add("stretch", "at 9:00")
    desk.at("2026-03-02 13:00")
    (note,) = desk.notes
    assert note.title == "stretch"
    assert "due Mon 2 Mar 2026 09:00" in note.text


def test_a_burst_after_sleep_is_one_summary(desk: Office) -> None:
    for hour in range(8, 18):
        desk.automation.reminders.add(f"task {hour}", f"at {hour}:00")
    desk.tick()
    desk.time.sleep(12 * 3600)
    desk.tick()
    (note,) = desk.notes
    assert note.title == "While you were away: 10 reminders"
    assert "task 8" in note.text
    assert "5 more" in note.text
    assert desk.automation.due_count() == 10


def test_quiet_hours_hold_what_rings_and_the_receipt_says_so(desk: Office) -> None:
    desk.wishes.quiet_hours = "22:00-07:30"
    made = desk.automation.reminders.add("water plants", "at 22:30")
    assert "told Tue 3 Mar 2026 07:30" in desk.automation.reminders.receipt(made)
    desk.at("2026-03-02 22:30")
    desk.at("2026-03-03 07:29")
    assert desk.notes == []
    desk.at("2026-03-03 07:30")
    assert desk.titles() == ["water plants"]


def test_a_reminder_answered_in_quiet_hours_is_not_told_afterwards(desk: Office) -> None:
    desk.wishes.quiet_hours = "22:00-07:30"
    desk.automation.reminders.add("water plants", "at 22:30")
    desk.at("2026-03-02 22:30")
    desk.automation.reminders.done("water")
    desk.at("2026-03-03 08:00")
    assert desk.notes == []


def test_an_item_without_a_time_is_on_the_list_and_never_rings(desk: Office) -> None:
    item = desk.automation.reminders.add("buy  milk")
    assert desk.automation.reminders.add("Buy milk").id == item.id
    desk.at("2026-12-24 12:00")
    assert desk.notes == []
    assert [one.text for one in desk.automation.reminders.list()] == ["buy milk"]


def test_the_same_reminder_twice_is_one(desk: Office) -> None:
    first = desk.automation.reminders.add("stretch", "in 20 minutes")
    desk.time.wait(5)
    assert desk.automation.reminders.add("stretch", "in 20 minutes").id == first.id
    assert desk.automation.reminders.add("stretch", "in 40 minutes").id != first.id


def test_the_receipt_says_when_nothing_would_ring_it(desk: Office) -> None:
    made = desk.automation.reminders.add("stretch", "in 20 minutes")
    assert "Mon 2 Mar 2026 07:20 (Europe/Berlin)" in desk.automation.reminders.receipt(made)
    assert "ankita daemon" in desk.automation.reminders.receipt(made)
    desk.tick()
    assert "ankita daemon" not in desk.automation.reminders.receipt(made)


def test_one_that_repeats_shows_its_next_five_times(desk: Office) -> None:
    made = desk.automation.reminders.add("pills", "every weekday at 9")
    receipt = desk.automation.reminders.receipt(made)
    assert receipt.count("09:00") >= 5
    assert "Mon 9 Mar" not in receipt


def test_a_name_that_fits_several_is_asked_back(desk: Office) -> None:
    desk.automation.reminders.add("call Ann", "at 9")
    desk.automation.reminders.add("call Bob", "at 10")
    with pytest.raises(ToolError, match=r"more than one.*call Ann.*call Bob"):
        desk.automation.reminders.done("call")


def test_what_can_not_be_understood_is_refused_with_examples(desk: Office) -> None:
    with pytest.raises(ToolError, match="tomorrow at 9"):
        desk.automation.reminders.add("stretch", "when pigs fly")
    assert desk.automation.reminders.list() == []


def test_snooze_without_a_name_means_what_rang_last(desk: Office) -> None:
    desk.automation.reminders.add("first", "at 7:05")
    desk.automation.reminders.add("second", "at 7:06")
    desk.at("2026-03-02 07:05")
    desk.at("2026-03-02 07:06")
    assert desk.automation.reminders.snooze("").text == "second"
    with pytest.raises(ToolError, match="Nothing rings"):
        office_without_rings = desk.automation.reminders
        office_without_rings.done("first")
        office_without_rings.snooze("")
