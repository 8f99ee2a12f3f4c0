"""From the microphone's frames to what a person said: where it begins and ends, and whether it was our echo."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from ankita_desktop.voice import echo, spoken
from ankita_desktop.voice.listen import Listening, Recogniser
from ankita_desktop.voice.sound import level
from ankita_desktop.voice.turns import Phase, Turns
from ankita_desktop.voice.vad import SPEECH, Vad, make_vad

BEFORE = 14  # frames from before speech was sure that belong to it (0.45 s)


class Hearing:
    """One utterance after the other; for one thread. Times are seconds on one clock with what we say.

    ``began`` is when the last one began, ``interrupts`` whether that silenced us."""

    def __init__(
        self,
        recogniser: Recogniser,
        on_partial: Callable[[str], None],
        *,
        hints: Sequence[str] = (),
        vad: Vad | None = None,
    ) -> None:
        self._recogniser, self._on_partial, self._hints = recogniser, on_partial, tuple(hints)
        self._vad, self._turns = vad or make_vad(), Turns()
        self._loudness, self._words = echo.Loudness(), echo.Words()
        self._before: deque[bytes] = deque(maxlen=BEFORE)
        self._listening: Listening | None = None
        self._partial = ""
        self._spoke = self.began = 0.0
        self.interrupts = False

    @property
    def is_listening(self) -> bool:
        """Whether an utterance has begun and isn't over."""
        return self._listening is not None

    def we_say(self, text: str, levels: Sequence[float], seconds: float, at: float) -> None:
        """A sentence of ours begins to sound."""
        self._loudness.sounding(levels, at)
        self._words.sounding(text, at, seconds)

    def hear(self, frame: bytes, at: float) -> Phase:
        """A frame; where the utterance stands with it. What follows is up to the caller."""
        self._before.append(frame)
        probability = self._vad.probability(frame)
        if not self._turns.is_speaking and not self._loudness.is_person(level(frame), at):
            probability = 0.0
        if probability >= SPEECH:
            self._spoke = at
        return self._turns.hear(probability, self._partial)

    def begin(self, at: float, *, interrupts: bool) -> None:
        """Listen to the utterance that begins now; ``interrupts``: we fell silent for it."""
        self.began, self.interrupts, self._partial = at, interrupts, ""
        if interrupts:
            self._loudness.stopped(at)
            self._words.stopped(at)
        self._listening = self._recogniser.begin(self._hints)
        self.feed(b"".join(self._before))

    def feed(self, sound: bytes) -> None:
        """More of the utterance."""
        partial = self._listening.feed(sound) if self._listening is not None else ""
        if partial and partial != self._partial:
            self._partial = partial
            self._on_partial(partial)

    def finish(self) -> str:
        """What was said; "" for noise and for ourselves. Raises ``VoiceError`` of the recogniser."""
        listening, self._listening, self._partial = self._listening, None, ""
        text = listening.finish().text if listening is not None else ""
        is_ours = self._words.is_echo(text, self.began) or self._ended_with_us(text)
        return "" if is_ours else text

    def drop(self) -> None:
        """Forget the utterance."""
        if self._listening is not None:
            self._listening.drop()
        self._listening, self._partial = None, ""
        self._turns.reset()

    def _ended_with_us(self, text: str) -> bool:
        """Whether what silenced us fell silent as we did: our echo in a room that has changed. A person goes on,
        or says a word that is meant for this."""
        if not text or not self.interrupts or self._spoke - self.began > echo.TAIL:
            return False
        if spoken.command(text) or spoken.reply(text):
            return False
        self._loudness.forget()
        return True
