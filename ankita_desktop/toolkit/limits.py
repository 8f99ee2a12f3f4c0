"""Programs run under limits of time and size, for tools that need an answer and not a job."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Literal

from ankita_desktop.errors import Cancelled, ToolError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.toolkit.launch import own_group

CHUNK = 1 << 16
DRAIN = 0.5
GRACE = 0.3
MAX_ERRORS = 1 << 16


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of wall time, bytes and lines of standard output (0: no limit)."""

    seconds: float = 30.0
    size: int = 8 << 20
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a program said. ``cut`` names the limit that ended it early; ``code`` means little then."""

    code: int
    out: bytes
    err: bytes
    cut: Literal["", "time", "size", "lines"] = ""

    @property
    def complaint(self) -> str:
        return self.err.decode("utf-8", "replace").strip()


@dataclass(frozen=True, slots=True)
class Program:
    """What to run, where, with which input; ``env`` replaces our environment (None: ours)."""

    argv: Sequence[str]
    cwd: str
    env: Mapping[str, str] | None = None
    stdin: bytes = b""


def run_program(program: Program, cancel: Cancel, limits: Limits | None = None) -> Outcome:
    """Run to the end or to a limit. Raises ``Cancelled`` as soon as ``cancel`` is set, and ``ToolError``
    when the program can't be started. A child it leaves behind doesn't hold us; at a limit it ends too."""
    run = _Run(program, limits or Limits())
    forget = cancel.on_set(run.wake)
    try:
        return run.finish(cancel)
    finally:
        forget()


class _Run:
    def __init__(self, program: Program, limits: Limits) -> None:
        self._limits = limits
        self._changed = threading.Condition()
        self._out = bytearray()
        self._err = bytearray()
        self._open = 2
        self._exited = False
        self._cut: Literal["", "size", "lines"] = ""
        self._process = _spawn(program)
        for target in (self._read_out, self._read_err, self._await_exit):
            threading.Thread(target=target, name="program", daemon=True).start()
        if program.stdin:
            threading.Thread(target=self._feed, args=(program.stdin,), name="program", daemon=True).start()

    def wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def finish(self, cancel: Cancel) -> Outcome:
        with self._changed:
            over = self._changed.wait_for(
                lambda: self._exited or bool(self._cut) or cancel.is_set(), self._limits.seconds
            )
        if not self._exited:
            self._end(wait=not cancel.is_set())
        if cancel.is_set():
            raise Cancelled
        with self._changed:
            self._changed.wait_for(lambda: not self._open or bool(self._cut), DRAIN)
            code = self._process.returncode
            cut = self._cut if over else "time"
            return Outcome(-1 if code is None else code, bytes(self._out), bytes(self._err), cut)

    def _read_out(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while (data := os.read(stream.fileno(), CHUNK)) and not self._cut:
            with self._changed:
                self._out += data
                self._cut = self._over(data)
        self._close(stream)

    def _over(self, data: bytes) -> Literal["", "size", "lines"]:
        if len(self._out) > self._limits.size:
            return "size"
        if self._limits.lines and b"\n" in data and self._out.count(b"\n") > self._limits.lines:
            return "lines"
        return ""

    def _read_err(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        while data := os.read(stream.fileno(), CHUNK):
            with self._changed:
                self._err += data[: max(0, MAX_ERRORS - len(self._err))]
        self._close(stream)

    def _close(self, stream: IO[bytes]) -> None:
        stream.close()
        with self._changed:
            self._open -= 1
            self._changed.notify_all()

    def _await_exit(self) -> None:
        self._process.wait()
        with self._changed:
            self._exited = True
            self._changed.notify_all()

    def _feed(self, data: bytes) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            while data:
                data = data[pipe.write(data) or 0 :]
        except OSError:
            pass  # it didn't want all of it
        finally:
            pipe.close()

    def _end(self, *, wait: bool) -> None:
        """Ask the group to end, force it after a moment; without ``wait`` the forcing is left to a thread."""
        self._signal(force=False)
        if wait:
            self._force()
        else:
            threading.Thread(target=self._force, name="program", daemon=True).start()

    def _force(self) -> None:
        deadline = time.monotonic() + GRACE
        with self._changed:
            self._changed.wait_for(lambda: self._exited, max(0.0, deadline - time.monotonic()))
        self._signal(force=True)

    def _signal(self, *, force: bool) -> None:
        if self._exited:
            return
        try:
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL if force else signal.SIGTERM)
            else:
                self._process.kill()
        except OSError:
            pass  # it was quicker


def _spawn(program: Program) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            list(program.argv),
            cwd=program.cwd,
            env=program.env,
            stdin=subprocess.PIPE if program.stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            **own_group(),
        )
    except (OSError, ValueError) as error:
        raise ToolError(f"{program.argv[0]} can't be started: {error}.") from error
