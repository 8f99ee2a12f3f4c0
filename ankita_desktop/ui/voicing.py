"""Voice in the window: the microphone button and its key, what was heard, answers aloud, hands-free talk.

What the voice's own threads tell comes over as signals. Main thread only, but for ``_Heard``'s emits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from ankita_desktop.assembly import Assembly
from ankita_desktop.errors import AnkitaError, Cancelled, VoiceError
from ankita_desktop.events import Event, TurnEnded
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.ui.bridge import Bridge
from ankita_desktop.ui.centre import Centre
from ankita_desktop.ui.conversation import Conversation
from ankita_desktop.ui.mic import HeldKey
from ankita_desktop.ui.reading import Reading
from ankita_desktop.ui.sending import Sending
from ankita_desktop.voice import hands_free, setup
from ankita_desktop.voice.push_to_talk import Ear, PushToTalk
from ankita_desktop.voice.service import Check, Talk
from ankita_desktop.voice.speaker import Speaker

if TYPE_CHECKING:
    from ankita_desktop.store.schema import VoicePart

MEGABYTE = 1_000_000
JUST_NOW = 1.0


def _nothing() -> None: ...


class _Heard(QObject):
    """From the voice's threads to ours."""

    state = Signal(str)
    partial = Signal(str)
    level = Signal(float)
    text = Signal(str)
    notice = Signal(str)
    problem = Signal(object)
    talk_state = Signal(str)
    talk_began = Signal(object)
    sounds = Signal(str)
    silence = Signal()
    progress = Signal(int, int)
    ready = Signal(str)

    def sounding(self, text: str, _levels: Sequence[float], _seconds: float) -> None:
        self.sounds.emit(text)

    def silent(self, _finished: bool) -> None:
        self.silence.emit()

    def failed(self, problem: VoiceError) -> None:
        self.problem.emit(problem)


class Voicing(QObject):
    """``settingsAsked``: the person wants to look at the settings; ``stateChanged`` carries what hands-free talk
    does, "" when it is off."""

    settingsAsked = Signal()
    stateChanged = Signal(str)

    def __init__(
        self, assembly: Assembly, bridge: Bridge, centre: Centre, conversation: Conversation, sending: Sending
    ) -> None:
        super().__init__()
        self._assembly, self._engine, self._bridge = assembly, assembly.engine, bridge
        self._centre, self._conversation, self._sending = centre, conversation, sending
        self._voice, self._strip, self._mic = assembly.voice, centre.voice, centre.composer.mic
        self._push: PushToTalk | None = None
        self._talk: Talk | None = None
        self._talked = ""
        self._untalk: Callable[[], None] = _nothing
        self._unlisten: Callable[[], None] = _nothing
        self._fetching: Cancel | None = None
        self._before = ""
        self._key = HeldKey(self._let_go)
        self._heard = _Heard()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._send)
        self._reading = Reading(self._speaker, lambda: self._settings.answers, lambda key: key == self._talked)
        self._unread = self._engine.subscribe(self._reading)
        self._listening_in = False
        self._wire()

    @property
    def _settings(self) -> VoicePart:
        return self._assembly.settings.values.voice

    # --- what the person does -----------------------------------------------------------------

    def hold(self) -> None:
        """The key is down. A second press ends it where the key can't be held."""
        if self._settings.press == "toggle":
            self.toggle()
        else:
            self._key.hold()
            self._talker().press()

    def toggle(self) -> None:
        """Begin to talk, or end it."""
        self._talker().toggle()

    def press(self) -> None:
        """The button is down."""
        self.toggle() if self._settings.press == "toggle" else self._talker().press()

    def release(self) -> None:
        """The button is up."""
        if self._settings.press == "hold":
            self._talker().release()

    def leave(self) -> bool:
        """Esc: out of whatever the voice does. False when it does nothing."""
        if not self._strip.state:
            return False
        state = self._strip.state
        if state == "setup" and self._fetching is not None:
            self._fetching.set()
        elif state == "heard":
            self._take_back()
        elif self._talk is not None:
            self._end_talk()
        elif state == "thinking":
            self._sending.stop()
        elif self._push is not None and state in ("recording", "recognising"):
            self._push.cancel()
        self._quiet()
        self._show("")
        return True

    def toggle_hands_free(self) -> None:
        if self._talk is not None:
            self._end_talk()
        else:
            self._show("thinking", "Getting ready to listen…")
            self._conversation.ensure(self._begin_talk)

    def check(self) -> None:
        """Say what works here and what doesn't."""
        self._bridge.do(self._voice.check, self._show_check)

    def set_up(self) -> None:
        """Fetch a recogniser, with progress and a way out."""
        self._fetching = cancel = Cancel()
        self._show("setup", f"{setup.ENGLISH.megabytes} MB, once; works offline from then on")

        def work() -> None:
            try:
                setup.fetch(setup.ENGLISH, self._voice.models, progress=self._heard.progress.emit, cancel=cancel)
                self._heard.ready.emit("Speech recognition is ready: hold the key and talk.")
            except Cancelled:
                self._heard.ready.emit("Stopped. It goes on from there next time.")
            except AnkitaError as error:
                self._heard.ready.emit(str(error))

        threading.Thread(target=work, name="voice set-up", daemon=True).start()

    def close(self) -> None:
        self._soon.stop()
        self._key.let_go()
        self._unread()
        self._untalk()
        self._unlisten()
        if self._fetching is not None:
            self._fetching.set()
        if self._push is not None:
            self._push.close()

    def handle(self, event: Event) -> None:
        """The end of a turn whose answer isn't spoken ends what the strip shows."""
        if isinstance(event, TurnEnded) and self._strip.state == "thinking" and not self._is_busy():
            self._show("")

    def _is_busy(self) -> bool:
        return self._talk is not None or (self._listening_in and self._voice.speaker.is_speaking)

    # --- wiring -------------------------------------------------------------------------------

    def _wire(self) -> None:
        heard, mic = self._heard, self._mic
        mic.pressed.connect(self.press)
        mic.released.connect(self.release)
        mic.nearing.connect(self._arm)
        mic.handsFreeAsked.connect(self.toggle_hands_free)
        mic.checkAsked.connect(self.check)
        self._strip.left.connect(self.leave)
        self._conversation.changed.connect(self._moved)
        self._centre.composer.editor.textChanged.connect(self._edited)
        self._centre.composer.submitted.connect(self._submitted)
        heard.state.connect(self._stated)
        heard.partial.connect(self._strip.show_words)
        heard.level.connect(mic.show_level)
        heard.text.connect(self._said)
        heard.notice.connect(self._centre.notice.tell)
        heard.problem.connect(self._explain)
        heard.talk_state.connect(self._talk_stated)
        heard.talk_began.connect(self._talk_began)
        heard.sounds.connect(lambda text: self._show("speaking", text))
        heard.silence.connect(self._silent)
        heard.progress.connect(self._progressed)
        heard.ready.connect(self._set_up)

    def _talker(self) -> PushToTalk:
        """The microphone, made on first use."""
        if self._push is None:
            to = self._heard
            ear = Ear(
                on_state=to.state.emit,
                on_partial=to.partial.emit,
                on_level=to.level.emit,
                on_text=to.text.emit,
                on_notice=to.notice.emit,
                on_problem=to.problem.emit,
            )
            self._push = self._voice.push_to_talk(ear)
        return self._push

    def _speaker(self) -> Speaker:
        """The voice; from its first use on we hear what sounds."""
        speaker = self._voice.speaker
        if not self._listening_in:
            self._listening_in = True
            self._unlisten = speaker.listen(self._heard)
        return speaker

    def _arm(self) -> None:
        """The pointer is over a button that was used before: the first word must not be cut."""
        if self._push is not None:
            self._push.arm()

    def _let_go(self) -> None:
        if self._push is not None:
            self._push.release()

    # --- push to talk -------------------------------------------------------------------------

    def _stated(self, state: str) -> None:
        if state != "recording":
            self._mic.show_level(-1.0)
        if state == "recording":
            self._take_back(keep=True)
            self._mic.show_level(0.0)
            self._show("recording")
        elif state == "recognising":
            self._show("recognising", self._words())
        elif self._strip.state in ("recording", "recognising"):
            self._show("")

    def _words(self) -> str:
        return self._strip.text().partition(" ")[2]

    def _said(self, text: str) -> None:
        """Recognised: shown for a moment, then sent; with a draft there it is only added."""
        composer = self._centre.composer
        draft = composer.text().strip()
        self._before = draft
        self._sending.source = "voice"
        composer.write(f"{draft} {text}" if draft else text)
        if draft:
            self._show("")
            composer.editor.setFocus()
            return
        self._show("heard", "Sent in a moment. Type to change it.")
        self._soon.start(round(self._settings.confirm_seconds * 1000))

    def _edited(self) -> None:
        """The person changes what was heard: they send it themselves."""
        editor = self._centre.composer.editor
        typed = editor.hasFocus() and editor.idle_for() < JUST_NOW
        if self._soon.isActive() and typed and editor.toPlainText():
            self._soon.stop()
            self._show("")

    def _send(self) -> None:
        if self._strip.state == "heard":
            self._sending.send()
            self._submitted()

    def _submitted(self) -> None:
        """Sent, by the clock or by Enter."""
        self._soon.stop()
        if self._strip.state == "heard":
            self._show("thinking")

    def _take_back(self, *, keep: bool = False) -> None:
        """What was heard isn't sent, and (unless kept) goes."""
        self._soon.stop()
        if not keep:
            self._centre.composer.write(self._before)
            self._sending.source = "typed"

    # --- hands-free ---------------------------------------------------------------------------

    def _begin_talk(self, session: str) -> None:
        engine, to = self._engine, self._heard
        conversation = hands_free.Conversation(
            session,
            lambda text: engine.submit(session, text, source="voice"),
            lambda: engine.cancel(session),
            engine.answer,
        )
        watcher = hands_free.Watcher(
            on_state=to.talk_state.emit,
            on_partial=to.partial.emit,
            on_heard=to.partial.emit,
            on_notice=to.notice.emit,
            on_problem=to.problem.emit,
        )
        self._talked = session

        def work() -> None:
            try:
                to.talk_began.emit(self._voice.hands_free(conversation, watcher))
            except VoiceError as problem:
                to.talk_began.emit(problem)

        threading.Thread(target=work, name="hands-free start", daemon=True).start()

    def _talk_began(self, found: Talk | VoiceError) -> None:
        if isinstance(found, VoiceError):
            self._talked = ""
            self._explain(found)
            return
        self._talk = found
        self._untalk = self._engine.subscribe(found.sink)
        self._mic.show_hands_free(True)
        self._talk_stated(found.state)

    def _talk_stated(self, state: str) -> None:
        if state == "off":
            self._end_talk()
        elif self._talk is not None:
            self._show(state)
            self.stateChanged.emit(state)

    def _end_talk(self) -> None:
        talk, self._talk, self._talked = self._talk, None, ""
        if talk is None:
            return
        self._untalk()
        self._mic.show_hands_free(False)
        self._show("")
        self.stateChanged.emit("")
        self._bridge.do(self._voice.end_talk)

    def _moved(self, session: str) -> None:
        if self._talk is not None and session != self._talked:
            self._end_talk()

    # --- showing ------------------------------------------------------------------------------

    def _show(self, state: str, words: str = "") -> None:
        self._strip.show_state(state, words)

    def _quiet(self) -> None:
        self._reading.mute()
        if self._listening_in:
            self._voice.speaker.stop()

    def _silent(self) -> None:
        if self._strip.state == "speaking" and self._talk is None:
            self._show("")

    def _explain(self, problem: VoiceError) -> None:
        """What is in the way, and the way out of it."""
        self._mic.show_level(-1.0)
        self._key.let_go()
        if self._talk is None:
            self._show("")
        if problem.kind == "recogniser":
            words = f"Set up ({setup.ENGLISH.megabytes} MB)"
            self._centre.notice.tell(str(problem), words, self.set_up)
        else:
            self._centre.notice.tell(str(problem), "Settings", self.settingsAsked.emit)

    def _show_check(self, found: Check) -> None:
        there = (("Microphone", found.input), ("recognition", found.recogniser), ("voice", found.voice))
        words = "; ".join(f"{what}: {value}" for what, value in there if value)
        self._centre.notice.tell(" ".join(filter(None, (*found.problems, words and f"{words}."))))

    def _progressed(self, done: int, whole: int) -> None:
        if self._fetching is not None and not self._fetching.is_set():
            self._strip.show_words(f"{done // MEGABYTE} of {whole // MEGABYTE} MB")

    def _set_up(self, words: str) -> None:
        self._fetching = None
        if self._strip.state == "setup":
            self._show("")
        self._centre.notice.tell(words)
