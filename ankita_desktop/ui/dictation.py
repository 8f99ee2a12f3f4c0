"""Hold and talk: the microphone button and its key, what was heard in the composer, and when it is sent. Main
thread only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from ankita_desktop.assembly import Assembly
from ankita_desktop.ui.centre import Centre
from ankita_desktop.ui.mic import HeldKey
from ankita_desktop.ui.sending import Sending
from ankita_desktop.voice.push_to_talk import Ear, PushToTalk

if TYPE_CHECKING:
    from ankita_desktop.store.schema import VoicePart

JUST_NOW = 1.0
STATES = ("recording", "recognising")


class Hears(QObject):
    """From the talk's own thread to ours."""

    state = Signal(str)
    partial = Signal(str)
    level = Signal(float)
    text = Signal(str)
    notice = Signal(str)
    problem = Signal(object)


class Dictation(QObject):
    """Shows its states in the strip. What goes wrong is ``hears.problem``, with a ``VoiceError``."""

    def __init__(self, assembly: Assembly, centre: Centre, sending: Sending) -> None:
        super().__init__()
        self._assembly, self._centre, self._sending = assembly, centre, sending
        self._strip, self._mic = centre.voice, centre.composer.mic
        self._push: PushToTalk | None = None
        self._before = ""
        self.key = HeldKey(self._up)
        self.hears = Hears()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.send)
        self._wire()

    @property
    def _settings(self) -> VoicePart:
        return self._assembly.settings.values.voice

    @property
    def _holds(self) -> bool:
        return self._settings.press == "hold"

    # --- what the person does

    def hold(self) -> None:
        """The window's key is down; when it is let go is noticed wherever the focus went then."""
        if self._holds:
            self.key.hold()
        self.press()

    def press(self) -> None:
        """The button, or the key, is down. A second press ends the talk where nothing is held."""
        self._talker().press() if self._holds else self.toggle()

    def release(self) -> None:
        """It is up."""
        if self._holds:
            self._up()

    def toggle(self) -> None:
        """Begin to talk, or end it."""
        self._talker().toggle()

    def cancel(self) -> None:
        """Out of it: what is recorded or recognised is forgotten, what was heard goes."""
        if self._strip.state == "heard":
            self._take_back()
        elif self._push is not None and self._strip.state in STATES:
            self._push.cancel()

    def send(self) -> None:
        """What was heard has been seen long enough."""
        if self._strip.state == "heard":
            self._sending.send()
            self._submitted()

    def close(self) -> None:
        self._soon.stop()
        self.key.let_go()
        self.hears.blockSignals(True)  # nothing is shown any more
        if self._push is not None:
            self._push.close()

    # --- inside

    def _wire(self) -> None:
        hears, mic = self.hears, self._mic
        mic.pressed.connect(self.press)
        mic.released.connect(self.release)
        mic.nearing.connect(self._arm)
        self._centre.composer.editor.textChanged.connect(self._edited)
        self._centre.composer.submitted.connect(self._submitted)
        hears.state.connect(self._stated)
        hears.partial.connect(self._strip.show_words)
        hears.level.connect(mic.show_level)
        hears.text.connect(self._said)
        hears.problem.connect(self._failed)

    def _talker(self) -> PushToTalk:
        """The microphone, made on first use."""
        if self._push is None:
            to = self.hears
            # each holds what it emits: the talk's thread may outlive the window
            ear = Ear(
                on_state=lambda what: to.state.emit(what),
                on_partial=lambda what: to.partial.emit(what),
                on_level=lambda what: to.level.emit(what),
                on_text=lambda what: to.text.emit(what),
                on_notice=lambda what: to.notice.emit(what),
                on_problem=lambda what: to.problem.emit(what),
            )
            self._push = self._assembly.voice.push_to_talk(ear)
        return self._push

    def _arm(self) -> None:
        """The pointer is over a button that was used before: the first word must not be cut."""
        if self._push is not None:
            self._push.arm()

    def _up(self) -> None:
        if self._push is not None:
            self._push.release()

    def _failed(self) -> None:
        self._mic.show_level(-1.0)
        self.key.let_go()
        if self._strip.state in STATES:
            self._strip.show_state("")

    def _stated(self, state: str) -> None:
        self._mic.show_level(0.0 if state == "recording" else -1.0)
        if state == "recording":
            self._soon.stop()
            self._strip.show_state("recording")
        elif state == "recognising":
            self._strip.show_state("recognising", self._strip.words)
        elif self._strip.state in STATES:
            self._strip.show_state("")

    def _said(self, text: str) -> None:
        """Recognised: shown for a moment, then sent; with a draft there it is only added."""
        composer = self._centre.composer
        draft = composer.text().strip()
        self._before = draft
        self._sending.source = "voice"
        composer.write(f"{draft} {text}" if draft else text)
        if draft:
            self._strip.show_state("")
            composer.editor.setFocus()
            return
        self._strip.show_state("heard", "Sent in a moment. Type to change it.")
        self._soon.start(round(self._settings.confirm_seconds * 1000))

    def _edited(self) -> None:
        """The person changes what was heard: they send it themselves."""
        editor = self._centre.composer.editor
        typed = editor.hasFocus() and editor.idle_for() < JUST_NOW
        if self._soon.isActive() and typed and editor.toPlainText():
            self._soon.stop()
            self._strip.show_state("")

    def _submitted(self) -> None:
        """Sent, by the clock or by Enter."""
        self._soon.stop()
        if self._strip.state == "heard":
            self._strip.show_state("thinking")

    def _take_back(self) -> None:
        self._soon.stop()
        self._centre.composer.write(self._before)
        self._sending.source = "typed"
