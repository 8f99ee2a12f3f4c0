"""The window: cold start to first paint, idle memory and CPU, the longest stall while text streams, by what kind
of block grows, and how soon a long conversation stands there.

Each figure stands beside that of the barest Qt window that does the same, measured in the same run. Everything
runs in processes of its own on an X server of our own; the text comes from a server in a third process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.ui.screen import missing, x_server

ROOT = Path(__file__).resolve().parents[2]
CHUNKS, SIZE = 4_000, 200_000
STARTS, STREAMS = 5, 3
IDLE_SECONDS = 60.0
ROUTINES = 100
PARAGRAPH = """## Part {n}

Some words with **emphasis**, a `name`, a [link](https://example.org/{n}) and enough of them to fill more than one
line of the column, so that laying out has something to do.

- first point of part {n}
- second point, a little longer than the first one

```python
def part_{n}(value: int) -> int:
    return value * {n}  # a comment
```

| key | value |
|---|---|
| {n} | {n}{n} |

"""
MESSAGES = 2_000
MIXED = "mixed"
GROWING = {  # (how it begins, what it grows by)
    "one list": ("", "- an item of a long list with `code`\n"),
    "a list in a list": ("- top\n", "  - an item below with `code`\n"),
    "an item of many paragraphs": ("- first\n\n", "  a paragraph in an item that goes on\n\n"),
    "a table": ("| a | b | c |\n|---|---|---|\n", "| cell one | `cell` two | **three** |\n"),
    "a quote of one paragraph": ("", "> words of a quote that goes on and on\n"),
    "a quote of many paragraphs": ("", "> words of a quote\n>\n"),
    "a paragraph": ("", "words that go on, with some **strong** ones. "),
    "code": ("```python\n", "x = compute(1, 'two')  # three\n"),
}


def document(kind: str = MIXED) -> str:
    """SIZE bytes of ordinary markdown, or of one block that only grows."""
    if kind != MIXED:
        start, more = GROWING[kind]
        return (start + more * SIZE)[:SIZE]
    text = "".join(PARAGRAPH.format(n=n) for n in range(SIZE // 300))
    return text[:SIZE]


def stream(kind: str) -> bytes:
    """The document as the body of a streamed answer in CHUNKS chunks."""
    text, step = document(kind), SIZE // CHUNKS
    deltas = [{"content": text[at : at + step]} for at in range(0, SIZE, step)]
    lines = [json.dumps({"choices": [{"index": 0, "delta": delta}]}) for delta in deltas]
    lines.append(json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}))
    return "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()


# --- what runs in the measured processes --------------------------------------------------------


def spin(until: Callable[[], bool], seconds: float) -> None:
    from PySide6.QtCore import QCoreApplication, QEventLoop

    end = time.monotonic() + seconds
    while not until() and time.monotonic() < end:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


class Heart:
    """Beats in the event loop; ``longest`` is the longest time in which it could not, ``busiest`` the most this
    thread itself did in one: the rest is what else the machine had to do."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.longest, self._last = 0.0, time.perf_counter()
        self.busiest, self._used = 0.0, time.thread_time()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(2)

    def _beat(self) -> None:
        now, used = time.perf_counter(), time.thread_time()
        self.longest, self._last = max(self.longest, now - self._last), now
        self.busiest, self._used = max(self.busiest, used - self._used), used

    def figures(self) -> dict[str, float]:
        return {"stall": self.longest * 1000, "work": self.busiest * 1000}


def ours(*argv: str) -> Any:
    from ankita_desktop.app import build

    application = build(["ankita", "--cwd", os.environ["ANKITA_HOME"], *argv])
    application.window.show()
    return application


def bare() -> tuple[Any, Any]:
    from PySide6.QtWidgets import QApplication, QMainWindow, QPlainTextEdit

    application, window = QApplication([]), QMainWindow()
    text = QPlainTextEdit()
    window.setCentralWidget(text)
    window.resize(1280, 820)
    window.show()
    return (application, window), text


def painted(window: Any) -> None:
    """Until the window has been painted once."""
    from PySide6.QtCore import QEvent, QObject

    class Eye(QObject):
        seen = False

        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
            self.seen = self.seen or event.type() == QEvent.Type.Paint
            return False

    eye = Eye()
    window.installEventFilter(eye)
    spin(lambda: eye.seen, 10)


def play_start(which: str) -> dict[str, float]:
    import psutil

    holder = ours() if which == "ours" else bare()[0]
    painted(holder.window if which == "ours" else holder[1])
    me = psutil.Process()
    return {"seconds": time.time() - me.create_time()}


def fill(application: Any) -> None:
    """ROUTINES routines in the store, none of them due soon."""
    routines = application.assembly.automation.routines
    whens = ("every day at {hour}", "every weekday at {hour}:30", "first monday of the month at {hour}")
    far = (time.localtime().tm_hour + 12) % 24
    for number in range(ROUTINES):
        routines.add(f"Routine {number}", f"Look at {number}", whens[number % len(whens)].format(hour=far))


def play_idle(which: str) -> dict[str, float]:
    import psutil
    from PySide6.QtCore import QTimer

    holder = ours() if which == "ours" else bare()[0]
    painted(holder.window if which == "ours" else holder[1])
    if which == "ours":
        fill(holder)
        shown = holder.window.automating
        spin(lambda: len(shown.agenda.routines) == ROUTINES and holder.assembly.automation.running, 30)
        if len(shown.agenda.routines) != ROUTINES:
            raise RuntimeError(f"only {len(shown.agenda.routines)} routines are shown")
    wake = QTimer()
    wake.start(500)
    end = time.monotonic() + 5
    spin(lambda: time.monotonic() > end, 6)
    me, before = psutil.Process(), time.process_time()
    end = time.monotonic() + IDLE_SECONDS
    spin(lambda: time.monotonic() > end, IDLE_SECONDS + 1)
    busy = (time.process_time() - before) / IDLE_SECONDS * 100
    return {"uss": me.memory_full_info().uss / 1e6, "rss": me.memory_info().rss / 1e6, "cpu": busy}


def play_stream(which: str) -> dict[str, float]:
    return _stream_ours() if which == "ours" else _stream_bare()


def _stream_ours() -> dict[str, float]:
    from ankita_desktop.events import TurnEnded

    application = ours("--base-url", os.environ["WIRE"], "--api-key", "sk-x", "--model", "scripted")
    window = application.window
    painted(window)
    ended: list[TurnEnded] = []
    application.bridge.arrived.connect(lambda event: isinstance(event, TurnEnded) and ended.append(event))
    heart = Heart()
    window.centre.composer.write("Write much")
    cpu, wall = time.thread_time(), time.perf_counter()
    window.sending.send()
    spin(lambda: bool(ended) and not window.centre.chat.painting, 120)
    spin(lambda: False, 0.5)
    figures = {"cpu": time.thread_time() - cpu, "wall": time.perf_counter() - wall, **heart.figures()}
    figures["characters"] = float(len(window.centre.chat.toPlainText()))
    application.close()
    return figures


def _stream_bare() -> dict[str, float]:
    from PySide6.QtCore import QTimer

    holder, text = bare()
    painted(holder[1])
    words, step = document(os.environ["KIND"]), SIZE // CHUNKS
    pieces = iter([words[at : at + step] for at in range(0, SIZE, step)])
    left = [CHUNKS]
    heart = Heart()

    def add() -> None:
        piece = next(pieces, None)
        if piece is not None:
            text.insertPlainText(piece)
            left[0] -= 1

    feed = QTimer()
    feed.timeout.connect(add)
    cpu, wall = time.thread_time(), time.perf_counter()
    feed.start(0)
    spin(lambda: left[0] == 0, 300)
    return {"cpu": time.thread_time() - cpu, "wall": time.perf_counter() - wall, **heart.figures()}


def play_open(which: str) -> dict[str, float]:
    return _open_ours() if which == "ours" else _open_bare()


def _said() -> list[str]:
    return [PARAGRAPH.format(n=n) if n % 2 else f"What about part {n + 1}?" for n in range(MESSAGES)]


def _open_ours() -> dict[str, float]:
    from ankita_desktop.protocol import Message

    application = ours()
    window = application.window
    painted(window)
    session = application.engine.new_session(cwd=os.environ["ANKITA_HOME"])
    messages = [Message("assistant" if n % 2 else "user", text) for n, text in enumerate(_said())]
    for message in messages:
        application.assembly.store.add_message(session.id, message)
    page, heart = window.centre.chat._page, Heart()
    began = time.perf_counter()
    window.open(session.id)
    spin(lambda: page.last_answer() == messages[-1].id, 60)
    painted(page._column.items[-1])
    seconds = time.perf_counter() - began
    spin(lambda: not window.centre.chat.painting, 10)
    spin(lambda: False, 0.5)
    assert window.centre.chat._area.is_at_end()
    application.close()
    return {"seconds": seconds, **heart.figures()}


def _open_bare() -> dict[str, float]:
    from PySide6.QtGui import QTextCursor

    holder, text = bare()
    painted(holder[1])
    said, heart = _said(), Heart()
    began = time.perf_counter()
    text.setPlainText("\n".join(said))
    text.moveCursor(QTextCursor.MoveOperation.End)
    painted(text.viewport())
    seconds = time.perf_counter() - began
    spin(lambda: False, 0.5)
    return {"seconds": seconds, **heart.figures()}


# --- what starts them ---------------------------------------------------------------------------


@contextmanager
def server(kind: str) -> Iterator[str]:
    """The streaming server in a process of its own; gives its base URL."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.json"
        script.write_text(json.dumps([{"body": stream(kind).decode(), "piece": 4096}] * STREAMS))
        running = subprocess.Popen(
            [sys.executable, "-m", "tests.wire", str(script)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert running.stdout
        try:
            yield running.stdout.readline().strip()
        finally:
            running.terminate()
            running.communicate()


def measure(what: str, which: str, environment: dict[str, str]) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.bench_window", what, which],
            cwd=ROOT,
            env={**os.environ, **environment, "ANKITA_HOME": home, "HOME": home},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(done.stderr)
    figures: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return figures


def _middle(what: str, which: str, environment: dict[str, str]) -> float:
    """The median of STARTS starts, in seconds."""
    return sorted(measure(what, which, environment)["seconds"] for _ in range(STARTS))[STARTS // 2]


def _middle_run(what: str, which: str, environment: dict[str, str]) -> dict[str, float]:
    """The run with the median stall of STREAMS runs."""
    runs = [measure(what, which, environment) for _ in range(STREAMS)]
    return sorted(runs, key=lambda run: run["stall"])[STREAMS // 2]


def _stream_rows(kind: str, screen: dict[str, str]) -> None:
    with server(kind) as address:
        mine = _middle_run("stream", "ours", {**screen, "WIRE": address})
    plain = _middle_run("stream", "bare", {**screen, "KIND": kind})
    if kind == MIXED:
        row("200 KB in 4,000 chunks, main thread's CPU", f"{mine['cpu']:.2f} s", f"{plain['cpu']:.2f} s")
        row("200 KB in 4,000 chunks, until it stands there", f"{mine['wall']:.2f} s", f"{plain['wall']:.2f} s")
        row("longest stall of the event loop meanwhile (own work)", _stalled(mine), _stalled(plain))
        return
    cells = [f"{_stalled(run)}, {run['cpu']:.1f} s" for run in (mine, plain)]
    row(f"200 KB of {kind}: longest stall (own work), CPU", *cells)


def _stalled(run: dict[str, float]) -> str:
    return f"{run['stall']:.0f} ({run['work']:.0f}) ms"


def _open_rows(screen: dict[str, str]) -> None:
    mine, plain = (_middle_run("open", which, screen) for which in ("ours", "bare"))
    name = f"a conversation of {MESSAGES:,} messages"
    row(f"{name}, first paint", f"{mine['seconds'] * 1000:.0f} ms", f"{plain['seconds'] * 1000:.0f} ms")
    row(f"{name}, longest stall (own work)", _stalled(mine), _stalled(plain))


def row(name: str, value: str, reference: str) -> None:
    print(f"{name:<74} {value:>18} {reference:>18}", flush=True)


def main() -> None:
    """Print the table."""
    if lacks := missing("Xvfb"):
        print(f"needs {', '.join(lacks)}")
        return
    with x_server() as display:
        screen = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
        row("the window", "ours", "bare Qt window")
        starts = {which: _middle("start", which, screen) for which in ("ours", "bare")}
        row("cold start to first paint (median of 5)", f"{starts['ours']:.2f} s", f"{starts['bare']:.2f} s")
        idle = {which: measure("idle", which, screen) for which in ("ours", "bare")}
        row("idle, memory of its own (USS)", f"{idle['ours']['uss']:.0f} MB", f"{idle['bare']['uss']:.0f} MB")
        row(
            f"idle with {ROUTINES} routines, CPU over {IDLE_SECONDS:.0f} s",
            f"{idle['ours']['cpu']:.2f} %",
            f"{idle['bare']['cpu']:.2f} %",
        )
        for kind in (MIXED, *GROWING):
            _stream_rows(kind, screen)
        _open_rows(screen)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        plays = {"start": play_start, "idle": play_idle, "stream": play_stream, "open": play_open}
        played = plays[sys.argv[1]](sys.argv[2])
        print(json.dumps(played), flush=True)
        os._exit(0)
    main()
