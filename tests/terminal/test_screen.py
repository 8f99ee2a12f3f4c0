"""What reaches the terminal can't steer it, however it is cut."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankita_desktop.terminal import slash
from ankita_desktop.terminal.plain import Plain
from ankita_desktop.terminal.screen import SafeStream, one_line, painted, safe, shown

NOISE = st.text(alphabet=st.sampled_from("\x1b[]0;31mHPX\\\x07\x9b\x9c\x90ab\r\n\t é日"), max_size=40)


@given(NOISE | st.text())
def test_no_control_character_is_left_but_line_ends_and_tabs(text: str) -> None:
    left = safe(text)
    assert not [char for char in left if (ord(char) < 32 or 127 <= ord(char) < 160) and char not in "\n\t"]


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"])))
def test_text_without_control_characters_is_untouched(text: str) -> None:
    assert safe(text) == text


@given(st.lists(NOISE, max_size=6))
def test_a_stream_is_safe_however_it_is_cut(pieces: list[str]) -> None:
    stream = SafeStream()
    out = "".join(stream.feed(piece) for piece in pieces) + stream.end()
    assert out == safe("".join(pieces))


def test_a_sequence_split_between_pieces_is_gone() -> None:
    stream = SafeStream()
    assert stream.feed("red \x1b[3") == "red "
    assert stream.feed("1mtext") == "text"
    assert stream.feed("\x1b]0;ti") == ""
    assert stream.feed("tle\x07end") == "end"


def test_plain_text_is_never_held_back() -> None:
    stream = SafeStream()
    assert stream.feed("some [31m words") == "some [31m words"


@given(st.text())
def test_what_a_person_decides_about_hides_nothing(text: str) -> None:
    drawn = shown(text)
    assert "\x1b" not in drawn
    assert "\u202e" not in drawn


def test_colours_are_for_terminals_alone() -> None:
    assert painted("x", "red", io.StringIO()) == "x"


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    line = one_line(text, 20)
    assert len(line) <= 20
    assert len(line.splitlines()) <= 1


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("## A heading ##", "A heading"),
        ("**bold** and *slanted* and __strong__", "bold and slanted and strong"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("`a **b**` stays", "a **b** stays"),
        ("[text](http://x.y/z) ![alt](pic.png)", "text (http://x.y/z) alt (pic.png)"),
        ("```py\n# not a heading\n**x**\n```\nafter", "# not a heading\n**x**\nafter"),
        ("- item\n1. one\n> quote", "- item\n1. one\n> quote"),
        ("a\n---\nb", "a\n\nb"),
        ("**", "**"),
        ("", ""),
    ],
)
def test_plain_keeps_every_word(markdown: str, plain: str) -> None:
    assert Plain().feed(markdown + "\n") == plain + "\n"


@given(st.lists(st.text(alphabet="ab*_`#\n[]() ", max_size=10), max_size=5))
def test_plain_does_not_depend_on_how_the_text_is_cut(pieces: list[str]) -> None:
    whole, cut = Plain(), Plain()
    expected = whole.feed("".join(pieces)) + whole.end()
    assert "".join(cut.feed(piece) for piece in pieces) + cut.end() == expected


def test_a_slash_begins_a_command_and_a_path_does_not() -> None:
    assert slash.read("/mode edits") == ("mode", "edits")
    assert slash.read("  /HELP  ") == ("help", "")
    assert slash.read("/etc/hosts says what?") is None
    assert slash.read("what is /mode") is None
    assert slash.read("/") is None


def test_every_slash_command_is_explained_and_completed() -> None:
    for name in slash.COMMANDS:
        assert f"/{name}" in slash.help_text()
        assert f"/{name} " in slash.completions(f"/{name[:2]}")
    assert slash.completions("") == []
