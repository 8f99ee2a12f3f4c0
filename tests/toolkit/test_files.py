"""Where paths lead, who is asked, and what happens when something goes wrong in the middle."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from ankita_desktop import paths
from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import Approved, Decision
from ankita_desktop.safety.checkpoints import CheckpointError, CheckpointStore
from ankita_desktop.toolkit import disk
from ankita_desktop.toolkit.files import Files


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def test_paths_are_relative_to_the_folder_and_know_the_home(work: Path, ankita_home: Path) -> None:
    files = Files(work)
    assert files.resolve("a/../b.txt") == work / "b.txt"
    assert files.resolve("~/x") == ankita_home / "x"
    assert files.resolve("/x/y") == Path("/x/y")
    assert files.name(work / "a" / "b") == "a/b"
    assert files.name(Path("/x")) == "/x"


@pytest.mark.parametrize(
    "path",
    [
        ".git/hooks/pre-commit", ".git/config", "sub/.git/HEAD", ".GIT/hooks/x", "~/.bashrc", "~/.gnupg/gpg.conf",
        "~/.ssh/authorized_keys", "~/.config/autostart/x.desktop", "~/.config/systemd/user/x.service",
        ".vscode/tasks.json",
        ".idea/workspace.xml", ".github/workflows/ci.yml", ".gitlab-ci.yml", ".ci/run", ".envrc", "/etc/cron.d/x",
        "/etc/systemd/system/x.service", "/var/spool/cron/root", "~/.profile", "~/.zshrc", ".husky/pre-push",
    ],
)  # fmt: skip
def test_places_that_run_by_themselves_always_ask_also_inside(work: Path, path: str) -> None:
    files = Files(work)
    assert files.write_level(path) == "always"
    if not path.startswith("/"):
        shown = files.preview([files.change(path, "x\n")])
        assert not shown.inside and not shown.grant_key and shown.danger


def test_our_own_settings_data_tools_and_skills_always_ask(work: Path) -> None:
    own = [
        paths.config(),
        paths.config() / "tools" / "x",
        paths.data(),
        paths.bundled("tools"),
        paths.bundled("skills"),
    ]
    for folder in own:
        assert Files(folder).write_level(folder / "x.py") == "always"
    assert Files(work).read_level(paths.config() / "settings.toml") == "ask"


def test_a_link_into_a_protected_place_is_protected(work: Path) -> None:
    (work / ".git" / "hooks").mkdir(parents=True)
    (work / "innocent").symlink_to(".git/hooks")
    assert Files(work).write_level("innocent/pre-commit") == "always"


def test_ordinary_files_ask_once_and_may_be_granted(work: Path) -> None:
    files = Files(work)
    assert files.write_level("src/startup/profile.py", ".gitignore", "github/workflows/x") == "ask"
    assert files.preview([files.change("a", "x")]).grant_key == f"edit:{work / 'a'}"


def test_the_folder_itself_may_be_reached_through_a_link(work: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(work)
    (work / "f").write_text("x")
    files = Files(tmp_path / "alias")
    assert files.read_level("f") == "never"
    assert files.read_level(work / "f") == "never"
    assert files.preview([files.change("f", "y")]).inside


def test_what_differs_from_the_approved_plan_is_not_made(work: Path) -> None:
    files = Files(work)
    shown = files.preview([files.change("a", "agreed")])
    approved = Files(work, approved=Approved(shown, Decision(allow=True)))
    for other in (approved.change("a", "something else"), approved.change("b", "agreed")):
        with pytest.raises(ToolError, match="Nothing was written"):
            approved.commit([other])
    with pytest.raises(ToolError, match="Nothing was written"):
        approved.commit([approved.change("a", "agreed"), approved.change("b", "more")])
    assert list(work.iterdir()) == []


def test_a_folder_swapped_for_a_link_before_the_write_is_noticed(work: Path, tmp_path: Path) -> None:
    (work / "d").mkdir()
    outside = tmp_path / "outside"
    outside.mkdir()
    files = Files(work)
    change = files.change("d/f", "x")
    (work / "d").rmdir()
    (work / "d").symlink_to(outside)
    with pytest.raises(ToolError, match="Nothing was written"):
        files.commit([change])
    assert list(outside.iterdir()) == []


def test_a_failure_in_the_middle_takes_everything_back(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (work / "a").write_text("a")
    (work / "m").write_text("m")
    (work / "gone").write_text("gone")
    files = Files(work)
    changes = [
        files.change("a", "A"),
        files.change("new/deep/b", "B"),
        files.move("m", "moved"),
        files.make_folder("made"),
        files.remove("gone", permanent=True),
        files.change("last", "x"),
    ]
    write = disk.write

    def failing(path: Path, data: bytes, **more: object) -> None:
        if path.name == "last":
            raise OSError("No space left on device")
        write(path, data, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(disk, "write", failing)
    with pytest.raises(ToolError, match="Nothing was changed: No space left"):
        files.commit(changes)
    assert {path.name: path.read_text() for path in work.rglob("*")} == {"a": "a", "m": "m", "gone": "gone"}


def test_a_change_that_could_not_be_undone_is_not_made(work: Path) -> None:
    class Full:
        def before(self, paths: Iterable[Path], *, session: str, call_id: str, label: str) -> str:
            raise CheckpointError("Nothing was changed: the old state can't be kept (disk full).")

        def after(self, checkpoint: str) -> None: ...

    (work / "a").write_text("a")
    files = Files(work, checkpoints=Full())
    with pytest.raises(ToolError, match="disk full"):
        files.commit([files.change("a", "b")])
    assert (work / "a").read_text() == "a"


def test_no_temporary_file_is_left_behind(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Path, target: Path) -> Path:
        raise OSError("gone")

    files = Files(work)
    files.commit([files.change("ok", "1")])
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", broken)
        with pytest.raises(ToolError):
            files.commit([files.change("ok", "2")])
    assert [path.name for path in work.iterdir()] == ["ok"]


def test_other_names_of_a_file_keep_their_content_and_the_person_is_told(work: Path, tmp_path: Path) -> None:
    (tmp_path / "shared").write_text("old")
    (work / "f").hardlink_to(tmp_path / "shared")
    files = Files(work)
    change = files.change("f", "new")
    assert "2 hard links" in files.preview([change]).changes[0].facts
    files.commit([change])
    assert (tmp_path / "shared").read_text() == "old" and (work / "f").read_text() == "new"


def test_extended_attributes_stay(work: Path) -> None:
    (work / "f").write_text("old")
    try:
        os.setxattr(work / "f", "user.note", b"mine")
    except OSError:
        pytest.skip("this file system keeps no extended attributes")
    files = Files(work)
    files.commit([files.change("f", "new")])
    assert os.getxattr(work / "f", "user.note") == b"mine"


def test_a_file_between_two_links_inside_the_folder_is_written_where_it_is(work: Path) -> None:
    (work / "real").write_text("old")
    (work / "link").symlink_to("real")
    files = Files(work)
    files.commit([files.change("link", "new")])
    assert (work / "link").is_symlink() and (work / "real").read_text() == "new"


def test_a_file_too_large_to_handle_is_refused(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ankita_desktop.toolkit.changes.LARGEST", 10)
    (work / "f").write_text("x" * 11)
    with pytest.raises(ToolError, match="too large"):
        Files(work).read("f")
    with pytest.raises(ToolError, match="larger than"):
        Files(work).change("f", "y")


def test_bytes_that_are_not_text_can_be_saved_and_undone(work: Path, tmp_path: Path) -> None:
    store = CheckpointStore(tmp_path / "undo")
    (work / "p").write_bytes(b"\x00old")
    files = Files(work, checkpoints=store, session="s", call_id="c")
    result = files.commit([files.save("p", b"\x00new")])
    assert (work / "p").read_bytes() == b"\x00new"
    assert store.list("s")[0].call_id == "c"
    store.restore(result.details["checkpoint"])
    assert (work / "p").read_bytes() == b"\x00old"


def test_details_for_the_card_stay_small(work: Path) -> None:
    files = Files(work)
    result = files.commit([files.change("f", "".join(f"line {n}\n" for n in range(50_000)))])
    assert len(result.details["diff"]) <= 20_000 and result.details["diff_cut"]
    assert result.details["added"] == 50_000


def test_a_change_that_changes_nothing_is_said_not_asked(work: Path) -> None:
    (work / "f").write_text("same\n")
    with pytest.raises(ToolError, match="already has exactly this text"):
        Files(work).rewrite("f", "same\n")


def test_a_name_that_is_not_text_is_refused_before_anybody_is_asked(work: Path) -> None:
    (work / "link").symlink_to("bad\udcff")
    with pytest.raises(ToolError):
        Files(work).change("link", "x")


def test_questions_about_several_files_say_what_happens_to_them(work: Path) -> None:
    (work / "a").touch()
    (work / "b").touch()
    files = Files(work)
    assert files.preview([files.change("x", "1"), files.change("y", "1")]).question == "Create 2 files?"
    assert files.preview([files.remove("a"), files.remove("b")]).question == "Move 2 files to the trash?"
    assert files.preview([files.change("x", "1"), files.remove("b")]).question == "Change 2 files?"


def test_of_two_conversations_that_change_one_file_at_once_only_one_does(work: Path) -> None:
    import threading

    (work / "f").write_text("0")
    plans = [(files := Files(work), files.change("f", str(number))) for number in range(1, 9)]
    gate = threading.Barrier(len(plans))
    won: list[str] = []

    def commit(files: Files, text: str, number: int) -> None:
        gate.wait()
        try:
            files.commit([plans[number][1]])
            won.append(text)
        except ToolError:
            pass

    threads = [
        threading.Thread(target=commit, args=(files, change.after, number))
        for number, (files, change) in enumerate(plans)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert won == [(work / "f").read_text()]
