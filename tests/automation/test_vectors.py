"""Recorded results of croniter's and cronsim's own tests: where ours differs, it is on purpose, and listed here.

An expression runs as it would for a person: read from text, refused when it can't be kept, its next times compared
(results of a search backwards are walked forwards). Whatever isn't listed agrees, both libraries' tests of clock
changes included.
"""

from __future__ import annotations

import pytest

from tests.automation.vectors import difference, vectors

FIELDS = "six and seven fields (seconds, years) are refused: there are dialects with seconds first and last"
DIFFERENT = {
    "the library was asked for other rules: day_or=False, expand_from_start_time, max_years_between_matches": {
        "croniter": (
            *(32, 33, 34, 35, 37, 42, 43, 44, 45, 46, 47, 49, 51, 52),
            *(70, 71, 122, 123, 135, 136, 240, 264, 265, 269),
        )
    },
    "what is taken there and never fires is refused here at once": {"croniter": (63, 124, 167, 171, 172, 173)},
    "the recording has only some of the results, or one that isn't after its start": {"croniter": (31, 144, 145)},
    "a step that leaves the field is refused, since */100 isn't every 100": {
        "cronsim": (243, 244, 293, 294, 351, 364, 400, 401)
    },
    "a day field that starts with * counts as unrestricted there; here either of two day fields is enough": {
        "cronsim": (242, 291, 292, 349, 350, 398, 399)
    },
    "MONL is translated to L1, which means the same": {"cronsim": (167,)},
    "'* 1-6' is repeated there in autumn for the * in its minutes; here the hour decides, and it is fixed": {
        "cronsim": (199,)
    },
}
LISTED = {
    f"{lib}:{number}" for lines in DIFFERENT.values() for lib, numbers in lines.items() for number in numbers
}


@pytest.fixture(scope="module")
def outcomes() -> list[tuple[str, str, str]]:
    """Line, expression and difference of each vector."""
    return [(vector["line"], vector["expr"], difference(vector)) for vector in vectors()]


def test_every_vector_of_five_fields_agrees_but_those_listed(outcomes: list[tuple[str, str, str]]) -> None:
    assert {line for line, expr, found in outcomes if found and len(expr.split()) == 5} == LISTED


def test_what_has_seconds_or_years_is_refused_whatever_else_it_says(outcomes: list[tuple[str, str, str]]) -> None:
    longer = [(line, found) for line, expr, found in outcomes if len(expr.split()) != 5]
    assert [line for line, found in longer if found not in ("", "refused")] == [], FIELDS
    assert len([line for line, found in longer if found]) == 78


def test_most_vectors_agree(outcomes: list[tuple[str, str, str]]) -> None:
    """685 vectors: 557 agree, 78 have other fields than five, 50 are listed."""
    assert (len(outcomes), len(LISTED), sum(not found for *_, found in outcomes)) == (685, 50, 557)
