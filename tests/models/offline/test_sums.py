"""Sums are worked out, and nothing else is."""

from __future__ import annotations

import pytest

from ankita_desktop.models.offline.sums import SumError, looks_like_sum, work_out

SUMS = [
    ("17 * 23", "391"),
    ("17 times 23", "391"),
    ("2+2", "4"),
    ("(3 + 4) * 5", "35"),
    ("10 / 4", "2.5"),
    ("10 divided by 5", "2"),
    ("7 minus 9", "-2"),
    ("2 ^ 10", "1024"),
    ("2**100", "1,267,650,600,228,229,401,496,703,205,376"),
    ("15% of 80", "12"),
    ("square root of 144", "12"),
    ("9 squared + 1", "82"),
    ("1,000 * 3", "3000"),
    ("0.1 + 0.2", "0.3"),
    ("-4 + 1", "-3"),
    ("17 % 5", "2"),
]


@pytest.mark.parametrize(("said", "result"), SUMS, ids=[row[0] for row in SUMS])
def test_a_sum_is_worked_out(said: str, result: str) -> None:
    assert work_out(said) == result


@pytest.mark.parametrize("said", ["1/0", "9**9**9", "2**99999", "(-8)**0.5", "10.0**400", "1e999"])
def test_a_sum_without_a_sensible_result_says_so(said: str) -> None:
    with pytest.raises(SumError):
        work_out(said)


@pytest.mark.parametrize(
    "said",
    ["42", "hello", "__import__('os')", "a + b", "1 +", "()", "1" * 300 + "+1", "3 apples + 2", "2024-01-02x"],
)
def test_what_is_no_sum_is_not_taken_for_one(said: str) -> None:
    assert not looks_like_sum(said)
