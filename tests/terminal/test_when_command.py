"""Promises on `ankita when`: a script can ask what a text means."""

from __future__ import annotations

import json

import pytest

from tests.terminal.shell import ankita, inside

AT = ("--tz", "Europe/Berlin", "--from", "2026-11-30T10:15")


def test_a_text_is_answered_with_its_kind_cron_and_next_times_as_clocks_show_them() -> None:
    done = ankita("when", "every weekday at 8", *AT, "--count", "2", "--json")
    assert done.code == 0
    assert done.json == {
        "text": "every weekday at 8",
        "kind": "cron",
        "cron": "0 8 * * 1-5",
        "next": ["2026-12-01T08:00:00+01:00", "2026-12-02T08:00:00+01:00"],
        "tz": "Europe/Berlin",
        "words": "every weekday at 08:00",
        "note": "",
    }


def test_words_need_no_quotes() -> None:
    assert inside("when", "in", "20", "minutes", *AT, "--json").json["next"] == ["2026-11-30T10:35:00+01:00"]


def test_a_text_that_cannot_be_read_ends_with_two_and_examples() -> None:
    done = inside("when", "banana", "--json")
    assert done.code == 2
    assert set(json.loads(done.out)) == {"error", "examples"}
    assert "in 20 minutes" in done.json["examples"]


def test_a_start_with_an_offset_is_that_instant() -> None:
    done = inside(
        "when", "every 90m", "--tz", "Asia/Tokyo", "--from", "2026-11-30T00:00Z", "--count", "1", "--json"
    )
    assert done.json["next"] == ["2026-11-30T10:30:00+09:00"]


def test_a_time_is_shown_on_both_sides_of_a_clock_change() -> None:
    done = inside(
        "when", "30 2 * * *", "--tz", "Europe/Berlin", "--from", "2026-10-24T12:00", "--count", "2", "--json"
    )
    assert done.json["next"] == ["2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("when", "daily 8:00", "--tz", "Europe/Berln"), "Did you mean Europe/Berlin?"),
        (("when", "daily 8:00", "--from", "someday"), "Write it as 2026-11-30T09:00"),
        (("when", "daily 8:00", "--count", "0"), "--count goes from 1"),
        (("when",), "--help"),
    ],
)
def test_a_wrong_option_is_told_with_what_to_write(words: tuple[str, ...], reason: str) -> None:
    done = inside(*words, "--json")
    assert done.code == 2
    assert reason in done.json["error"]


def test_a_person_reads_what_was_understood_and_when() -> None:
    done = inside("when", "at 5", *AT)
    assert "Once, on Monday 30 November 2026 at 17:00" in done.out
    assert '"at 5" was read as 17:00 today.' in done.out
    assert "Mon 2026-11-30 17:00 +0100" in done.out
