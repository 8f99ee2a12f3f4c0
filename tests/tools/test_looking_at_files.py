"""Facts of files, room on the disk, and files by name anywhere."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from ankita_desktop.errors import Cancelled
from ankita_desktop.toolkit import Cancel, ToolContext, ToolError
from ankita_desktop.toolkit.disk_use import measure
from ankita_desktop.toolkit.find_anywhere import find
from ankita_desktop.toolkit.process import Jobs
from tests.tools.agreed import level, preview
from tests.tools.calls import call


def ctx(folder: Path) -> ToolContext:
    return ToolContext(folder, Jobs())


def test_a_file_tells_its_kind_size_rights_and_encoding(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_bytes(b"one\r\ntwo\r\n")
    (tmp_path / "n.txt").chmod(0o640)
    facts = call("file_info", ctx(tmp_path), path="n.txt", hash=True).details["facts"]
    assert facts["kind"] == "file"
    assert facts["size"] == "10 B (10 bytes)"
    assert facts["permissions"] == "-rw-r----- (640)"
    assert facts["content"] == "text, UTF-8, CRLF, 2 lines"
    assert facts["SHA-256"] == hashlib.sha256(b"one\r\ntwo\r\n").hexdigest()


def test_folders_links_pipes_and_binaries_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "x").touch()
    (tmp_path / "gone").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "p.dat").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")

    def facts(path: str) -> dict[str, str]:
        found: dict[str, str] = call("file_info", ctx(tmp_path), path=path).details["facts"]
        return found

    assert facts("d")["entries"].startswith("1 ")
    assert facts("gone")["leads to"] == "nowhere (nothing is there)"
    assert facts("pipe")["kind"] == "pipe"
    assert facts("p.dat")["type"] == "image/png"
    assert facts("p.dat")["content"] == "binary"
    with pytest.raises(ToolError, match="nothing at nope"):
        facts("nope")


def test_a_folder_is_measured_with_all_that_is_below(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "large").write_bytes(b"x" * 5000)
    (tmp_path / "a" / "small").write_bytes(b"x" * 10)
    (tmp_path / "c").write_bytes(b"x" * 100)
    os.link(tmp_path / "c", tmp_path / "same")
    (tmp_path / "loop").symlink_to(tmp_path)
    result = call("disk_usage", ctx(tmp_path), top=2)
    assert result.details["size"] == 5110
    use = measure(tmp_path, Cancel(), 2)
    assert use.parts["a"] == 5010
    assert use.largest == [(5000, "a/b/large"), (100, use.largest[1][1])]
    assert "files: 4, folders: 2" in result.text
    assert "free of" in result.text


def test_measuring_stops_at_its_limits_and_says_so(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"d{number}").mkdir()
        (tmp_path / f"d{number}" / "f").write_bytes(b"x")
    assert measure(tmp_path, Cancel(), entries=35).stopped
    assert not measure(tmp_path, Cancel()).stopped
    stopped = Cancel()
    stopped.set()
    with pytest.raises(Cancelled):
        measure(tmp_path, stopped)


def test_disk_usage_of_a_file_names_the_tool_for_it(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    with pytest.raises(ToolError, match="file_info"):
        call("disk_usage", ctx(tmp_path), path="f")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without an index of the system's."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    folder = tmp_path / "home"
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "Tax Return 2023.pdf").touch()
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "tax.js").touch()
    (folder / "old-tax.txt").touch()
    os.utime(folder / "old-tax.txt", (1, 1))
    return folder


def test_a_file_is_found_by_a_part_of_its_name_newest_first(home: Path, tmp_path: Path) -> None:
    result = call("find_file", ctx(tmp_path), name="TAX", root=str(home))
    assert [Path(path).name for path in result.details["paths"]] == ["Tax Return 2023.pdf", "old-tax.txt"]
    assert result.details["by"] == "walk"
    assert call("find_file", ctx(tmp_path), name="*.pdf", root=str(home)).details["count"] == 1
    exact = call("find_file", ctx(tmp_path), name="old-tax", root=str(home)).details["paths"]
    assert Path(exact[0]).name == "old-tax.txt"
    assert "Nothing below" in call("find_file", ctx(tmp_path), name="nope", root=str(home)).text


def test_the_systems_index_is_used_and_what_it_remembers_wrongly_left_out(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = [home / "old-tax.txt", home / "gone-tax.txt", tmp_path / "elsewhere-tax.txt"]
    (tmp_path / "elsewhere-tax.txt").touch()
    bins = tmp_path / "bin"
    bins.mkdir()
    (bins / "plocate").write_text("#!/bin/sh\nprintf '" + "".join(f"{path}\\0" for path in known) + "'\n")
    (bins / "plocate").chmod(0o755)
    monkeypatch.setenv("PATH", str(bins))
    found = find(home, "tax", Cancel())
    assert found.paths == (home / "old-tax.txt",)
    assert found.by == "index"


def test_looking_outside_the_folder_asks_once_for_each_root(home: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    assert level("find_file", work, name="x", root=".") == "never"
    assert level("find_file", work, name="x", root=str(home)) == "ask"
    one = preview("find_file", work, name="x", root=str(home))
    other = preview("find_file", work, name="y", root=str(home / "deep"))
    assert one.grant_key == f"find:{home}"
    assert one.grant_key in other.covered_by
    assert not one.grant_key.startswith("read:")


def test_a_name_with_folders_in_it_is_refused_with_the_way_to_say_it(home: Path, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="root says where"):
        call("find_file", ctx(tmp_path), name="a/b", root=str(home))
