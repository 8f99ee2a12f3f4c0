"""Follows a turn on the main thread: prints what comes, asks what is asked, stops when the person says so."""

from __future__ import annotations

import contextlib
import queue
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

from ankita_desktop.core.engine import Engine
from ankita_desktop.events import (
    ApprovalAsked,
    CallEnded,
    CallStarted,
    Event,
    MessageAdded,
    Notice,
    TextDelta,
    TextReset,
    TurnEnded,
)
from ankita_desktop.protocol import ApprovalRequest, Decision, ToolCall
from ankita_desktop.terminal.plain import Plain
from ankita_desktop.terminal.screen import SafeStream, one_line, painted, say

Ask = Callable[[ApprovalRequest, Callable[[], bool]], Decision | None]

TELLING = ("path", "command", "query", "pattern", "url", "source", "name", "action", "job_id", "port", "text")
_TICK = 0.2  # seconds between looks for Ctrl+C where waiting can't be interrupted


class View(Protocol):
    """Shows the events of a turn."""

    def show(self, event: Event) -> None: ...


class Lines:
    """The answer on standard output as it comes; one short line per call on standard error."""

    def __init__(self, *, plain: bool = False, answer: bool = True) -> None:
        self._answer = answer
        self._plain = plain
        self._fresh()
        self._open = False

    def show(self, event: Event) -> None:
        match event:
            case TextDelta(text=text, reasoning=False) if self._answer:
                self._write(self._stream.feed(text))
            case TextReset():
                self._end_text()
                say(f"({event.words})")
            case MessageAdded(message=message) if message.role == "assistant":
                if message.text and not self._said and self._answer:
                    self._write(self._stream.feed(message.text))
                self._end_text()
            case CallStarted(call=call):
                say(painted(f"· {described(call)}", "dim", sys.stderr))
            case CallEnded(call=call, result=result) if not result.ok:
                say(painted(f"✗ {call.name}: {one_line(result.text, 160)}", "red", sys.stderr))
            case Notice(text=text):
                say(text)
            case _:
                return

    def _write(self, text: str) -> None:
        self._said = True
        if self._markdown is not None:
            text = self._markdown.feed(text)
        if text:
            self._open = not text.endswith("\n")
            print(text, end="", flush=True)

    def _end_text(self) -> None:
        self._write(self._stream.end())
        rest = self._markdown.end() if self._markdown else ""
        if rest or self._open:
            print(rest, flush=True)
        self._fresh()
        self._open = False

    def _fresh(self) -> None:
        self._stream = SafeStream()
        self._markdown = Plain() if self._plain else None
        self._said = False


def described(call: ToolCall) -> str:
    """A call in a few words: its tool and what it is about."""
    about = next((call.arguments[name] for name in TELLING if call.arguments.get(name)), "")
    return one_line(f"{call.name} {about}", 100)


class Following:
    """One session of an engine in this terminal. ``ask`` answers questions; it runs on the main thread."""

    def __init__(self, engine: Engine, session: str, view: View, ask: Ask) -> None:
        self.engine = engine
        self.session = session
        self.view = view
        self.ask = ask
        self.meanwhile: Callable[[], None] = lambda: None
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._asking = False
        self._pressed = 0

    def turn(self, start: Callable[[], object]) -> TurnEnded:
        """Start a turn and follow it to its end. Ctrl+C stops it; a second one leaves at once (exit 130)."""
        leave = self.engine.subscribe(self._hear)
        try:
            with self._interrupts():
                start()
                return self._follow()
        except KeyboardInterrupt:
            self.engine.close(0.5)
            raise SystemExit(130) from None
        finally:
            leave()

    def _hear(self, event: Event) -> None:
        if event.session == self.session:
            self._events.put(event)

    @contextlib.contextmanager
    def _interrupts(self) -> Iterator[None]:
        """The first Ctrl+C is an event like others: an exception in the midst of anything could be lost."""
        try:
            before = signal.signal(signal.SIGINT, self._interrupt)
        except ValueError:  # not the main thread: Ctrl+C isn't ours
            yield
            return
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _interrupt(self, *_: object) -> None:
        self._pressed += 1
        if self._asking or self._pressed > 1:
            raise KeyboardInterrupt
        self._events.put(None)

    def _follow(self) -> TurnEnded:
        while True:
            try:
                event = self._events.get(timeout=_TICK)
            except queue.Empty:
                self.meanwhile()
                continue
            if event is None:
                self.engine.cancel(self.session)
                continue
            self.view.show(event)
            if isinstance(event, ApprovalAsked):
                self._answer(event.request)
            if isinstance(event, TurnEnded):
                return event

    def _answer(self, request: ApprovalRequest) -> None:
        self._asking = True
        try:
            # Nobody there any more: the question is denied, so that the turn goes on.
            is_open = partial(self.engine.approvals.is_live, request.id)
            decision = self.ask(request, is_open) or Decision(False, reason="nobody was there to answer")
        except KeyboardInterrupt:
            self.engine.cancel(self.session)
            return
        finally:
            self._asking = False
        self.engine.answer(request.id, decision)
