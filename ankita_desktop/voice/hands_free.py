"""Talking without hands: listening, thinking, speaking, and back, until "exit".

Everything that happens (frames, events of the session, what sounds) is put in one inbox and handled on one
thread, so the states never overlap. It knows no engine: a ``Conversation`` is three small callables.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ankita_desktop.errors import VoiceError
from ankita_desktop.events import Event
from ankita_desktop.voice import spoken
from ankita_desktop.voice.attention import Attention, State, Watcher
from ankita_desktop.voice.dialogue import Conversation, Dialogue
from ankita_desktop.voice.hearing import Hearing
from ankita_desktop.voice.inbox import Inbox
from ankita_desktop.voice.listen import Recogniser
from ankita_desktop.voice.speaker import Speaker
from ankita_desktop.voice.vad import Vad

__all__ = ["Conversation", "HandsFree", "State", "Watcher"]


class HandsFree:
    """One conversation by voice. ``hear`` takes the microphone's frames, the object itself is a sink for events
    and listens to the speaker. ``start`` runs it on a thread of its own; otherwise ``pump`` handles what came."""

    def __init__(
        self,
        conversation: Conversation,
        speaker: Speaker,
        recogniser: Recogniser,
        *,
        watcher: Watcher | None = None,
        wake_word: str = "off",
        hints: Sequence[str] = (),
        vad: Vad | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session, self._speaker, self._now = conversation.session, speaker, now
        self._watch = watch = watcher or Watcher()
        self._inbox = Inbox()
        self._attention = Attention(wake_word, on_state=watch.on_state, now=now)
        self._hearing = Hearing(recogniser, watch.on_partial, hints=hints, vad=vad)
        self._dialogue = Dialogue(conversation, speaker, attention=self._attention, on_notice=watch.on_notice)
        self._forget = speaker.listen(self)

    @property
    def state(self) -> State:
        return self._attention.state

    def start(self) -> None:
        """Begin to listen."""
        self._speaker.warm()
        self._attention.rest()
        self._inbox.start("hands-free")

    def stop(self) -> None:
        """End the talk; callable from any thread."""
        self._inbox.put(self._end)

    def pump(self) -> None:
        """Handle what has come, here and now (for those who don't ``start``)."""
        self._inbox.pump()

    # --- what comes in, from any thread ---

    def hear(self, frame: bytes) -> None:
        """A frame of the microphone, now."""
        at = self._now()
        self._inbox.put(lambda: self._frame(frame, at))

    def __call__(self, event: Event) -> None:
        """An event of the engine; those of other sessions are not ours."""
        if getattr(event, "session", "") == self._session:
            self._inbox.put(lambda: self._dialogue.happened(event))

    def sounding(self, text: str, levels: Sequence[float], seconds: float) -> None:
        """The speaker begins a sentence."""
        at = self._now()
        self._inbox.put(lambda: self._sounding(text, levels, seconds, at))

    def silent(self, finished: bool) -> None:
        """The speaker has nothing more to say, or was stopped."""
        self._inbox.put(lambda: self._silent(finished))

    def failed(self, problem: VoiceError) -> None:
        """The speaker can't be heard: talk goes on, answers are on the screen."""
        self._inbox.put(lambda: self._watch.on_problem(problem))
        self._inbox.put(lambda: self._silent(False))

    # --- and how it is handled, on one ---

    def _frame(self, frame: bytes, at: float) -> None:
        phase, is_called = self._hearing.hear(frame, at), self._attention.is_called(frame)
        if is_called and not self._attention.is_awake(at):
            self._called()
        elif phase == "begun":
            self._begin(at)
        elif self._hearing.is_listening and phase == "ended":
            self._finish()
        elif self._hearing.is_listening:
            self._hearing.feed(frame)
        elif self.state == "off" or (self.state == "listening" and not self._attention.is_awake(at)):
            self._attention.rest()

    def _begin(self, at: float) -> None:
        """Somebody speaks. While we do, that silences us."""
        if self._attention.has_detector and not self._attention.is_awake(at):
            return
        interrupts = self._speaker.is_speaking
        if interrupts:
            self._speaker.stop()
            self._attention.show("listening")
        self._hearing.begin(at, interrupts=interrupts)

    def _finish(self) -> None:
        try:
            text = self._hearing.finish()
        except VoiceError as problem:
            self._watch.on_problem(problem)
            text = ""
        said = self._attention.meant(text, self._hearing.began) if text else None
        if said is None:
            self._misheard()
        elif said:
            self._said(said)
        else:
            self._called()

    def _misheard(self) -> None:
        """Noise, ourselves, or words for somebody else: what was interrupted goes on."""
        if self._hearing.interrupts:
            self._hearing.interrupts = False
            self._speaker.resume()
        elif not self._dialogue.is_busy:
            self._attention.rest()

    def _called(self) -> None:
        """By name, and nothing more."""
        self._hearing.drop()
        self._hearing.interrupts = False
        self._attention.stay()
        self._attention.show("listening")

    def _said(self, text: str) -> None:
        self._attention.stay()
        self._watch.on_heard(text)
        if spoken.command(text) == "exit":
            self._end()
        else:
            self._dialogue.hear(text)

    def _sounding(self, text: str, levels: Sequence[float], seconds: float, at: float) -> None:
        self._hearing.we_say(text, levels, seconds, at)
        self._attention.show("speaking")

    def _silent(self, finished: bool) -> None:
        if self._speaker.is_speaking:
            return
        if finished:
            self._dialogue.was_read()
        self._attention.stay()
        if not self._hearing.is_listening:
            self._dialogue.wait()

    def _end(self) -> None:
        self._inbox.close()
        self._forget()
        self._speaker.stop()
        self._hearing.drop()
        self._attention.show("off")
