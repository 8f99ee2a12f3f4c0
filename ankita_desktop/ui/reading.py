"""Which answers are read aloud. Called on the threads where events happen; no widgets here."""

from __future__ import annotations

from collections.abc import Callable

from ankita_desktop.events import Event, MessageAdded, TurnEnded, TurnStarted
from ankita_desktop.protocol import Message
from ankita_desktop.voice.answers import AnswerReader
from ankita_desktop.voice.speaker import Speaker

SAID = ("typed", "voice")


class Reading:
    """A sink of the engine. ``when`` is the setting: voice (what was spoken is answered aloud), always, never;
    a session for which ``taken`` is true is read by somebody else."""

    def __init__(
        self, speaker: Callable[[], Speaker], when: Callable[[], str], taken: Callable[[str], bool]
    ) -> None:
        self._speaker, self._when, self._taken = speaker, when, taken
        self._readers: dict[str, AnswerReader] = {}

    def __call__(self, event: Event) -> None:
        if isinstance(event, MessageAdded) and event.message.role == "user":
            self._choose(event.session, event.message)
        elif (reader := self._readers.get(event.session)) is not None:
            reader(event)
            if isinstance(event, TurnEnded):
                self._readers.pop(event.session, None)

    def mute(self) -> None:
        """Nothing more of what is being answered now."""
        for reader in list(self._readers.values()):
            reader.mute()

    def _choose(self, session: str, message: Message) -> None:
        when = self._when()
        wanted = when == "always" or (when == "voice" and message.source == "voice")
        if message.source not in SAID or self._taken(session):
            return
        if not wanted:
            self._readers.pop(session, None)
        elif session not in self._readers:
            reader = self._readers[session] = AnswerReader(self._speaker(), session)
            reader(TurnStarted(session, ""))
