"""Voice in the window: what its parts have in common, one strip, one way out, answers aloud. Main thread only."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from ankita_desktop.assembly import Assembly
from ankita_desktop.errors import VoiceError
from ankita_desktop.events import Event, TurnEnded
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.centre import Centre
from ankita_desktop.ui.conversation import Conversation
from ankita_desktop.ui.dictation import Dictation
from ankita_desktop.ui.reading import Reading
from ankita_desktop.ui.sending import Sending
from ankita_desktop.ui.talk_key import TalkKey
from ankita_desktop.ui.talking import Talking
from ankita_desktop.ui.voice_setup import VoiceSetup
from ankita_desktop.voice.service import Check
from ankita_desktop.voice.speaker import Speaker


def _nothing() -> None: ...


class Sounds(QObject):
    """From the speaker's thread to ours."""

    began = Signal(str)
    ended = Signal()
    problem = Signal(object)

    def sounding(self, text: str, _levels: Sequence[float], _seconds: float) -> None:
        self.began.emit(text)

    def silent(self, _finished: bool) -> None:
        self.ended.emit()

    def failed(self, problem: VoiceError) -> None:
        self.problem.emit(problem)


class Voicing(QObject):
    """``settingsAsked``: the person wants to look at the settings; ``stateChanged`` carries what the voice does,
    one of the strip's ``STATES``, "" for nothing; ``told`` what a person who doesn't see the window must know."""

    settingsAsked = Signal()
    stateChanged = Signal(str)
    told = Signal(str)

    def __init__(
        self, assembly: Assembly, bridge: Bridge, centre: Centre, conversation: Conversation, sending: Sending
    ) -> None:
        super().__init__()
        self._assembly, self._bridge, self._voice = assembly, bridge, assembly.voice
        self._strip, self._notice, self._sending = centre.voice, centre.notice, sending
        self._mic = centre.composer.mic
        self.dictation = Dictation(assembly, centre, sending)
        self.talking = Talking(assembly, bridge, centre, conversation)
        self.setup = VoiceSetup(assembly.voice, centre)
        self.key = TalkKey(assembly.settings, bridge, centre.composer, self.dictation.key)
        self.sounds = Sounds()
        self._reading = Reading(self._speaker, lambda: self._answers, self.talking.has)
        self._unread = assembly.engine.subscribe(self._reading)
        self._unlisten: Callable[[], None] = _nothing
        self._listening_in = False
        self._wire()

    # --- what the person does

    def leave(self) -> bool:
        """Esc: out of whatever the voice does. False when it does nothing."""
        state = self._strip.state
        if not state:
            return False
        if state == "setup":
            self.setup.stop()
        elif state == "thinking" and not self.talking.is_on:
            self._sending.stop()
        self.dictation.cancel()
        self.talking.end()
        self._quiet()
        self._strip.show_state("")
        return True

    def check(self) -> None:
        """Say what works here and what doesn't."""
        self._bridge.do(self._voice.check, self._show_check)

    def list_devices(self) -> None:
        """Fill the menu with the microphones there are now."""
        chosen = self._assembly.settings.values.voice.input
        self._bridge.do(self._voice.microphones, lambda found: self._mic.show_devices(found, chosen))

    def choose_device(self, device: str) -> None:
        """The microphone from the next use on."""
        self._bridge.do(lambda: self._assembly.settings.set("voice.input", device))

    def close(self) -> None:
        self._unread()
        self._unlisten()
        self.sounds.blockSignals(True)
        for part in (self.key, self.setup, self.talking, self.dictation):
            part.close()

    def handle(self, event: Event) -> None:
        """The end of a turn whose answer isn't spoken ends what the strip shows."""
        if isinstance(event, TurnEnded) and self._strip.state == "thinking" and not self._is_busy():
            self._strip.show_state("")

    # --- inside

    @property
    def _answers(self) -> str:
        return self._assembly.settings.values.voice.answers

    def _is_busy(self) -> bool:
        return self.talking.is_on or (self._listening_in and self._voice.speaker.is_speaking)

    def _wire(self) -> None:
        mic = self._mic
        mic.devicesAsked.connect(self.list_devices)
        mic.deviceChosen.connect(self.choose_device)
        mic.handsFreeAsked.connect(self.talking.toggle)
        mic.checkAsked.connect(self.check)
        self.key.down.connect(self.dictation.press)
        self.key.up.connect(self.dictation.release)
        self.key.told.connect(self._tell)
        self._strip.left.connect(self.leave)
        self._strip.shown.connect(self.stateChanged)
        self.sounds.began.connect(lambda text: self._strip.show_state("speaking", text))
        self.sounds.ended.connect(self._silent)
        for problem in (self.dictation.hears.problem, self.talking.hears.problem, self.sounds.problem):
            problem.connect(self._explain)
        for notice in (self.dictation.hears.notice, self.talking.hears.notice):
            notice.connect(self._tell)

    def _speaker(self) -> Speaker:
        """The voice; from its first use on we hear what sounds. Called where events happen, on any thread."""
        speaker = self._voice.speaker
        if not self._listening_in:
            self._listening_in = True
            self._unlisten = speaker.listen(self.sounds)
        return speaker

    def _quiet(self) -> None:
        self._reading.mute()
        if self._listening_in:
            self._voice.speaker.stop()

    def _silent(self) -> None:
        if self._strip.state == "speaking" and not self.talking.is_on:
            self._strip.show_state("")

    def _explain(self, problem: VoiceError) -> None:
        """What is in the way, and the way out of it."""
        if problem.kind == "recogniser":
            self._tell(str(problem), self.setup.offer, self.setup.start)
        else:
            self._tell(str(problem), "Settings", self.settingsAsked.emit)

    def _tell(self, words: str, action: str = "", act: Callable[[], None] = _nothing) -> None:
        self._notice.tell(words, action, act)
        self.told.emit(words)

    def _show_check(self, found: Check) -> None:
        there = (("Microphone", found.input), ("recognition", found.recogniser), ("voice", found.voice))
        words = "; ".join(f"{what}: {value}" for what, value in there if value)
        self._tell(" ".join(filter(None, (*found.problems, words and f"{words}."))))
