"""A machine that refuses: full disks, closed streams, bytes that are no text. Told plainly, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.terminal.shell import COMMAND, environ
from tests.terminal.shell import inside as ankita

linux = pytest.mark.skipif(sys.platform != "linux", reason="/dev/full and closed descriptors are POSIX")
ASKED = '-p "what is in this folder"'


def shell(line: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[bytes]:
    """``ankita …`` as a shell would start it, redirections and all."""
    command = " ".join(COMMAND)
    done = subprocess.run(
        ["sh", "-c", line.replace("ankita", command)],
        cwd=cwd,
        env=environ(**more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done


@linux
@pytest.mark.parametrize("words", ["tools list", "tools list --json", ASKED, f"{ASKED} --json"])
def test_output_that_cannot_be_written_is_a_plain_failure(words: str, tmp_path: Path) -> None:
    done = shell(f"ankita {words} > /dev/full", tmp_path)
    assert done.returncode == 1
    assert b"No space left" in done.stderr
    assert b"Exception ignored" not in done.stderr


@linux
def test_an_answer_does_not_depend_on_whether_its_progress_can_be_shown(tmp_path: Path) -> None:
    (tmp_path / "found.txt").write_text("x")
    done = shell(f"ankita {ASKED} 2> /dev/full", tmp_path)
    assert (done.returncode, b"found.txt" in done.stdout) == (0, True)


@linux
@pytest.mark.parametrize("closed", ["<&-", "2>&-", ">&-", "<&- >&- 2>&-"])
def test_streams_that_were_closed_before_the_start_are_no_reason_to_fail(closed: str, tmp_path: Path) -> None:
    (tmp_path / "found.txt").write_text("x")
    done = shell(f"ankita {ASKED} {closed}", tmp_path)
    assert done.returncode == 0
    assert ">&-" in closed.split() or b"found.txt" in done.stdout


@linux
def test_a_closed_stream_never_becomes_one_of_our_files(tmp_path: Path) -> None:
    """Whatever is printed would land in the database that got the free number."""
    code = (
        "import os, sys; from ankita_desktop import cli; cli.run = lambda argv: "
        "print(*[os.readlink(f'/proc/self/fd/{n}') for n in (0, 1)], file=sys.stderr) or 0; cli.main(['ankita'])"
    )
    done = subprocess.run(
        ["sh", "-c", f'{sys.executable} -c "$0" <&- >&-', code], env=environ(), capture_output=True, text=True
    )
    assert done.stderr.split() == [os.devnull, os.devnull]


@linux
def test_bytes_that_are_no_text_are_read_as_well_as_can_be(tmp_path: Path) -> None:
    line = "printf 'what is in this folder\\377' | ankita -p - --json"
    done = shell(line, tmp_path, PYTHONIOENCODING="utf-8:strict")
    assert done.returncode in (0, 1)
    assert done.stdout.startswith(b"{")


@linux
@pytest.mark.parametrize("room", [0, 10_000, 120_000])
@pytest.mark.parametrize("words", [ASKED, "memory add tea", "config set model.model x", "sessions list"])
def test_a_full_disk_is_told_plainly(words: str, room: int, tmp_path: Path) -> None:
    """No file may grow beyond ``room`` bytes, which is how a full disk looks to a program."""
    line = f'{sys.executable} -c "$0" {room} {" ".join(COMMAND)} {words}'
    limited = (
        "import os, resource, sys; limit = int(sys.argv[1]);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)); os.execv(sys.argv[2], sys.argv[2:])"
    )
    done = subprocess.run(
        ["sh", "-c", line, limited],
        cwd=tmp_path,
        env=environ(PYTHONDONTWRITEBYTECODE="1"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode in (0, 1)
    assert done.returncode == 0 or done.stderr.strip()


@pytest.mark.parametrize(
    "words", [("mcp", "list"), ("login", "x"), ("logout", "x"), ("models", "pull", "x"), ("--demo",)]
)
def test_what_a_later_version_brings_is_said_to_come(words: tuple[str, ...], tmp_path: Path) -> None:
    done = ankita(*words, cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "later version" in done.err
    assert words[0] in done.err


def test_a_question_may_stand_right_behind_its_flag(tmp_path: Path) -> None:
    (tmp_path / "found.txt").write_text("x")
    assert "found.txt" in ankita("-pwhat is in this folder", cwd=tmp_path).out
