"""Reads a session's answers aloud: events in, sentences to the speaker."""

from __future__ import annotations

from ankita_desktop.events import Event, MessageAdded, TextDelta, TextReset, TurnEnded, TurnStarted
from ankita_desktop.voice.speaker import Speaker


class AnswerReader:
    """A sink for one session. Subscribe it to the engine; a turn that is muted is not read further."""

    def __init__(self, speaker: Speaker, session: str) -> None:
        self._speaker, self.session = speaker, session
        self._muted = False
        self._fed = False

    def mute(self) -> None:
        """The person doesn't want to hear the rest of this turn."""
        self._muted = True

    def __call__(self, event: Event) -> None:
        if getattr(event, "session", "") != self.session:
            return
        if isinstance(event, TurnStarted):
            self._muted, self._fed = False, False
            self._speaker.begin()
        elif not self._muted:
            self._read(event)

    def _read(self, event: Event) -> None:
        if isinstance(event, TextDelta) and not event.reasoning:
            self._fed = True
            self._speaker.feed(event.text)
        elif isinstance(event, TextReset):
            self._speaker.stop()
        elif isinstance(event, MessageAdded) and event.message.role == "assistant":
            if not self._fed:
                self._speaker.feed(event.message.text)
            self._fed = False
            self._speaker.flush()
        elif isinstance(event, TurnEnded):
            self._ended(event)

    def _ended(self, event: TurnEnded) -> None:
        self._speaker.flush()
        if event.status in ("error", "limit") and event.reason:
            self._speaker.feed(event.reason)
            self._speaker.flush()
