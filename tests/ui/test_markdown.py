"""What is promised about markdown: nothing visible is lost, nothing is fetched, nothing is run."""

from __future__ import annotations

import json
import random
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ankita_desktop.ui import markdown_leaves
from ankita_desktop.ui.markdown import Block, openable, plain
from ankita_desktop.ui.markdown_stream import Stream, parse
from tests.conftest import shared
from tests.ui.markdown_documents import document
from tests.ui.markdown_reference import reference


def examples() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        (shared("markdown") / "commonmark_0.31.2.json").read_text(encoding="utf-8")
    )
    return found


class Reader(HTMLParser):
    """The words a reader of the expected HTML sees, alternative texts of images included."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[str] = []

    def handle_data(self, data: str) -> None:
        self.seen.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(dict(attrs).get("alt") or "")


def letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


def is_in_order(wanted: str, text: str) -> bool:
    rest = iter(text)
    return all(character in rest for character in wanted)


def streamed(
    text: str, seed: int, longest: int, known: dict[str, Any] | None = None
) -> tuple[list[Block], Stream]:
    """The text in random pieces, looked at after each."""
    dice, stream, found, at = random.Random(seed), Stream(known), list[Block](), 0
    while at < len(text):
        size = dice.randint(1, longest)
        stream.add(text[at : at + size])
        found += stream.advance().finished
        at += size
    return found + stream.finish().finished, stream


def test_no_commonmark_example_loses_visible_text() -> None:
    lost = []
    for example in examples():
        reader = Reader()
        reader.feed(example["html"])
        shown = "".join(f"{block.info}{plain([block])}" for block in parse(example["markdown"]))
        if not is_in_order(letters("".join(reader.seen)), letters(shown)):
            lost.append(example["example"])
    assert lost == []


def test_every_commonmark_example_has_the_structure_another_reader_finds() -> None:
    for example in examples():
        assert parse(example["markdown"]) == reference(example["markdown"]), example["example"]


def test_a_document_of_blocks_in_each_other_has_the_structure_another_reader_finds() -> None:
    for seed in range(300):
        text = document(random.Random(seed))
        assert parse(text) == reference(text), seed


def test_text_that_streams_ends_as_text_that_is_read_at_once() -> None:
    for example in examples():
        found, stream = streamed(example["markdown"], example["example"], 6)
        assert stream.has_references or found == parse(example["markdown"]), example["example"]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["\n\n", "\n", ""]))
def test_where_the_stream_is_cut_does_not_matter(seed: int, gap: str) -> None:
    dice = random.Random(seed)
    text = gap.join(dice.choice(examples())["markdown"] for _ in range(6))
    text = re.sub(r"\]:", "] :", text)  # without link definitions, which count backwards
    found, _ = streamed(text, seed, 9)
    assert found == parse(text)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from([40, 90, 4_000]), st.sampled_from(["\n", "\r\n"]))
def test_where_the_stream_is_cut_does_not_matter_to_blocks_that_are_long(
    seed: int, longest: int, end: str
) -> None:
    text = document(random.Random(seed)).replace("\n", end)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown_leaves, "LONGEST", longest)
        patch.setattr(markdown_leaves, "ROWS", 3)
        first, known = streamed(text, seed, 30)
        again, _ = streamed(text, seed + 1, 200, known.references)
        assert again == parse(text)
        assert len(first) == len(again)
        assert known.has_references or first == again


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="#*-_>`~|[]()!<>&\\ \n\tab1.:", max_size=200))
def test_no_text_raises(text: str) -> None:
    streamed(text, 1, 5)
    plain(parse(text))


def test_a_finished_block_comes_out_once_and_only_the_tail_is_parsed_again() -> None:
    stream = Stream()
    stream.add("first\n\nsecond\n\n")
    assert [plain([block]) for block in stream.advance().finished] == ["first", "second"]
    stream.add("third\nand ")
    step = stream.advance()
    assert (step.finished, plain(step.tail)) == ([], "third and")
    assert stream._partial == "and "


def test_a_line_that_may_still_belong_to_the_paragraph_above_does_not_end_it() -> None:
    stream = Stream()
    stream.add("a paragraph\n#")
    assert stream.advance().finished == []
    stream.add("hashtag")
    assert plain(stream.advance().tail) == "a paragraph #hashtag"


def test_an_open_code_block_shows_its_lines_and_ends_at_its_fence() -> None:
    stream = Stream()
    stream.add("```python\nx = 1\ny")
    stream.advance()
    stream.add(" = 2\n")
    tail = stream.advance().tail
    assert (tail[0].text, tail[0].closed) == ("x = 1\ny = 2\n".removesuffix("\n"), False)
    stream.add("```\nafter")
    step = stream.advance()
    assert (step.finished[0].text, step.finished[0].closed, plain(step.tail)) == ("x = 1\ny = 2", True, "after")


def test_an_ordered_list_goes_on_counting_across_finished_items() -> None:
    found, _ = streamed("1. a\n1. b\n1. c\n\ntext\n\n1. d\n", 3, 3)
    assert [block.marker for block in found] == ["1.", "2.", "3.", "", "1."]


def test_a_definition_below_reaches_the_words_above() -> None:
    text = "see [the manual][m]\n\n- and [m]\n\n[m]: https://example.com/a\n"
    assert plain(parse(text)) == "see the manual (example.com)\n• and m (example.com)"


GROWING = {
    "a list in a list": "- top\n" + "  - an item below with `code`\n" * 800,
    "numbers in numbers": "1. top\n" + "".join(f"   {n}. an item\n" for n in range(1, 1200)),
    "an item of paragraphs": "- first\n\n" + "  a paragraph in an item that goes on\n\n" * 500,
    "an item without end": "- " + "words without end " * 1000,
    "a table": "| a | b |\n|---|---|\n" + "| cell one | `cell` two |\n" * 700,
    "a table in a list": "- see\n\n  | a | b |\n  |---|---|\n" + "  | cell one | `cell` two |\n" * 600,
    "a quote of lines": "> words of a quote that goes on\n" * 600,
    "a quote of paragraphs": "> words of a quote\n>\n" * 900,
    "a quote in a list": "- said\n" + "  > words that go on\n" * 800,
    "lines of a paragraph": "a line of words\n" * 1200,
    "a word without end": "x" * 20_000,
    "a list by tabs": "- top\n" + "\t- an item below\n" * 1000,
    "quotes within quotes": "> " * 3_000 + "deep",
}


@pytest.mark.parametrize("kind", GROWING)
def test_a_block_that_grows_without_end_keeps_the_tail_small(kind: str) -> None:
    text, stream, found = GROWING[kind], Stream(), list[Block]()
    for at in range(0, len(text), 600):
        stream.add(text[at : at + 600])
        step = stream.advance()
        found += step.finished
        assert len(plain(step.tail)) < 5_000 and len(stream._partial) < 4_000 + 600
        assert len(step.tail) < 30 and all(len(block.rows) <= 30 for block in step.tail)
    found += stream.finish().finished
    assert found == parse(text)
    assert letters(plain(found)) == letters(plain(reference(text))) or kind == "quotes within quotes"


def test_a_long_table_goes_on_in_pieces_with_columns_as_wide_and_one_head() -> None:
    pieces = parse("| name | b |\n|---|--:|\n" + "".join(f"| row {n} | {n} |\n" for n in range(70)))
    assert [len(piece.rows) for piece in pieces] == [30, 30, 11]
    assert [piece.goes_on for piece in pieces] == [False, True, True]
    assert len({piece.shares for piece in pieces}) == 1 and pieces[0].shares
    assert plain(pieces).count("name") == 1
    assert parse("| a |\n|---|\n| b |\n")[0].shares == ()


def test_tasks_show_whether_they_are_done() -> None:
    assert [block.marker for block in parse("- [ ] open\n- [x] done\n- plain")] == ["☐", "☑", "•"]
    assert plain(parse("- [x] done")) == "☑ done"


def test_a_link_shows_where_it_really_leads() -> None:
    assert plain(parse("[the docs](https://example.com/a)")) == "the docs (example.com)"
    assert plain(parse("[https://bank.example](https://evil.example)")) == "https://bank.example (evil.example)"
    assert plain(parse("[bank](https://bank.example@evil.example/x)")) == "bank (evil.example)"
    assert plain(parse("<https://example.com>")) == "https://example.com"


def test_a_bare_address_is_a_link_without_its_full_stop() -> None:
    spans = parse("See https://example.com/x.")[0].spans
    assert [(span.text, span.href) for span in spans][1] == ("https://example.com/x", "https://example.com/x")


@pytest.mark.parametrize(
    "href", ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "ms-word:x", "/etc/passwd"]
)
def test_only_known_kinds_of_address_can_be_opened(href: str) -> None:
    assert not openable(href)
    assert openable("https://example.com") and openable("mailto:me@example.com")


def test_an_image_is_words_that_name_its_host() -> None:
    assert (
        plain(parse("![a cat](https://pics.example/c.png?secret=1)")) == "[a cat: image from pics.example – open?]"
    )


def test_raw_html_stays_text() -> None:
    text = plain(
        parse("<script>alert(1)</script> and <b>bold</b>\n\n<div onclick=x>\n\n<img src=https://x.example/y>")
    )
    assert (
        "<script>alert(1)</script>" in text
        and "<div onclick=x>" in text
        and "<img src=https://x.example/y>" in text
    )
