"""Moving, deleting and making folders: nothing is lost by accident."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankita_desktop.errors import ToolError
from ankita_desktop.safety.checkpoints import CheckpointStore
from tests.tools.agreed import agreed, level, preview


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def store(tmp_path: Path) -> CheckpointStore:
    return CheckpointStore(tmp_path / "undo")


@pytest.fixture(autouse=True)
def trash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The desktop's trash of this test; its place is read once per process."""
    monkeypatch.setattr("send2trash.plat_other.XDG_DATA_HOME", bytes(tmp_path))
    monkeypatch.setattr("send2trash.plat_other.HOMETRASH_B", bytes(tmp_path / "Trash"))
    return tmp_path / "Trash" / "files"


def trashed(trash: Path) -> list[str]:
    return sorted(path.name for path in trash.glob("*"))


def test_a_delete_goes_to_the_trash_and_can_be_undone(work: Path, store: CheckpointStore, trash: Path) -> None:
    (work / "f").write_bytes(b"\x00binary")
    assert preview("delete_file", work, path="f").question == "Move f to the trash?"
    result = agreed("delete_file", work, path="f", checkpoints=store)
    assert not (work / "f").exists() and trashed(trash) == ["f"]
    assert result.text == "Moved f to the trash."
    store.restore(result.details["checkpoint"])
    assert (work / "f").read_bytes() == b"\x00binary"


def test_a_permanent_delete_always_asks_and_says_what_is_lost(work: Path, trash: Path) -> None:
    (work / "f").write_text("x")
    assert level("delete_file", work, path="f", permanent=True) == "always"
    shown = preview("delete_file", work, path="f", permanent=True)
    assert "f" in shown.danger and not shown.grant_key and shown.question == "Delete f for good?"
    agreed("delete_file", work, path="f", permanent=True)
    assert not (work / "f").exists() and trashed(trash) == []


def test_a_folder_with_content_needs_recursive_and_shows_how_much(work: Path, store: CheckpointStore) -> None:
    (work / "d").mkdir()
    (work / "d" / "f").write_text("x")
    with pytest.raises(ToolError, match="Set recursive"):
        agreed("delete_file", work, path="d")
    shown = preview("delete_file", work, path="d", recursive=True)
    assert "1 entries" in shown.changes[0].facts
    result = agreed("delete_file", work, path="d", recursive=True, checkpoints=store)
    assert not (work / "d").exists()
    store.restore(result.details["checkpoint"])
    assert (work / "d" / "f").read_text() == "x"


def test_a_folder_that_got_new_content_after_the_yes_is_not_deleted(work: Path) -> None:
    (work / "d").mkdir()
    (work / "d" / "f").write_text("x")
    new = work / "d" / "new"
    with pytest.raises(ToolError, match="changed"):
        agreed("delete_file", work, path="d", recursive=True, meanwhile=lambda: new.write_text("mine"))
    assert new.read_text() == "mine"


def test_deleting_a_link_leaves_what_it_points_to(work: Path, tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "f").write_text("x")
    (work / "link").symlink_to(tmp_path / "precious")
    (work / "other").symlink_to(tmp_path / "precious")
    agreed("delete_file", work, path="link", permanent=True)
    agreed("delete_file", work, path="other")
    assert list(work.iterdir()) == [] and (tmp_path / "precious" / "f").read_text() == "x"


@pytest.mark.parametrize("path", [".", "..", "/", "~"])
def test_the_working_folder_the_home_and_what_holds_them_are_never_deleted(work: Path, path: str) -> None:
    with pytest.raises(ToolError):
        agreed("delete_file", work, path=path, recursive=True)
    assert work.is_dir()


def test_a_move_never_overwrites(work: Path) -> None:
    (work / "a").write_text("a")
    (work / "b").write_text("b")
    with pytest.raises(ToolError, match="already exists"):
        agreed("move_file", work, source="a", destination="b")
    with pytest.raises(ToolError, match="already exists"):
        agreed("move_file", work, source="a", destination="c", meanwhile=lambda: (work / "c").write_text("c"))
    assert [(work / name).read_text() for name in "abc"] == ["a", "b", "c"]


def test_a_move_makes_folders_goes_into_folders_and_can_be_undone(work: Path, store: CheckpointStore) -> None:
    (work / "a").write_bytes(b"\xff\xfe")
    result = agreed("move_file", work, source="a", destination="new/sub/b", checkpoints=store)
    assert result.text == "Moved a to new/sub/b."
    (work / "there").mkdir()
    agreed("move_file", work, source="new/sub/b", destination="there")
    assert (work / "there" / "b").read_bytes() == b"\xff\xfe"
    (work / "there" / "b").rename(work / "new" / "sub" / "b")
    store.restore(result.details["checkpoint"])
    assert (work / "a").read_bytes() == b"\xff\xfe" and not (work / "new").exists()


def test_a_folder_is_not_moved_into_itself(work: Path) -> None:
    (work / "d").mkdir()
    with pytest.raises(ToolError, match="into itself"):
        agreed("move_file", work, source="d", destination="d/e")


def test_a_link_is_moved_as_a_link(work: Path) -> None:
    (work / "f").write_text("x")
    (work / "l").symlink_to("f")
    agreed("move_file", work, source="l", destination="m")
    assert (work / "m").readlink() == Path("f") and (work / "f").read_text() == "x"


def test_moving_onto_a_protected_place_always_asks(work: Path) -> None:
    (work / "evil").write_text("x")
    assert level("move_file", work, source="evil", destination=".git/hooks/pre-commit") == "always"
    assert level("move_file", work, source="evil", destination="fine") == "ask"


def test_a_folder_is_created_with_its_parents_once(work: Path, store: CheckpointStore) -> None:
    result = agreed("create_dir", work, path="a/b", checkpoints=store)
    assert (work / "a" / "b").is_dir() and result.text == "Created folder a/b."
    assert level("create_dir", work, path="a/b") == "never"
    assert "exists already" in agreed("create_dir", work, path="a/b").text
    store.restore(result.details["checkpoint"])
    assert not (work / "a").exists()
    (work / "f").touch()
    with pytest.raises(ToolError, match="not a folder"):
        agreed("create_dir", work, path="f")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read_file", {"path": "{}"}),
        ("list_dir", {"path": "{}"}),
        ("search_files", {"pattern": "x", "path": "{}"}),
        ("glob", {"pattern": "*", "path": "{}"}),
        ("write_file", {"path": "a/{}/b", "content": "x"}),
        ("edit_file", {"path": "{}", "old_string": "a", "new_string": "b"}),
        ("move_file", {"source": "f", "destination": "{}"}),
        ("delete_file", {"path": "{}"}),
        ("create_dir", {"path": "{}"}),
    ],
)
@pytest.mark.parametrize("name", ["n" * 256, "é" * 130, "/".join(["long"] * 1000)])
def test_a_name_that_no_disk_takes_is_refused_in_words(
    work: Path, tool: str, arguments: dict[str, str], name: str
) -> None:
    (work / "f").write_text("x")
    with pytest.raises(ToolError, match="too long"):
        agreed(tool, work, **{key: value.format(name) for key, value in arguments.items()})
    assert [path.name for path in work.iterdir()] == ["f"]


def test_a_link_to_nowhere_is_deleted_and_comes_back_with_undo(work: Path, store: CheckpointStore) -> None:
    (work / "link").symlink_to("gone")
    result = agreed("delete_file", work, checkpoints=store, path="link")
    assert not (work / "link").is_symlink()
    store.restore(result.details["checkpoint"])
    assert (work / "link").readlink() == Path("gone")


def test_a_link_in_a_circle_can_be_moved_and_deleted(work: Path, store: CheckpointStore) -> None:
    (work / "self").symlink_to("self")
    (work / "a").symlink_to("b")
    (work / "b").symlink_to("a")
    agreed("move_file", work, source="self", destination="moved")
    assert (work / "moved").readlink() == Path("self")
    agreed("delete_file", work, checkpoints=store, path="moved")
    agreed("delete_file", work, checkpoints=store, path="a")
    assert [path.name for path in work.iterdir()] == ["b"]


def test_a_link_in_a_circle_is_not_written_through_or_read(work: Path) -> None:
    (work / "self").symlink_to("self")
    for name, args in (("write_file", {"content": "x"}), ("read_file", {}), ("list_dir", {})):
        with pytest.raises(ToolError, match="can't be followed"):
            agreed(name, work, path="self", **args)
    with pytest.raises(ToolError, match="can't be followed"):
        agreed("delete_file", work, path="self/below")
