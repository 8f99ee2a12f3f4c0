"""One running command: its process, its output, its input."""

from __future__ import annotations

import os
import queue
import select
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from ankita_desktop.errors import ToolError
from ankita_desktop.protocol import JobInfo
from ankita_desktop.toolkit import launch
from ankita_desktop.toolkit.ring import OutputChunk, Ring

CHUNK = 1 << 16
DRAIN = 0.5
POSIX = os.name == "posix"
PENDING_INPUT = 64


@dataclass(frozen=True, slots=True)
class Command:
    """What to start. ``stdin`` is fed to it; then its input is closed unless ``keep_open``.
    ``timeout`` is in seconds, None for none. ``box``: words in front that start it in a closed box."""

    text: str
    cwd: str
    env: dict[str, str] | None = None
    stdin: str | None = None
    keep_open: bool = False
    timeout: float | None = None
    box: tuple[str, ...] = ()


class Job:
    """A command that runs or ran. Made and owned by ``Jobs``; every method may be called from any thread."""

    def __init__(self, job_id: str, command: Command, mark: str) -> None:
        self.id = job_id
        self.command = command
        self.mark = mark
        self.timed_out = False
        self.started = time.time()
        self._ended = 0.0
        self._ring = Ring()
        self._changed = threading.Condition()
        self._done = False
        self._input: queue.Queue[bytes | None] | None = None
        self._process = self._spawn()

    def run(self, *, kill: Callable[[Job], object], ended: Callable[[Job], None]) -> None:
        """Begin to follow the process: ``kill`` when its time is up, ``ended`` once when it is over."""
        self._thread("out", self._read)
        if self._process.stdin is not None:
            self._input = queue.Queue(PENDING_INPUT)
            self._thread("in", self._feed)
            if self.command.stdin is not None:
                self.write(self.command.stdin, close=not self.command.keep_open)
        self._thread("end", lambda: self._follow(kill, ended))

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return not self._done

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return (self._ended or time.time()) - self.started

    @property
    def left_behind(self) -> bool:
        """The command is over, but something it started still holds its output."""
        with self._changed:
            return self._done and not self._ring.closed

    @property
    def reaped(self) -> bool:
        """The shell is gone and its number is free for others."""
        return self._process.returncode is not None

    def info(self) -> JobInfo:
        with self._changed:
            code = self._process.returncode if self._done else None
            size = self._ring.size
        return JobInfo(self.id, self.command.text, self.command.cwd, self.pid, self.started, code, size)

    def output(self, cursor: int, limit: int | None = None) -> OutputChunk:
        with self._changed:
            return self._ring.read(cursor, limit)

    def wait(self, seconds: float, give_up: Callable[[], bool] = lambda: False) -> bool:
        """Until it is over, ``give_up`` says so after a ``wake``, or the time is up. True when it is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._done or give_up(), seconds)
            return self._done

    def wake(self) -> None:
        """Have every waiter look again."""
        with self._changed:
            self._changed.notify_all()

    def write(self, text: str, *, close: bool = False) -> None:
        """Queue text for the command's input."""
        if self._input is None or not self.running:
            raise ToolError(_no_input(self))
        try:
            if text:
                self._input.put_nowait(text.encode("utf-8", "surrogateescape"))
            if close:
                self._input.put_nowait(None)
        except queue.Full:
            raise ToolError(f"Job {self.id} isn't reading its input; {PENDING_INPUT} texts wait.") from None

    def _spawn(self) -> subprocess.Popen[bytes]:
        command = self.command
        piped = command.keep_open or command.stdin is not None
        try:
            return subprocess.Popen(
                [*command.box, *launch.shell_argv(command.text)],
                cwd=command.cwd,
                env=launch.environment(self.mark, command.env),
                stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                **launch.own_group(),
            )
        except (OSError, ValueError) as error:
            raise ToolError(f"The command can't be started: {error}.") from error

    def _thread(self, part: str, target: Callable[[], None]) -> None:
        threading.Thread(target=target, name=f"job-{self.id}-{part}", daemon=True).start()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while self._take(stream.fileno()):
            pass
        stream.close()

    def _take(self, fd: int) -> bool:
        """Move what has come into the ring. Where that is possible the bytes leave the pipe under the lock,
        so that ``_pending`` never misses some that are on their way. False at the end."""
        if POSIX:
            _readable(fd, None)
            with self._changed:
                return self._keep(os.read(fd, CHUNK))
        data = os.read(fd, CHUNK)
        with self._changed:
            return self._keep(data)

    def _keep(self, data: bytes) -> bool:
        self._ring.append(data)
        self._ring.closed = not data
        self._changed.notify_all()
        return bool(data)

    def _follow(self, kill: Callable[[Job], object], ended: Callable[[Job], None]) -> None:
        try:
            self._process.wait(self.command.timeout)
        except subprocess.TimeoutExpired:
            self.timed_out = True
            kill(self)
            self._process.wait()
        self._drain()
        with self._changed:
            self._ended = time.time()
            self._done = True
            self._changed.notify_all()
        if self._input is not None:
            self._stop_feeding(self._input)
        ended(self)

    def _drain(self) -> None:
        """The shell is gone; a child in the background may hold the pipe for ever: only what is there counts."""
        deadline = time.monotonic() + DRAIN
        with self._changed:
            while time.monotonic() < deadline and not self._ring.closed and self._pending():
                self._changed.wait(0.02)

    def _pending(self) -> bool:
        stream = self._process.stdout
        if stream is None or stream.closed:
            return False
        return not POSIX or _readable(stream.fileno(), 0)

    def _feed(self) -> None:
        assert self._input is not None and self._process.stdin is not None
        pipe = self._process.stdin
        try:
            while (data := self._input.get()) is not None:
                while data:
                    data = data[pipe.write(data) :]
        except OSError:
            pass  # it closed its input or ended: its own business
        finally:
            pipe.close()

    def _stop_feeding(self, texts: queue.Queue[bytes | None]) -> None:
        while True:
            try:
                texts.put_nowait(None)
                return
            except queue.Full:
                texts.get_nowait()


def _readable(fd: int, milliseconds: int | None) -> bool:
    """Whether there is something to read, or the end; waits for it up to ``milliseconds`` (None: for ever)."""
    poll = select.poll()  # select() itself can't take descriptors above 1023
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(milliseconds))


def _no_input(job: Job) -> str:
    if not job.running:
        return f"Job {job.id} has ended; nothing reads its input any more."
    return f"Job {job.id} was started without open input. Start it again with background: true to write to it."
