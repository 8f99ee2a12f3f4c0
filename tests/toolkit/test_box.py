"""A boxed command reads everything, changes only its folder, and reaches nobody."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ankita_desktop.protocol import Decision
from ankita_desktop.toolkit import ToolContext, ToolError
from ankita_desktop.toolkit.box import box_argv, box_for, can_box
from ankita_desktop.toolkit.process import Jobs
from tests.tools.agreed import agreed, preview
from tests.tools.calls import call, tool

needs_bwrap = pytest.mark.skipif(not can_box(), reason="bubblewrap isn't there or may not make a box here")


def boxed(folder: Path, command: str, *, network: bool = False) -> subprocess.CompletedProcess[str]:
    argv = [*box_for(folder, network=network), "bash", "-c", command]
    return subprocess.run(argv, capture_output=True, text=True, timeout=30)


def test_the_words_say_what_may_be_changed(tmp_path: Path) -> None:
    argv = box_argv(tmp_path, hidden=[Path("/keys")])
    assert argv[:4] == ["bwrap", "--ro-bind", "/", "/"] and argv[-1] == "--"
    assert "--unshare-net" in argv and "--unshare-net" not in box_argv(tmp_path, network=True)
    assert argv.index("/keys") < argv.index("--bind")  # the working folder is put in place last
    assert argv[argv.index("--bind") :][:3] == ["--bind", str(tmp_path), str(tmp_path)]


@needs_bwrap
def test_only_the_working_folder_can_be_changed(tmp_path: Path) -> None:
    folder, other = tmp_path / "work", tmp_path / "other"
    folder.mkdir()
    other.mkdir()
    done = boxed(folder, f"touch inside; touch {other}/x; touch /usr/x; touch ~/x; ls -a {other}")
    assert (folder / "inside").exists() and not (other / "x").exists()
    assert not Path("/usr/x").exists() and not (Path.home() / "x").exists()
    assert "x" not in done.stdout.split()


@needs_bwrap
def test_no_network_unless_granted(tmp_path: Path) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        reach = f"exec 3<>/dev/tcp/127.0.0.1/{server.getsockname()[1]}"
        assert boxed(tmp_path, reach).returncode != 0
        assert boxed(tmp_path, reach, network=True).returncode == 0


@needs_bwrap
def test_keys_and_sockets_are_out_of_reach(tmp_path: Path) -> None:
    key = Path(os.environ["HOME"]) / ".ssh" / "id_rsa"
    key.parent.mkdir(parents=True)
    key.write_text("secret")
    done = boxed(tmp_path, f"cat {key}; ls -A /run")
    assert "secret" not in done.stdout and done.stdout.strip() == ""


@needs_bwrap
def test_always_boxes_every_command_of_the_tool(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = tmp_path / "work"
    folder.mkdir()
    jobs = Jobs()
    ctx = ToolContext(folder, jobs, settings={"approvals": {"sandbox": "always"}})
    try:
        result = call("run_command", ctx, command=f"touch here; touch {outside}/there", yield_ms=20_000)
    finally:
        jobs.close()
    assert (folder / "here").exists() and list(outside.iterdir()) == [], result.text
    assert result.details["exit_code"] == 1


@needs_bwrap
def test_one_command_is_boxed_when_the_person_answers_so(tmp_path: Path) -> None:
    asked = preview("run_command", tmp_path, command="touch x")
    assert asked.boxable and asked.question == "Run this command?"
    outside, folder = tmp_path / "outside", tmp_path / "work"
    outside.mkdir()
    folder.mkdir()
    command = f"touch here; touch {outside}/there"
    answer = Decision(True, boxed=True)
    result = agreed("run_command", folder, answer=answer, command=command, yield_ms=20_000)
    assert (folder / "here").exists() and list(outside.iterdir()) == [], result.text
    assert "closed box" in result.text and "without network" in result.text and result.details["boxed"]
    agreed("run_command", folder, command=command, yield_ms=20_000)
    assert (outside / "there").exists(), "a plain yes runs it free"


def test_a_box_is_not_offered_where_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert not preview("run_command", tmp_path, command="touch x").boxable


@needs_bwrap
def test_a_box_is_not_offered_where_every_command_gets_one(tmp_path: Path) -> None:
    ctx = ToolContext(tmp_path, Jobs(), settings={"approvals": {"sandbox": "ask"}})
    shown = tool("run_command").preview({"command": "touch x"}, ctx)
    assert not shown.boxable and shown.question == "Run this command in a closed box?"


def test_without_bubblewrap_nothing_runs_unboxed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ToolError, match="install bubblewrap"):
        box_for(tmp_path)


def test_elsewhere_than_on_linux_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(ToolError, match="Linux only"):
        box_for(tmp_path)
