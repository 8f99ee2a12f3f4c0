"""Patches are followed to the letter or refused; outside collections of patches are the judges."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import Approved, Decision
from ankita_desktop.toolkit.diff import hunks, unified
from ankita_desktop.toolkit.files import Files
from ankita_desktop.toolkit.patch import parse
from ankita_desktop.toolkit.patch_apply import plan
from tests.conftest import SHARED, shared

CODEX = SHARED / "codex_apply_patch"
CASES = sorted(path.name for path in CODEX.glob("*/")) if CODEX.exists() else []
UNIDIFF = SHARED / "patch" / "python-unidiff"
SAMPLES = sorted(path.name for path in UNIDIFF.glob("*.diff")) if UNIDIFF.exists() else []


def tree(folder: Path) -> dict[str, bytes]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()] if folder.exists() else []
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def patched(folder: Path, patch: str) -> None:
    """Everything as it happens for real: planned, shown, approved, made."""
    changes = plan(Files(folder), parse(patch))
    approved = Approved(Files(folder).preview(changes), Decision(allow=True))
    files = Files(folder, approved=approved)
    files.commit(plan(files, parse(patch)))


def git_takes(folder: Path, patch: str) -> bool:
    done = subprocess.run(["git", "apply", "--check", "-"], input=patch.encode(), cwd=folder, capture_output=True)
    return done.returncode == 0


@pytest.mark.parametrize("case", CASES)
def test_begin_patch_cases_end_as_recorded(case: str, tmp_path: Path) -> None:
    folder = shared("codex_apply_patch") / case
    outcomes = {row["scenario"]: row["must_fail"] for row in json.loads((CODEX / "outcomes.json").read_text())}
    if (folder / "input").exists():
        shutil.copytree(folder / "input", tmp_path, dirs_exist_ok=True, copy_function=shutil.copyfile)
    before = tree(tmp_path)
    failed = False
    try:
        patched(tmp_path, (folder / "patch.txt").read_bytes().decode())
    except ToolError:
        failed = True
    assert failed == outcomes[case]
    # 015 keeps half of a failed patch; here a failed patch changes nothing.
    expected = before if case.startswith("015") else tree(folder / "expected")
    assert tree(tmp_path) == expected


def test_a_missing_final_newline_stays_missing(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"one\ntwo")
    patched(tmp_path, "*** Begin Patch\n*** Update File: f\n@@\n-two\n+2\n+3\n*** End Patch\n")
    assert (tmp_path / "f").read_bytes() == b"one\n2\n3"


@pytest.mark.parametrize("sample", SAMPLES)
def test_unified_samples_are_read_or_refused_as_git_does(sample: str, tmp_path: Path) -> None:
    data = (shared("patch") / "python-unidiff" / sample).read_bytes()
    text = data.decode("utf-8", "replace")
    strip = ["-p0"] if "no_prefix" in sample else []
    done = subprocess.run(
        ["git", "apply", *strip, "--numstat", "-"], input=data, cwd=tmp_path, capture_output=True
    )
    try:
        read = parse(text)
    except ToolError as refusal:
        links_or_binary = any(word in str(refusal) for word in ("link", "binary"))
        assert links_or_binary or done.returncode != 0 or "diff --git" in str(refusal)
        return
    assert done.returncode == 0, f"git refuses it: {done.stderr.decode()}"
    counted = [line.split("\t")[:2] for line in done.stdout.decode().splitlines()]
    ours = [
        [str(sum(tag == side for chunk in file.chunks for tag, _ in chunk.rows)) for side in "+-"] for file in read
    ]
    assert ours == counted


def repository(folder: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)


def git_diff(folder: Path) -> str:
    subprocess.run(["git", "add", "-A", "-N"], cwd=folder, check=True)
    out = subprocess.run(["git", "diff", "-M", "HEAD"], cwd=folder, check=True, capture_output=True)
    return out.stdout.decode()


def test_what_git_diff_prints_is_applied_with_the_same_result(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    new.mkdir()
    (new / "sp ace").mkdir()
    (new / "a.txt").write_text("".join(f"line {number}\n" for number in range(60)))
    (new / "gone.txt").write_text("bye\n")
    (new / "sp ace" / "ünï.txt").write_text("x\ny\n")
    (new / "moved.txt").write_text("".join(f"content {number}\n" for number in range(30)))
    (new / "open.txt").write_text("no newline")
    (new / "crlf.txt").write_bytes(b"a\r\nb\r\n")
    shutil.copytree(new, old)
    repository(new)
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.autocrlf=false"]
    subprocess.run([*git, "add", "-A"], cwd=new, check=True)
    subprocess.run([*git, "commit", "-qm", "x"], cwd=new, check=True)
    text = (new / "a.txt").read_text()
    (new / "a.txt").write_text(text.replace("line 3\n", "LINE 3\n").replace("line 50\n", ""))
    (new / "gone.txt").unlink()
    (new / "sp ace" / "ünï.txt").write_text("x\nz\n")
    (new / "moved.txt").rename(new / "there.txt")
    (new / "there.txt").write_text((new / "there.txt").read_text().replace("content 3\n", "changed\n"))
    (new / "open.txt").write_text("now with\n")
    (new / "crlf.txt").write_bytes(b"a\r\nB\r\n")
    (new / "fresh.sh").write_text("#!/bin/sh\n")
    (new / "fresh.sh").chmod(0o755)
    patched(old, git_diff(new))
    shutil.rmtree(new / ".git")
    assert tree(old) == tree(new)
    assert (old / "fresh.sh").stat().st_mode & 0o111


@pytest.mark.parametrize(
    "patch",
    [
        "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
        "--- a/f\n+++ b/f\n@@ -1,3 +1,2 @@\n one\n-two\n+2\n",
        "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-one\n+1\n+more\n",
        "--- a/f\n+++ b/f\n@@ -9,2 +9,2 @@\n two\n-three\n+3\n",
        "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-TWO\n+2\n",
        "--- a/none\n+++ b/none\n@@ -1 +1 @@\n-one\n+1\n",
        "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+one\n",
        "--- a/f\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n",
        "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n",
        "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n",
        "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n",
        "--- a/f\n+++ b/f\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n",
        "--- a/g\n+++ b/g\n@@ -0,0 +1 @@\n+x\n",
        "--- f\t2013-10-13 23:53:13 +0000\n+++ f\t1970-01-01 00:00:00 +0000\n"
        "@@ -1,3 +0,0 @@\n-one\n-two\n-three\n",
        "--- a/../f\n+++ b/../f\n@@ -1 +1 @@\n-one\n+1\n",
        "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n two\n-three\n+3\n\\ No newline at end of file\n",
        "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n two\n-three\n\\ No newline at end of file\n+3\n",
    ],
)
def test_a_unified_diff_is_taken_or_refused_as_git_does_with_the_same_result(patch: str, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
        (folder / "f").write_text("one\ntwo\nthree\n")
    taken = git_takes(theirs, patch)
    try:
        patched(ours, patch)
        assert taken, "git refuses it"
    except ToolError:
        assert not taken or "has more lines" in patch or "+more" in patch
        assert tree(ours) == {"f": b"one\ntwo\nthree\n"}
        return
    subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=theirs, check=True)
    assert tree(ours) == tree(theirs)


@pytest.mark.parametrize("path", ["../out", "/etc/passwd", "~/x", "link/x", "sub/../../out", "file-link"])
def test_a_patch_never_leaves_the_folder_nor_follows_links(path: str, tmp_path: Path) -> None:
    work, outside = tmp_path / "work", tmp_path / "outside"
    work.mkdir()
    outside.mkdir()
    (outside / "x").write_text("one\n")
    (work / "link").symlink_to(outside)
    (work / "real").write_text("one\n")
    (work / "file-link").symlink_to("real")
    for patch in (
        f"*** Begin Patch\n*** Add File: {path}\n+evil\n*** End Patch\n",
        f"--- {path}\n+++ {path}\n@@ -1 +1 @@\n-one\n+evil\n",
        f"*** Begin Patch\n*** Update File: real\n*** Move to: {path}\n@@\n-one\n+evil\n*** End Patch\n",
    ):
        with pytest.raises(ToolError):
            patched(work, patch)
    assert tree(outside) == {"x": b"one\n"}
    assert (work / "real").read_text() == "one\n"


@pytest.mark.parametrize(
    "patch",
    [
        "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n",
        "diff --git a/i.png b/i.png\nindex 1..2\nBinary files a/i.png and b/i.png differ\n",
        "diff --git a/i.png b/i.png\nnew file mode 100644\nGIT binary patch\nliteral 3\nabc\n",
        "",
        "nothing like a patch",
        "*** Begin Patch\n*** Update File: f\n@@\n-one\n+1\n",
    ],
)
def test_links_binary_content_and_cut_off_patches_are_refused(patch: str) -> None:
    with pytest.raises(ToolError):
        parse(patch)


def test_one_wrong_file_leaves_all_others_alone(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n")
    (tmp_path / "b").write_text("1\n")
    patch = (
        "*** Begin Patch\n*** Update File: a\n@@\n-1\n+2\n*** Add File: c\n+new\n"
        "*** Update File: b\n@@\n-nothing like it\n+x\n*** End Patch\n"
    )
    with pytest.raises(ToolError, match="b: "):
        patched(tmp_path, patch)
    assert tree(tmp_path) == {"a": b"1\n", "b": b"1\n"}


def test_lines_that_stand_at_several_places_are_refused_with_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x\ny\nx\n")
    with pytest.raises(ToolError, match="lines 1, 3"):
        patched(tmp_path, "*** Begin Patch\n*** Update File: f\n@@\n-x\n+z\n*** End Patch\n")


def test_a_heading_after_the_marks_narrows_the_place(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("def a():\n    x\ndef b():\n    x\n")
    patched(tmp_path, "*** Begin Patch\n*** Update File: f\n@@ def b():\n-    x\n+    y\n*** End Patch\n")
    assert (tmp_path / "f").read_text() == "def a():\n    x\ndef b():\n    y\n"


def test_a_hunk_with_shifted_numbers_goes_to_its_only_place(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("new top\n" * 5 + "one\ntwo\nthree\n")
    patched(tmp_path, "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n")
    assert (tmp_path / "f").read_text() == "new top\n" * 5 + "one\n2\nthree\n"


def test_two_parts_for_one_file_build_on_each_other(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("one\n")
    patched(
        tmp_path,
        "*** Begin Patch\n*** Update File: f\n@@\n-one\n+two\n\n"
        "*** Update File: f\n@@\n-two\n+three\n*** End Patch\n",
    )
    assert (tmp_path / "f").read_text() == "three\n"


def test_some_hunks_of_some_files_can_be_accepted(tmp_path: Path) -> None:
    lines = [f"line {number}\n" for number in range(40)]
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text("".join(lines))
    patch = "*** Begin Patch\n" + "".join(
        f"*** Update File: {name}\n@@\n-line 3\n+LINE 3\n@@\n-line 30\n+LINE 30\n" for name in ("a", "b", "c")
    )
    patch += "*** End Patch\n"
    preview = Files(tmp_path).preview(plan(Files(tmp_path), parse(patch)))
    assert preview.question == "Change 3 files?"
    assert all(len(hunks(change.before, change.after)) == 2 for change in preview.changes)
    decision = Decision(allow=True, hunks={str(tmp_path / "a"): (1,), str(tmp_path / "b"): ()})
    files = Files(tmp_path, approved=Approved(preview, decision))
    result = files.commit(plan(files, parse(patch)))
    assert (tmp_path / "a").read_text() == "".join(lines).replace("line 30\n", "LINE 30\n")
    assert (tmp_path / "b").read_text() == "".join(lines)
    assert "LINE 3\n" in (tmp_path / "c").read_text()
    assert "1 of 2 hunks of a" in result.text and "+LINE 3" in result.text
    assert "declined: modify b" in result.text
    assert [file["path"] for file in result.details["files"]] == [str(tmp_path / "a"), str(tmp_path / "c")]


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "\n", "-x\n", "--- y\n", "@@ -1 +1 @@\n"]), max_size=25)
TEXTS = st.builds(lambda lines, last: "".join(lines) + last, LINES, st.sampled_from(["", "end"]))


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS)
def test_our_own_diffs_can_be_applied(tmp_path: Path, before: str, after: str) -> None:
    if before == after:
        return
    (tmp_path / "f").write_bytes(before.encode())
    patched(tmp_path, unified(before, after, "f"))
    # Which line end an added line has is decided by its neighbours, so words are compared.
    assert (tmp_path / "f").read_bytes().decode().replace("\r", "") == after.replace("\r", "")
