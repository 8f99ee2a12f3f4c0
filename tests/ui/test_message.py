"""What is promised about the words of one message while they arrive."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from ankita_desktop.ui import markdown_leaves
from ankita_desktop.ui.blocks_message import Markdown
from ankita_desktop.ui.blocks_prose import Prose
from ankita_desktop.ui.blocks_select import Selection
from ankita_desktop.ui.code import CodeBlock
from ankita_desktop.ui.markdown import Block, plain
from ankita_desktop.ui.markdown_stream import parse
from tests.ui.markdown_documents import document

TABLE = "| name | what it is |\n|---|--:|\n" + "".join(f"| row {n} | `word` {n} |\n" for n in range(200))


@pytest.fixture
def page(qt: QApplication) -> Iterator[QWidget]:
    widget = QWidget()
    widget.resize(660, 600)
    yield widget
    widget.deleteLater()


def streamed(page: QWidget, text: str, dice: random.Random) -> Markdown:
    """The text as it arrives in pieces, each painted."""
    shown, at = Markdown(Selection(page), page), 0
    shown.resize(660, 600)
    while at < len(text):
        size = dice.randint(1, 200)
        shown.write(text[at : at + size])
        while shown.paint():
            pass
        at += size
    shown.finish(text)
    while shown.paint():
        pass
    return shown


def blocks(shown: Markdown) -> list[Block]:
    """What the widgets show, block by block; of code its text."""
    found: list[Block] = []
    for item in shown.items:
        if isinstance(item, Prose):
            found += item.blocks()
        elif isinstance(item, CodeBlock):
            found.append(Block("code", text=item.toPlainText()))
    return found


def comparable(some: list[Block]) -> list[Block]:
    return [Block("code", text=block.text) if block.kind == "code" else block for block in some]


def test_what_streamed_stands_there_as_the_whole_text_does(page: QWidget) -> None:
    for seed in range(40):
        text = document(random.Random(seed))
        shown = streamed(page, text, random.Random(seed))
        assert blocks(shown) == comparable(parse(text)), seed
        assert shown.toPlainText().split() == plain(parse(text)).split(), seed
        shown.setParent(None)


def test_links_defined_below_reach_the_words_above_in_the_longest_message(page: QWidget) -> None:
    text = "see [the manual][m]\n\n" + "words that go on\n\n" * 6_000 + "[m]: https://example.com/a\n"
    shown = Markdown(Selection(page), page)
    shown.write(text)
    shown.finish(text)
    while shown.paint():
        pass
    first = shown.items[0]
    assert isinstance(first, Prose) and first.links() == ["https://example.com/a"]
    assert "the manual (example.com)" in first.accessibleName()


def test_a_long_table_is_laid_out_in_pieces_that_look_like_one(page: QWidget) -> None:
    shown = streamed(page, TABLE, random.Random(1))
    assert len(shown.items) == 7
    assert all(len(block.rows) <= markdown_leaves.ROWS for block in blocks(shown))
    assert [shown.gap_above(item) for item in shown.items[1:]] == [0] * 6
    assert shown.toPlainText().count("\n") == 200


def test_the_columns_of_all_pieces_of_a_table_begin_at_the_same_place(page: QWidget) -> None:
    shown = streamed(page, TABLE, random.Random(1))
    shown.resize(660, shown.heightForWidth(660))
    shown.relayout()
    places = set()
    for item in shown.items:
        assert isinstance(item, Prose)
        item.heightForWidth(660)
        line = item.document().find("word").block()
        places.add(round(item.document().documentLayout().blockBoundingRect(line).right()))
    assert len(places) == 1
