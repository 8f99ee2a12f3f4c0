"""What and when in one line, in either order."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from ankita_desktop.automation.apart import apart
from ankita_desktop.errors import UsageError

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=ZONE).timestamp()


@pytest.mark.parametrize(
    ("line", "text", "when"),
    [
        ("in 20 minutes to stretch", "stretch", "in 20 minutes"),
        ("stretch in 20 minutes", "stretch", "in 20 minutes"),
        ("call mum tomorrow at 9", "call mum", "tomorrow at 9"),
        ("on 3 March at 14:00 that the lease ends", "the lease ends", "on 3 March at 14:00"),
        ("tomorrow 9am about the garage", "the garage", "tomorrow 9am"),
        ("pay rent a week from monday at 9", "pay rent", "a week from monday at 9"),
        ("pay rent at the end of every month", "pay rent", "at the end of every month"),
        ("buy milk", "buy milk", ""),
        ("pay the invoice of 12 March 2024", "pay the invoice of 12 March 2024", ""),
        ("read the notes of yesterday", "read the notes of yesterday", ""),
        ("write about yesterday's meeting", "write about yesterday's meeting", ""),
        ('"finish what I began last week"', "finish what I began last week", ""),
        ("call Sunny", "call Sunny", ""),
        ("check monthy report", "check monthy report", ""),
        ("", "", ""),
    ],
)
def test_a_time_at_either_end_of_a_line_is_taken_from_its_words(line: str, text: str, when: str) -> None:
    assert apart(line, NOW, ZONE) == (text, when)


def test_a_line_that_is_a_time_alone_keeps_its_words() -> None:
    assert apart("tomorrow", NOW, ZONE)[0]


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("yesterday at 9 x", "yesterday at 9"),
        ("yesterday at 9 to call mum", "yesterday at 9"),
        ("call mum yesterday at 9", "yesterday at 9"),
        ("call mum yesterday", "yesterday"),
        ("call mum the day before yesterday at noon", "the day before yesterday at noon"),
        ("this morning call mum", "this morning"),
        ("call mum today at 8am", "today at 8am"),
        ("call mum 3 hours ago", "3 hours ago"),
        ("half an hour ago to call mum", "half an hour ago"),
        ("2 days ago at 9 call mum", "2 days ago at 9"),
        ("call mum last friday at 9", "last friday at 9"),
        ("last night to call mum", "last night"),
        ("call mum last week", "last week"),
        ("dentist on 3 March 2020", "on 3 March 2020"),
        ("2020-01-01T09:00 dentist", "2020-01-01T09:00"),
    ],
)
def test_a_time_that_has_passed_is_refused_and_never_put_on_the_list(line: str, when: str) -> None:
    with pytest.raises(UsageError) as caught:
        apart(line, NOW, ZONE)
    said = str(caught.value)
    assert said.startswith(f'"{when}"')
    assert "has passed" in said and "Write for example" in said and "in quotes" in said


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("call mum tomorow at 9", "tomorrow at 9"),
        ("evry weekday at 9 standup", "every weekday at 9"),
        ("stretch in 20 minuets", "in 20 minutes"),
    ],
)
def test_a_misspelt_time_is_asked_about_and_never_put_on_the_list(line: str, meant: str) -> None:
    """Else "call mum tomorow at 9" would ring today at 9, or never."""
    with pytest.raises(UsageError, match=f"Did you mean “{meant}”"):
        apart(line, NOW, ZONE)
