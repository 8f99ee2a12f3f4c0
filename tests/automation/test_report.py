"""What a notification says of a routine's run."""

from __future__ import annotations

import pytest

from ankita_desktop.automation.notify import LONGEST, short
from ankita_desktop.automation.report import headline, lasted, outcome
from ankita_desktop.toolkit.automation import Run

LIST = "\n".join(f"- The parcel number {number} is on its way to the workshop." for number in range(20))


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("It rains.", "It rains."),
        (
            "Two mails wait.\n\n- from the bank\n- from the school",
            "Two mails wait. - from the bank - from the school",
        ),
        (f"All parcels are on their way.\n\n{LIST}", "All parcels are on their way."),
        (f"All parcels are on their way.\n{LIST}", "All parcels are on their way."),
        (f"# Parcels\n\n**None is late.** One was damaged!\n\n{LIST}", "None is late. One was damaged!"),
        (
            f"The rate is 3.5 today. {'It was higher in spring. ' * 12}",
            "The rate is 3.5 today." + " It was higher in spring." * 8,
        ),
        (f"全部の荷物が届きました。\n\n{LIST}", "全部の荷物が届きました。"),
    ],
)
def test_a_long_answer_is_told_by_its_first_sentences_and_a_short_one_whole(answer: str, told: str) -> None:
    assert short(headline(answer)) == told


@pytest.mark.parametrize("answer", [LIST, "word " * 200, "x" * 1000, f"Here they are:\n{LIST}"])
def test_an_answer_without_such_a_sentence_is_cut(answer: str) -> None:
    told = short(headline(answer))
    assert len(told) == LONGEST and told.endswith("…")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "under a second"),
        (0.2, "under a second"),
        (-3.0, "under a second"),
        (1.4, "1 s"),
        (59.0, "59 s"),
        (59.9, "1 min"),
        (600.0, "10 min"),
        (3600.0, "1 h"),
        (7500.0, "2 h 5 min"),
    ],
)
def test_how_long_a_run_took_is_said_as_people_do(seconds: float, words: str) -> None:
    assert lasted(seconds) == words


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, ["done", "2 s"]),
        ({"cost": 0.0}, ["done", "2 s"]),
        ({"tokens": 12_300}, ["done", "2 s", "12,300 tokens"]),
        ({"tokens": 9, "cost": 0.00002}, ["done", "2 s", "9 tokens", "under 0.0001 USD"]),
        ({"tokens": 900, "cost": 0.0312}, ["done", "2 s", "900 tokens", "0.0312 USD"]),
        ({"status": "denied"}, ["parts were not allowed", "2 s"]),
        ({"status": "missed"}, ["missed"]),
        ({"status": "running", "ended": None}, ["running"]),
    ],
)
def test_a_run_says_what_it_took_and_no_cost_where_there_is_none(
    fields: dict[str, object], words: list[str]
) -> None:
    run = {"status": "done", "ended": 12.0, **fields}
    assert outcome(Run("r", "x", None, 10.0, "1 test", **run)) == words  # type: ignore[arg-type]
