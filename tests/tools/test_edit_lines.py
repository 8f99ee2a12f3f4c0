"""Edits by line numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.errors import ToolError
from tests.tools.agreed import agreed


def edit(folder: Path, before: bytes, *edits: dict[str, Any]) -> bytes:
    (folder / "f").write_bytes(before)
    agreed("edit_lines", folder, path="f", edits=list(edits))
    return (folder / "f").read_bytes()


def test_all_edits_count_in_the_original_numbers(tmp_path: Path) -> None:
    result = edit(
        tmp_path,
        b"1\n2\n3\n4\n5\n",
        {"start_line": 5, "mode": "delete"},
        {"start_line": 1, "mode": "insert_before", "content": "0"},
        {"start_line": 2, "end_line": 3, "content": "two and three\n"},
        {"start_line": 4, "mode": "insert_after", "content": "4a\n4b"},
    )
    assert result == b"0\n1\ntwo and three\n4\n4a\n4b\n"


@pytest.mark.parametrize(
    ("before", "edits", "after"),
    [
        (b"a\r\nb\r\n", {"start_line": 2, "content": "B\nC"}, b"a\r\nB\r\nC\r\n"),
        (b"a\r\nb\nc", {"start_line": 3, "content": "C\n"}, b"a\r\nb\nC"),
        (b"a\nb", {"start_line": 2, "mode": "insert_after", "content": "c\n"}, b"a\nb\nc"),
        (b"a\nb", {"start_line": 2, "mode": "delete"}, b"a"),
        (b"", {"start_line": 1, "mode": "insert_before", "content": "new\n"}, b"new\n"),
        (b"", {"start_line": 0, "mode": "insert_after", "content": "new"}, b"new\n"),
        (b"a\n", {"start_line": 1, "content": ""}, b""),
        (b"a\nb\n", {"start_line": 1, "content": "\n"}, b"\nb\n"),
    ],
)
def test_line_ends_and_the_final_newline_stay(
    tmp_path: Path, before: bytes, edits: dict[str, Any], after: bytes
) -> None:
    assert edit(tmp_path, before, edits) == after


INSIDE = {"start_line": 2, "mode": "insert_before", "content": "y"}


@pytest.mark.parametrize(
    ("edits", "match"),
    [
        ([{"start_line": 1, "end_line": 3, "content": "x"}, {"start_line": 3, "content": "y"}], "overlap"),
        ([{"start_line": 1, "end_line": 3, "content": "x"}, {"start_line": 2, "mode": "delete"}], "overlap"),
        ([{"start_line": 1, "end_line": 3, "content": "x"}, INSIDE], "overlap"),
        ([{"start_line": 4, "content": "x"}], "the file has 3 lines"),
        ([{"start_line": 3, "end_line": 2, "content": "x"}], "don't exist"),
        ([{"start_line": 0, "content": "x"}], "don't exist"),
        ([{"start_line": 5, "mode": "insert_before", "content": "x"}], "doesn't exist"),
        ([{"start_line": 1}], "needs content"),
        ([{"start_line": 1, "mode": "insert_after"}], "needs content"),
        ([{"start_line": 1, "mode": "delete", "content": "x"}], "no content"),
    ],
)
def test_wrong_numbers_and_overlaps_are_refused(tmp_path: Path, edits: list[dict[str, Any]], match: str) -> None:
    with pytest.raises(ToolError, match=match):
        edit(tmp_path, b"1\n2\n3\n", *edits)
    assert (tmp_path / "f").read_bytes() == b"1\n2\n3\n"
