"""Hands-free talk in the window: its microphone, its session, and what the strip shows of it. Main thread only."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from ankita_desktop.assembly import Assembly
from ankita_desktop.errors import VoiceError
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.centre import Centre
from ankita_desktop.ui.conversation import Conversation
from ankita_desktop.voice import hands_free
from ankita_desktop.voice.service import Talk

SHOWN = ("asleep", "listening", "thinking", "speaking")


def _nothing() -> None: ...


class TalkHears(QObject):
    """From the talk's own thread to ours. ``began`` carries the talk, or the ``VoiceError`` it failed with."""

    state = Signal(str)
    words = Signal(str)
    notice = Signal(str)
    problem = Signal(object)
    began = Signal(object)


class Talking(QObject):
    """One talk at most, with the conversation it began in. What goes wrong is ``hears.problem``."""

    def __init__(self, assembly: Assembly, bridge: Bridge, centre: Centre, conversation: Conversation) -> None:
        super().__init__()
        self._assembly, self._bridge = assembly, bridge
        self._strip, self._mic, self._conversation = centre.voice, centre.composer.mic, conversation
        self._talk: Talk | None = None
        self._wanted = False
        self._session = ""
        self._forget: Callable[[], None] = _nothing
        self.hears = TalkHears()
        self.hears.state.connect(self._stated)
        self.hears.words.connect(self._strip.show_words)
        self.hears.began.connect(self._began)
        conversation.changed.connect(self._moved)

    @property
    def is_on(self) -> bool:
        return self._talk is not None

    def has(self, session: str) -> bool:
        """Whether a session's answers are read by this talk. Any thread."""
        return session == self._session

    def toggle(self) -> None:
        """Begin, or end it; also while it is still beginning."""
        if self._wanted:
            self.end()
        else:
            self._wanted = True
            self._strip.show_state("thinking", "Getting ready to listen…")
            self._conversation.ensure(self._begin)

    def end(self) -> None:
        talk, self._talk = self._talk, None
        self._wanted, self._session = False, ""
        self._mic.show_hands_free(False)
        if self._strip.state in SHOWN:  # not what the key began meanwhile
            self._strip.show_state("")
        if talk is not None:
            self._forget()
            self._bridge.do(self._assembly.voice.end_talk)

    def close(self) -> None:
        self.hears.blockSignals(True)  # nothing is shown any more
        self._forget()

    # --- inside

    def _begin(self, session: str) -> None:
        engine, to = self._assembly.engine, self.hears
        conversation = hands_free.Conversation(
            session,
            lambda text: engine.submit(session, text, source="voice"),
            lambda: engine.cancel(session),
            engine.answer,
        )
        # each holds what it emits: the talk's thread may outlive the window
        watcher = hands_free.Watcher(
            on_state=lambda what: to.state.emit(what),
            on_partial=lambda what: to.words.emit(what),
            on_heard=lambda what: to.words.emit(what),
            on_notice=lambda what: to.notice.emit(what),
            on_problem=lambda what: to.problem.emit(what),
        )
        self._session = session

        def work() -> None:
            try:
                to.began.emit(self._assembly.voice.hands_free(conversation, watcher))
            except VoiceError as problem:
                to.began.emit(problem)

        threading.Thread(target=work, name="hands-free start", daemon=True).start()

    def _began(self, found: Talk | VoiceError) -> None:
        if isinstance(found, VoiceError):
            self.end()
            self.hears.problem.emit(found)
        elif not self._wanted:  # ended before it could begin
            self._bridge.do(found.stop)
        else:
            self._talk = found
            self._forget = self._assembly.engine.subscribe(found.sink)
            self._mic.show_hands_free(True)
            self._stated(found.state)

    def _stated(self, state: str) -> None:
        if self._talk is None:
            return
        if state == "off":
            self.end()
        else:
            self._strip.show_state(state)

    def _moved(self, session: str) -> None:
        if self._wanted and self._session and session != self._session:
            self.end()
