"""A tool call in the chat: one line that unfolds to arguments, output and changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ankita_desktop.protocol import Attachment, JobInfo, ToolCall, compact_json
from ankita_desktop.ui.blocks import Stack
from ankita_desktop.ui.cards_body import CardBody
from ankita_desktop.ui.cards_frame import Card
from ankita_desktop.ui.cards_words import facts, looked, verb, what, words
from ankita_desktop.ui.parts import button, label
from ankita_desktop.ui.pictures import Gallery

FACT = "fact:"
"""Begins the name of a way back that is about memory, not about files."""


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
        self._how = ""
        self._seconds: float | None = None
        self._followed = False  # what is known of its job is of now
        self._body = CardBody(call.arguments)
        self._gallery: Gallery | None = None
        self._error = label("", "meta", tone="danger")
        self._error.setContentsMargins(34, 0, 12, 8)
        self._error.setWordWrap(True)
        self.add(self._error)
        self._error.hide()
        self.add(self._body)
        self._stop = self._button("Stop", "stopCallButton", self._stopped)
        self._undo = self._button("Undo", "undoButton", lambda: self.undoRequested.emit(self.checkpoint))
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
        self._body.show_output(text)
        self._show()

    def finish(self, text: str, details: dict[str, Any], *, ok: bool, seconds: float | None = None) -> None:
        """The outcome: ``text`` is what the model reads, ``details`` what the person is shown. ``seconds`` is
        known when it happened just now: a job it began may still run. Of a stored one ``job`` has to say so."""
        self._followed = self._followed or seconds is not None
        self.state = "done" if ok else "denied" if details.get("denied") else "failed"
        self.details = details
        self._seconds = seconds if seconds is not None else self._seconds
        self._error.setText("" if ok else _first_line(text, details)[:200])
        self._error.setVisible(bool(self._error.text()))
        self._show()
        self._body.show_diff(str(details.get("diff") or ""))
        self._body.show_output(str(details.get("output") or text))
        self.changed()

    def attach(self, attachments: Sequence[Attachment]) -> None:
        """Show what the outcome brings along, such as pictures; once."""
        if attachments and self._gallery is None:
            self._gallery = Gallery(attachments)
            self.add(self._gallery)

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
    def checkpoint(self) -> str:
        """What undoes it; "" when nothing can. What was remembered names its way back itself."""
        undo = self.details.get("undo")
        remembered = f"{FACT}{compact_json(undo)}" if isinstance(undo, dict) and "fact" in undo else ""
        return str(self.details.get("checkpoint") or remembered)

    def _stopped(self) -> None:
        if self.running_job:
            self.jobStopRequested.emit(self.running_job)
        else:
            self.stopRequested.emit()

    # --- how it looks ---

    def line(self) -> str:
        """The card's one line in words."""
        outcome = {"failed": "Failed: ", "denied": "Not allowed: "}.get(self.state, "")
        return " ".join(filter(None, (outcome + verb(self.call, self.state), what(self.call))))

    def toPlainText(self) -> str:
        pictures = self._gallery.toPlainText() if self._gallery is not None else ""
        return "\n".join(filter(None, (self._summary(), self._error.text(), self._body.toPlainText(), pictures)))

    def _summary(self) -> str:
        return " · ".join(filter(None, (self.line(), *self._right())))

    def _right(self) -> list[str]:
        if self.state == "asking":
            return ["waits for your answer"]
        if self.state in ("done", "failed"):
            return [*([self._how] if self._how else []), *facts(self.call, self.details, self._seconds)]
        return []

    def _show(self) -> None:
        self.head.show_line(self.state, _capital(verb(self.call, self.state)), what(self.call), self._right())
        self.head.setAccessibleName(self._summary())
        self._stop.setVisible(self.busy)
        self._undo.setVisible(bool(self.checkpoint) and self.state == "done" and self._how != "undone")
        self.set_moving(self.busy)
        self.head.place()

    @property
    def unfolded(self) -> bool:
        return self._body.is_open

    def unfold(self, on: bool) -> None:
        """Show or hide arguments and output."""
        self._body.unfold(on)
        self.head.set_open(on)
        self.changed()


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


def _first_line(text: str, details: dict[str, Any]) -> str:
    """The line that says what went wrong."""
    said = str(details.get("error") or "")
    if not said and details.get("exit_code"):
        written = [line for line in str(details.get("output", "")).splitlines() if line.strip()]
        said = written[-1] if written else text
    said = said or text
    return next((line.strip() for line in said.splitlines() if line.strip()), "")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
