"""What a person may rely on when they read or accept a diff."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ankita_desktop.toolkit.diff import apply_hunks, count, emphasis, hunks, intraline, pairs, unified

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "\n", "d\u2028e\n", "x\x0cy\n"]), max_size=40)
TEXTS = st.builds(lambda lines, last: "".join(lines) + last, LINES, st.sampled_from(["", "end", "a"]))


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_all_hunks_give_the_new_text_and_none_the_old(before: str, after: str) -> None:
    everything = [hunk.index for hunk in hunks(before, after)]
    assert apply_hunks(before, after, everything) == after
    assert apply_hunks(before, after, ()) == before


@settings(deadline=None)
@given(TEXTS, TEXTS, st.integers(0, 12))
def test_numbers_of_hunks_do_not_depend_on_the_context_shown(before: str, after: str, context: int) -> None:
    def changes(shown: int) -> list[list[tuple[object, ...]]]:
        found = hunks(before, after, shown)
        return [[tuple(line) for line in hunk.lines if line.tag != " "] for hunk in found]

    assert changes(context) == changes(3)


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_rows_carry_the_line_numbers_of_both_sides(before: str, after: str) -> None:
    old, new = before.replace("\r\n", "\n").split("\n"), after.replace("\r\n", "\n").split("\n")
    for hunk in hunks(before, after):
        for line in hunk.lines:
            assert line.old_no is None or old[line.old_no - 1] == line.text
            assert line.new_no is None or new[line.new_no - 1] == line.text


@settings(max_examples=25, deadline=None)
@given(TEXTS, TEXTS)
def test_the_unified_text_is_what_git_applies(before: str, after: str) -> None:
    import tempfile

    if before == after or not before or not after:
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "f")
        file.write_bytes(before.encode())
        patch = unified(before, after, "f").encode()
        subprocess.run(["git", "apply", "-"], input=patch, cwd=folder, check=True, capture_output=True)
        assert file.read_bytes() == after.encode()


def test_accepting_one_of_two_hunks_changes_only_that_one() -> None:
    before = "".join(f"line {number}\n" for number in range(40))
    after = before.replace("line 3\n", "LINE 3\n").replace("line 30\n", "LINE 30\n")
    assert apply_hunks(before, after, [1]) == before.replace("line 30\n", "LINE 30\n")


def test_a_repetitive_file_of_20000_lines_with_300_changes_stays_readable_and_fast() -> None:
    for period in (1, 5, 50, 1000):
        old = [f"line {number % period}\n" for number in range(20_000)]
        new = list(old)
        for number in range(300):
            new[number * 66 + 7] = f"changed {number}\n"
        started = time.process_time()
        text = unified("".join(old), "".join(new), "f")
        assert time.process_time() - started < 5, "far from linear"
        assert text.count("\n") < 3000
        assert count("".join(old), "".join(new)) == (300, 300)


def test_two_unlike_files_are_compared_in_bounded_time() -> None:
    import random

    chance = random.Random(4)
    old = "".join(f"{chance.randrange(40)}\n" for _ in range(5000))
    new = "".join(f"{chance.randrange(40)}\n" for _ in range(5000))
    started = time.process_time()
    found = hunks(old, new)
    assert time.process_time() - started < 10, "far from linear"
    assert apply_hunks(old, new, range(len(found))) == new


def test_an_added_function_is_shown_whole() -> None:
    before = "def a():\n    pass\n\ndef b():\n    pass\n"
    after = "def a():\n    pass\n\ndef c():\n    pass\n\ndef b():\n    pass\n"
    added = [line.text for line in hunks(before, after)[0].lines if line.tag == "+"]
    assert added == ["def c():", "    pass", ""]


def test_a_changed_line_end_is_a_change() -> None:
    (hunk,) = hunks("a\r\nb\r\n", "a\nb\r\n")
    assert [(line.tag, line.end) for line in hunk.lines] == [("-", "\r\n"), ("+", "\n"), (" ", "\r\n")]


def test_a_created_file_is_one_hunk_against_nothing() -> None:
    assert unified(None, "x\n", "n.txt") == "--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+x\n"


def test_a_hunk_says_which_definition_it_stands_under() -> None:
    before = "def f():\n" + "".join(f"    step{number}()\n" for number in range(20))
    assert hunks(before, before.replace("step15", "step99"))[0].header == "@@ -14,7 +14,7 @@ def f():"


def test_emphasis_marks_the_words_that_changed() -> None:
    (hunk,) = hunks("hello world again\n", "hello there again\n")
    assert emphasis(hunk) == {0: ((6, 11),), 1: ((6, 11),)}
    assert pairs(hunk) == ((0, 1),)


def test_lines_with_nothing_in_common_get_no_emphasis() -> None:
    assert intraline("alpha beta", "one, two; three") == ((), ())


def test_the_header_of_a_whole_path_has_no_second_slash() -> None:
    assert unified("a\n", "b\n", "/tmp/x.txt").splitlines()[:2] == ["--- a/tmp/x.txt", "+++ b/tmp/x.txt"]
    assert unified(None, "b\n", "/tmp/x.txt").splitlines()[:2] == ["--- /dev/null", "+++ b/tmp/x.txt"]
    assert unified("a\n", None, "x.txt").splitlines()[:2] == ["--- a/x.txt", "+++ /dev/null"]
