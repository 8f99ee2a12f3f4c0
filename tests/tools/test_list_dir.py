"""What is in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankita_desktop.errors import ToolError
from ankita_desktop.toolkit import listing
from tests.tools.agreed import agreed, level


def test_folders_come_first_with_kinds_and_sizes(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_bytes(b"x" * 2500)
    (tmp_path / "A.txt").touch()
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to("b.txt")
    (tmp_path / ".hidden").touch()
    result = agreed("list_dir", tmp_path)
    assert result.text == "sub/\nA.txt  0 B\nb.txt  2.5 KB\nlink -> b.txt\n[1 hidden not shown]"
    assert result.details["entries"][2] == {"name": "b.txt", "kind": "file", "size": 2500}
    assert result.details["truncated"] is False


def test_hidden_files_are_shown_when_asked_for(tmp_path: Path) -> None:
    (tmp_path / ".hidden").touch()
    assert agreed("list_dir", tmp_path, hidden=True).text == ".hidden  0 B"
    assert agreed("list_dir", tmp_path).text.startswith("The folder is empty.")


def test_a_tree_is_listed_in_order_without_following_links(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c.txt").touch()
    (tmp_path / "z.txt").touch()
    (tmp_path / "a" / "up").symlink_to("..")
    names = [entry["name"] for entry in agreed("list_dir", tmp_path, recursive=True).details["entries"]]
    assert names == ["a", "a/b", "a/b/c.txt", "a/up", "z.txt"]


def test_a_long_list_is_cut_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MOST", 3)
    for number in range(5):
        (tmp_path / f"{number}").touch()
    result = agreed("list_dir", tmp_path)
    assert "[3 of 5 entries" in result.text and result.details["truncated"]


def test_names_that_are_not_utf8_do_not_break_the_list(tmp_path: Path) -> None:
    (tmp_path / "ok").touch()
    Path(bytes(tmp_path).decode() + "/bad\udcff").touch()
    result = agreed("list_dir", tmp_path)
    result.text.encode()
    assert "bad\\udcff" in result.text


def test_a_file_and_a_missing_folder_say_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    with pytest.raises(ToolError, match="Use read_file"):
        agreed("list_dir", tmp_path, path="f")
    with pytest.raises(ToolError, match="no folder"):
        agreed("list_dir", tmp_path, path="missing")


def test_listing_outside_asks(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    assert level("list_dir", tmp_path / "w", path="..") == "ask"
    assert level("list_dir", tmp_path / "w") == "never"


def test_names_with_line_ends_stay_one_line(tmp_path: Path) -> None:
    (tmp_path / "two\nlines.txt").touch()
    (tmp_path / "new\nfolder").mkdir()
    (tmp_path / "new\nfolder" / "in").touch()
    result = agreed("list_dir", tmp_path, recursive=True)
    assert result.text == "new\\nfolder/\nnew\\nfolder/in  0 B\ntwo\\nlines.txt  0 B"
