"""Sound to the loudspeaker, in the speaking child process: PortAudio, else the system's own player."""

from __future__ import annotations

import array
import shutil
import subprocess
from collections.abc import Callable
from typing import Any

from ankita_desktop.errors import VoiceError
from ankita_desktop.voice import devices, pulse
from ankita_desktop.voice.sound import as_bytes, samples

BLOCK = 0.05  # seconds that are written at once


def louder(sound: bytes, volume: float) -> bytes:
    """The sound at ``volume`` (0 to 1)."""
    if volume >= 1.0:
        return sound
    return as_bytes(array.array("h", (int(number * max(0.0, volume)) for number in samples(sound))))


class Player:
    """Plays one sound after the other. Not thread-safe."""

    def __init__(self) -> None:
        self._stream: Any = None
        self._opened = ("", 0)

    def play(self, sound: bytes, rate: int, output: str, first: Callable[[], None]) -> None:
        """Blocks until all of it is handed to the device; ``first`` is called when it begins to sound.

        Raises ``VoiceError`` when it can't be heard.
        """
        try:
            library = devices.portaudio()
        except VoiceError as problem:
            _by_program(sound, rate, first, problem)
            return
        try:
            self._open(library, output, rate)
            self._write(sound, rate, first)
        except (library.PortAudioError, ValueError) as error:
            self._stream = None
            raise devices.explain(error, "output", output) from error

    def drain(self) -> None:
        """Wait until everything has sounded, and let go of the device."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.stop(ignore_errors=True)
            stream.close(ignore_errors=True)

    def _open(self, library: Any, output: str, rate: int) -> None:
        if self._stream is not None and self._opened == (output, rate):
            return
        self.drain()
        with pulse.routed("PULSE_SINK", output) as target:
            stream = library.RawOutputStream(samplerate=rate, device=target or None, channels=1, dtype="int16")
            stream.start()
        self._stream, self._opened = stream, (output, rate)

    def _write(self, sound: bytes, rate: int, first: Callable[[], None]) -> None:
        step = int(rate * BLOCK) * 2
        for start in range(0, len(sound), step):
            self._stream.write(sound[start : start + step])
            if start == 0:
                first()


def _by_program(sound: bytes, rate: int, first: Callable[[], None], problem: VoiceError) -> None:
    commands = (
        ["paplay", "--raw", "--format=s16le", "--channels=1", f"--rate={rate}"],
        ["aplay", "-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", str(rate)],
    )
    for command in commands:
        if shutil.which(command[0]):
            first()
            done = subprocess.run(command, input=sound, capture_output=True)
            if done.returncode:
                reason = done.stderr.decode(errors="replace").strip().split("\n")[-1]
                raise VoiceError(f"The loudspeaker can't be used ({reason}).", "no_device")
            return
    raise problem
