"""What undo promises about the person's files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ankita_desktop.safety.checkpoints import CheckpointError, CheckpointStore


@pytest.fixture
def store(tmp_path: Path) -> CheckpointStore:
    return CheckpointStore(tmp_path / "undo")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def record(store: CheckpointStore, paths: list[Path], change: Callable[[], object]) -> str:
    checkpoint = store.before(paths, session="s", call_id="c", label="Changed things")
    change()
    store.after(checkpoint)
    return checkpoint


def test_undo_brings_back_bytes_and_mode(store: CheckpointStore, work: Path) -> None:
    file = work / "run.sh"
    file.write_bytes(b"#!/bin/sh\r\n\xff\x00")
    file.chmod(0o750)

    def change() -> None:
        file.write_bytes(b"new")
        file.chmod(0o600)

    store.restore(record(store, [file], change))
    assert file.read_bytes() == b"#!/bin/sh\r\n\xff\x00"
    assert file.stat().st_mode & 0o7777 == 0o750


def test_undo_deletes_what_was_created_and_the_folders_made_for_it(store: CheckpointStore, work: Path) -> None:
    file = work / "a" / "b" / "new.txt"

    def change() -> None:
        file.parent.mkdir(parents=True)
        file.write_text("x")

    store.restore(record(store, [file], change))
    assert not (work / "a").exists()


def test_undo_keeps_what_somebody_else_put_into_a_created_folder(store: CheckpointStore, work: Path) -> None:
    file = work / "made" / "new.txt"

    def change() -> None:
        file.parent.mkdir()
        file.write_text("x")

    checkpoint = record(store, [file], change)
    (work / "made" / "mine.txt").write_text("keep me")
    result = store.restore(checkpoint)
    assert (work / "made" / "mine.txt").read_text() == "keep me"
    assert not file.exists()
    assert result.left == (str(work / "made"),)


def test_undo_refuses_and_touches_nothing_when_any_file_changed_since(store: CheckpointStore, work: Path) -> None:
    one, two = work / "one", work / "two"
    one.write_text("1")
    two.write_text("2")

    def change() -> None:
        one.write_text("agent 1")
        two.write_text("agent 2")

    checkpoint = record(store, [one, two], change)
    two.write_text("the person's")
    with pytest.raises(CheckpointError, match="two was changed"):
        store.restore(checkpoint)
    assert (one.read_text(), two.read_text()) == ("agent 1", "the person's")


def test_undo_brings_back_a_deleted_folder_with_links_and_modes(store: CheckpointStore, work: Path) -> None:
    folder = work / "site"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "page").write_bytes(b"hello")
    (folder / "sub" / "page").chmod(0o640)
    (folder / "link").symlink_to("sub/page")
    (folder / "empty").mkdir()
    (folder / "sub").chmod(0o500)

    def change() -> None:
        import shutil

        (folder / "sub").chmod(0o700)
        shutil.rmtree(folder)

    store.restore(record(store, [folder], change))
    assert (folder / "sub" / "page").read_bytes() == b"hello"
    assert (folder / "sub" / "page").stat().st_mode & 0o777 == 0o640
    assert (folder / "sub").stat().st_mode & 0o777 == 0o500
    assert (folder / "link").readlink() == Path("sub/page")
    assert (folder / "empty").is_dir()


def test_undo_of_a_moved_folder_moves_it_back_with_later_changes_in_it(store: CheckpointStore, work: Path) -> None:
    old, new = work / "old", work / "new"
    old.mkdir()
    (old / "f").write_text("1")
    checkpoint = record(store, [old, new], lambda: old.rename(new))
    (new / "later").write_text("mine")
    store.restore(checkpoint)
    assert (old / "f").read_text() == "1"
    assert (old / "later").read_text() == "mine"
    assert not new.exists()


def test_an_undo_can_be_undone(store: CheckpointStore, work: Path) -> None:
    file = work / "f"
    file.write_text("old")
    result = store.restore(record(store, [file], lambda: file.write_text("new")))
    store.restore(*result.back)
    assert file.read_text() == "new"


def test_undo_never_writes_through_a_folder_that_became_a_link(
    store: CheckpointStore, work: Path, tmp_path: Path
) -> None:
    folder, outside = work / "d", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "f").write_text("old")
    checkpoint = record(store, [folder / "f"], lambda: (folder / "f").write_text("new"))
    (folder / "f").rename(outside / "f")
    folder.rmdir()
    folder.symlink_to(outside)
    with pytest.raises(CheckpointError, match="leads elsewhere"):
        store.restore(checkpoint)
    assert (outside / "f").read_text() == "new"


def test_an_interrupted_change_is_listed_and_not_undone_blindly(store: CheckpointStore, work: Path) -> None:
    file = work / "f"
    file.write_text("old")
    checkpoint = store.before([file], session="s", call_id="c", label="x")
    assert [row.id for row in store.list()] == [checkpoint]
    with pytest.raises(CheckpointError, match="interrupted"):
        store.restore(checkpoint)


def test_a_change_that_changed_nothing_is_not_listed(store: CheckpointStore, work: Path) -> None:
    (work / "f").write_text("same")
    record(store, [work / "f"], lambda: None)
    assert store.list() == ()


def test_every_change_is_listed_newest_first_and_per_session(store: CheckpointStore, work: Path) -> None:
    first = record(store, [work / "a"], lambda: (work / "a").write_text("1"))
    second = record(store, [work / "b"], lambda: (work / "b").write_text("1"))
    assert [row.id for row in store.list("s")] == [second, first]
    assert store.list("another") == ()
    assert store.list()[0].paths == (str(work / "b"),)


def test_equal_content_is_kept_once(store: CheckpointStore, work: Path, tmp_path: Path) -> None:
    for name in "abc":
        (work / name).write_text("same content")
    record(store, [work / name for name in "abc"], lambda: [(work / name).unlink() for name in "abc"])
    assert [pack.read_bytes() for pack in (tmp_path / "undo").glob("*.pack")] == [b"same content"]


def test_the_store_is_private(store: CheckpointStore, work: Path, tmp_path: Path) -> None:
    (work / ".env").write_text("KEY=1")
    record(store, [work / ".env"], lambda: (work / ".env").unlink())
    root = tmp_path / "undo"
    modes = {path.stat().st_mode & 0o077 for path in [root, *root.rglob("*")]}
    assert modes == {0}


def test_the_store_is_capped_by_age_and_size(work: Path, tmp_path: Path) -> None:
    store = CheckpointStore(tmp_path / "undo", most_bytes=2500, most_seconds=1000)
    file = work / "f"
    for number in range(4):
        file.write_text(f"{number}" * 1000)
        record(store, [file], lambda: file.write_text("short"))
    again = CheckpointStore(tmp_path / "undo", most_bytes=2500, most_seconds=1000)
    again.before([work / "other"], session="s", call_id="c", label="x")
    assert len(again.list()) == 3, "the two newest with content, and the new one"
    assert len(list((tmp_path / "undo").glob("*.pack"))) == 2

    manifest = next((tmp_path / "undo").glob("*.json"))
    old = json.loads(manifest.read_text()) | {"time": 5.0}
    manifest.write_text(json.dumps(old))
    third = CheckpointStore(tmp_path / "undo", most_bytes=2500, most_seconds=1000)
    third.before([work / "more"], session="s", call_id="c", label="x")
    assert old["id"] not in [row.id for row in third.list()]
    assert not manifest.with_suffix(".pack").exists()


def test_damaged_content_is_refused_not_restored(store: CheckpointStore, work: Path, tmp_path: Path) -> None:
    file = work / "f"
    file.write_text("old")
    checkpoint = record(store, [file], lambda: file.write_text("new"))
    next((tmp_path / "undo").glob("*.pack")).write_text("rot")
    with pytest.raises(CheckpointError, match="damaged"):
        store.restore(checkpoint)
    assert file.read_text() == "new"


def test_a_damaged_record_hides_no_other(store: CheckpointStore, work: Path, tmp_path: Path) -> None:
    good = record(store, [work / "a"], lambda: (work / "a").write_text("1"))
    (tmp_path / "undo" / "broken.json").write_text("{")
    assert [row.id for row in store.list()] == [good]
    with pytest.raises(CheckpointError, match="can't be read"):
        store.restore("broken")


def test_names_of_checkpoints_are_not_paths(store: CheckpointStore) -> None:
    with pytest.raises(CheckpointError, match="no checkpoint"):
        store.restore("../../etc/passwd")


def test_a_file_too_large_to_keep_is_moved_back_by_name_and_said_when_lost(
    store: CheckpointStore, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ankita_desktop.safety.snapshot.LARGEST_FILE", 10)
    big, there = work / "big", work / "there"
    big.write_bytes(b"x" * 1000)
    store.restore(record(store, [big, there], lambda: big.rename(there)))
    assert big.stat().st_size == 1000 and not there.exists()
    checkpoint = record(store, [big], big.unlink)
    with pytest.raises(CheckpointError, match="too large to be kept"):
        store.restore(checkpoint)


def test_a_great_folder_is_moved_back_without_being_read(
    store: CheckpointStore, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ankita_desktop.safety.snapshot.MOST_BYTES", 2500)
    old, new = work / "old", work / "new"
    old.mkdir()
    for number in range(6):
        (old / f"{number}").write_bytes(bytes([number]) * 1000)
    checkpoint = record(store, [old, new], lambda: old.rename(new))
    store.restore(checkpoint)
    assert sorted(path.name for path in old.iterdir()) == list("012345")
    checkpoint = record(store, [old / "0"], lambda: (old / "0").write_bytes(b"n"))
    store.restore(checkpoint)
    assert (old / "0").read_bytes() == b"\x00" * 1000
