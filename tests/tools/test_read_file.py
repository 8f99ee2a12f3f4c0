"""Reading: numbered, bounded, honest about what is left out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit import reading
from tests.tools.agreed import agreed, level, preview


def test_lines_are_numbered_and_parts_can_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("".join(f"line {n}\n" for n in range(1, 11)))
    result = agreed("read_file", tmp_path, path="f", offset=3, limit=2)
    assert result.text == "3\tline 3\n4\tline 4\n[lines 3-4 of 10; the rest: offset=5]"
    assert result.details["lines"] == 10 and result.details["truncated"]
    assert (result.details["start"], result.details["end"]) == (3, 4)


def test_following_the_notes_reads_a_long_file_completely(tmp_path: Path) -> None:
    lines = [f"{n} " + "x" * 50 for n in range(5000)]
    (tmp_path / "f").write_text("\n".join(lines))
    seen: list[str] = []
    offset = 1
    while True:
        result = agreed("read_file", tmp_path, path="f", offset=offset)
        assert len(result.text) < 100_000
        rows = [row for row in result.text.split("\n") if not row.startswith("[lines")]
        seen += [row.split("\t", 1)[1] for row in rows]
        if not result.details["truncated"]:
            break
        offset = result.details["end"] + 1
    assert seen == lines


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252", "gb18030", "shift_jis"])
def test_text_in_common_encodings_is_read(tmp_path: Path, encoding: str) -> None:
    texts = {"gb18030": "这是一个示例文件，用于测试编码。", "shift_jis": "これは文字コードのテストです。"}
    text = texts.get(encoding, "Der Wagen fährt über die Straße, schön.")
    (tmp_path / "f").write_bytes(text.encode(encoding))
    assert agreed("read_file", tmp_path, path="f").text == f"1\t{text}"


def test_a_very_long_line_is_cut_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("y" * 10_000 + "\nend\n")
    result = agreed("read_file", tmp_path, path="f")
    assert "8000 more characters on this line" in result.text and result.text.endswith("2\tend")
    assert result.details["truncated"]


def test_a_huge_log_is_read_in_parts_without_loading_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST", 1000)
    (tmp_path / "log").write_text("".join(f"entry {n}\n" for n in range(500)))
    result = agreed("read_file", tmp_path, path="log", offset=400, limit=2)
    assert result.text == "400\tentry 399\n401\tentry 400\n[lines 400-401; the rest: offset=402]"


def test_an_image_is_handed_over(tmp_path: Path) -> None:
    (tmp_path / "p.dat").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 30)
    result = agreed("read_file", tmp_path, path="p.dat")
    assert [(item.path, item.mime) for item in result.attachments] == [(str(tmp_path / "p.dat"), "image/png")]


def test_what_cannot_be_read_says_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "report.txt").write_text("x")
    (tmp_path / "d").mkdir()
    (tmp_path / "bin").write_bytes(bytes(range(256)) * 4)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for path, words in {
        "reprot.txt": "Did you mean report.txt",
        "nowhere/x": "doesn't exist either",
        "d": "list_dir",
        "bin": "not text",
        "pipe": "not a regular file",
        "loop": "loop",
    }.items():
        with pytest.raises(ToolError, match=words):
            agreed("read_file", tmp_path, path=path)
    with pytest.raises(ToolError, match="has 1 lines"):
        agreed("read_file", tmp_path, path="report.txt", offset=9)


def test_an_empty_file_is_empty(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    result = agreed("read_file", tmp_path, path="f")
    assert result.text == "The file is empty." and result.details["lines"] == 0


def test_reading_outside_asks_once_per_folder_also_for_what_is_below(tmp_path: Path) -> None:
    work, other = tmp_path / "work", tmp_path / "other" / "deep"
    work.mkdir()
    other.mkdir(parents=True)
    (other / "f").write_text("x")
    assert level("read_file", work, path="../other/deep/f") == "ask"
    shown = preview("read_file", work, path="../other/deep/f")
    assert shown.grant_key == f"read:{other}"
    assert f"read:{other.parent}" in shown.covered_by
    assert shown.effect == "read"
    (work / "f").write_text("x")
    assert level("read_file", work, path="f") == "never"
    assert level("read_file", work, path=str(work / "f")) == "never"


def test_keys_are_asked_for_even_inside_the_folder(tmp_path: Path) -> None:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "id").write_text("secret")
    assert level("read_file", tmp_path, path=".ssh/id") == "ask"
    covered_by = preview("read_file", tmp_path, path=".ssh/id").covered_by
    assert covered_by == (f"read-file:{tmp_path / '.ssh' / 'id'}",), "a yes for the home doesn't cover them"


def test_one_endless_line_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST", 1000)
    monkeypatch.setattr(reading, "LINE_BYTES", 5000)
    (tmp_path / "log").write_text("x" * 20_000)
    with pytest.raises(ToolError, match="run_command"):
        agreed("read_file", tmp_path, path="log")
