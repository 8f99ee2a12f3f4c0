"""What and when in one line, in either order."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from ankita_desktop.automation.apart import apart

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
        ("buy milk", "buy milk", ""),
        ("", "", ""),
    ],
)
def test_a_time_at_either_end_of_a_line_is_taken_from_its_words(line: str, text: str, when: str) -> None:
    assert apart(line, NOW, ZONE) == (text, when)


def test_a_line_that_is_a_time_alone_keeps_its_words() -> None:
    assert apart("tomorrow", NOW, ZONE)[0]
