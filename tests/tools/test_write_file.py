"""What a person may rely on when the agent writes whole files."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankita_desktop.errors import ToolError
from tests.tools.agreed import agreed, level, preview


def test_a_new_file_is_utf8_with_its_folders(tmp_path: Path) -> None:
    shown = preview("write_file", tmp_path, path="a/b.txt", content="ünï\n")
    assert shown.question == "Create a/b.txt?"
    result = agreed("write_file", tmp_path, path="a/b.txt", content="ünï\n")
    assert (tmp_path / "a" / "b.txt").read_bytes() == "ünï\n".encode()
    assert result.text == "Created a/b.txt (+1 -0)."


def test_rewriting_keeps_encoding_mark_line_ends_and_mode(tmp_path: Path) -> None:
    file = tmp_path / "f.ini"
    file.write_bytes(b"\xff\xfe" + "[a]\r\nx=1\r\n".encode("utf-16-le"))
    file.chmod(0o640)
    agreed("write_file", tmp_path, path="f.ini", content="[a]\nx=2\ny=3\n")
    assert file.read_bytes() == b"\xff\xfe" + "[a]\r\nx=2\r\ny=3\r\n".encode("utf-16-le")
    assert file.stat().st_mode & 0o777 == 0o640


def test_rewriting_a_file_with_mixed_line_ends_leaves_equal_lines_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\r\nb\nc\r\n")
    agreed("write_file", tmp_path, path="f", content="a\nb\nX\nc\n")
    assert (tmp_path / "f").read_bytes() == b"a\r\nb\nX\nc\r\n"


def test_the_text_decides_about_the_final_newline(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\n")
    agreed("write_file", tmp_path, path="f", content="b")
    assert (tmp_path / "f").read_bytes() == b"b"


def test_a_folder_a_pipe_and_a_read_only_file_are_not_written(tmp_path: Path) -> None:
    import os

    (tmp_path / "d").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "locked").write_text("x")
    (tmp_path / "locked").chmod(0o444)
    for name in ("d", "pipe", "locked"):
        with pytest.raises(ToolError, match=name):
            agreed("write_file", tmp_path, path=name, content="y")
    assert (tmp_path / "locked").read_text() == "x"


def test_a_file_that_appeared_after_the_yes_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "f"
    with pytest.raises(ToolError, match="Nothing was written"):
        agreed("write_file", tmp_path, path="f", content="mine", meanwhile=lambda: file.write_text("theirs"))
    assert file.read_text() == "theirs"


def test_writing_outside_the_folder_asks_with_the_whole_path(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    shown = preview("write_file", work, path="../other.txt", content="x")
    assert level("write_file", work, path="../other.txt", content="x") == "ask"
    assert str(tmp_path / "other.txt") in shown.question
    assert not shown.inside


def test_a_binary_file_may_be_replaced_and_is_named_as_binary(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"\x00\x01\x02" * 50)
    shown = preview("write_file", tmp_path, path="f", content="text\n")
    assert shown.changes[0].before is None and "binary" in shown.changes[0].facts
    agreed("write_file", tmp_path, path="f", content="text\n")
    assert (tmp_path / "f").read_bytes() == b"text\n"
