"""Changes that are hard to show: characters nobody sees, lines without end, thousands of places, and nothing but a
mode. What a person agrees to is what they can see."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication

from ankita_desktop.protocol import ApprovalRequest, FileChange, Preview, ToolCall
from ankita_desktop.terminal.asking import drawn
from ankita_desktop.toolkit.diff import Line, intraline
from ankita_desktop.toolkit.hidden import is_hidden
from ankita_desktop.ui import diff_paint
from ankita_desktop.ui.approval_parts import LONG_LINE, Proposal, visible
from ankita_desktop.ui.diff import DiffView
from ankita_desktop.ui.diff_files import from_changes, plain
from ankita_desktop.ui.diff_hidden import Shown, reveal
from tests.ui.conftest import wait

HIDDEN = "\u200b\u200d\u202e\u2066\u00a0\u00ad\u061c\u3164\u2003\u180e\U000e0041\ufe00\ufeff\0\x1b\x85\r"
LONG = 1_000_000


@pytest.fixture
def view(qt: QApplication) -> Iterator[DiffView]:
    made = DiffView(checkable=True)
    made.resize(800, 400)
    made.show()
    yield made
    made.close()
    made.deleteLater()
    QApplication.processEvents()


@pytest.fixture
def painted(view: DiffView, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[Shown]]:
    """``painted()``: what is drawn of the lines in sight now."""
    found: list[Shown] = []

    def noted(line: Line, *, ends: bool = False) -> Shown:
        found.append(reveal(line, ends=ends))
        return found[-1]

    monkeypatch.setattr(diff_paint, "reveal", noted)

    def now() -> list[Shown]:
        found.clear()
        view.grab()
        return list(found)

    return now


def show(view: DiffView, before: str | None, after: str | None, facts: str = "") -> None:
    action = "modify" if before is not None else "create"
    view.show_changes([FileChange("/w/f", action, before, after, facts=facts)])
    wait(lambda: not view.comparing and bool(view.files))


# --- characters nobody sees -----------------------------------------------------------------------


def test_every_character_that_is_not_seen_counts_as_hidden() -> None:
    """By what the standard says of each: none is forgotten."""
    unseen = ("Cc", "Cf", "Cs", "Zl", "Zp", "Zs")
    every = (chr(number) for number in range(0x110000))
    missed = [ascii(each) for each in every if unicodedata.category(each) in unseen and not is_hidden(each)]
    assert missed == [ascii(" "), ascii("\u3000")], "a space, and the one of East Asian scripts, which is wide"
    assert not any(map(is_hidden, "aé漢字ไทยहिन्दी→‹·"))


@pytest.mark.parametrize("character", HIDDEN)
def test_a_hidden_character_is_drawn_as_a_sign_wherever_a_person_decides(character: str) -> None:
    code = f"{ord(character):04X}"
    change = FileChange("/w/f", "modify", "pay(a)\n", f"pay({character}a)\n")
    preview = Preview("diff", "Change f?", text="", changes=(change,))
    assert f"U+{code}" in plain(from_changes([change])) or character == "\r"
    assert f"‹U+{code}›" in visible(f"rm{character}x") and character not in visible(f"rm{character}x")
    for shown in (preview, Preview("command", "Run?", text=f"rm{character}x")):
        text = drawn(ApprovalRequest("q", "s", ToolCall("1", "t"), "ask", shown))
        assert f"<{ord(character):02X}>" in text and (character not in text or character == "\x1b")


def test_a_picture_keeps_its_style_and_a_word_hides_none() -> None:
    assert visible("I ❤️ it, 1️⃣") == "I ❤️ it, 1️⃣"
    assert "FE0F" in visible("word\ufe0f")


@pytest.mark.parametrize(
    "ends",
    [
        ("a\n", "a"),
        ("a", "a\n"),
        ("a\r\nb\r\n", "a\nb\n"),
        ("a\nb\n", "a\r\nb\n"),
        ("x \n", "x\n"),
        ("\tx\n", "    x\n"),
    ],
)
def test_two_texts_that_differ_never_look_alike(ends: tuple[str, str]) -> None:
    text = plain(from_changes([FileChange("/w/f", "modify", *ends)]))
    gone = [line[1:] for line in text.splitlines() if line.startswith("-")]
    came = [line[1:] for line in text.splitlines() if line.startswith("+")]
    assert (gone or came) and gone != came


def test_a_change_of_the_mode_alone_is_said(view: DiffView) -> None:
    show(view, "x\n", "x\n", facts="UTF-8, LF, mode 644 → mode 755")
    assert "mode 644 → mode 755" in view.toPlainText() and view.choice.total == 0


# --- lines without end ----------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["ab ", "é y", "a\u200b", "\0\0", "\t ", "漢字", '{"a":1,'])
@pytest.mark.parametrize("side_by_side", [False, True])
def test_a_change_far_inside_a_line_is_in_sight_at_once(
    view: DiffView, painted: Callable[[], list[Shown]], unit: str, side_by_side: bool
) -> None:
    half = unit * (LONG // 2 // len(unit))
    view.set_side_by_side(side_by_side)
    show(view, f"{half}{half}\n", f"{half}CHANGED{half}\n")
    drawn = painted()
    assert any("CHANGED" in shown.text for shown in drawn)
    assert all(len(shown.text) < 20_000 for shown in drawn), "only what is in sight is laid out"


def test_all_of_a_long_line_can_be_reached(view: DiffView, painted: Callable[[], list[Shown]]) -> None:
    parts = [f"<{number}>\u200b" for number in range(LONG // 10)]
    show(view, None, "".join(parts) + "THE END")
    bar = view.horizontalScrollBar()
    bar.setValue(0)
    assert any(shown.text.startswith("<0>") for shown in painted())
    text = "".join(parts)
    for value in (bar.maximum() // 3, bar.maximum() // 2):
        bar.setValue(value)
        first = int(value / view._font.char)
        assert any(shown.text.startswith(visible(text[first : first + 8])) for shown in painted())
    bar.setValue(bar.maximum())
    view.show_column(len(text))
    assert any("THE END ⊘ no line end" in shown.text for shown in painted())


def test_a_long_line_whose_change_is_out_of_sight_says_where_it_is(
    view: DiffView, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    real = diff_paint._text

    def noted(painter: object, box: object, text: str, *rest: object, **more: object) -> None:
        said.append(text)
        real(painter, box, text, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(diff_paint, "_text", noted)
    same = "ab " * 100_000
    show(view, f"{same}old\nshort\n", f"{same}new\nSHORT\n")
    view.horizontalScrollBar().setValue(0)
    said.clear()
    view.grab()
    assert said.count("changes at character 300,001") == 2
    view.show_column(300_000)
    said.clear()
    view.grab()
    assert not any(text.startswith("changes at") for text in said)


def test_what_changed_in_a_long_line_is_between_its_first_and_last_difference() -> None:
    same = "x" * 5000
    assert intraline(f"{same}old{same}", f"{same}newer{same}") == (((5000, 5003),), ((5000, 5005),))
    assert intraline(same, same + "y") == ((), ((5000, 5001),))
    assert intraline(f"{same}aa", f"{same}a")[0] == ((5001, 5002),) and intraline("ab" * 3000, "cd" * 3000)[0]


def test_a_command_of_one_long_line_is_shown_whole_in_parts(qt: QApplication) -> None:
    text = "".join(f"{number} \u200b" for number in range(50_000)) + " "
    made = Proposal(text, "The command")
    lines = made.toPlainText().split("\n")
    assert max(map(len, lines)) <= LONG_LINE + 2
    whole = "".join(line.removeprefix("↪ ") for line in lines)
    assert whole == text.rstrip(" ").replace("\u200b", "‹U+200B›") + "·"
    made.deleteLater()


# --- thousands of places --------------------------------------------------------------------------


def test_thousands_of_hunks_are_gone_through_and_chosen_one_by_one(view: DiffView) -> None:
    before = "".join(f"line {number}\n" for number in range(30_000))
    show(
        view,
        before,
        "".join(f"{line}{'!' if n % 10 == 5 else ''}\n" for n, line in enumerate(before.splitlines())),
    )
    assert view.choice.total == 3_000
    view.go_to_hunk(2_999)
    assert view.current_hunk == 2_999
    view.choice.take(2_999, False)
    assert not view.choice.has(2_999) and view.choice.has(0)
    assert len([box for box in view.viewport().children() if box.objectName().startswith("hunk-")]) < 200
