"""search_files and glob, over real files."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ankita_desktop.toolkit import Cancel, Cancelled, ToolContext, ToolError, ripgrep
from ankita_desktop.toolkit.process import Jobs
from tests.tools.calls import call, tool


@pytest.fixture(params=["ripgrep", "its stand-in"])
def ctx(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ToolContext]:
    if request.param != "ripgrep":
        monkeypatch.setattr(ripgrep, "binary", lambda: None)
    folder = tmp_path / "work"
    files = {
        "a.py": "import os\nneedle = 1\n",
        "src/b.py": "# Needle (here)\n",
        "src/deep/c.py": "x = needle()\n",
        "src/deep/c.txt": "a needle\n",
        "build/out.py": "needle\n",
        "notes.log": "needle\n",
        ".hidden/x.py": "needle\n",
        ".env": "needle=secret\n",
        ".ssh/id": "needle key\n",
        ".gitignore": "build/\n*.log\n",
    }
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    jobs = Jobs()
    yield ToolContext(folder, jobs)
    jobs.close()


def places(ctx: ToolContext, **args: object) -> list[str]:
    rows = call("search_files", ctx, **args).details["matches"]
    return [f"{Path(row['path']).relative_to(ctx.cwd.resolve())}:{row['line']}" for row in rows]


def named(ctx: ToolContext, **args: object) -> list[str]:
    return call("glob", ctx, **args).text.splitlines()


def test_a_search_names_file_line_and_text_in_order(ctx: ToolContext) -> None:
    result = call("search_files", ctx, pattern="needle")
    assert result.text == "a.py:2: needle = 1\nsrc/deep/c.py:1: x = needle()\nsrc/deep/c.txt:1: a needle"
    assert result.details["files"] == 3
    assert result.details["incomplete"] == ""


def test_the_case_can_be_ignored_and_the_pattern_taken_literally(ctx: ToolContext) -> None:
    assert "src/b.py:1" in places(ctx, pattern="needle", ignore_case=True)
    assert places(ctx, pattern="needle(", literal=True) == ["src/deep/c.py:1"]


@pytest.mark.parametrize(
    ("include", "expected"),
    [
        ("*.py", ["a.py:2", "src/deep/c.py:1"]),
        ("src/**/*.py", ["src/deep/c.py:1"]),
        ("*.{txt,md}", ["src/deep/c.txt:1"]),
        ("!*.py", ["src/deep/c.txt:1"]),
        ("*.log", []),
        ("**/*.log", []),
        ("build/*", []),
        (".hidden/*.py", [".hidden/x.py:1"]),
    ],
)
def test_include_chooses_files_and_ignored_ones_stay_ignored(
    ctx: ToolContext, include: str, expected: list[str]
) -> None:
    assert places(ctx, pattern="needle", include=include) == expected


@pytest.mark.parametrize(
    ("include", "expected"),
    [
        ("/a.py", ["a.py:2"]),
        ("*/*/c.*", ["src/deep/c.py:1", "src/deep/c.txt:1"]),
        ("src/{deep,other}/*.txt", ["src/deep/c.txt:1"]),
        ("s[rx]c/**/c.py", ["src/deep/c.py:1"]),
        ("src/", []),
        ("src/*", []),
        ("src/deep", []),
        ("**/deep/**", ["src/deep/c.py:1", "src/deep/c.txt:1"]),
        ("**/.hidden/x.py", [".hidden/x.py:1"]),
        ("**/x.py", []),
        ("deep/*.py", []),
    ],
)
def test_include_may_name_folders_and_hidden_ones_only_by_name(
    ctx: ToolContext, include: str, expected: list[str]
) -> None:
    assert places(ctx, pattern="needle", include=include) == expected


def test_a_rule_that_takes_an_ignored_file_back_in_doesnt_widen_what_was_asked_for(ctx: ToolContext) -> None:
    (ctx.cwd / "src/kept.log").write_text("needle\n")
    (ctx.cwd / "src/.gitignore").write_text("!kept.log\n")
    assert places(ctx, pattern="needle", include="src/**/*.py") == ["src/deep/c.py:1"]
    assert places(ctx, pattern="needle", include="src/*.log") == ["src/kept.log:1"]
    assert named(ctx, pattern="src/*.py") == ["src/b.py"]
    assert named(ctx, pattern="src/*.log") == ["src/kept.log"]


def test_a_person_who_takes_names_back_in_everywhere_gets_what_was_asked_for(
    ctx: ToolContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    (tmp_path / "own/git").mkdir(parents=True)
    (tmp_path / "own/git/ignore").write_text("!c.txt\n")
    assert places(ctx, pattern="needle", include="src/**/*.py") == ["src/deep/c.py:1"]


@pytest.mark.parametrize("glob", ["src/{a", "src/[z-a]*"])
@pytest.mark.parametrize("name", ["search_files", "glob"])
def test_a_broken_pattern_of_folders_is_explained(ctx: ToolContext, name: str, glob: str) -> None:
    args = {"pattern": "x", "include": glob} if name == "search_files" else {"pattern": glob}
    with pytest.raises(ToolError, match=r"can't be used|unclosed|bad character range"):
        call(name, ctx, **args)


def test_no_rules_of_a_search_are_left_behind(
    ctx: ToolContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = tmp_path / "temporary"
    own.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(own))
    places(ctx, pattern="needle", include="src/**/*.py")
    assert not list(own.iterdir())


def test_exclude_leaves_files_out(ctx: ToolContext) -> None:
    assert places(ctx, pattern="needle", exclude="*.py") == ["src/deep/c.txt:1"]


def test_a_file_or_an_ignored_folder_can_be_searched_by_naming_it(ctx: ToolContext) -> None:
    assert places(ctx, pattern="needle", path="a.py") == ["a.py:2"]
    assert places(ctx, pattern="needle", path="notes.log") == ["notes.log:1"]
    assert places(ctx, pattern="needle", path="build") == ["build/out.py:1"]


def test_keys_are_searched_only_when_named_and_then_it_asks(ctx: ToolContext) -> None:
    assert places(ctx, pattern="needle", include=".ssh/*") == []
    assert places(ctx, pattern="needle", path=".ssh/id") == [".ssh/id:1"]
    assert tool("search_files").approval_for({"pattern": "x", "path": ".ssh"}, ctx) == "ask"


def test_inside_the_folder_nobody_is_asked_and_outside_the_person_is(ctx: ToolContext) -> None:
    for name in ("search_files", "glob"):
        assert tool(name).approval_for({"pattern": "x"}, ctx) == "never"
        assert tool(name).approval_for({"pattern": "x", "path": ".."}, ctx) == "ask"
        assert "Read files in" in tool(name).preview({"pattern": "x", "path": ".."}, ctx).question


@pytest.mark.parametrize("pattern", ["/etc/*", "../*", "~/*", "/etc/**/*.conf"])
def test_a_pattern_that_leads_outside_asks_for_where_it_leads(ctx: ToolContext, pattern: str) -> None:
    assert tool("glob").approval_for({"pattern": pattern}, ctx) == "ask"


def test_a_link_to_outside_is_outside(ctx: ToolContext) -> None:
    (ctx.cwd / "link").symlink_to("/etc")
    assert tool("search_files").approval_for({"pattern": "x", "path": "link"}, ctx) == "ask"
    assert places(ctx, pattern="root", include="passwd") == []


def test_more_matches_than_the_limit_are_said_to_be_incomplete(ctx: ToolContext) -> None:
    (ctx.cwd / "many.txt").write_text("needle\n" * 1000)
    result = call("search_files", ctx, pattern="needle", limit=10)
    assert len(result.details["matches"]) == 10
    assert "[incomplete: stopped after 10 matching lines" in result.text


def test_exactly_as_many_matches_as_the_limit_are_complete(ctx: ToolContext) -> None:
    assert call("search_files", ctx, pattern="needle", limit=3).details["incomplete"] == ""


def test_long_lines_are_shortened(ctx: ToolContext) -> None:
    (ctx.cwd / "min.js").write_text("needle" + "x" * 2_000_000)
    assert len(call("search_files", ctx, pattern="needle", include="*.js").text) < 1000


def test_a_pattern_that_would_take_for_ever_is_ended_and_that_is_said(
    ctx: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ripgrep, "SECONDS", 0.5)
    monkeypatch.setattr(ripgrep, "binary", lambda: None)
    (ctx.cwd / "long.txt").write_text("a" * 60 + "!\n")
    assert "[incomplete: stopped after" in call("search_files", ctx, pattern="(a+)+$").text


@pytest.mark.parametrize("pattern", ["a(", "[", "*"])
def test_a_pattern_that_is_none_is_explained(ctx: ToolContext, pattern: str) -> None:
    with pytest.raises(ToolError, match=r"literal: true|[Rr]ewrite"):
        call("search_files", ctx, pattern=pattern)


def test_a_pattern_that_begins_with_a_dash_is_a_pattern(ctx: ToolContext) -> None:
    (ctx.cwd / "d.txt").write_text("a --files b\n")
    assert places(ctx, pattern="--files") == ["d.txt:1"]


def test_no_match_is_said(ctx: ToolContext) -> None:
    assert call("search_files", ctx, pattern="nothing like it").text == "No matches."


def test_a_search_where_nothing_is_says_so(ctx: ToolContext) -> None:
    with pytest.raises(ToolError, match="Nothing is at"):
        call("search_files", ctx, pattern="x", path="nowhere")


def test_odd_names_and_bytes_are_survived(ctx: ToolContext) -> None:
    odd = os.fsencode(ctx.cwd) + b"/o\xffd:1:\n d.txt"
    with open(odd, "wb") as file:  # noqa: PTH123 - a name that is no text
        file.write(b"needle \xff\n")
    rows = call("search_files", ctx, pattern="needle", include="*d.txt").details["matches"]
    assert rows[0]["line"] == 1
    assert rows[0]["text"] == "needle ÿ"


@pytest.mark.parametrize("form", ["cp1252", "cp1251", "cp932", "gb18030", "big5", "euc_kr", "utf-16", "utf-8-sig"])
def test_a_line_is_shown_in_the_encoding_of_its_file_as_reading_it_shows_it(ctx: ToolContext, form: str) -> None:
    texts = {
        "cp1252": "straße, café und Münze",
        "cp1251": "Это обычный русский текст для проверки кодировки",
        "cp932": "これは日本語のテキストです。カタカナもあります",
        "gb18030": "这是一个中文文本文件，用来检查编码",
        "big5": "這是一個中文文字檔案，用來檢查編碼",
        "euc_kr": "이것은 한국어 텍스트 파일입니다",
    }
    line = texts.get(form, "ünï and ネコ")
    (ctx.cwd / "odd.txt").write_bytes(f"first\n{line} needle {line}\n".encode(form))
    read = call("read_file", ctx, path="odd.txt").text.split("\n")[1].partition("\t")[2]
    found = call("search_files", ctx, pattern="needle", path="odd.txt")
    if form == "utf-16" and ripgrep.binary() is None:
        assert found.details["matches"] == []  # the stand-in takes it for binary
        return
    assert [row["text"] for row in found.details["matches"]] == [read]
    assert read == f"{line} needle {line}"


def test_a_stray_byte_and_a_line_cut_inside_a_letter_are_shown(ctx: ToolContext) -> None:
    (ctx.cwd / "stray.txt").write_bytes("ünï ünï ünï\n".encode() + b"needle \xff ok\n")
    (row,) = call("search_files", ctx, pattern="needle", path="stray.txt").details["matches"]
    read = call("read_file", ctx, path="stray.txt").text.split("\n")[1].partition("\t")[2]
    assert row["text"] == read and read.startswith("needle ")
    (ctx.cwd / "wide.txt").write_bytes(("needle" + "日本" * 200 + "\n").encode("cp932"))
    (row,) = call("search_files", ctx, pattern="needle", path="wide.txt").details["matches"]
    assert row["text"].startswith("needle日本日本")


def test_names_with_line_ends_stay_one_line_and_whole(ctx: ToolContext) -> None:
    (ctx.cwd / "two\nlines.txt").write_text("needle here\n")
    (ctx.cwd / "new\nfolder").mkdir()
    (ctx.cwd / "new\nfolder" / "a\tb.txt").write_text("needle there\n")
    found = call("search_files", ctx, pattern="needle (t?)here")
    assert found.text == "new\\nfolder/a\\tb.txt:1: needle there\ntwo\\nlines.txt:1: needle here"
    assert [Path(row["path"]).name for row in found.details["matches"]] == ["a\tb.txt", "two\nlines.txt"]
    assert named(ctx, pattern="{two*,a*b}.txt", sort="name") == ["new\\nfolder/a\\tb.txt", "two\\nlines.txt"]


@pytest.mark.parametrize("kind", ["pipe", "socket", "device"])
def test_what_is_no_file_and_no_folder_is_refused_at_once(ctx: ToolContext, kind: str) -> None:
    path = {"pipe": "pipe", "socket": "sock", "device": "/dev/zero"}[kind]
    os.mkfifo(ctx.cwd / "pipe")
    with contextlib.chdir(ctx.cwd), socket.socket(socket.AF_UNIX) as made:
        made.bind("sock")
    for name, args in (("search_files", {"pattern": "x"}), ("read_file", {}), ("list_dir", {})):
        with pytest.raises(ToolError, match="device, pipe or socket"):
            call(name, ctx, path=path, **args)
    with pytest.raises(ToolError, match="is no folder"):
        call("glob", ctx, pattern="*", path=path)


def test_a_search_stops_with_the_turn(ctx: ToolContext, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = [sys.executable, "-c", "import time; time.sleep(60)"]
    monkeypatch.setattr(ripgrep, "_searcher", lambda: slow)
    cancel = Cancel()
    threading.Timer(0.1, cancel.set).start()
    before = time.monotonic()
    with pytest.raises(Cancelled):
        call("search_files", replace(ctx, cancel=cancel), pattern="x")
    assert time.monotonic() - before < 30


# --- glob -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.py", ["a.py", "src/b.py", "src/deep/c.py"]),
        ("**/*.py", ["a.py", "src/b.py", "src/deep/c.py"]),
        ("src/*.py", ["src/b.py"]),
        ("./src/*.py", ["src/b.py"]),
        ("src/**", ["src/b.py", "src/deep/c.py", "src/deep/c.txt"]),
        ("*.log", ["No files match '*.log' (hidden and .gitignored files are skipped)."]),
        (".hidden/*", [".hidden/x.py"]),
        (".env", [".env"]),
    ],
)
def test_names_are_found_by_pattern(ctx: ToolContext, pattern: str, expected: list[str]) -> None:
    assert named(ctx, pattern=pattern, sort="name") == expected


def test_the_newest_file_comes_first(ctx: ToolContext) -> None:
    os.utime(ctx.cwd / "a.py", (1, 1))
    os.utime(ctx.cwd / "src/b.py", (3e9, 3e9))
    found = named(ctx, pattern="*.py")
    assert (found[0], found[-1]) == ("src/b.py", "a.py")


def test_a_whole_path_works_as_a_pattern(ctx: ToolContext) -> None:
    assert named(ctx, pattern=f"{ctx.cwd}/src/*.py") == ["src/b.py"]


def test_many_names_are_cut_and_counted(ctx: ToolContext) -> None:
    for number in range(400):
        (ctx.cwd / f"n{number}.dat").touch()
    result = call("glob", ctx, pattern="*.dat")
    assert result.details["count"] == 400
    assert "[incomplete: showing 300 of 400 files" in result.text


def test_a_broken_glob_is_explained(ctx: ToolContext) -> None:
    with pytest.raises(ToolError, match="can't be used"):
        call("glob", ctx, pattern="a{")


@pytest.mark.parametrize("pattern", ["(?=x)", r"(x)\1"])
def test_what_ripgrep_lacks_is_explained(tmp_path: Path, pattern: str) -> None:
    with pytest.raises(ToolError, match=r"literal: true|Rewrite"):
        call("search_files", ToolContext(tmp_path, Jobs()), pattern=pattern)


def test_the_search_uses_the_binary_of_our_own_environment() -> None:
    binary = ripgrep.binary()
    assert binary and Path(binary).is_file()
