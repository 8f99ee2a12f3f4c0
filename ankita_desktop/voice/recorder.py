"""The microphone: frames of 32 ms to whoever listens, with the 300 ms before.

The stream is open only while it is wanted (``open`` … ``close``). A device that vanishes is noticed within a
second: it is said, and the system's default is taken; when there is none, listening ends with the reason.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from ankita_desktop.errors import VoiceError
from ankita_desktop.voice import devices, pulse
from ankita_desktop.voice.sound import FRAME_BYTES, FRAME_SECONDS, RATE, Resampler, level

PRE_ROLL = 0.3  # seconds from before the beginning that are kept
SILENT = 1.0  # seconds without any frame after which a device counts as gone
STARTING = 3.0  # the same until the first one: sound servers wake devices that sleep
BACKLOG = 1000  # frames that wait for a slow listener (32 s)

OnFrame = Callable[[bytes], None]
OnText = Callable[[str], None]


def _nothing(_value: object) -> None: ...


class Recorder:
    """One microphone. Callbacks come on the recorder's own thread, frames in order.

    ``on_frame`` gets 1,024 bytes each 32 ms. ``on_notice`` gets a line when the device changed; ``on_problem`` the
    reason when recording had to end. ``on_level`` gets 0…1, about ten times a second.
    """

    def __init__(
        self,
        on_frame: OnFrame,
        *,
        on_problem: Callable[[VoiceError], None] = _nothing,
        on_notice: OnText = _nothing,
        on_level: Callable[[float], None] = _nothing,
    ) -> None:
        self._on_frame, self._on_problem, self._on_notice, self._on_level = (
            on_frame,
            on_problem,
            on_notice,
            on_level,
        )
        self._lock = threading.Lock()
        self._stream: _Stream | None = None
        self._closing = threading.Event()
        self._before: deque[bytes] = deque(maxlen=round(PRE_ROLL / FRAME_SECONDS))

    @property
    def is_open(self) -> bool:
        return self._stream is not None

    def before(self) -> bytes:
        """The last 300 ms."""
        return b"".join(self._before)

    def open(self, device: str = "") -> None:
        """Start recording from a device ("" = default). Raises ``VoiceError`` that says how to mend it."""
        with self._lock:
            if self._stream is not None:
                return
            self._stream = _Stream(device)
            self._closing = threading.Event()
            self._before.clear()
            work = threading.Thread(target=self._work, args=(self._closing,), name="recorder", daemon=True)
            work.start()

    def close(self) -> None:
        """Let go of the device. Callable from any thread, also when nothing is open."""
        with self._lock:
            stream, self._stream = self._stream, None
            self._closing.set()
        if stream is not None:
            stream.close()

    def _work(self, closing: threading.Event) -> None:
        count = 0
        while not closing.is_set():
            stream = self._stream
            frame = stream.read() if stream else None
            if closing.is_set() or stream is None:
                return
            if frame is None:
                if not self._replace(stream, closing):
                    return
                continue
            self._before.append(frame)
            count += 1
            if count % 3 == 0:
                self._on_level(level(frame))
            self._on_frame(frame)

    def _replace(self, lost: _Stream, closing: threading.Event) -> bool:
        """Go on with the default device when one is lost. False: there is none, and it was said."""
        lost.close()
        try:
            devices.refresh()
            found = _Stream("")
        except VoiceError as error:
            with self._lock:
                if self._stream is lost:
                    self._stream = None
            if not closing.is_set():
                self._on_problem(VoiceError(f"The microphone was removed. {error}", error.kind))
            return False
        with self._lock:
            if closing.is_set() or self._stream is not lost:
                found.close()
                return False
            self._stream = found
        self._on_notice("The microphone was removed; listening goes on with the system's default.")
        return True


class _Stream:
    """An open device as a queue of frames."""

    def __init__(self, device: str) -> None:
        self._library = devices.portaudio()
        self._frames: queue.Queue[bytes | None] = queue.Queue(BACKLOG)
        self._held = b""
        self._resampler: Resampler | None = None
        self._patience = STARTING
        self._raw: Any = self._opened(device)

    def read(self) -> bytes | None:
        """The next frame; None when the device gives nothing any more."""
        try:
            frame = self._frames.get(timeout=self._patience)
        except queue.Empty:
            return None
        self._patience = SILENT
        return frame

    def close(self) -> None:
        with devices.streams.lock:
            raw, self._raw = self._raw, None
            if raw is None:
                return
            devices.streams.count -= 1
            try:
                raw.abort(ignore_errors=True)
                raw.close(ignore_errors=True)
            except self._library.PortAudioError:  # gone already
                pass
        self._put(None)

    def _opened(self, device: str) -> Any:
        try:
            with devices.streams.lock, pulse.routed("PULSE_SOURCE", device) as target:
                opened = self._at_a_rate(target or None)
                devices.streams.count += 1
                return opened
        except (self._library.PortAudioError, ValueError) as error:
            raise devices.explain(error, "input", device) from error

    def _at_a_rate(self, target: str | None) -> Any:
        try:
            return self._start(target, RATE)
        except self._library.PortAudioError as error:
            if not devices.is_rate_problem(error):
                raise
        rate = int(self._library.query_devices(target, "input")["default_samplerate"])
        self._resampler = Resampler(rate)
        return self._start(target, rate)

    def _start(self, target: str | None, rate: int) -> Any:
        stream = self._library.RawInputStream(
            samplerate=rate,
            blocksize=int(rate * FRAME_SECONDS),
            device=target,
            channels=1,
            dtype="int16",
            latency="low",
            callback=self._heard,
            finished_callback=lambda: self._put(None),
        )
        stream.start()
        return stream

    def _heard(self, data: Any, _count: int, _time: Any, _status: Any) -> None:
        """On PortAudio's thread: quick, and never raises."""
        sound = bytes(data)
        if self._resampler is not None:
            sound = self._resampler.feed(sound)
        sound = self._held + sound
        whole = len(sound) // FRAME_BYTES * FRAME_BYTES
        self._held = sound[whole:]
        for start in range(0, whole, FRAME_BYTES):
            self._put(sound[start : start + FRAME_BYTES])

    def _put(self, frame: bytes | None) -> None:
        try:
            self._frames.put_nowait(frame)
        except queue.Full:  # nobody reads: the sound is lost, the device isn't
            pass


def wait_for_level(seconds: float, device: str = "") -> float:
    """Record for a moment and tell the loudest level: whether a microphone hears anything at all."""
    heard: list[float] = [0.0]
    recorder = Recorder(lambda frame: heard.append(level(frame)))
    recorder.open(device)
    time.sleep(seconds)
    recorder.close()
    return max(heard)
