"""How the chat bears a long answer, a long conversation and a large diff, beside a plain text widget.

Prints the whole time on the main thread and the longest stall of the event loop, by a heartbeat every 2 ms.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from functools import partial

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from ankita_desktop.events import TextDelta
from ankita_desktop.protocol import ApprovalRequest, FileChange, Message, Preview, ToolCall
from ankita_desktop.ui.approval import ApprovalDialog
from ankita_desktop.ui.chat import ChatView
from ankita_desktop.ui.code_colors import background
from ankita_desktop.ui.theme import theme

SIZE, CHUNKS = 200_000, 4_000
PER_BEAT = 4

PART = """## Part {n}

A paragraph with **strong** words, `code` and a [link](https://example.com/{n}), long enough to be broken into
several lines in a column of six hundred and sixty pixels, as most paragraphs of an answer are.

- one thing that matters
- another, with `a name`
  - and what follows from it

```python
def part_{n}(value: int) -> int:
    # a comment, so that there is something to colour
    return value * {n} + len("text {n}")
```

| name | before | after |
|---|---|---|
| part_{n} | failed | passed |
| other_{n} | passed | passed |

> A quotation that stands between two parts.

"""


def answer(size: int) -> str:
    parts, total, number = [], 0, 0
    while total < size:
        parts.append(PART.replace("{n}", str(number)))
        total += len(parts[-1])
        number += 1
    return "".join(parts)[:size]


class Heart:
    """Beats every 2 ms; the longest pause between two beats is the longest stall. ``busiest`` counts only this
    thread's own work between two beats: on a shared machine the rest of a stall is other people's."""

    def __init__(self) -> None:
        self.stalls: list[float] = []
        self.work: list[float] = []
        self._last, self._cpu = time.perf_counter(), time.thread_time()
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._timer.start(2)

    def _beat(self) -> None:
        now, cpu = time.perf_counter(), time.thread_time()
        self.stalls.append(now - self._last)
        self.work.append(cpu - self._cpu)
        self._last, self._cpu = now, cpu

    def longest(self) -> float:
        return max(self.stalls, default=0.0) * 1000

    def busiest(self) -> float:
        return max(self.work, default=0.0) * 1000


def feed(
    chunks: Iterator[str], take: Callable[[str], None], busy: Callable[[], bool], *, pause: int = 4
) -> tuple[float, ...]:
    """(seconds in all, seconds of CPU, longest stall in ms, most work in one stall in ms) until every
    chunk is taken and shown."""
    clean()
    heart = Heart()
    done: list[bool] = []
    timer = QTimer()

    def some() -> None:
        for _ in range(PER_BEAT):
            chunk = next(chunks, None)
            if chunk is None:
                done.append(True)
                timer.stop()
                return
            take(chunk)

    timer.timeout.connect(some)
    timer.start(pause)
    began, cpu = time.perf_counter(), time.process_time()
    while not done or busy():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    seconds, used = time.perf_counter() - began, time.process_time() - cpu
    beats = len(heart.stalls)
    while len(heart.stalls) < beats + 2:
        QApplication.processEvents()
    return seconds, used, heart.longest(), heart.busiest()


def clean() -> None:
    """What an earlier figure left behind is not this one's cost."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
    gc.collect()


def pieces(text: str, count: int) -> Iterator[str]:
    step = max(len(text) // count, 1)
    return (text[at : at + step] for at in range(0, len(text), step))


def row(what: str, *figures: str) -> None:
    print(f"{what:<46}" + "".join(f"{figure:>14}" for figure in figures))


def hand(view: ChatView, text: str) -> None:
    view.handle(TextDelta("s", text))


def until_warm() -> None:
    """The first view loads the parser in the background; a person takes longer to type."""
    view = ChatView()
    done: list[bool] = []
    background().ask(view, lambda: True, done.append)
    while not done:
        QApplication.processEvents()
    view.deleteLater()


def painting(view: ChatView) -> bool:
    return view.painting


def streaming() -> None:
    texts = {
        "mixed markdown": answer(SIZE),
        "one paragraph": ("word " * SIZE)[:SIZE],
        "one code block": "```python\n" + ("x = compute(1, 'two')  # three\n" * SIZE)[:SIZE],
        "one list": ("- an item of a long list\n" * SIZE)[:SIZE],
    }
    row(f"streaming {SIZE // 1000} KB in {CHUNKS} chunks", "seconds", "CPU s", "longest ms", "its work ms")
    for label, text in texts.items():
        view = ChatView()
        view.resize(760, 800)
        view.show()
        for pause, how in ((4, "spread"), (0, "at once")):
            view.show_messages([Message("user", "Go on.")])
            found = feed(pieces(text, CHUNKS), partial(hand, view), partial(painting, view), pause=pause)
            row(f"  chat, {label}, {how}", *figures(found))
        view.deleteLater()
    plain = QPlainTextEdit()
    plain.resize(760, 800)
    plain.show()
    row(
        "  reference: plain text insert",
        *figures(feed(pieces(answer(SIZE), CHUNKS), plain.insertPlainText, lambda: False)),
    )
    plain.deleteLater()


def figures(found: tuple[float, ...]) -> tuple[str, ...]:
    return f"{found[0]:.2f}", f"{found[1]:.2f}", f"{found[2]:.0f}", f"{found[3]:.0f}"


def opening() -> None:
    messages = [Message("user" if n % 2 == 0 else "assistant", answer(800)) for n in range(1000)]
    view = ChatView()
    view.resize(760, 800)
    view.show()
    began = time.perf_counter()
    view.show_messages(messages)
    view.grab()
    row("opening 1,000 messages: first paint", f"{(time.perf_counter() - began) * 1000:.0f} ms")
    view.deleteLater()


def diffs(app: QApplication) -> None:
    before = "".join(f"line {n} of a long file = {n % 97}\n" for n in range(20_000))
    after = "".join(f"line {n} of a long file = {n % 97 + (n % 60 == 0)}\n" for n in range(20_000))
    change = FileChange("/tmp/long.py", "modify", before, after)
    request = ApprovalRequest(
        "r", "s", ToolCall("1", "edit_file"), "ask", Preview("diff", "Change it?", changes=(change,))
    )
    began = time.perf_counter()
    dialog = ApprovalDialog(request)
    dialog.show()
    dialog.grab()
    first = time.perf_counter() - began
    heart = Heart()
    while not dialog.findChild(QWidget, "approveButton").isEnabled():
        app.processEvents()
    dialog.grab()
    row("diff of 20,000 lines: dialog painted", f"{first * 1000:.0f} ms")
    row(
        "diff of 20,000 lines: rows on screen",
        f"{(time.perf_counter() - began) * 1000:.0f} ms",
        f"stall {heart.longest():.0f}",
    )
    dialog.close()
    dialog.deleteLater()


def main() -> None:
    found = QApplication.instance() or QApplication(["bench"])
    assert isinstance(found, QApplication)
    theme().apply()
    until_warm()
    streaming()
    opening()
    diffs(found)


if __name__ == "__main__":
    main()
