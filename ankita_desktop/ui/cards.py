"""A tool call in the chat: one line that unfolds to arguments, output and changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QStyle, QWidget

from ankita_desktop.protocol import JobInfo, ToolCall
from ankita_desktop.ui.blocks import Stack, grown
from ankita_desktop.ui.cards_head import CardHead
from ankita_desktop.ui.cards_words import facts, looked, what, words
from ankita_desktop.ui.code_line import CodeFont
from ankita_desktop.ui.diff import DiffView
from ankita_desktop.ui.parts import button, label
from ankita_desktop.ui.theme import theme

RADIUS = 8
SHORT_DIFF = 400  # pixels of an edit that are shown without unfolding, and the most a card gives a diff
OUTPUT_HEIGHT = 240
OUTPUT_KEPT = 200_000  # characters of a result that the card shows


class Card(Stack):
    """A rounded frame with a line that can be clicked. ``moving`` draws the thin line of running work."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, padding=(0, 1, 1, 1))
        self.setObjectName("toolCard")
        self.head = CardHead()
        self.add(self.head)
        self._frame = _Frame(self)
        self._timer = QTimer(self)
        self._timer.setInterval(40)
        self._timer.timeout.connect(self._step)
        theme().changed.connect(self.update)

    def set_moving(self, on: bool) -> None:
        self._frame.moving = 0.0 if on else None
        still = self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, self) == 0
        if on and not still:
            self._timer.start()
        else:
            self._timer.stop()
        self._frame.update()

    def _step(self) -> None:
        if self._frame.moving is not None and not self.visibleRegion().isEmpty():
            self._frame.moving = (self._frame.moving + 0.02) % 1.0
            self._frame.update()

    def relayout(self) -> None:
        super().relayout()
        self._frame.setGeometry(self.rect())
        self._frame.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("card"))


class _Frame(QWidget):
    """Rounds the card's corners over its content and draws its border and its moving line."""

    def __init__(self, card: Card) -> None:
        super().__init__(card)
        self.moving: float | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        inside, outside = QPainterPath(), QPainterPath()
        inside.addRoundedRect(box, RADIUS, RADIUS)
        outside.addRect(QRectF(self.rect()))
        painter.fillPath(outside - inside, theme().color("background"))
        painter.setPen(theme().color("line"))
        painter.drawPath(inside)
        if self.moving is not None:
            width = self.width() / 4
            left = (self.width() + width) * self.moving - width
            painter.setClipPath(inside)
            painter.fillRect(QRectF(left, self.height() - 2, width, 2), theme().color("accent"))


class ToolCard(Card):
    """One call, from the wish to its outcome."""

    undoRequested = Signal(str)
    stopRequested = Signal()
    jobStopRequested = Signal(str)

    def __init__(self, call: ToolCall, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.call = call
        self.state = "waiting"
        self.details: dict[str, Any] = {}
        self._text = ""
        self._how = ""
        self._seconds: float | None = None
        self._followed = False  # what is known of its job is of now
        self._body: Stack | None = None
        self._output: QPlainTextEdit | None = None
        self._diff: DiffView | None = None
        self._error = label("", "meta", tone="danger")
        self._error.setContentsMargins(34, 0, 12, 8)
        self._error.hide()
        self.add(self._error)
        self._error.hide()
        self._stop = self._button("Stop", "stopCallButton", self._stopped)
        self._undo = self._button("Undo", "undoButton", self._undone)
        self.head.clicked.connect(lambda: self.unfold(not self.unfolded))
        self._show()

    def _button(self, text: str, name: str, pressed: Callable[[], None]) -> QWidget:
        made = button(text, "quiet", kind="meta")
        made.setObjectName(name)
        made.setAccessibleName(f"{text}: {words(self.call).done} {what(self.call)}")
        made.clicked.connect(pressed)
        self.head.add_button(made)
        return made

    # --- what happens to the call ---

    def ask(self) -> None:
        """A question about it waits for the person."""
        self.state = "asking"
        self._show()

    def note(self, how: str) -> None:
        """Say how it came to run, such as "approved once"."""
        self._how = how
        self._show()

    def start(self) -> None:
        self.state = "running"
        self._show()

    def progress(self, text: str) -> None:
        """The latest live output."""
        self.state = "running" if self.state in ("waiting", "asking") else self.state
        self._text = text
        if self._output is not None:
            _replace(self._output, text)
        self._show()

    def finish(self, text: str, details: dict[str, Any], *, ok: bool, seconds: float | None = None) -> None:
        """The outcome: ``text`` is what the model reads, ``details`` what the person is shown. ``seconds`` is
        known when it happened just now: a job it began may still run. Of a stored one ``job`` has to say so."""
        self._followed = self._followed or seconds is not None
        self.state = "done" if ok else "denied" if details.get("denied") else "failed"
        self._text, self.details = text, details
        self._seconds = seconds if seconds is not None else self._seconds
        self._error.setText("" if ok else _first_line(text, details)[:200])
        self._error.setVisible(bool(self._error.text()))
        self._show()
        self._show_diff()
        if self._body is not None:
            self._fill_body()
        grown(self)

    def mark_undone(self, undone: bool) -> None:
        """The change has been taken back, or brought back again."""
        self._how = "undone" if undone else ""
        self._show()

    def job(self, info: JobInfo) -> None:
        """The job this call began has changed."""
        if self.details.get("job_id") == info.id:
            self.details = {**self.details, "exit_code": info.exit_code, "size": info.size}
            self._followed = True
            self._show()

    @property
    def running_job(self) -> str:
        """The id of the job that goes on after the call, "" if none does."""
        runs = self._followed and "job_id" in self.details and self.details.get("exit_code", 0) is None
        return str(self.details["job_id"]) if runs else ""

    @property
    def busy(self) -> bool:
        return self.state == "running" or bool(self.running_job)

    @property
    def _can_undo(self) -> bool:
        return bool(self.details.get("checkpoint")) and self.state == "done" and self._how != "undone"

    def _stopped(self) -> None:
        if self.running_job:
            self.jobStopRequested.emit(self.running_job)
        else:
            self.stopRequested.emit()

    def _undone(self) -> None:
        self.undoRequested.emit(str(self.details.get("checkpoint", "")))

    # --- how it looks ---

    def line(self) -> str:
        """The card's one line in words."""
        said = words(self.call)
        verb = said.done if self.state in ("done", "failed", "denied") else said.doing
        verb = {"failed": "Failed: ", "denied": "Not allowed: ", "asking": "Asks: "}.get(self.state, "") + verb
        return " ".join(filter(None, (verb, what(self.call))))

    def toPlainText(self) -> str:
        parts = [" · ".join(filter(None, (self.line(), *self._right()))), self._error.text()]
        if self._diff is not None:
            parts.append(self._diff.toPlainText())
        if self.unfolded:
            parts.append(self._output.toPlainText() if self._output is not None else "")
        return "\n".join(filter(None, parts))

    def _right(self) -> list[str]:
        if self.state == "asking":
            return ["waits for your answer"]
        if self.state in ("done", "failed"):
            return [*([self._how] if self._how else []), *facts(self.call, self.details, self._seconds)]
        return []

    def _show(self) -> None:
        said = words(self.call)
        past = self.state in ("done", "failed", "denied")
        self.head.show_line(self.state, said.done if past else said.doing, what(self.call), self._right())
        self.head.setAccessibleName(self.toPlainText().split("\n", 1)[0])
        self._stop.setVisible(self.busy)
        self._undo.setVisible(self._can_undo)
        self.set_moving(self.busy)
        self.head.place()

    @property
    def unfolded(self) -> bool:
        return self._body is not None and not self._body.isHidden()

    def unfold(self, on: bool) -> None:
        """Show or hide arguments and output."""
        if on and self._body is None:
            self._body = Stack(gap=8, padding=(4, 12, 12, 12))
            self.add(self._body)
            self._fill_body()
        elif self._body is not None:
            self._body.setVisible(on)
        if self._diff is not None:
            self._diff.setVisible(on or self._short_diff())
        self.head.set_open(on)
        self.changed()

    def _short_diff(self) -> bool:
        return self._diff is not None and self._diff.content_height() <= SHORT_DIFF

    def _show_diff(self) -> None:
        text = self.details.get("diff")
        if not isinstance(text, str) or not text or self._diff is not None:
            return
        self._diff = DiffView(headings=text.count("\n+++ ") > 1)
        self._diff.show_unified(text)
        height = min(self._diff.content_height(), SHORT_DIFF)
        self._diff.setFixedHeight(height)
        self._diff.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if self._diff.content_height() <= height:
            self._diff.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._diff.setMinimumSize(QSize(0, height))
        self.insert(2, _Line())
        self.insert(3, self._diff)
        self._diff.setVisible(self._short_diff() or self.unfolded)

    def _fill_body(self) -> None:
        assert self._body is not None
        for item in self._body.items:
            self._body.drop(item)
        arguments = json.dumps(self.call.arguments, indent=2, ensure_ascii=False)
        if self.call.arguments:
            self._body.add(_pane(arguments[:OUTPUT_KEPT], "Arguments"))
        self._output = None
        text = str(self.details.get("output") or self._text)
        if (text or self.busy) and self._diff is None:
            self._output = _pane(text[-OUTPUT_KEPT:], "Output")
            self._body.add(self._output)


class CallGroup(Card):
    """Many calls that only looked, as one line that unfolds to their cards."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: list[ToolCard] = []
        self._open = False
        self._body = Stack(gap=6, padding=(2, 8, 8, 8))
        self.add(self._body)
        self._body.hide()
        self.head.clicked.connect(lambda: self.unfold(not self._open))

    def take_in(self, card: ToolCard) -> None:
        self.cards.append(card)
        self._body.add(card)
        self.refresh()

    def refresh(self) -> None:
        """Count again, after a card changed its state."""
        busy = any(card.state in ("running", "waiting", "asking") for card in self.cards)
        failed = sum(card.state in ("failed", "denied") for card in self.cards)
        verb, _, rest = self.line().partition(" ")
        right = [f"{failed} failed"] if failed else []
        self.head.show_line("running" if busy else "done", f"{verb} {rest}", "", right)
        self.head.setAccessibleName(self.line())
        self.set_moving(busy)
        self._show_cards()

    def _show_cards(self) -> None:
        """All while unfolded; folded only those that failed, so that no error is out of sight."""
        for card in self.cards:
            card.setVisible(self._open or card.state in ("failed", "denied"))
        self._body.setVisible(any(not card.isHidden() for card in self.cards))
        self.changed()

    def line(self) -> str:
        busy = any(card.state in ("running", "waiting", "asking") for card in self.cards)
        return looked([card.call for card in self.cards], running=busy)

    def unfold(self, on: bool) -> None:
        self._open = on
        self.head.set_open(on)
        self._show_cards()

    def toPlainText(self) -> str:
        shown = [card.toPlainText() for card in self.cards if not card.isHidden()]
        return "\n".join([self.line(), *shown])


class _Line(QWidget):
    """The thin line between a card's head and what is below."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(1)

    def sizeHint(self) -> QSize:
        return QSize(10, 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("line"))


class _Output(QPlainTextEdit):
    """Text as a program wrote it, no higher than it needs."""

    def __init__(self, text: str, words: str) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setProperty("look", "output")
        self.setFont(CodeFont().font)
        self.setAccessibleName(words)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setPlainText(text)

    def sizeHint(self) -> QSize:
        lines = max(self.blockCount(), 1)
        return QSize(200, min(lines * self.fontMetrics().lineSpacing() + 32, OUTPUT_HEIGHT))


def _pane(text: str, words: str) -> QPlainTextEdit:
    return _Output(text, words)


def _replace(output: QPlainTextEdit, text: str) -> None:
    """Show newer output; stay at the end when the end was in sight."""
    bar = output.verticalScrollBar()
    at_end = bar.value() >= bar.maximum() - 4
    output.setPlainText(text)
    if at_end:
        bar.setValue(bar.maximum())
    grown(output)


def _first_line(text: str, details: dict[str, Any]) -> str:
    """The line that says what went wrong."""
    said = str(details.get("error") or "")
    if not said and details.get("exit_code"):
        written = [line for line in str(details.get("output", "")).splitlines() if line.strip()]
        said = written[-1] if written else text
    said = said or text
    return next((line.strip() for line in said.splitlines() if line.strip()), "")
