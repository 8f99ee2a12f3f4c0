"""What is promised about the diff view."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox

from ankita_desktop.protocol import FileChange
from ankita_desktop.toolkit.diff import Line, hunks, unified
from ankita_desktop.toolkit.hidden import is_hidden
from ankita_desktop.ui.diff import DiffView
from ankita_desktop.ui.diff_files import compact, from_changes, from_unified, plain
from ankita_desktop.ui.diff_hidden import reveal
from ankita_desktop.ui.diff_rows import build
from ankita_desktop.ui.theme import theme
from tests.ui.conftest import wait

BEFORE = "".join(f"line {number}\n" for number in range(40))
AFTER = BEFORE.replace("line 3\n", "line three\n").replace("line 30\n", "line thirty\nand more\n")
CHANGE = FileChange("/w/f.txt", "modify", BEFORE, AFTER)


@pytest.fixture
def view(qt: QApplication) -> Iterator[DiffView]:
    made = DiffView(checkable=True)
    made.resize(700, 500)
    made.show()
    yield made
    made.close()
    made.deleteLater()
    QApplication.processEvents()


def line(text: str, tag: str = "+", end: str = "\n") -> Line:
    return Line(tag, 1, 1, text, end)  # type: ignore[arg-type]


# --- hidden characters --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb", "a→  b"),
        ("a  ", "a··"),
        ("a\u202eb", "a‹U+202E›b"),
        ("a\u200bb", "a‹U+200B›b"),
        ("\ufeffa", "‹U+FEFF›a"),
        ("a\u00a0b", "a‹U+00A0›b"),
        ("a\x1bb", "a‹U+001B›b"),
        ("ok, naïve ☂", "ok, naïve ☂"),
    ],
)
def test_what_cannot_be_seen_is_drawn_as_a_sign(text: str, shown: str) -> None:
    assert reveal(line(text)).text == shown


def test_unchanged_lines_keep_their_tabs_quiet_but_never_hide_a_bidi_control() -> None:
    assert reveal(line("\ta ", tag=" ")).text == "    a "
    assert "U+202E" in reveal(line("\u202e", tag=" ")).text


def test_line_ends_are_drawn_where_they_differ() -> None:
    found = from_changes([FileChange("f", "modify", "a\nb\n", "a\r\nb\n")])
    assert "-a␊" in plain(found) and "+a␍␊" in plain(found)
    same = from_changes([FileChange("f", "modify", "a\r\nb\r\n", "A\r\nb\r\n")])
    assert "␍" not in plain(same)


def test_a_missing_final_line_end_is_said() -> None:
    assert "+b ⊘ no line end" in plain(from_changes([FileChange("f", "modify", "a\nb\n", "a\nb")]))


def test_places_lead_from_a_character_to_where_it_is_drawn() -> None:
    shown = reveal(line("\ta\u200bb"))
    assert [shown.text[at] for at in (shown.places[1], shown.places[3])] == ["a", "b"]
    assert is_hidden("\u2066") and not is_hidden("é")


# --- what is shown ------------------------------------------------------------------------------


def test_a_change_reads_as_hunks_with_signs(view: DiffView) -> None:
    view.show_changes([CHANGE])
    text = view.toPlainText()
    assert "hunk 1 of 2" in text and "-line 3\n+line three" in text and "+and more" in text


def test_a_unified_diff_gives_the_same_hunks_as_the_change() -> None:
    text = unified(BEFORE, AFTER, "f.txt") + unified(None, "new\n", "g.txt") + unified("x\ny", "x\nz", "h.txt")
    first, second, third = from_unified(text)
    assert first.hunks == hunks(BEFORE, AFTER)
    assert (second.path, second.added, third.removed) == ("g.txt", 1, 1)
    assert third.hunks == hunks("x\ny", "x\nz")


def test_lines_that_look_like_headings_inside_a_diff_stay_lines() -> None:
    text = unified("-- a\nb\n", "b\n++ c\n", "f.txt")
    found = from_unified(text)
    assert len(found) == 1 and found[0].hunks == hunks("-- a\nb\n", "b\n++ c\n")


def test_side_by_side_puts_a_changed_line_beside_its_old_self() -> None:
    rows = build(from_changes([CHANGE]), side_by_side=True, line=20, headings=True)
    _, hunk = rows.hunks[0]
    beside = [
        (hunk.lines[row.left].text, hunk.lines[row.right].text)
        for row in rows.rows
        if row.kind == "line" and row.hunk == 0 and row.left is not None and row.right is not None
    ]
    assert ("line 3", "line three") in beside


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (FileChange("/w/a", "move", destination="/w/b"), "moves to b"),
        (FileChange("/w/a", "mkdir"), "a new folder"),
        (FileChange("/w/a", "delete"), "not text: deleted"),
        (FileChange("/w/a", "create", None, ""), "a new, empty file"),
        (FileChange("/w/a", "modify", "x", "x", facts="UTF-8, mode 644 → mode 755"), "mode 644 → mode 755"),
    ],
)
def test_a_change_without_lines_is_said_in_words(change: FileChange, words: str) -> None:
    assert words in plain(from_changes([change], "/w"))


def test_a_large_change_is_compared_in_the_background(view: DiffView) -> None:
    long = "".join(f"line {number} of a long file\n" for number in range(20_000))
    began = time.perf_counter()
    view.show_changes([FileChange("/w/long.txt", "modify", long, long.replace("line 7 of", "line seven of"))])
    view.grab()
    assert view.comparing and time.perf_counter() - began < 1.0
    wait(lambda: not view.comparing)
    assert "+line seven of a long file" in view.toPlainText()


def test_only_the_latest_comparison_counts(view: DiffView) -> None:
    long = "x\n" * 40_000
    view.show_changes([FileChange("/w/old", "modify", long, long + "y\n")])
    view.show_changes([CHANGE])
    QApplication.processEvents()
    wait(lambda: not view.comparing)
    time.sleep(0.05)
    QApplication.processEvents()
    assert view.files[0].path == "/w/f.txt"


def test_a_file_of_20000_new_lines_only_draws_what_is_in_sight(
    view: DiffView, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ankita_desktop.ui import diff_paint

    view.show_files(from_changes([FileChange("/w/n", "create", None, "a line\n" * 20_000)]), colour=False)
    drawn: list[int] = []
    real = diff_paint.draw
    monkeypatch.setattr(diff_paint, "draw", lambda *a: (drawn.append(1), real(*a))[1])
    view.grab()
    assert 0 < len(drawn) < 100 and view.choice.total == 1


def test_changed_words_stand_out_inside_a_changed_line(view: DiffView) -> None:
    view.show_files(from_changes([CHANGE]), colour=False)
    image: QImage = view.grab().toImage()
    colours = {
        image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 3)
    }
    assert {theme().token("added_strong"), theme().token("removed_back"), theme().token("added_back")} <= colours


# --- hunks --------------------------------------------------------------------------------------


def test_every_hunk_has_a_check_box_that_scripts_can_find(view: DiffView) -> None:
    view.show_changes([CHANGE])
    boxes = [view.findChild(QCheckBox, f"hunk-{number}") for number in range(2)]
    assert all(box is not None and box.isChecked() for box in boxes)
    QTest.mouseClick(boxes[1], Qt.MouseButton.LeftButton)
    assert (view.choice.taken, view.choice.per_file()) == (1, {"/w/f.txt": (0,)})


def test_j_k_and_space_are_enough(view: DiffView) -> None:
    view.show_changes([CHANGE])
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_J)
    assert view.current_hunk == 1
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert view.choice.per_file() == {"/w/f.txt": (0,)}
    QTest.keyClick(view, Qt.Key.Key_K)
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert (view.current_hunk, view.choice.per_file()) == (0, {"/w/f.txt": ()})
    QTest.keyClick(view, Qt.Key.Key_K)
    assert view.current_hunk == 0


def test_hunks_of_several_files_are_numbered_through_and_answered_per_file(view: DiffView) -> None:
    view.show_changes([CHANGE, FileChange("/w/g", "create", None, "x\n")], "/w")
    assert view.choice.total == 3 and "g" in view.toPlainText().split("\n")
    view.choice.take(2, False)
    assert view.choice.per_file() == {"/w/g": ()}


def test_other_views_keep_what_was_chosen(view: DiffView) -> None:
    view.show_changes([CHANGE])
    view.choice.take(0, False)
    view.set_side_by_side(True)
    box = view.findChild(QCheckBox, "hunk-0")
    assert view.choice.per_file() == {"/w/f.txt": (1,)} and box is not None and not box.isChecked()


def test_a_hunk_far_down_gets_its_box_when_it_comes_into_sight(view: DiffView) -> None:
    before = "".join(f"{number}\n" for number in range(5_000))
    after = "".join(f"{number}{'!' * (number % 20 == 0)}\n" for number in range(5_000))
    view.show_files(from_changes([FileChange("/w/f", "modify", before, after)]), colour=False)
    assert view.choice.total == 250 and view.findChild(QCheckBox, "hunk-249") is None
    view.go_to_hunk(249)
    found = view.findChild(QCheckBox, "hunk-249")
    assert found is not None and 0 <= found.y() < view.height()


def test_lines_can_be_copied_without_their_signs(view: DiffView) -> None:
    view.show_changes([FileChange("/w/f", "create", None, "one\ntwo\n")])
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "one\ntwo"
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(90, 40))
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(90, 40))
    assert view.objectName() == "diffView" and view.accessibleName() == "Changes"


def test_a_slow_comparison_never_replaces_a_later_one(view: DiffView) -> None:
    long = "x\n" * 40_000
    view.show_changes([FileChange("/w/first", "modify", long, long + "y\n")])
    view.show_changes([CHANGE])
    view.show_changes([FileChange("/w/last", "modify", long, long + "z\n")])
    wait(lambda: not view.comparing)
    assert view.files[0].path == "/w/last"


def test_what_was_refused_of_other_files_counts_no_more(view: DiffView) -> None:
    view.show_changes([CHANGE])
    view.choice.take(0, False)
    view.show_changes([CHANGE])
    assert (view.choice.taken, view.choice.per_file(), view.scene.refused) == (2, {}, frozenset())


def test_a_card_shows_a_change_with_one_line_around_it() -> None:
    (found,) = compact(from_unified(unified("a\nb\nc\n\nd\n", "a\nb\nC\n\nd\n", "f")))
    assert [line.tag + line.text for line in found.hunks[0].lines] == [" b", "-c", "+C"]
