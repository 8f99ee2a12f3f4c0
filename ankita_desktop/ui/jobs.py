"""Commands that run or ran in this conversation, with live output and Stop. Main thread only."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from ankita_desktop.protocol import JobInfo
from ankita_desktop.toolkit.process import OutputChunk
from ankita_desktop.ui.icons import IconButton
from ankita_desktop.ui.parts import ElidedLabel, button, discard, frame, label, margins, name, restyle
from ankita_desktop.ui.theme import theme

TICK_MS = 500
OUTPUT_HEIGHT = 180
OUTPUT_LINES = 2_000


def ran_for(seconds: float) -> str:
    """1.4 s, 42 s, 3 min, 2 h."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"


class JobCard(QFrame):
    """One command. ``outputAsked`` carries the byte position from which it wants more."""

    outputAsked = Signal(str, int)
    stopAsked = Signal(str)

    def __init__(self, info: JobInfo) -> None:
        super().__init__()
        self.setProperty("look", "card")
        name(self, f"job-{info.id}", f"Command {info.command}")
        self.info = info
        self._cursor = 0
        self._waiting = False
        self._line_end = ""
        self._command = ElidedLabel("mono")
        self._state = label("", "small", tone="dim")
        self._stop = button("Stop", "quiet", kind="meta")
        self._fold = IconButton("chevron-right", "Show the output")
        self._output = QPlainTextEdit()
        self._build()
        self.show_info(info)

    @property
    def unfolded(self) -> bool:
        return not self._output.isHidden()

    def show_info(self, info: JobInfo) -> None:
        self.info = info
        running = info.exit_code is None
        self._stop.setVisible(running)
        self.tick()
        self._state.setProperty("tone", "danger" if info.exit_code else "dim")
        restyle(self._state)
        if self.unfolded:
            self._ask()

    def tick(self) -> None:
        """Once in a while while it runs: the time, and new output when that is open."""
        if self.info.exit_code is None:
            self._state.setText(ran_for(time.time() - self.info.started))
            if self.unfolded:
                self._ask()
        else:
            self._state.setText("done" if self.info.exit_code == 0 else f"exit {self.info.exit_code}")

    def add_output(self, chunk: OutputChunk) -> None:
        """What came since the position that was asked for."""
        self._waiting = False
        if not chunk.text and not chunk.dropped:
            return
        bar = self._output.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 4
        gap = f"[{chunk.dropped} bytes are no longer kept]\n" if chunk.dropped else ""
        cursor = QTextCursor(self._output.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        # A line end waits for the line after it, so that no empty line stands at the end.
        text = self._line_end + gap + chunk.text
        self._line_end = "\n" if text.endswith("\n") else ""
        cursor.insertText(text.removesuffix("\n"))
        self._cursor = chunk.next_cursor
        if at_end:
            bar.setValue(bar.maximum())

    def toggle(self) -> None:
        self._output.setVisible(not self.unfolded)
        self._fold.show_icon("chevron-down" if self.unfolded else "chevron-right")
        if self.unfolded:
            self._ask()

    def _ask(self) -> None:
        if not self._waiting:
            self._waiting = True
            self.outputAsked.emit(self.info.id, self._cursor)

    def _build(self) -> None:
        self._command.setText(" ".join(self.info.command.split()))
        self._command.setToolTip(self.info.command)
        name(self._stop, "jobStopButton", f"Stop {self.info.command}")
        name(self._output, "jobOutput", f"Output of {self.info.command}")
        self._output.setReadOnly(True)
        self._output.setProperty("look", "output")
        self._output.setFont(theme().font("mono"))
        self._output.setMaximumBlockCount(OUTPUT_LINES)
        self._output.setFixedHeight(OUTPUT_HEIGHT)
        self._output.hide()
        self._fold.clicked.connect(self.toggle)
        self._stop.clicked.connect(lambda: self.stopAsked.emit(self.info.id))
        row = QHBoxLayout()
        margins(row, 0, gap=4)
        row.addWidget(self._fold)
        row.addWidget(self._command, 1)
        row.addWidget(self._state)
        row.addWidget(self._stop)
        column = QVBoxLayout(self)
        margins(column, 4, 8, 4, 4, gap=4)
        column.addLayout(row)
        column.addWidget(self._output)


class JobsPanel(QWidget):
    """The Jobs tab, newest first."""

    outputAsked = Signal(str, int)
    stopAsked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        name(self, "jobsPanel", "Jobs")
        self._cards: dict[str, JobCard] = {}
        self._empty = label("Commands that keep running are listed here, with their output.", "meta", tone="dim")
        self._empty.setWordWrap(True)
        inside = frame("background")
        self._column = QVBoxLayout(inside)
        margins(self._column, 12, 16, gap=8)
        self._column.addWidget(self._empty)
        self._column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inside)
        outside = QVBoxLayout(self)
        margins(outside, 0)
        outside.addWidget(area)
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    def show_jobs(self, jobs: Sequence[JobInfo]) -> None:
        """Another conversation's jobs instead of these."""
        for card in self._cards.values():
            discard(card)
        self._cards = {}
        for job in sorted(jobs, key=lambda each: each.started):
            self.update_job(job)
        self._empty.setVisible(not self._cards)

    def update_job(self, job: JobInfo) -> None:
        card = self._cards.get(job.id)
        if card is None:
            card = self._cards[job.id] = JobCard(job)
            card.outputAsked.connect(self.outputAsked)
            card.stopAsked.connect(self.stopAsked)
            self._column.insertWidget(0, card)
        card.show_info(job)
        self._empty.hide()
        if self.running():
            self._timer.start()

    def add_output(self, job: str, chunk: OutputChunk) -> None:
        if job in self._cards:
            self._cards[job].add_output(chunk)

    def running(self) -> int:
        return sum(card.info.exit_code is None for card in self._cards.values())

    def _tick(self) -> None:
        for card in self._cards.values():
            if card.info.exit_code is None:
                card.tick()
        if not self.running():
            self._timer.stop()
