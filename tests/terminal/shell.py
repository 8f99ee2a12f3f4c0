"""The real command, started as a person or a script starts it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.wire import WireServer

WAIT = 30.0
COMMAND = [sys.executable, "-m", "ankita_desktop"]
CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Done:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document it must be."""
        return json.loads(self.out)


def at(server: WireServer) -> list[str]:
    """The options that choose a scripted server."""
    return ["--base-url", server.base_url, "--api-key", "sk-test", "--model", "scripted"]


def environ(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(CHECKOUT), "COLUMNS": "200", **more}


def ankita(*words: str, stdin: str = "", cwd: Path | None = None) -> Done:
    """Run `ankita …` without a terminal."""
    done = subprocess.run(
        [*COMMAND, *words], input=stdin, capture_output=True, text=True, timeout=WAIT * 2, cwd=cwd, env=environ()
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Done(done.returncode, done.stdout, done.stderr)


def inside(*words: str, stdin: str = "", cwd: Path | None = None) -> Done:
    """Run `ankita …` in this process: the same but for the start of Python, so it is quick."""
    from ankita_desktop.cli import run

    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(stdin)
    try:
        with contextlib.chdir(cwd or Path.cwd()), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(["ankita", *words])
    except SystemExit as ended:  # argparse, after a help
        code = int(ended.code or 0)
    finally:
        sys.stdin = before
    return Done(code, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def daemon(*words: str, bus: str = "none:") -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A real `ankita daemon`, and the lines it says. ``bus`` is the address of its session bus."""
    process = subprocess.Popen(
        [*COMMAND, "daemon", *words],
        stderr=subprocess.PIPE,
        text=True,
        env=environ(DBUS_SESSION_BUS_ADDRESS=bus),
    )
    said: list[str] = []
    assert process.stderr
    reader = threading.Thread(target=lambda: said.extend(process.stderr), daemon=True)  # type: ignore[arg-type]
    reader.start()
    try:
        yield process, said
    finally:
        process.kill() if process.poll() is None else None
        process.wait()
        reader.join()
        process.stderr.close()


def has(said: list[str], words: str) -> bool:
    return any(words in line for line in said)


class Terminal:
    """`ankita …` in a real terminal: both directions are a TTY. Standard output may be kept apart."""

    def __init__(self, *words: str, cwd: Path | None = None, apart: bool = False) -> None:
        import pty

        self.seen = ""
        self._master, slave = pty.openpty()
        out = subprocess.PIPE if apart else slave
        self.process = subprocess.Popen(
            [*COMMAND, *words],
            stdin=slave,
            stdout=out,
            stderr=slave,
            cwd=cwd,
            env=environ(TERM="xterm"),
            start_new_session=True,
        )
        os.close(slave)

    def expect(self, text: str) -> str:
        """Wait until ``text`` is on the screen after what was expected before; returns what came up to it."""
        deadline = time.monotonic() + WAIT
        while text not in self.seen:
            assert time.monotonic() < deadline, f"{text!r} never came; seen: {self.seen!r}"
            assert self._read(deadline) or text in self.seen, f"it ended before {text!r}; seen: {self.seen!r}"
        before, _, self.seen = self.seen.partition(text)
        return before + text

    def send(self, text: str) -> None:
        os.write(self._master, text.encode())

    def interrupt(self) -> None:
        """Ctrl+C, as the terminal sends it to whoever is in front."""
        os.kill(self.process.pid, signal.SIGINT)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(WAIT)

    def end(self) -> int:
        """Wait for the end; returns the exit code."""
        deadline = time.monotonic() + WAIT
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"it never ended; seen: {self.seen!r}"
            self._read(time.monotonic() + 0.05)
        while self._read(time.monotonic() + 0.05):
            pass
        return self.process.returncode

    def _read(self, deadline: float) -> bool:
        """Take what is there. False when nothing more can come."""
        if not select.select([self._master], [], [], max(0.0, deadline - time.monotonic()))[0]:
            return False
        try:
            piece = os.read(self._master, 65536)
        except OSError:  # the other side is closed
            return False
        self.seen += piece.decode(errors="replace").replace("\r\n", "\n")
        return bool(piece)

    def close(self) -> None:
        if self.process.poll() is None:
            self.kill()
        if self.process.stdout:
            self.process.stdout.close()
        os.close(self._master)


@contextlib.contextmanager
def terminal(*words: str, cwd: Path | None = None, apart: bool = False) -> Iterator[Terminal]:
    shown = Terminal(*words, cwd=cwd, apart=apart)
    try:
        yield shown
    finally:
        shown.close()
