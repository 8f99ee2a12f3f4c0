"""One utterance from the microphone, without a key: from the first word to the silence after the last."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Sequence

from ankita_desktop.errors import VoiceError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.voice.listen import Listening, Recogniser
from ankita_desktop.voice.recorder import Recorder
from ankita_desktop.voice.sound import FRAME_SECONDS
from ankita_desktop.voice.turns import Turns
from ankita_desktop.voice.vad import make_vad

BEFORE = 14  # frames from before speech was sure that belong to it


def hear_once(
    recogniser: Recogniser,
    *,
    device: str = "",
    seconds: float = 10.0,
    cancel: Cancel | None = None,
    on_partial: Callable[[str], None] = lambda _: None,
    hints: Sequence[str] = (),
) -> str:
    """What is said next; "" when nobody begins in ``seconds``. Blocks. Raises ``VoiceError``, ``Cancelled``."""
    frames: queue.Queue[bytes | VoiceError] = queue.Queue()
    recorder = Recorder(frames.put, on_problem=frames.put)
    recorder.open(device)
    stop = cancel or Cancel()
    forget = stop.on_set(lambda: frames.put(VoiceError("Stopped.")))
    try:
        return _Utterance(recogniser, hints, on_partial).of(frames, seconds, stop)
    finally:
        forget()
        recorder.close()


class _Utterance:
    def __init__(self, recogniser: Recogniser, hints: Sequence[str], on_partial: Callable[[str], None]) -> None:
        self._recogniser, self._hints, self._on_partial = recogniser, hints, on_partial
        self._vad, self._turns = make_vad(), Turns()
        self._before: deque[bytes] = deque(maxlen=BEFORE)
        self._listening: Listening | None = None
        self._text = ""

    def of(self, frames: queue.Queue[bytes | VoiceError], seconds: float, cancel: Cancel) -> str:
        waited = 0.0
        while self._listening is not None or waited < seconds:
            frame = frames.get()
            cancel.check()
            if isinstance(frame, VoiceError):
                raise frame
            waited += FRAME_SECONDS
            if self._ends_with(frame) and self._listening is not None:
                return self._listening.finish().text
        return ""

    def _ends_with(self, frame: bytes) -> bool:
        self._before.append(frame)
        phase = self._turns.hear(self._vad.probability(frame), self._text)
        if phase == "begun":
            self._listening = self._recogniser.begin(self._hints)
            self._show(self._listening.feed(b"".join(self._before)))
        elif phase == "speaking" and self._listening is not None:
            self._show(self._listening.feed(frame))
        return phase == "ended"

    def _show(self, text: str) -> None:
        if text and text != self._text:
            self._text = text
            self._on_partial(text)
