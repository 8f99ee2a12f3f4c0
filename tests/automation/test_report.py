"""What a notification says of a routine's run."""

from __future__ import annotations

import pytest

from ankita_desktop.automation.notify import LONGEST, short
from ankita_desktop.automation.report import headline

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
