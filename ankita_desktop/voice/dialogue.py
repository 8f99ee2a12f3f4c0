"""The session behind a talk: what is said steers it, answers it or is its next turn; what it says is read out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ankita_desktop.events import ApprovalAsked, ApprovalClosed, Event, TurnEnded, TurnStarted
from ankita_desktop.protocol import Decision
from ankita_desktop.voice import spoken
from ankita_desktop.voice.answers import AnswerReader
from ankita_desktop.voice.asking import Question
from ankita_desktop.voice.attention import Attention
from ankita_desktop.voice.speaker import Speaker


@dataclass(frozen=True, slots=True)
class Conversation:
    """Where what is heard goes. Each is called on the hands-free thread and must return soon."""

    session: str
    submit: Callable[[str], object]
    cancel: Callable[[], object]
    answer: Callable[[str, Decision], object]


class Dialogue:
    """One session by voice; for one thread. ``is_busy`` while a turn of it runs."""

    def __init__(
        self,
        conversation: Conversation,
        speaker: Speaker,
        *,
        attention: Attention,
        on_notice: Callable[[str], None],
    ) -> None:
        self._to, self._speaker, self._attention, self._on_notice = conversation, speaker, attention, on_notice
        self._reader = AnswerReader(speaker, conversation.session)
        self.is_busy = False

    def hear(self, text: str) -> None:
        """What a person said to us; an "exit" is the caller's."""
        command, question = spoken.command(text), self._attention.question
        if command == "stop":
            self._stop()
        elif command is not None:
            self._repeat(command)
        elif question is not None:
            if question.hear(text):
                self._attention.question = None
        else:
            self._submit(text)

    def happened(self, event: Event) -> None:
        """An event of the session."""
        if isinstance(event, TurnStarted):
            self.is_busy = True
            self._attention.show("thinking")
        self._reader(event)
        if isinstance(event, ApprovalAsked):
            self._attention.question = Question(event.request, self._say, self._to.answer)
            self._attention.question.ask()
        elif isinstance(event, ApprovalClosed):
            self._closed(event.request_id)
        elif isinstance(event, TurnEnded):
            self.is_busy = False
            if not self._speaker.is_speaking:
                self._attention.rest()

    def was_read(self) -> None:
        """All we had to say has sounded: a question may be answered now."""
        if self._attention.question is not None:
            self._attention.question.read_out = True

    def wait(self) -> None:
        """Show what is waited for while nobody speaks."""
        if self.is_busy and self._attention.question is None:
            self._attention.show("thinking")
        else:
            self._attention.rest()

    def _submit(self, text: str) -> None:
        self._reader.mute()
        if self.is_busy:
            self._to.cancel()
        self.is_busy = True
        self._attention.show("thinking")
        self._to.submit(text)

    def _stop(self) -> None:
        self._reader.mute()
        self._speaker.stop()
        if self.is_busy:
            self._to.cancel()
        self._attention.rest()

    def _repeat(self, command: spoken.Command) -> None:
        """Say it again, at the pace that was asked for."""
        if command in ("slower", "faster"):
            self._speaker.slower(0.8 if command == "slower" else 1.25)
        if self._attention.question is not None:
            self._attention.question.ask()
        elif not self._speaker.repeat():
            self._on_notice("There is nothing to repeat yet.")
            self._attention.rest()

    def _closed(self, request: str) -> None:
        question = self._attention.question
        if question is not None and question.request.id == request:
            self._attention.question = None

    def _say(self, text: str) -> None:
        self._speaker.feed(f"\n\n{text}")
        self._speaker.flush()
