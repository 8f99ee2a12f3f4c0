"""What is written is said as a person would say it."""

from __future__ import annotations

import random

import pytest

from ankita_desktop.voice.sentences import Sentences, sentences
from ankita_desktop.voice.speakable import speakable


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("**Done.** All *three* tests ~~fail~~ pass.", "Done. All three tests fail pass."),
        ("Run `git status` now", "Run git status now"),
        ("See [the manual](https://docs.example.org/a/b?c=d).", "See the manual."),
        ("See https://www.example.org/a/b?c=d#e.", "See a link to example dot org."),
        ("It is 20 °C and 3.5 km away", "It is 20 degrees Celsius and 3.5 kilometres away"),
        ("1 MB of 16 GB", "1 megabyte of 16 gigabytes"),
        ("in 250 ms", "in 250 milliseconds"),
        ("100 km/h", "100 kilometres per hour"),
        ("on 2026-11-30 at 08:05", "on November 30th, 2026 at 8 oh 5 a.m."),
        ("Rings Mon 30 Nov 2026 05:48:18 (Etc/UTC).", "Rings Monday, November 30th, 2026, 5 48 a.m. UTC."),
        ("Sat 2 May, 09:00 (America/New_York)", "Saturday, May 2nd, 9 a.m. New York time"),
        ("from 14:30 to 15:00", "from 2 30 p.m. to 3 p.m."),
        ("$3.50, €1 and £20", "3 dollars 50, 1 euro and 20 pounds"),
        ("50% of 1,234", "50 percent of 1,234"),
        ("pages 5–10", "pages 5 to 10"),
        ("17 * 23 = 391", "17 times 23 equals 391"),
        ("9 **2 = 81", "9 squared equals 81"),
        ("2**10 = 1,024", "2 to the power of 10 equals 1,024"),
        ("4*5 = 20", "4 times 5 equals 20"),
        ("10 / 4 = 2.5", "10 divided by 4 equals 2.5"),
        ("v2.9.1 is out", "version 2 point 9 point 1 is out"),
        ("e.g. this, i.e. that", "for example, this, that is, that"),
        ("I changed /home/me/src/main.py", "I changed main dot py in src"),
        ("open notes.txt", "open notes dot txt"),
        ("Yes! 🎉✅", "Yes!"),
        ("commit 3f2a9c1d4b5e6f708192", "commit a long code"),
        ("a_b and snake_case stay", "a_b and snake_case stay"),
        ("![a cat](cat.png)", "a cat"),
        ("<b>bold</b> &amp; more", "bold and more"),
        ("#12 is fixed", "number 12 is fixed"),
    ],
)
def test_a_piece_of_text_is_said_in_words(written: str, said: str) -> None:
    assert " ".join(speakable(written).replace("_", "_").split()) == said.replace("_", " ").replace("  ", " ")


def test_marks_go_in_other_languages_too_but_words_are_left_alone() -> None:
    assert speakable("**Ja**, 5 km mit `make`", "de") == "Ja, 5 km mit make"


def test_code_is_named_not_read() -> None:
    said = sentences("Use this:\n\n```python\nprint('secret. words.')\n```\n\nThen run it.")
    assert said == ["Use this:", "The code is on screen.", "Then run it."]


def test_a_table_is_named_with_its_size() -> None:
    assert sentences("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n") == ["A table with 2 rows is on screen."]


def test_a_long_list_is_shortened_and_says_so() -> None:
    text = "Found:\n" + "".join(f"- file {letter}\n" for letter in "abcdefghijkl")
    assert sentences(text) == [
        "Found:",
        "file a.",
        "file b.",
        "file c.",
        "That's three of twelve; the rest is on screen.",
    ]


def test_a_short_list_is_read_whole() -> None:
    assert sentences("1. one\n2. two\n3. three\n4. four\n") == ["one.", "two.", "three.", "four."]


def test_a_sentence_is_ready_as_soon_as_the_next_one_begins() -> None:
    stream = Sentences()
    assert stream.feed("The port is free. ") == ["The port is free."]
    assert stream.feed("Anything el") == []
    assert stream.feed("se? ") == ["Anything else?"]
    assert stream.flush() == []


def test_an_abbreviation_does_not_end_a_sentence() -> None:
    assert sentences("Ask Dr. Strange, e.g. by mail. He answers.") == [
        "Ask Dr. Strange, for example, by mail.",
        "He answers.",
    ]


def test_an_endless_sentence_is_said_in_pieces() -> None:
    said = sentences("word " * 400)
    assert len(said) > 4
    assert max(map(len, said)) <= 301


LONG = """# Result

There are **12** files in `src/`. The biggest is [main.py](https://x.org/a), 3.5 MB.

- one
- two: `a = b`
- three
- four
- five
- six

| a | b |
|---|---|
| 1 | 2 |

~~~
x. y. z
~~~
Done at 14:30. 17 * 23 = 391
1. alpha
2. beta

> quoted. Text.

The end"""


@pytest.mark.parametrize("seed", range(40))
def test_how_the_answer_is_cut_while_it_streams_changes_nothing(seed: int) -> None:
    cut = random.Random(seed)
    stream, said, at = Sentences(), [], 0
    while at < len(LONG):
        step = cut.randint(1, 15)
        said += stream.feed(LONG[at : at + step])
        at += step
    assert [*said, *stream.flush()] == sentences(LONG)


@pytest.mark.parametrize("text", ["", "   ", "***", "---", "|", "- ", "#", "🎉", "\n\n\n", "[](", "`"])
def test_nothing_worth_saying_is_not_said(text: str) -> None:
    assert sentences(text) == []
