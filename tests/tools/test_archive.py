"""Archives: what is in them is listed, extracted where it belongs and nowhere else, and packed whole."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import stat
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.errors import Cancelled
from ankita_desktop.safety.checkpoints import CheckpointStore
from ankita_desktop.toolkit import Cancel, ToolContext, ToolError
from ankita_desktop.toolkit.process import Jobs
from tests.tools.agreed import agreed, level, preview
from tests.tools.calls import call

FILES = {"a.txt": b"one\n", "deep/b.bin": bytes(range(256)), "deep/c.txt": b""}


def zipped(path: Path, files: dict[str, bytes] = FILES) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def tarred(
    path: Path, files: dict[str, bytes] = FILES, *, mode: Any = "w", extra: tuple[tarfile.TarInfo, ...] = ()
) -> Path:
    with tarfile.open(path, mode) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for info in extra:
            archive.addfile(info)
    return path


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def listed(folder: Path, path: str) -> str:
    return call("archive", ToolContext(folder, Jobs()), action="list", path=path).text


MAKERS: dict[str, Callable[[Path], Path]] = {
    "x.zip": zipped,
    "x.tar": tarred,
    "x.tar.gz": lambda path: tarred(path, mode="w:gz"),
    "x.tar.bz2": lambda path: tarred(path, mode="w:bz2"),
    "x.tar.xz": lambda path: tarred(path, mode="w:xz"),
}


@pytest.mark.parametrize("name", MAKERS)
def test_every_kind_is_listed_and_extracted_into_a_folder_of_its_own_name(tmp_path: Path, name: str) -> None:
    MAKERS[name](tmp_path / name)
    text = listed(tmp_path, name)
    assert "a.txt  4 B" in text
    assert "deep/b.bin  256 B" in text
    assert "3 entries" in text
    assert level("archive", tmp_path, action="list", path=name) == "never"
    agreed("archive", tmp_path, action="extract", path=name)
    assert tree(tmp_path / "x") == FILES


def test_an_archive_is_known_by_its_bytes(tmp_path: Path) -> None:
    tarred(tmp_path / "x.zip", mode="w:gz")
    agreed("archive", tmp_path, action="extract", path="x.zip", destination="out")
    assert tree(tmp_path / "out") == FILES


def test_one_packed_file_is_put_beside_its_archive(tmp_path: Path) -> None:
    (tmp_path / "log.txt.gz").write_bytes(gzip.compress(b"line\n" * 9))
    agreed("archive", tmp_path, action="extract", path="log.txt.gz")
    assert (tmp_path / "log.txt").read_bytes() == b"line\n" * 9
    (tmp_path / "n.bz2").write_bytes(bz2.compress(b"words"))
    agreed("archive", tmp_path, action="extract", path="n.bz2")
    assert (tmp_path / "n").read_bytes() == b"words"


def test_a_folder_of_the_archives_own_name_is_not_put_into_another(tmp_path: Path) -> None:
    zipped(tmp_path / "app.zip", {"app/main.py": b"1", "app/lib/x.py": b"2"})
    agreed("archive", tmp_path, action="extract", path="app.zip")
    assert tree(tmp_path / "app") == {"main.py": b"1", "lib/x.py": b"2"}


def test_only_the_members_that_are_named_are_extracted(tmp_path: Path) -> None:
    zipped(tmp_path / "x.zip")
    agreed("archive", tmp_path, action="extract", path="x.zip", members=["deep/"], destination=".")
    assert set(tree(tmp_path)) == {"x.zip", "deep/b.bin", "deep/c.txt"}
    with pytest.raises(ToolError, match=r"holds none of nope\.txt"):
        agreed("archive", tmp_path, action="extract", path="x.zip", members=["nope.txt"])


def test_extracting_asks_with_every_file_and_where_it_goes(tmp_path: Path) -> None:
    zipped(tmp_path / "x.zip")
    assert level("archive", tmp_path, action="extract", path="x.zip") == "ask"
    shown = preview("archive", tmp_path, action="extract", path="x.zip")
    assert shown.question == "Extract x.zip into x: 3 files, 260 B?"
    assert [change.path for change in shown.changes] == [str(tmp_path / "x" / name) for name in FILES]
    assert shown.inside


@pytest.mark.parametrize(
    "name",
    [
        "../out.txt",
        "/tmp/out.txt",
        "a/../../out.txt",
        "..\\out.txt",
        "C:\\out.txt",
        "C:out.txt",
        "a\x01b",
        "~/../..",
    ],
)
@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str, kind: str) -> None:
    work = tmp_path / "work"
    work.mkdir()
    {"zip": zipped, "tar": tarred}[kind](work / f"x.{kind}", {"good.txt": b"1", name: b"evil"})
    before = tree(tmp_path)
    with pytest.raises(ToolError, match="leads out of the folder or can't be used"):
        agreed("archive", work, action="extract", path=f"x.{kind}")
    assert tree(tmp_path) == before


def member(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def test_links_and_devices_stay_in_the_archive(tmp_path: Path) -> None:
    extra = (
        member("soft", tarfile.SYMTYPE, "/etc/passwd"),
        member("hard", tarfile.LNKTYPE, "a.txt"),
        member("pipe", tarfile.FIFOTYPE),
        member("disk", tarfile.BLKTYPE),
    )
    tarred(tmp_path / "x.tar", extra=extra)
    result = agreed("archive", tmp_path, action="extract", path="x.tar")
    assert "Left out" in result.text
    assert "4 (soft, hard, pipe, disk)" in result.text
    assert names(tmp_path / "x") == ["a.txt", "deep"]


def test_a_link_and_then_a_file_through_it_writes_nothing_outside(tmp_path: Path) -> None:
    work, victim = tmp_path / "work", tmp_path / "victim"
    work.mkdir()
    victim.mkdir()
    path = work / "x.tar"
    with tarfile.open(path, "w") as archive:
        archive.addfile(member("door", tarfile.SYMTYPE, str(victim)))
        info = tarfile.TarInfo("door/evil.txt")
        info.size = 4
        archive.addfile(info, io.BytesIO(b"evil"))
    agreed("archive", work, action="extract", path="x.tar")
    assert list(victim.iterdir()) == []
    assert (work / "x" / "door" / "evil.txt").read_bytes() == b"evil"


def test_a_link_that_stands_in_the_folder_already_is_not_gone_through(tmp_path: Path) -> None:
    work, victim = tmp_path / "work", tmp_path / "victim"
    (work / "out").mkdir(parents=True)
    victim.mkdir()
    (work / "out" / "deep").symlink_to(victim)
    zipped(work / "x.zip")
    with pytest.raises(ToolError, match="through a link"):
        agreed("archive", work, action="extract", path="x.zip", destination="out")
    assert list(victim.iterdir()) == []


def test_a_link_in_a_zip_is_left_out(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        info = zipfile.ZipInfo("soft")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
        archive.writestr("a.txt", "1")
    agreed("archive", tmp_path, action="extract", path="x.zip", destination="out")
    assert names(tmp_path / "out") == ["a.txt"]


def test_a_program_stays_one_and_gets_no_more_rights_than_that(tmp_path: Path) -> None:
    info = tarfile.TarInfo("run")
    info.mode = 0o6777
    tarred(tmp_path / "x.tar", {"a.txt": b"1"}, extra=(info,))
    agreed("archive", tmp_path, action="extract", path="x.tar", destination="out")
    assert stat.S_IMODE((tmp_path / "out" / "run").stat().st_mode) == 0o755
    assert not (tmp_path / "out" / "a.txt").stat().st_mode & 0o111


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    zipped(tmp_path / "bomb.zip", {"zeros": b"\0" * (40 << 20)})
    with pytest.raises(ToolError, match="made to fill disks"):
        agreed("archive", tmp_path, action="extract", path="bomb.zip")
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b"\0" * (40 << 20)))
    with pytest.raises(ToolError, match="made to fill disks"):
        agreed("archive", tmp_path, action="extract", path="bomb.gz")
    tarred(tmp_path / "bomb.tar.xz", {"zeros": b"\0" * (40 << 20)}, mode="w:xz")
    with pytest.raises(ToolError, match="made to fill disks"):
        agreed("archive", tmp_path, action="extract", path="bomb.tar.xz")
    assert len(names(tmp_path)) == 3


def test_a_size_that_lies_is_found_out(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", {"zeros": b"\0" * (40 << 20)})
    real, claimed = (40 << 20).to_bytes(4, "little"), (10).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(real, claimed))
    with pytest.raises(ToolError):
        agreed("archive", tmp_path, action="extract", path="x.zip")
    assert names(tmp_path) == ["x.zip"]


def test_more_files_than_anybody_agrees_to_are_refused(tmp_path: Path) -> None:
    zipped(tmp_path / "x.zip", {f"f{number}": b"" for number in range(2_100)})
    with pytest.raises(ToolError, match="more than 2,000 files"):
        agreed("archive", tmp_path, action="extract", path="x.zip")
    assert "[300 of 2,100 shown]" in listed(tmp_path, "x.zip")


def test_nothing_is_overwritten_and_nothing_half_extracted(tmp_path: Path) -> None:
    zipped(tmp_path / "x.zip")
    (tmp_path / "x" / "deep").mkdir(parents=True)
    (tmp_path / "x" / "deep" / "c.txt").write_text("mine")
    with pytest.raises(ToolError, match="exists already"):
        agreed("archive", tmp_path, action="extract", path="x.zip")
    assert tree(tmp_path / "x") == {"deep/c.txt": b"mine"}


def test_a_file_that_is_also_a_folder_leaves_nothing_behind(tmp_path: Path) -> None:
    zipped(tmp_path / "x.zip", {"a": b"1", "a/b": b"2"})
    with pytest.raises(ToolError):
        agreed("archive", tmp_path, action="extract", path="x.zip")
    assert tree(tmp_path) == {"x.zip": (tmp_path / "x.zip").read_bytes()}


def test_an_archive_that_changes_after_the_yes_is_not_extracted(tmp_path: Path) -> None:
    zipped(tmp_path / "x.zip")

    def swap() -> None:
        zipped(tmp_path / "x.zip", {**FILES, "a.txt": b"two\n"})

    with pytest.raises(ToolError, match="changed since this was approved"):
        agreed("archive", tmp_path, action="extract", path="x.zip", meanwhile=swap)
    assert not (tmp_path / "x").exists()


def test_what_stands_where_programs_run_by_themselves_is_always_asked(tmp_path: Path) -> None:
    zipped(tmp_path / "x.zip", {".git/hooks/pre-commit": b"#!/bin/sh\n"})
    assert level("archive", tmp_path, action="extract", path="x.zip") == "always"
    assert "programs run or trust" in preview("archive", tmp_path, action="extract", path="x.zip").danger


def test_an_archive_from_elsewhere_is_asked_for(tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "out"
    work.mkdir()
    out.mkdir()
    zipped(out / "x.zip")
    assert level("archive", work, action="list", path=str(out / "x.zip")) == "ask"
    assert not preview("archive", work, action="extract", path=str(out / "x.zip"), destination="y").inside


def test_extraction_can_be_undone(tmp_path: Path) -> None:
    store = CheckpointStore(tmp_path / "undo")
    work = tmp_path / "work"
    work.mkdir()
    zipped(work / "x.zip")
    result = agreed("archive", work, checkpoints=store, action="extract", path="x.zip")
    store.restore(result.details["checkpoint"])
    assert set(tree(work)) == {"x.zip"}


def test_a_locked_archive_says_so(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", {"a.txt": b"1"})
    data = bytearray(path.read_bytes())
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(magic) + offset] |= 1
    path.write_bytes(data)
    assert "a.txt" in listed(tmp_path, "x.zip")
    with pytest.raises(ToolError, match="locked with a password"):
        agreed("archive", tmp_path, action="extract", path="x.zip")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("x.zip", b"PK\x03\x04 torn", "damaged"),
        ("x.7z", b"7z\xbc\xaf\x27\x1c....", "7z x"),
        ("x.txt", b"words", "not a zip"),
        ("x.gz", b"\x1f\x8b\x08\x00rubbish that is no stream", "damaged"),
    ],
)
def test_what_is_no_good_archive_is_named(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ToolError, match=said):
        listed(tmp_path, name)


def test_a_torn_archive_is_damaged_and_leaves_nothing(tmp_path: Path) -> None:
    path = tarred(tmp_path / "x.tar.gz", {"noise": os.urandom(100_000)}, mode="w:gz")
    path.write_bytes(path.read_bytes()[:50_000])
    with pytest.raises(ToolError, match="damaged"):
        agreed("archive", tmp_path, action="extract", path="x.tar.gz")
    assert names(tmp_path) == ["x.tar.gz"]


def test_a_header_of_absurd_length_is_not_read(tmp_path: Path) -> None:
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 64 << 20
    (tmp_path / "x.tar.gz").write_bytes(gzip.compress(info.tobuf() + b"\0" * (64 << 20), 1))
    with pytest.raises(ToolError, match="header is too large"):
        listed(tmp_path, "x.tar.gz")


def test_stop_ends_an_extraction_before_anything_is_written(tmp_path: Path) -> None:
    zipped(tmp_path / "x.zip")
    stopped = Cancel()
    stopped.set()
    with pytest.raises(Cancelled):
        call("archive", ToolContext(tmp_path, Jobs(), cancel=stopped), action="extract", path="x.zip")
    assert names(tmp_path) == ["x.zip"]


# --- creating ------------------------------------------------------------------------------------------


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "src"
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "a.txt").chmod(0o755)
    (folder / "empty").mkdir()
    (folder / "link").symlink_to("a.txt")
    return folder


@pytest.mark.parametrize("name", ["y.zip", "y.tar", "y.tar.gz", "y.tgz", "y.tar.bz2", "y.tar.xz"])
def test_what_is_packed_comes_out_the_same(tmp_path: Path, source: Path, name: str) -> None:
    result = agreed("archive", tmp_path, action="create", path="src", destination=name)
    assert "3 files, 260 B" in result.text
    assert "1 (src/link)" in result.text
    agreed("archive", tmp_path, action="extract", path=name, destination="out")
    assert tree(tmp_path / "out" / "src") == FILES
    assert (tmp_path / "out" / "src" / "empty").is_dir()
    assert (tmp_path / "out" / "src" / "a.txt").stat().st_mode & 0o111


def test_other_programs_read_what_is_made(tmp_path: Path, source: Path) -> None:
    agreed("archive", tmp_path, action="create", path="src", destination="y.tar.gz")
    agreed("archive", tmp_path, action="create", path="src")
    (tmp_path / "out").mkdir()
    subprocess.run(["tar", "-xzf", "y.tar.gz", "-C", "out"], cwd=tmp_path, check=True)
    assert tree(tmp_path / "out" / "src") == FILES
    with zipfile.ZipFile(tmp_path / "src.zip") as archive:
        assert archive.testzip() is None
        assert set(archive.namelist()) == {"src/", "src/empty/", "src/deep/", *(f"src/{name}" for name in FILES)}


def test_packing_asks_first_and_says_what_goes_in(tmp_path: Path, source: Path) -> None:
    shown = preview("archive", tmp_path, action="create", path="src", destination="y.zip")
    assert shown.question == "Pack src into y.zip: 3 files, 260 B?"
    assert level("archive", tmp_path, action="create", path="src", destination="y.zip") == "ask"
    assert not (tmp_path / "y.zip").exists()


def test_only_some_of_a_folder_is_packed(tmp_path: Path, source: Path) -> None:
    agreed("archive", tmp_path, action="create", path="src", destination="y.zip", members=["deep", "a.txt"])
    with zipfile.ZipFile(tmp_path / "y.zip") as archive:
        assert archive.namelist() == ["deep/", "deep/b.bin", "deep/c.txt", "a.txt"]
    with pytest.raises(ToolError, match="There is no"):
        agreed("archive", tmp_path, action="create", path="src", destination="z.zip", members=["../secret"])


def test_a_new_archive_never_replaces_a_file_nor_holds_itself(tmp_path: Path, source: Path) -> None:
    agreed("archive", tmp_path, action="create", path="src", destination="src/y.zip")
    with zipfile.ZipFile(source / "y.zip") as archive:
        assert "src/y.zip" not in archive.namelist()
    with pytest.raises(ToolError, match="exists already"):
        agreed("archive", tmp_path, action="create", path="src", destination="src/y.zip")
    with pytest.raises(ToolError, match="ends in"):
        agreed("archive", tmp_path, action="create", path="src", destination="y.rar")


def test_an_archive_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    for action in ("list", "extract"):
        with pytest.raises(ToolError, match="no file there"):
            agreed("archive", tmp_path, action=action, path="gone.zip")
