"""Public bug reports about edits and undo, each in the situation that was reported."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.errors import ToolError
from ankita_desktop.safety.checkpoints import CheckpointStore
from ankita_desktop.toolkit.files import Files
from tests.tools.agreed import agreed, level

CRLF = b"alpha\r\nbeta\r\ngamma\r\nalpha\r\nbeta\r\n"
PATHS: list[tuple[str, dict[str, Any]]] = [
    ("edit_file", {"old_string": "gamma\nalpha\n", "new_string": "delta\nalpha\n"}),
    ("edit_file", {"old_string": "alpha\nbeta\n", "new_string": "one\ntwo\n", "replace_all": True}),
    ("edit_file", {"edits": [{"old_string": "beta\ngamma", "new_string": "b\ng"}]}),
    ("edit_lines", {"edits": [{"start_line": 2, "end_line": 3, "content": "x\ny\nz\n"}]}),
    ("write_file", {"content": "alpha\nbeta\nnew\n"}),
]


@pytest.mark.parametrize(("name", "args"), PATHS)
def test_pi_355_text_with_lf_edits_a_crlf_file_on_every_path(
    tmp_path: Path, name: str, args: dict[str, Any]
) -> None:
    (tmp_path / "f").write_bytes(CRLF)
    agreed(name, tmp_path, path="f", **args)
    data = (tmp_path / "f").read_bytes()
    assert data != CRLF
    assert data.count(b"\n") == data.count(b"\r\n") > 2


@pytest.mark.parametrize(
    "patch",
    [
        "*** Begin Patch\n*** Update File: f\n@@\n beta\n-gamma\n+delta\n+more\n*** End Patch\n",
        "--- a/f\n+++ b/f\n@@ -1,5 +1,6 @@\n alpha\n beta\n-gamma\n+delta\n+more\n alpha\n beta\n",
    ],
)
def test_pi_355_a_patch_with_lf_edits_a_crlf_file(tmp_path: Path, patch: str) -> None:
    (tmp_path / "f").write_bytes(CRLF)
    agreed("apply_patch", tmp_path, patch=patch)
    assert (tmp_path / "f").read_bytes() == CRLF.replace(b"gamma", b"delta\r\nmore")


def test_pi_355_each_region_keeps_its_own_line_ends_in_a_mixed_file(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\nb\n--\r\na\r\nb\r\n")
    agreed("edit_file", tmp_path, path="f", old_string="a\nb\n", new_string="x\ny\nz\n", replace_all=True)
    assert (tmp_path / "f").read_bytes() == b"x\ny\nz\n--\r\nx\r\ny\r\nz\r\n"


def test_aider_3737_a_file_without_final_newline_matches_and_stays_without(tmp_path: Path) -> None:
    for name, args in {
        "edit_file": {"path": "f", "old_string": "one\ntwo\n", "new_string": "one\n2\n"},
        "edit_lines": {"path": "f", "edits": [{"start_line": 2, "content": "2\n"}]},
        "apply_patch": {"patch": "*** Begin Patch\n*** Update File: f\n@@\n one\n-two\n+2\n*** End Patch"},
    }.items():
        (tmp_path / "f").write_bytes(b"one\ntwo")
        agreed(name, tmp_path, **args)
        assert (tmp_path / "f").read_bytes() == b"one\n2", name


@pytest.mark.parametrize("stray", [b"\xe9", b"\xc4\xe3\xba\xc3", b"\x81", b"\xff\xfe\xfd"])
def test_copilot_cli_3732_gemini_cli_1468_claude_code_7134_a_foreign_byte_elsewhere_stays(
    tmp_path: Path, stray: bytes
) -> None:
    for rest in (b"", "größer, schöner, weiter – ünï\n".encode()):
        data = b"first line\nsecond " + stray + b" line\n" + rest
        (tmp_path / "f").write_bytes(data)
        agreed("edit_file", tmp_path, path="f", old_string="first line", new_string="changed")
        assert (tmp_path / "f").read_bytes() == data.replace(b"first line", b"changed")


def test_opencode_43336_hive_4592_a_link_that_leads_outside_is_not_inside(tmp_path: Path) -> None:
    work, outside = tmp_path / "work", tmp_path / "work-other"
    work.mkdir()
    outside.mkdir()
    (outside / "f").write_text("theirs")
    (work / "link").symlink_to(outside)
    (tmp_path / "alias").symlink_to(work)
    for root in (work, tmp_path / "alias"):
        files = Files(root)
        assert files.read_level("link/f") == "ask"
        assert files.read_level(outside / "f") == "ask", "a longer name is no subfolder"
        with pytest.raises(ToolError, match=r"leads through a link to .*work-other/f"):
            files.change("link/f", "x")
        assert not files.preview([files.change(outside / "f", "x")]).inside
        (work / "mine").write_text("x")
        assert files.read_level("mine") == "never"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write_file", {"path": "link/new", "content": "evil"}),
        ("write_file", {"path": "link/../new", "content": "evil"}),
        ("edit_file", {"path": "link/old", "old_string": "one", "new_string": "evil"}),
        ("edit_lines", {"path": "link/old", "edits": [{"start_line": 1, "content": "evil"}]}),
        ("apply_patch", {"patch": "*** Begin Patch\n*** Add File: link/new\n+evil\n*** End Patch"}),
        ("move_file", {"source": "mine", "destination": "link"}),
        ("move_file", {"source": "mine", "destination": "link/new"}),
        ("move_file", {"source": "link/old", "destination": "taken"}),
        ("delete_file", {"path": "link/old"}),
        ("create_dir", {"path": "link/new"}),
    ],
)
def test_a_folder_link_that_leads_outside_is_no_way_to_change_anything_there(
    tool: str, arguments: dict[str, Any], tmp_path: Path
) -> None:
    """opencode#43336: one meaning for links to files and to folders. The real path, named itself, is asked for."""
    work, outside = tmp_path / "work", tmp_path / "outside" / "deep"
    work.mkdir()
    outside.mkdir(parents=True)
    (work / "mine").write_text("one\n")
    (outside / "old").write_text("one\n")
    (work / "link").symlink_to(outside)
    with pytest.raises(ToolError):
        agreed(tool, work, **arguments)
    assert [path.name for path in outside.iterdir()] == ["old"]
    assert (outside / "old").read_text() == "one\n"
    assert sorted(path.name for path in work.iterdir()) == ["link", "mine"]
    agreed("write_file", work, path=str(outside / "new"), content="meant")
    assert (outside / "new").read_text() == "meant"


@pytest.mark.parametrize("target", ["../outside/new", "../outside/old"])
def test_filesystem_12_nothing_is_written_through_a_link_dangling_or_not(tmp_path: Path, target: str) -> None:
    work, outside = tmp_path / "work", tmp_path / "outside"
    work.mkdir()
    outside.mkdir()
    (outside / "old").write_text("one\n")
    (work / "link").symlink_to(target)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("write_file", {"path": "link", "content": "evil"}),
        ("edit_file", {"path": "link", "old_string": "one", "new_string": "evil"}),
        ("edit_lines", {"path": "link", "edits": [{"start_line": 1, "content": "evil"}]}),
        ("apply_patch", {"patch": "*** Begin Patch\n*** Add File: link\n+evil\n*** End Patch"}),
    ]
    for name, args in calls:
        with pytest.raises(ToolError):
            agreed(name, work, **args)
    assert {path.name: path.read_text() for path in outside.iterdir()} == {"old": "one\n"}
    assert level("read_file", work, path="link") == "ask"


def test_cline_1511_3910_a_mismatch_shows_the_nearest_text_with_line_numbers(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("a\n\nvalue = compute(first, second)\n\nz\n")
    for name, args in {
        "edit_file": {"path": "f", "old_string": "value = compute(first)", "new_string": "x"},
        "apply_patch": {
            "patch": "*** Begin Patch\n*** Update File: f\n@@\n-value = compute(first)\n+x\n*** End Patch"
        },
    }.items():
        with pytest.raises(ToolError, match=r"3\tvalue = compute\(first, second\)"):
            agreed(name, tmp_path, **args)


def test_cline_14367_undo_restores_recorded_paths_only_and_never_cleans(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / ".gitignore").write_text("")
    store = CheckpointStore(tmp_path / "undo")
    result = agreed("write_file", work, path=".gitignore", content="build/\n", checkpoints=store)
    (work / "build").mkdir()
    (work / "build" / "precious").write_text("hours of work")
    store.restore(result.details["checkpoint"])
    assert (work / ".gitignore").read_text() == ""
    assert (work / "build" / "precious").read_text() == "hours of work"


def test_codex_11626_undo_leaves_the_repository_of_the_person_alone(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=work, check=True)
    (work / "f").write_text("staged\n")
    subprocess.run(["git", "add", "f"], cwd=work, check=True)
    before = {path: path.read_bytes() for path in (work / ".git").rglob("*") if path.is_file()}
    store = CheckpointStore(tmp_path / "undo")
    result = agreed("edit_file", work, path="f", old_string="staged", new_string="changed", checkpoints=store)
    store.restore(result.details["checkpoint"])
    assert {path: path.read_bytes() for path in (work / ".git").rglob("*") if path.is_file()} == before


def test_gemini_cli_1761_every_change_is_listed_and_reversible(tmp_path: Path) -> None:
    work = tmp_path / "work"
    (work / "d").mkdir(parents=True)
    (work / "f").write_bytes(b"one\r\n")
    (work / "d" / "g").write_bytes(b"\x00")

    def tree() -> dict[str, bytes]:
        return {str(path.relative_to(work)): path.read_bytes() for path in work.rglob("*") if path.is_file()}

    original = tree()
    store = CheckpointStore(tmp_path / "undo")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("edit_file", {"path": "f", "old_string": "one", "new_string": "two"}),
        ("write_file", {"path": "new/n", "content": "n"}),
        ("move_file", {"source": "d", "destination": "e"}),
        ("delete_file", {"path": "f"}),
        ("create_dir", {"path": "made/here"}),
        ("apply_patch", {"patch": "*** Begin Patch\n*** Add File: p\n+p\n*** Delete File: new/n\n*** End Patch"}),
        ("delete_file", {"path": "e", "recursive": True, "permanent": True}),
        ("edit_lines", {"path": "p", "edits": [{"start_line": 1, "content": "q"}]}),
    ]
    for name, args in calls:
        agreed(name, work, checkpoints=store, **args)
    listed = store.list()
    assert len(listed) == len(calls) and all(row.paths and row.label for row in listed)
    for row in listed:
        store.restore(row.id)
    assert tree() == original
    assert sorted(path.name for path in work.iterdir()) == ["d", "f"]
