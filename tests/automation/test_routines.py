"""What a routine promises: at its times, at most once each, with what it was allowed and no more."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.errors import ToolError
from ankita_desktop.models.scripted import Step
from ankita_desktop.protocol import Decision, ModelRequest, Usage
from ankita_desktop.toolkit.automation import Allowed, Run
from tests.automation.office import Office, moment, office
from tests.core.house import House, call, house
from tests.tools.calls import until


@contextmanager
def at_work(tmp_path: Path, *steps: Any) -> Iterator[tuple[Office, House]]:
    """An office whose routines are answered by a scripted model."""
    with house(tmp_path, list(steps)) as made:
        yield office(made.store, turns=made.engine), made


def add(desk: Office, folder: Path, when: str = "every day at 9", **fields: Any) -> str:
    (folder / "work").mkdir(exist_ok=True)
    fields = {"cwd": str(folder / "work"), **fields}
    return desk.automation.routines.add("Brief", "brief me", when, **fields)[0].id


def statuses(runs: list[Run]) -> list[str]:
    return [run.status for run in runs]


def test_it_runs_at_its_time_in_a_conversation_of_its_own_and_tells_the_result(tmp_path: Path) -> None:
    with at_work(tmp_path, "Two mails.") as (desk, made):
        routine = add(desk, tmp_path)
        desk.at("2026-03-02 08:59")
        assert desk.runs(routine) == []
        desk.at("2026-03-02 09:00")
        (run,) = desk.ended(routine)
        assert (run.status, run.text, run.slot) == ("done", "Two mails.", moment("2026-03-02 09:00"))
        assert run.session != made.session
        assert [(note.title, note.text) for note in desk.notes] == [("Brief", "Two mails.")]
        said = [m.text for m in made.store.messages(run.session) if m.role == "user" and m.source == "routine"]
        assert said == ["brief me"]
        assert desk.automation.act(f"run/{run.id}", "default") == run.session


def test_the_next_run_begins_anew_and_is_given_the_last_result(tmp_path: Path) -> None:
    seen: list[ModelRequest] = []

    def second(request: ModelRequest) -> str:
        seen.append(request)
        return "One more mail."

    with at_work(tmp_path, "Two mails.", second) as (desk, _made):
        routine = add(desk, tmp_path)
        desk.at("2026-03-02 09:00")
        desk.ended(routine)
        desk.at("2026-03-03 09:00")
        first, last = desk.ended(routine, 2)
        assert first.session == last.session
        texts = [message.text for message in seen[0].messages]
        assert any("nobody is watching" in text and "Two mails." in text for text in texts)
        assert not any(message.role == "assistant" for message in seen[0].messages)
        assert [run.message != "" for run in (first, last)] == [True, True]


def test_an_earlier_run_can_be_read_again_with_what_was_said_after_it(tmp_path: Path) -> None:
    with at_work(tmp_path, "Two mails.", "From the bank.", "One more mail.", "Three mails.") as (desk, made):
        routine = add(desk, tmp_path)

        def said(run: Run) -> list[str]:
            assert desk.automation.act(f"run/{run.id}", "default") == run.session
            return [m.text for m in made.store.messages(run.session) if m.role == "assistant"]

        desk.at("2026-03-02 09:00")
        (first,) = desk.ended(routine)
        until(lambda: not made.store.leased_by(first.session))
        assert made.ended(made.engine.submit(first.session, "from whom?")).text == "From the bank."
        until(lambda: not made.store.leased_by(first.session))
        desk.at("2026-03-03 09:00")
        second = desk.ended(routine, 2)[1]
        until(lambda: not made.store.leased_by(first.session))
        assert said(second) == ["One more mail."]
        assert said(first) == ["Two mails.", "From the bank."]
        assert said(second) == ["One more mail."]
        other = in_use(made, first.session)
        assert said(first) == ["One more mail."], "what goes on in it is not taken away from under it"
        made.store.release(first.session, other)
        assert said(first) == ["Two mails.", "From the bank."]
        desk.at("2026-03-04 09:00")
        assert said(desk.ended(routine, 3)[2]) == ["Three mails."]


def test_a_result_with_nothing_new_is_kept_and_not_told(tmp_path: Path) -> None:
    with at_work(tmp_path, "Nothing new.") as (desk, _):
        routine = add(desk, tmp_path)
        desk.at("2026-03-02 09:00")
        assert statuses(desk.ended(routine)) == ["done"]
        assert desk.notes == []


def test_what_it_was_allowed_runs_unasked(tmp_path: Path) -> None:
    with at_work(tmp_path, call("carve", text="a"), "Carved.") as (desk, _made):
        routine = add(desk, tmp_path, allowed=(Allowed("carve", "carving"),))
        desk.at("2026-03-02 09:00")
        assert statuses(desk.ended(routine)) == ["done"]
        assert (tmp_path / "work" / "stone.txt").read_text() == "a"


def test_what_it_was_not_allowed_is_asked_and_denied_after_its_time_and_the_report_says_so(tmp_path: Path) -> None:
    with at_work(tmp_path, call("carve", text="a"), "I could not carve.") as (desk, made):
        desk.wishes.answer_minutes = 0.002  # type: ignore[assignment]
        routine = add(desk, tmp_path)
        desk.at("2026-03-02 09:00")
        (run,) = desk.ended(routine)
        assert (run.status, run.undone) == ("denied", ("carve a (nobody answered)",))
        assert not (tmp_path / "work" / "stone.txt").exists()
        assert desk.notes[0].text.startswith("Not done: carve a (nobody answered).")
        (asked,) = made.store.approvals(session=run.session, outcome=None)
        assert asked[1] == "expired"
        (result,) = [m for m in made.store.messages(run.session) if m.role == "tool"]
        assert "nobody answered in time" in result.text


def test_an_answer_in_time_counts(tmp_path: Path) -> None:
    with at_work(tmp_path, call("carve", text="a"), "Carved.") as (desk, made):
        routine = add(desk, tmp_path)
        desk.at("2026-03-02 09:00")
        asked = made.asked()
        assert asked.request.expires is not None
        assert made.engine.answer(asked.request.id, Decision(True))
        assert statuses(desk.ended(routine)) == ["done"]


def test_a_paused_one_does_not_run_an_edit_does_not_wake_it_and_resuming_makes_nothing_up(tmp_path: Path) -> None:
    with at_work(tmp_path, "ran") as (desk, _):
        routine = add(desk, tmp_path)
        desk.automation.routines.pause(routine)
        changed = desk.automation.routines.update(routine, when="every day at 10", prompt="brief me well")
        assert changed.paused
        desk.at("2026-03-02 09:00")
        desk.at("2026-03-02 10:00")
        desk.time.wait(60)
        desk.automation.routines.pause(routine, False)
        desk.tick()
        assert desk.runs(routine) == []
        desk.at("2026-03-03 10:00")
        assert statuses(desk.ended(routine)) == ["done"]


def test_the_same_request_twice_makes_one(desk: Office, tmp_path: Path) -> None:
    first, made = desk.automation.routines.add("Brief", "brief me", "every day at 9", cwd=str(tmp_path))
    again, made_again = desk.automation.routines.add("Other name", "Brief me ", "daily at 9", cwd=str(tmp_path))
    assert (made, made_again, again.id) == (True, False, first.id)
    with pytest.raises(ToolError, match="called 'brief' already"):
        desk.automation.routines.add("brief", "something else", "every day at 9", cwd=str(tmp_path))


def test_more_than_once_a_minute_is_refused(desk: Office, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"once a minute.*watch"):
        desk.automation.routines.add("x", "do it", "every 30 seconds", cwd=str(tmp_path))


# --- late -----------------------------------------------------------------------------------


def test_ten_hours_of_sleep_are_one_late_run_of_what_is_within_its_grace(tmp_path: Path) -> None:
    with at_work(tmp_path, "ran") as (desk, _):
        routine = add(desk, tmp_path, "hourly", late="once")
        desk.tick()
        desk.time.sleep(10 * 3600 + 600)
        desk.tick()
        runs = desk.ended(routine, 2)
        assert sorted(statuses(runs)) == ["done", "missed"]
        assert next(run for run in runs if run.status == "done").slot == moment("2026-03-02 17:00")
        assert "9 times" in next(run for run in runs if run.status == "missed").reason


def test_what_is_too_late_is_skipped_and_told(tmp_path: Path) -> None:
    with at_work(tmp_path) as (desk, _):
        routine = add(desk, tmp_path, late="once", grace=1800)
        desk.tick()
        desk.time.sleep(2 * 3600 + 1801)
        desk.tick()
        assert statuses(desk.runs(routine)) == ["missed"]
        assert desk.titles() == ["Brief"]
        assert "Missed Mon 2 Mar 2026 09:00" in desk.notes[0].text


def test_skip_never_runs_late(tmp_path: Path) -> None:
    with at_work(tmp_path) as (desk, _):
        routine = add(desk, tmp_path, late="skip")
        desk.tick()
        desk.time.sleep(2 * 3600 + 300)
        desk.tick()
        assert statuses(desk.runs(routine)) == ["missed"]


def test_all_makes_up_for_ten_at_most_one_after_the_other(tmp_path: Path) -> None:
    with at_work(tmp_path, *["ran"] * 12) as (desk, _):
        routine = add(desk, tmp_path, "hourly", late="all")
        desk.tick()
        desk.time.sleep(14 * 3600 + 120)
        for count in range(1, 11):
            desk.tick()
            desk.ended(routine, count)
        desk.tick()
        slots = [run.slot for run in desk.runs(routine)]
        assert slots == [moment("2026-03-02 12:00") + 3600 * n for n in range(10)]


def test_what_comes_due_while_it_runs_waits_and_is_no_second_run_beside_it(tmp_path: Path) -> None:
    with at_work(tmp_path, call("carve", text="a"), "first", "second") as (desk, made):
        routine = add(desk, tmp_path, "every hour from 9 to 20", limit=7200.0)
        desk.at("2026-03-02 09:00")
        made.asked()
        desk.at("2026-03-02 10:00")
        assert statuses(desk.runs(routine)) == ["running"]
        made.engine.answer(made.asked().request.id, Decision(True))
        until(lambda: not made.engine.is_running(desk.runs(routine)[0].session))
        until(lambda: statuses(desk.runs(routine)) == ["done"])
        desk.tick()
        assert statuses(desk.ended(routine, 2)) == ["done", "done"]


# --- its conversation is in use -------------------------------------------------------------


def in_use(made: House, session: str) -> str:
    """Another live process has the conversation."""
    other = f"{os.getppid()} terminal"
    made.store.lease(session, other, 1e9)
    return other


def has_run(desk: Office, folder: Path, **fields: Any) -> tuple[str, str]:
    """A routine, and the conversation of its first run."""
    routine = add(desk, folder, **fields)
    desk.at("2026-03-02 09:00")
    return routine, desk.ended(routine)[-1].session


def test_one_due_while_somebody_talks_in_its_conversation_elsewhere_waits_and_then_runs(tmp_path: Path) -> None:
    with at_work(tmp_path, "first", "second") as (desk, made):
        routine, session = has_run(desk, tmp_path)
        before = [message.text for message in made.store.messages(session)]
        other = in_use(made, session)
        desk.at("2026-03-03 09:00")
        desk.at("2026-03-03 09:20")
        assert statuses(desk.runs(routine)) == ["done"]
        assert [message.text for message in made.store.messages(session)] == before, "their talk stays as it is"
        made.store.release(session, other)
        desk.tick()
        late = desk.ended(routine, 2)[1]
        assert (late.status, late.text, late.slot) == ("done", "second", moment("2026-03-03 09:00"))


def test_one_that_waited_too_long_is_told_as_missed_and_by_whom_it_was_held(tmp_path: Path) -> None:
    with at_work(tmp_path, "first", "second") as (desk, made):
        routine, session = has_run(desk, tmp_path, grace=1800.0)
        other = in_use(made, session)
        desk.at("2026-03-03 09:00")
        desk.at("2026-03-03 09:31")
        missed = desk.runs(routine)[1]
        assert (missed.status, missed.slot) == ("missed", moment("2026-03-03 09:00"))
        assert f"in use by another terminal (process {os.getppid()})" in desk.notes[-1].text
        made.store.release(session, other)
        desk.at("2026-03-04 09:00")
        assert statuses(desk.ended(routine, 3)) == ["done", "missed", "done"]


def test_times_that_skip_what_is_late_wait_no_longer_than_being_on_time(tmp_path: Path) -> None:
    with at_work(tmp_path, "first") as (desk, made):
        routine, session = has_run(desk, tmp_path, late="skip")
        in_use(made, session)
        desk.at("2026-03-03 09:00")
        desk.at("2026-03-03 09:02")
        assert statuses(desk.runs(routine)) == ["done", "missed"]


def test_all_that_are_to_be_made_up_for_wait_however_long_it_takes(tmp_path: Path) -> None:
    with at_work(tmp_path, *["ran"] * 3) as (desk, made):
        routine, session = has_run(desk, tmp_path, late="all")
        other = in_use(made, session)
        desk.at("2026-03-03 09:00")
        desk.at("2026-03-04 20:00")
        assert statuses(desk.runs(routine)) == ["done"]
        made.store.release(session, other)
        for count in (2, 3):
            desk.tick()
            desk.ended(routine, count)
        assert [run.slot for run in desk.runs(routine)] == [moment(f"2026-03-0{day} 09:00") for day in (2, 3, 4)]


def test_an_hourly_one_held_for_hours_runs_its_last_time_only(tmp_path: Path) -> None:
    with at_work(tmp_path, "first", "second") as (desk, made):
        routine, session = has_run(desk, tmp_path, when="hourly")
        other = in_use(made, session)
        for hour in (10, 11, 12):
            desk.at(f"2026-03-02 {hour}:00")
        made.store.release(session, other)
        desk.at("2026-03-02 12:10")
        runs = desk.ended(routine, 4)
        ran = [run.slot for run in runs if run.status == "done"]
        assert ran == [moment("2026-03-02 09:00"), moment("2026-03-02 12:00")]
        reasons = [run.reason for run in runs if run.status == "missed"]
        assert len(reasons) == 2, "what it waited through is one line of the history"
        assert reasons[1].startswith("Missed 2 times up to Mon 2 Mar 2026 11:00: its conversation was in use by")


def test_talk_in_this_process_holds_it_just_so(tmp_path: Path) -> None:
    with at_work(tmp_path, "first", call("carve", text="a"), "carved", "second") as (desk, made):
        routine, session = has_run(desk, tmp_path)
        made.engine.submit(session, "carve something")
        asked = made.asked()
        desk.at("2026-03-03 09:00")
        assert statuses(desk.runs(routine)) == ["done"]
        made.engine.answer(asked.request.id, Decision(True))
        until(lambda: not made.engine.is_running(session))
        desk.tick()
        assert desk.ended(routine, 2)[1].text == "second"


def test_run_now_waits_too_and_says_so_when_it_came_to_nothing(tmp_path: Path) -> None:
    with at_work(tmp_path, "first") as (desk, made):
        routine, session = has_run(desk, tmp_path)
        in_use(made, session)
        desk.automation.routines.want(routine)
        desk.tick()
        assert statuses(desk.runs(routine)) == ["done"]
        desk.time.wait(1801)
        desk.tick()
        assert statuses(desk.runs(routine)) == ["done", "missed"]
        assert desk.notes[-1].text.startswith("Not run: its conversation was in use by another terminal")
        desk.time.wait(60)
        desk.tick()
        assert len(desk.runs(routine)) == 2


# --- its project ----------------------------------------------------------------------------


def seen_by(requests: list[ModelRequest], answer: str) -> Any:
    def step(request: ModelRequest) -> str:
        requests.append(request)
        return answer

    return step


def test_every_run_knows_its_project_as_a_chat_that_uses_it_does(tmp_path: Path) -> None:
    seen: list[ModelRequest] = []
    with at_work(tmp_path, *(seen_by(seen, each) for each in ("1", "2", "3"))) as (desk, made):
        project = made.store.add_project("Bakery", about="Bread and its website.")
        made.store.add_note(project.id, "decision", "Rye on Mondays")
        made.store.use_project(made.session, project.id)
        made.say("hello")
        routine = add(desk, tmp_path, project="bakery")
        for count, day in enumerate((2, 3), 1):
            desk.at(f"2026-03-0{day} 09:00")
            desk.ended(routine, count)
        chat, *runs = seen
        block = chat.system[chat.system.index("Project in use: Bakery") :].split("\n\n")[0]
        assert "Rye on Mondays" in block
        assert all(block in run.system for run in runs), "it stands where it stands in a chat"


def test_a_project_can_be_changed_taken_away_and_lost(tmp_path: Path) -> None:
    seen: list[ModelRequest] = []
    with at_work(tmp_path, *(seen_by(seen, each) for each in ("1", "2"))) as (desk, made):
        bakery, garden = made.store.add_project("Bakery"), made.store.add_project("Garden")
        routine = add(desk, tmp_path, project=bakery.id)
        desk.automation.routines.update(routine, project="garden")
        desk.at("2026-03-02 09:00")
        desk.ended(routine)
        assert "Project in use: Garden" in seen[0].system
        desk.automation.routines.update(routine, project="")
        desk.at("2026-03-03 09:00")
        desk.ended(routine, 2)
        assert "Project in use" not in seen[1].system
        desk.automation.routines.update(routine, project=garden.name)
        made.store.forget_project(garden.id)
        desk.at("2026-03-04 09:00")
        lost = desk.ended(routine, 3)[2]
        assert (lost.status, lost.reason) == (
            "error",
            "Its project is not there any more: choose another, or none.",
        )


def test_a_project_nobody_knows_is_refused_with_those_there_are(desk: Office, tmp_path: Path) -> None:
    desk.store.add_project("Bakery")
    with pytest.raises(ToolError, match=r"no project 'Harbour'\. There are: Bakery"):
        add(desk, tmp_path, project="Harbour")


def test_a_run_that_went_wrong_leaves_its_conversation_unread_too(tmp_path: Path) -> None:
    with at_work(tmp_path, "first") as (desk, made):
        routine, session = has_run(desk, tmp_path)
        made.store.update_session(session, unread=False)
        dead = Run("r1", routine, moment("2026-03-03 09:00"), desk.time.now, "999999999 daemon", session=session)
        desk.store.claim_run(dead, then=moment("2026-03-04 09:00"))
        assert desk.runner
        desk.runner.begin()
        assert made.store.session(session).unread


def test_summary_of_a_burst_counts_routines_and_reminders(tmp_path: Path) -> None:
    with at_work(tmp_path) as (desk, _):
        add(desk, tmp_path, late="skip")
        desk.automation.reminders.add("stretch", "at 10:00")
        desk.tick()
        desk.time.sleep(12 * 3600)
        desk.tick()
        assert desk.titles() == ["While you were away: 1 reminder, 1 routine"]


# --- bounds ---------------------------------------------------------------------------------


def test_a_day_s_runs_are_bounded_and_tomorrow_counts_anew(tmp_path: Path) -> None:
    with at_work(tmp_path, "1", "2", "3") as (desk, _):
        routine = add(desk, tmp_path, "hourly", runs=2)
        for hour in ("08", "09", "10", "11"):
            desk.at(f"2026-03-02 {hour}:00")
            desk.ended(routine)
        assert statuses(desk.runs(routine)) == ["done", "done", "missed", "missed"]
        assert sum("2 runs for today" in note.text for note in desk.notes) == 1
        desk.at("2026-03-03 00:00")
        assert statuses(desk.ended(routine))[-1] == "done"


def test_a_day_s_tokens_stop_the_run_that_uses_them_up(tmp_path: Path) -> None:
    with at_work(tmp_path, spending(900), spending(900), "never said") as (desk, _):
        routine = add(desk, tmp_path, tokens=1000)
        desk.at("2026-03-02 09:00")
        (run,) = desk.ended(routine)
        assert run.status == "limit"
        assert "1,000 tokens for today" in run.reason
        assert run.tokens >= 1800


def spending(tokens: int) -> Step:
    from ankita_desktop.models.scripted import step_of

    return Step(calls=step_of(call("peek", text=str(tokens))).calls, usage=Usage(tokens, 0, 0))


def test_a_run_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    with at_work(tmp_path, call("deaf"), "late") as (desk, _made):
        routine = add(desk, tmp_path, limit=600.0)
        desk.at("2026-03-02 09:00")
        desk.time.wait(601)
        desk.tick()
        (run,) = desk.ended(routine)
        assert (run.status, run.reason) == ("limit", "Stopped after 10 minutes, its time limit.")


def test_a_missing_folder_is_told_and_nothing_runs(tmp_path: Path) -> None:
    with at_work(tmp_path) as (desk, _):
        routine = add(desk, tmp_path, cwd=str(tmp_path / "gone"))
        desk.at("2026-03-02 09:00")
        (run,) = desk.ended(routine)
        assert run.status == "error"
        assert "gone is not there" in desk.notes[0].text


# --- by hand, and the end -------------------------------------------------------------------


def test_run_now_is_done_by_the_process_that_runs_what_is_due(tmp_path: Path) -> None:
    with at_work(tmp_path, "ran") as (desk, _):
        routine = add(desk, tmp_path)
        with pytest.raises(ToolError, match="ankita daemon"):
            desk.automation.routines.want(routine)
        desk.tick()
        desk.automation.routines.want(routine)
        desk.tick()
        (run,) = desk.ended(routine)
        assert (run.status, run.slot) == ("done", None)
        assert desk.automation.routines.find(routine).due == moment("2026-03-02 09:00")


def test_a_run_whose_process_is_gone_is_reported_and_not_repeated(tmp_path: Path) -> None:
    with at_work(tmp_path) as (desk, _made):
        routine = add(desk, tmp_path)
        dead = Run("r1", routine, moment("2026-03-02 09:00"), moment("2026-03-02 09:00"), "999999999 daemon")
        desk.store.claim_run(dead, then=moment("2026-03-03 09:00"))
        desk.at("2026-03-02 09:01")
        (run,) = desk.runs(routine)
        assert run.status == "interrupted"
        assert "was interrupted" in desk.titles()[0]
        desk.at("2026-03-02 12:00")
        assert len(desk.runs(routine)) == 1


def test_closing_while_it_runs_says_that_it_was_interrupted(tmp_path: Path) -> None:
    with at_work(tmp_path, call("deaf"), "late") as (desk, made):
        routine = add(desk, tmp_path)
        desk.at("2026-03-02 09:00")
        desk.automation.close()
        made.engine.close()
        until(lambda: statuses(desk.runs(routine)) == ["interrupted"])


def test_one_removed_while_it_runs_leaves_nothing_behind(tmp_path: Path) -> None:
    with at_work(tmp_path, call("carve", text="a"), "late") as (desk, made):
        routine = add(desk, tmp_path)
        desk.at("2026-03-02 09:00")
        made.asked()
        assert desk.automation.routines.running(routine)
        desk.automation.routines.remove(routine)
        made.engine.answer(made.asked().request.id, Decision(False))
        until(lambda: not made.engine.is_running(made.asked().request.session))
        desk.tick()
        assert desk.notes == []


def test_a_deleted_conversation_is_made_again_with_its_grants(tmp_path: Path) -> None:
    with at_work(tmp_path, "1", call("carve", text="a"), "2") as (desk, made):
        routine = add(desk, tmp_path, allowed=(Allowed("carve", "carving"),))
        desk.at("2026-03-02 09:00")
        (run,) = desk.ended(routine)
        made.engine.delete_session(run.session)
        desk.at("2026-03-03 09:00")
        assert statuses(desk.ended(routine, 2)) == ["done", "done"]


def test_no_more_than_four_run_at_once(tmp_path: Path) -> None:
    with at_work(tmp_path, *[call("carve", text="a")] * 6) as (desk, made):
        for number in range(6):
            desk.automation.routines.add(
                f"r{number}", f"do {number}", "every day at 9", cwd=str(tmp_path / "work")
            )
        desk.at("2026-03-02 09:00")
        made.asked(4)
        desk.tick()
        assert len(desk.store.open_runs()) == 4


def test_owner_of_a_run_is_this_process(tmp_path: Path) -> None:
    with at_work(tmp_path, "ran") as (desk, _):
        routine = add(desk, tmp_path)
        desk.at("2026-03-02 09:00")
        assert desk.ended(routine)[0].owner == f"{os.getpid()} test"
