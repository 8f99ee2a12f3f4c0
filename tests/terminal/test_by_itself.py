"""`/remind` and `/routines` of a conversation in the terminal: no model, and also while an answer is written."""

from __future__ import annotations

from pathlib import Path

from ankita_desktop.terminal.talk import AT_ANY_TIME
from tests.terminal.shell import ankita


def chatted(*lines: str, cwd: Path) -> list[str]:
    done = ankita("chat", "--provider", "offline", "--plain", stdin="\n".join(lines) + "\n", cwd=cwd)
    assert done.code == 0, done.err
    return (done.out + done.err).splitlines()


def said(shown: list[str], begin: str) -> str:
    return next((line for line in shown if line.startswith(begin)), "")


def test_a_reminder_is_made_snoozed_and_ended_by_slash_commands(tmp_path: Path) -> None:
    shown = chatted(
        "/remind",
        "/remind in 20 minutes to stretch",
        "/remind call mum tomorrow at 9",
        "/remind buy milk",
        cwd=tmp_path,
    )
    assert said(shown, "No reminders")
    assert "Rings" in said(shown, "stretch:") and "09:00" in said(shown, "call mum:")
    assert "On your list" in said(shown, "buy milk:")
    shown = chatted("/remind done stretch", "/remind snooze mum", "/remind cancel milk", "/remind", cwd=tmp_path)
    assert said(shown, "stretch:") == "stretch: done."
    assert said(shown, "buy milk:") == "buy milk: cancelled."
    assert "09:00" not in said(shown, "call mum:")
    assert [line.split(":")[0] for line in shown].count("call mum") == 2


def test_a_reminder_for_a_time_that_has_passed_is_refused_with_what_to_write(tmp_path: Path) -> None:
    shown = chatted(
        "/remind yesterday at 9 x",
        "/remind call mum tomorow at 9",
        '/remind "tidy up after yesterday"',
        "/remind",
        cwd=tmp_path,
    )
    refused = said(shown, '"yesterday at 9"')
    assert "has passed" in refused and 'Write for example "tomorrow at 09:00"' in refused
    assert "Did you mean “tomorrow at 9”?" in said(shown, '"tomorow at 9"')
    assert [line for line in shown if line.startswith(("x:", "call mum"))] == []
    assert "On your list" in said(shown, "tidy up after yesterday:")


def test_a_wrong_word_after_the_command_says_what_it_takes(tmp_path: Path) -> None:
    shown = "\n".join(chatted("/remind cancel", "/routines pause", "/routines nosuch", "/remnd", cwd=tmp_path))
    for part in (
        "takes the words of a reminder",
        "takes the name of a routine",
        "no routine 'nosuch'",
        "/remind?",
    ):
        assert part in shown, part


def test_routines_are_listed_paused_and_looked_back_at_by_slash_commands(tmp_path: Path) -> None:
    made = ankita("routines", "add", "brief me", "--name", "brief", "--when", "every weekday at 8")
    assert made.code == 0, made.err
    shown = "\n".join(chatted("/routines", "/routines pause brief", "/routines history brief", cwd=tmp_path))
    assert "brief" in shown and "has not run yet" in shown and "aused" in shown


def test_what_happens_by_itself_can_be_looked_at_while_an_answer_is_written() -> None:
    assert {"remind", "routines"} <= set(AT_ANY_TIME)
