"""A real screen for tests: an X server of our own, and the programs of a small desktop on it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any


def missing(*programs: str) -> list[str]:
    return [program for program in programs if shutil.which(program) is None]


@contextmanager
def x_server(size: str = "2800x1800x24") -> Iterator[str]:
    """An X server; gives the value for ``DISPLAY``."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-dpi", "96", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        # To the line's end: a server that can't finish writing the number dies of it.
        with os.fdopen(read) as told:
            number = told.readline().strip()
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def program(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs as long as the block."""
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield running
    finally:
        running.terminate()
        running.wait()


@contextmanager
def programs(*names: str) -> Iterator[None]:
    with ExitStack() as stack:
        for name in names:
            stack.enter_context(program(name))
        yield


def play(module: str, *words: str) -> dict[str, Any]:
    """What a scene saw, played in a session of its own: a screen, a session bus, a process."""
    with x_server("1400x900x24") as display:
        done = subprocess.run(
            ["dbus-run-session", "--", sys.executable, "-m", module, *words],
            cwd=Path(__file__).resolve().parents[2],
            env={**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"},
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    saw: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return saw
