"""Fetching a recogniser in the window: one click, progress, a way out. Main thread only."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, Signal

from ankita_desktop.errors import AnkitaError, Cancelled
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.ui.centre import Centre
from ankita_desktop.voice import setup
from ankita_desktop.voice.service import VoiceService

MEGABYTE = 1_000_000


class VoiceSetup(QObject):
    """``progress`` and ``ended`` come from the thread that fetches."""

    progress = Signal(int, int)
    ended = Signal(str, bool)

    def __init__(self, voice: VoiceService, centre: Centre) -> None:
        super().__init__()
        self._voice, self._strip, self._notice = voice, centre.voice, centre.notice
        self._fetching: Cancel | None = None
        self.progress.connect(self._progressed)
        self.ended.connect(self._ended)

    @property
    def offer(self) -> str:
        """What the button says: how big it is."""
        return f"Set up ({setup.ENGLISH.megabytes} MB)"

    def start(self) -> None:
        """Fetch it; a second call while it comes does nothing."""
        if self._fetching is not None:
            return
        self._fetching = cancel = Cancel()
        self._notice.hide()
        self._strip.show_state("setup", f"{setup.ENGLISH.megabytes} MB, once; works offline from then on")

        def work() -> None:
            try:
                setup.fetch(setup.ENGLISH, self._voice.models, progress=self.progress.emit, cancel=cancel)
                self.ended.emit("Speech recognition is ready: hold the key and talk.", True)
            except Cancelled:
                self.ended.emit("Stopped. It goes on from there next time.", False)
            except AnkitaError as error:
                self.ended.emit(str(error), False)

        threading.Thread(target=work, name="voice set-up", daemon=True).start()

    def stop(self) -> None:
        if self._fetching is not None:
            self._fetching.set()

    def close(self) -> None:
        self.blockSignals(True)
        self.stop()

    def _progressed(self, done: int, whole: int) -> None:
        if self._fetching is not None and not self._fetching.is_set():
            self._strip.show_words(f"{done // MEGABYTE} of {whole // MEGABYTE} MB")

    def _ended(self, words: str, ready: bool) -> None:
        self._fetching = None
        if self._strip.state == "setup":
            self._strip.show_state("")
        if ready:
            self._notice.tell(words)
        else:
            self._notice.tell(words, self.offer, self.start)
