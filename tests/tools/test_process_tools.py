"""port_status and kill_process, with real sockets and real processes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from ankita_desktop.protocol import Approved, Decision
from ankita_desktop.toolkit import ToolContext, ToolError, listeners, proc_info
from ankita_desktop.toolkit.process import Jobs
from tests.tools.calls import call, tool, until

STUBBORN = "trap '' TERM; sleep 300 & wait; sleep 300; sleep 300"
SERVER = "import socket,time; s=socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True)\n"


@pytest.fixture
def ctx(tmp_path: Path) -> ToolContext:
    return ToolContext(tmp_path, Jobs())


@contextmanager
def running(*argv: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        proc_info.ask_to_end(proc_info.tree(process.pid), 0.0, force=True)
        process.communicate()


@contextmanager
def server() -> Iterator[tuple[subprocess.Popen[str], int]]:
    with running(sys.executable, "-c", SERVER + "time.sleep(300)") as process:
        assert process.stdout
        yield process, int(process.stdout.readline())


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# --- port_status ----------------------------------------------------------------------------


def test_a_listening_process_is_named_with_pid_command_and_address(ctx: ToolContext) -> None:
    with server() as (process, port):
        result = call("port_status", ctx, port=port)
    assert f"tcp 127.0.0.1:{port}" in result.text
    assert f"pid {process.pid}" in result.text
    assert "create_server" in result.text
    row = result.details["listeners"][0]
    assert (row["pid"], row["address"], row["protocol"]) == (process.pid, "127.0.0.1", "tcp")
    assert row["user"] == psutil.Process().username()


def test_a_free_port_is_said_to_be_free(ctx: ToolContext) -> None:
    port = free_port()
    result = call("port_status", ctx, port=port)
    assert result.text == f"Nothing listens on port {port}."
    assert result.details["free"]


@pytest.mark.parametrize(
    ("family", "kind", "address", "shown"),
    [
        (socket.AF_INET6, socket.SOCK_STREAM, "::1", "tcp [::1]"),
        (socket.AF_INET, socket.SOCK_DGRAM, "127.0.0.1", "udp 127.0.0.1"),
        (socket.AF_INET6, socket.SOCK_DGRAM, "::1", "udp [::1]"),
    ],
)
def test_both_protocols_and_both_families_are_seen(
    ctx: ToolContext, family: int, kind: int, address: str, shown: str
) -> None:
    with socket.socket(family, kind) as sock:
        sock.bind((address, 0))
        if kind == socket.SOCK_STREAM:
            sock.listen()
        port = sock.getsockname()[1]
        assert f"{shown}:{port}" in call("port_status", ctx, port=port).text


def test_without_a_port_all_are_listed(ctx: ToolContext) -> None:
    with server() as (_, one), server() as (_, two):
        text = call("port_status", ctx).text
    assert f":{one}:" in text
    assert f":{two}:" in text


def test_the_systems_own_tables_say_the_same(ctx: ToolContext) -> None:
    with server() as (process, port), socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as udp:
        udp.bind(("::1", 0))
        rows = set(listeners.from_proc())
        assert ("tcp", "127.0.0.1", port, process.pid) in rows
        assert ("udp", "::1", udp.getsockname()[1], os.getpid()) in rows


# --- kill_process ---------------------------------------------------------------------------


def test_the_question_shows_the_whole_tree_with_start_times(ctx: ToolContext) -> None:
    with running("bash", "-c", "sleep 300 & wait") as process:
        until(lambda: len(proc_info.tree(process.pid)) == 2)
        shown = tool("kill_process").preview({"pid": process.pid}, ctx)
        child = proc_info.tree(process.pid)[1]
    assert shown.question == "End 2 processes?"
    first, second = shown.text.splitlines()
    assert first.startswith(f"{process.pid}  since 20")
    assert "sleep 300 & wait" in first
    assert second.startswith(f"  {child.pid}  since 20")
    assert shown.grant_key == ""


def test_a_process_ends_with_its_children(ctx: ToolContext) -> None:
    with running("bash", "-c", "sleep 300 & wait") as process:
        until(lambda: len(proc_info.tree(process.pid)) == 2)
        child = proc_info.tree(process.pid)[1]
        result = call("kill_process", ctx, pid=process.pid)
        assert result.ok
        assert result.details["ended"] == [process.pid, child.pid]
        assert process.wait(5) == -15
        assert proc_info.same(child) is None or psutil.Process(child.pid).status() == psutil.STATUS_ZOMBIE


def test_who_listens_on_a_port_can_be_ended_by_the_port(ctx: ToolContext) -> None:
    with server() as (process, port):
        call("kill_process", ctx, port=port)
        assert process.wait(5) == -15


def test_what_does_not_end_is_said_and_force_ends_it(ctx: ToolContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool("kill_process"), "GRACE", 0.2)
    with running("bash", "-c", STUBBORN) as process:
        until(lambda: len(proc_info.tree(process.pid)) == 2)
        polite = call("kill_process", ctx, pid=process.pid)
        assert not polite.ok
        assert "call again with force: true" in polite.text
        assert call("kill_process", ctx, pid=process.pid, force=True).ok
        assert process.wait(5) == -9


@pytest.mark.parametrize("pid", [1, 2, os.getpid(), os.getppid()], ids=["first", "second", "we", "parent"])
def test_we_our_ancestors_and_the_first_processes_are_never_ended(ctx: ToolContext, pid: int) -> None:
    with pytest.raises(ToolError, match="never ended"):
        tool("kill_process").preview({"pid": pid}, ctx)
    with pytest.raises(ToolError, match="never ended"):
        call("kill_process", ctx, pid=pid)


def test_a_port_that_we_listen_on_ourselves_is_not_a_way_round(ctx: ToolContext) -> None:
    with socket.create_server(("127.0.0.1", 0)) as own, pytest.raises(ToolError, match="never ended"):
        call("kill_process", ctx, port=own.getsockname()[1])


def test_a_yes_for_one_process_does_not_end_another(ctx: ToolContext) -> None:
    """The number may belong to somebody else by then."""
    with running("sleep", "300") as one, running("sleep", "300") as two:
        shown = tool("kill_process").preview({"pid": one.pid}, ctx)
        agreed = replace(ctx, approved=Approved(shown, Decision(allow=True)))
        with pytest.raises(ToolError, match="changed since it was approved"):
            call("kill_process", agreed, pid=two.pid)
        assert two.poll() is None
        assert call("kill_process", agreed, pid=one.pid).ok


def test_a_number_in_use_again_is_not_the_process_that_was_seen() -> None:
    with running("sleep", "300") as process:
        seen = proc_info.find(process.pid)
        assert seen
        earlier = replace(seen, created=seen.created - 60)
        assert proc_info.ask_to_end([earlier], 0.1, force=True) == []
        assert process.poll() is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start another user's process")
def test_another_users_process_is_asked_for_every_time_and_says_whose_it_is(ctx: ToolContext) -> None:
    process = subprocess.Popen(["sleep", "300"], user=65534)
    try:
        assert tool("kill_process").approval_for({"pid": process.pid}, ctx) == "always"
        assert "Belongs to" in tool("kill_process").preview({"pid": process.pid}, ctx).danger
    finally:
        process.kill()
        process.wait()


def test_your_own_process_is_asked_for(ctx: ToolContext) -> None:
    with running("sleep", "300") as process:
        assert tool("kill_process").approval_for({"pid": process.pid}, ctx) in ("ask", "always")


@pytest.mark.parametrize("args", [{}, {"pid": 5, "port": 6}])
def test_pid_or_port_is_needed(ctx: ToolContext, args: dict[str, int]) -> None:
    with pytest.raises(ToolError, match="either pid or port"):
        call("kill_process", ctx, **args)


def test_nobody_to_end_is_said(ctx: ToolContext) -> None:
    with pytest.raises(ToolError, match="Nothing listens"):
        call("kill_process", ctx, port=free_port())
    with pytest.raises(ToolError, match="no process"):
        call("kill_process", ctx, pid=4_000_000)
