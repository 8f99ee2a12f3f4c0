"""Reminders, routines and watches in the window: the tab, the editor, the tray, what is unread."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QWidget

from ankita_desktop.automation import scheduler
from ankita_desktop.automation.notify import Note
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.ui.routine_words import TEMPLATES, soon
from ankita_desktop.ui.routines import INSET
from ankita_desktop.ui.tray import Tray
from tests import wire
from tests.terminal.shell import at, daemon, has
from tests.ui.conftest import Desk, settle, wait

Open = Callable[..., Desk]


def words(widget: QWidget) -> str:
    return "\n".join(each.text() for each in widget.findChildren(QLabel) if not each.isHidden())


def shown(there: Desk) -> QWidget:
    there.window.show_view(there.window.panel.routines)
    panel: QWidget = there.find("routinesPanel")
    return panel


def act(owner: QWidget, text: str) -> QAction:
    return next(each for menu in owner.findChildren(QMenu) for each in menu.actions() if each.text() == text)


def make(there: Desk, template: str, when: str = "") -> Any:
    """Make a routine of a template through the editor."""
    act(shown(there), template).trigger()
    dialog = wait(lambda: there.window.findChild(QWidget, "routineDialog"))
    if when:
        there.find("routineWhen").setText(when)
    there.click("routineSave")
    automation = there.application.assembly.automation
    found = wait(lambda: next((one for one in automation.routines.list() if one.name == template), None))
    wait(lambda: not dialog.isVisible())
    card = wait(lambda: there.window.findChild(QWidget, f"routine-{found.id}"))
    wait(card.isVisible)
    settle()
    return found


def test_a_template_becomes_a_routine_that_is_listed_with_its_next_time(desk: Open) -> None:
    there = desk()
    found = make(there, "Morning briefing")
    card = there.find(f"routine-{found.id}")
    assert found.cwd == str(there.folder), "it works in the folder of new chats"
    assert "Next" in words(card) and "08:00" in words(card) and "Has not run yet" in words(card)


def test_the_editor_shows_the_next_five_times_as_one_writes_and_says_what_it_can_not_read(desk: Open) -> None:
    there = desk()
    act(shown(there), "Empty routine").trigger()
    wait(lambda: there.window.findChild(QWidget, "routineDialog"))
    when, times = there.find("routineWhen"), there.find("routineTimes")
    QTest.keyClicks(when, "every day at 7:15")
    wait(lambda: times.isVisible() and times.text().count("07:15") == 5)
    when.setText("when pigs fly")
    wait(lambda: not times.isVisible())
    there.find("routinePrompt").setPlainText("Look")
    there.click("routineSave")
    problem = there.find("routineProblem")
    wait(lambda: problem.isVisible() and problem.text())
    assert not there.application.assembly.automation.routines.list(), "nothing is made of what isn't understood"


def test_every_template_has_a_time_that_is_understood(desk: Open) -> None:
    routines = desk().application.assembly.automation.routines
    assert all(len(routines.plan(each.when)[1]) == 5 for each in TEMPLATES)


def test_a_change_never_switches_a_paused_routine_on(desk: Open) -> None:
    there = desk()
    found = make(there, "Weekly review")
    routines = there.application.assembly.automation.routines
    there.click("routineEnabled")
    wait(lambda: routines.find(found.id).paused)
    wait(lambda: "Paused" in words(there.find(f"routine-{found.id}")))
    act(there.find(f"routine-{found.id}"), "Edit…").trigger()
    wait(lambda: there.window.findChild(QWidget, "routineDialog"))
    wait(lambda: there.find("routineName").text() == "Weekly review")
    there.find("routineWhen").setText("every Monday at 6:00")
    there.click("routineSave")
    wait(lambda: "Monday" in routines.find(found.id).when)
    assert routines.find(found.id).paused


def test_the_editor_offers_the_projects_and_keeps_the_one_that_is_chosen(desk: Open) -> None:
    there = desk()
    store = there.application.assembly.store
    bakery, garden = store.add_project("Bakery"), store.add_project("Garden")
    routines = there.application.assembly.automation.routines

    def edit(project: str) -> None:
        act(there.find(f"routine-{found.id}"), "Edit…").trigger()
        picker = wait(lambda: there.window.findChild(QWidget, "routineProject"))
        wait(lambda: picker.findText("Garden") > 0)
        assert picker.currentText() == project

    def choose(project: str) -> None:
        picker = there.find("routineProject")
        picker.setCurrentIndex(picker.findText(project))
        dialog = there.find("routineDialog")
        there.click("routineSave")
        wait(lambda: not dialog.isVisible())
        settle()

    found = make(there, "Weekly review")
    assert found.project == ""
    edit("The one of its folder, if there is one")
    choose("Garden")
    wait(lambda: routines.find(found.id).project == garden.id)
    edit("Garden")
    choose("Bakery")
    wait(lambda: routines.find(found.id).project == bakery.id)
    store.update_project(bakery.id, archived=True)
    edit("One that was put away")
    choose("One that was put away")
    assert routines.find(found.id).project == bakery.id
    edit("One that was put away")
    choose("The one of its folder, if there is one")
    wait(lambda: routines.find(found.id).project == "")


def test_a_routine_run_now_leaves_its_result_unread_in_a_group_of_its_own(desk: Open) -> None:
    there = desk("Nothing is new.")
    found = make(there, "Page digest")
    wait(lambda: there.application.assembly.automation.running, what="the window runs what is due")
    there.click("runNowButton")
    routines = there.application.assembly.automation.routines
    wait(lambda: (run := routines.last(found.id)) and run.status == "done", 20)
    session = routines.find(found.id).session
    store = there.application.assembly.store
    wait(lambda: store.session(session).unread)
    wait(lambda: "Routines" in [row.text for row in there.window.pane.model.rows])
    wait(lambda: "Nothing is new." in words(there.find(f"routine-{found.id}")))
    there.window.raise_up()
    there.window.open(session)
    wait(lambda: not store.session(session).unread)


def wanted(there: Desk, prompt: str) -> str:
    """Have whoever runs routines run a new one now. Returns its id."""
    routines = there.application.assembly.automation.routines
    made, _ = routines.add("Clock", prompt, "every day at 5", cwd=str(there.folder))
    routines.want(made.id)
    return made.id


def test_what_a_daemon_ran_becomes_unread_in_a_window_that_is_not_touched(desk: Open) -> None:
    """Another process made the conversation: the window reads its list again by itself."""
    with daemon() as (process, said):
        wait(lambda: has(said, "Running what is due"), 30)
        there = desk()
        automation, pane = there.application.assembly.automation, there.window.pane
        routine = wanted(there, "what time is it")
        session = wait(lambda: automation.routines.find(routine).session, 60)
        wait(lambda: (info := pane.session(session)) and info.unread and info.state == "idle", 60)
        wait(lambda: "Routines" in [row.text for row in pane.model.rows], 20)
        assert not automation.running and process.poll() is None, "it was the daemon's"


def test_what_a_daemon_asks_is_counted_in_a_window_that_is_not_touched(desk: Open) -> None:
    steps = [wire.calls(("write_file", {"path": "a.txt", "content": "1"}))]
    with wire.WireServer(steps) as server, daemon(*at(server)) as (_, said):
        wait(lambda: has(said, "Running what is due"), 30)
        there = desk()
        wanted(there, "write it")
        wait(lambda: there.find("approvalsButton").accessibleName() == "Approvals, 1 waiting", 60)


def test_the_history_says_what_a_run_brought(desk: Open) -> None:
    there = desk("Nothing is new.")
    found = make(there, "Page digest")
    wait(lambda: there.application.assembly.automation.running)
    there.click("runNowButton")
    routines = there.application.assembly.automation.routines
    wait(lambda: (run := routines.last(found.id)) and run.status == "done", 20)
    act(wait(lambda: there.window.findChild(QWidget, f"routine-{found.id}")), "History…").trigger()
    dialog = wait(lambda: there.window.findChild(QWidget, "routineHistory"))
    assert "Done" in words(dialog) and "Nothing is new." in words(dialog)


def test_the_history_opens_the_run_that_was_chosen(desk: Open) -> None:
    there = desk("First news.", "Second news.")
    found = make(there, "Page digest")
    automation, store = there.application.assembly.automation, there.application.assembly.store
    wait(lambda: automation.running)

    def run(number: int) -> None:
        there.click("runNowButton")
        wait(lambda: [run.status for run in automation.routines.history(found.id)] == ["done"] * number, 20)
        wait(lambda: not store.leased_by(automation.routines.find(found.id).session))

    def read(number: int, news: str) -> None:
        act(wait(lambda: there.window.findChild(QWidget, f"routine-{found.id}")), "History…").trigger()
        dialog = wait(lambda: there.window.automating.editing.dialog)
        [each for each in dialog.findChildren(QPushButton) if each.text() == "Open"][number].click()
        wait(lambda: news in there.chat() and there.chat().count("news.") == 1)
        wait(lambda: there.window.automating.editing.dialog is None)

    run(1)
    run(2)
    read(1, "First news.")
    read(0, "Second news.")


def test_removing_asks_first_and_keep_keeps(desk: Open) -> None:
    there = desk()
    found = make(there, "Inbox watch")
    routines = there.application.assembly.automation.routines
    act(there.find(f"routine-{found.id}"), "Remove…").trigger()
    ask = wait(lambda: there.window.automating.editing.dialog)
    QTest.keyClick(ask, Qt.Key.Key_Escape)
    settle()
    assert [one.id for one in routines.list()] == [found.id]
    act(there.find(f"routine-{found.id}"), "Remove…").trigger()
    ask = wait(lambda: there.window.automating.editing.dialog)
    next(each for each in ask.buttons() if each.text() == "Remove").click()
    wait(lambda: not routines.list())


def test_a_reminder_that_rings_is_counted_and_can_be_done_or_put_off(desk: Open) -> None:
    there = desk()
    reminders = there.application.assembly.automation.reminders
    store = there.application.assembly.store
    first, second = reminders.add("Stretch", "in 1 hour"), reminders.add("Tea", "in 2 hours")
    for one in (first, second):
        store.update_reminder(one.id, rang=time.time(), due=None)
    panel = shown(there)
    wait(lambda: there.window.automating.agenda.ringing == 2)
    assert "Routines 2" in [there.find("sideTabs").tabText(n) for n in range(3)]
    QTest.mouseClick(there.find("doneButton", there.find(f"reminder-{first.id}")), Qt.MouseButton.LeftButton)
    wait(lambda: reminders.list() and all(one.id != first.id for one in reminders.list()))
    wait(lambda: there.window.automating.agenda.ringing == 1)
    card = there.find(f"reminder-{second.id}", panel)
    QTest.mouseClick(there.find("snooze10Button", card), Qt.MouseButton.LeftButton)
    put_off = wait(lambda: (one := reminders.find("Tea")).due and one)
    assert put_off.rang is None and 500 < put_off.due - time.time() <= 600


def test_what_can_be_done_with_a_ringing_reminder_begins_below_its_words(desk: Open) -> None:
    there = desk()
    reminders = there.application.assembly.automation.reminders
    one = reminders.add("Tea", "in 1 hour")
    there.application.assembly.store.update_reminder(one.id, rang=time.time(), due=None)
    shown(there)
    wait(lambda: there.window.automating.agenda.ringing == 1)
    card = there.find(f"reminder-{one.id}")
    done = there.find("doneButton", card)
    since = next(each for each in card.findChildren(QLabel) if each.text().startswith("since"))
    wait(done.isVisible)
    wait(lambda: done.x() + INSET == since.x(), what="the words of Done below the words above")
    assert done.parentWidget() is card, "nothing cuts it at the left"


def test_the_tray_says_what_is_next_and_pauses_everything(desk: Open, tmp_path: Path) -> None:
    there = desk()
    found = make(there, "Morning briefing")
    automation = there.application.assembly.automation
    seen = tmp_path / "seen.txt"
    seen.write_text("1")
    watch, _ = automation.watches.add(automation.watches.draft(path=str(seen), every="60s"), Cancel())
    paused = automation.routines.add("Old", "Look", "every day at 5", cwd=str(there.folder))[0]
    automation.routines.pause(paused.id)
    tray = there.application.tray
    wait(lambda: "Morning briefing" in menu_texts(tray))
    next(each for each in tray.menu.actions() if each.text().startswith("Pause all")).trigger()
    wait(lambda: automation.routines.find(found.id).paused and automation.watches.find(watch.id).paused)
    wait(lambda: there.window.automating.agenda.paused)
    next(each for each in tray.menu.actions() if each.text().startswith("Pause all")).trigger()
    wait(lambda: not automation.routines.find(found.id).paused and not automation.watches.find(watch.id).paused)
    assert automation.routines.find(paused.id).paused, "what was paused before stays so"


def test_without_a_tray_a_window_with_something_due_is_made_small_and_says_so(desk: Open) -> None:
    there = desk()
    make(there, "Morning briefing")
    assert not there.application.tray.there
    wait(lambda: there.window.automating.agenda.next)
    there.window.close()
    wait(there.window.isMinimized)
    assert not there.application.closed and "no tray" in there.find("noticeBar").text()
    there.window.close()
    wait(lambda: there.application.closed)


class Ears:
    """Hears what the voice says, or that it can't."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def sounding(self, text: str, levels: object, seconds: float) -> None:
        self.heard.append(text)

    def silent(self, finished: bool) -> None: ...

    def failed(self, problem: Exception) -> None:
        self.heard.append(str(problem))


def test_a_reminder_is_spoken_where_answers_always_are(desk: Open) -> None:
    there = desk()
    assembly = there.application.assembly
    ears = Ears()
    assembly.voice.speaker.listen(ears)
    there.application.tell(Note("Tea", "", "reminder/1"))
    assert not assembly.voice.speaker.is_speaking and not ears.heard
    assembly.settings.set("voice.answers", "always")
    there.application.tell(Note("Tea", "", "reminder/1"))
    wait(lambda: ears.heard, 20, "it is said, or said that no loudspeaker is there")


def menu_texts(tray: Tray) -> str:
    return "\n".join(each.text() for each in tray.menu.actions())


def test_the_badge_shows_that_something_is_due(qt: QApplication) -> None:
    tray = Tray()
    tray.show_due("Tea, today 17:00", 0, False)
    assert "Next: Tea, today 17:00" in menu_texts(tray)
    tray.show_due("", 2, False)
    assert "2 due now" in menu_texts(tray)
    tray.close()


def test_times_are_said_as_people_say_them() -> None:
    now = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)

    def said(*parts: int) -> str:
        return soon(datetime(*parts, tzinfo=UTC).timestamp(), now.timestamp(), UTC)  # type: ignore[misc, arg-type]

    assert said(2026, 3, 2, 14, 20) == "today 14:20"
    assert said(2026, 3, 3, 8, 0) == "tomorrow 08:00"
    assert said(2026, 3, 1, 8, 0) == "yesterday 08:00"
    assert said(2026, 3, 6, 9, 30) == "Fri 09:30"
    assert said(2026, 3, 20, 9, 30) == "20 Mar 09:30"
    assert said(2027, 3, 20, 9, 30) == "20 Mar 2027"


def owner_told(there: Desk, of: int) -> bool:
    """Whether the tab says that the daemon with this number runs what is due."""
    return f"Run by another process (daemon, {of})." in words(there.find("routinesPanel"))


def test_run_here_takes_over_from_a_daemon_which_notices_and_can_take_it_back(desk: Open) -> None:
    """Two real processes in one home: each always says who of them runs what is due."""
    with daemon() as (first, said):
        wait(lambda: has(said, "Running what is due"), 30)
        there = desk()
        automation = there.application.assembly.automation
        panel = shown(there)
        wait(lambda: owner_told(there, first.pid))
        wait(lambda: "What happens by itself" in words(panel), what="what the tab is for, said also then")
        assert not automation.running
        there.click("takeOverButton")
        assert "Asked…" in {each.text() for each in panel.findChildren(QPushButton)}
        wait(lambda: automation.running, 40)
        wait(lambda: "Run by" not in words(panel), 20)
        wait(lambda: has(said, "waiting"), 40)
        assert first.poll() is None, "it waits for its turn"
        with daemon("--takeover") as (second, takes):
            wait(lambda: has(takes, "Running what is due"), 40)
            wait(lambda: owner_told(there, second.pid), 20)
            wait(lambda: not automation.running, 40)


def test_a_window_goes_on_by_itself_when_the_daemon_that_had_it_is_killed(
    desk: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "TICK", 1.0)
    with daemon() as (first, said):
        wait(lambda: has(said, "Running what is due"), 30)
        there = desk()
        panel = shown(there)
        wait(lambda: owner_told(there, first.pid))
        first.kill()
        first.wait()
        wait(lambda: "Run by" not in words(panel), 20)
        wait(lambda: there.application.assembly.automation.running, 60)
