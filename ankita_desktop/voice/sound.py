"""Sound as bytes: signed 16 bit, mono, 16,000 samples a second, in frames of 512 samples (32 ms)."""

from __future__ import annotations

import array
import io
import math
import shutil
import subprocess
import sys
import wave
from collections.abc import Iterator
from pathlib import Path

from ankita_desktop.errors import VoiceError

RATE = 16_000
FRAME = 512  # samples of a frame
FRAME_BYTES = 2 * FRAME
FRAME_SECONDS = FRAME / RATE
LONGEST = 4 * 3600  # seconds of a file that is read


def samples(sound: bytes) -> array.array[int]:
    """The numbers behind the bytes, whatever this machine's byte order."""
    numbers = array.array("h", sound[: len(sound) // 2 * 2])
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def as_bytes(numbers: array.array[int]) -> bytes:
    """The reverse of ``samples``."""
    if sys.byteorder == "big":
        numbers = array.array("h", numbers)
        numbers.byteswap()
    return numbers.tobytes()


def level(sound: bytes) -> float:
    """Loudness from 0 (silence) to 1 (as loud as it gets): root mean square."""
    numbers = samples(sound)
    if not numbers:
        return 0.0
    return math.sqrt(sum(number * number for number in numbers) / len(numbers)) / 32768


def levels(sound: bytes, rate: int = RATE) -> list[float]:
    """The loudness of each 32 ms of a sound of any rate."""
    step = max(2, int(rate * FRAME_SECONDS) * 2)
    return [level(sound[start : start + step]) for start in range(0, len(sound), step)]


def seconds(sound: bytes) -> float:
    return len(sound) / 2 / RATE


def frames(sound: bytes) -> Iterator[bytes]:
    """The sound in whole frames; the last one is filled up with silence."""
    for start in range(0, len(sound), FRAME_BYTES):
        yield sound[start : start + FRAME_BYTES].ljust(FRAME_BYTES, b"\0")


def silence(for_seconds: float) -> bytes:
    return bytes(2 * round(for_seconds * RATE))


class Resampler:
    """Turns a stream of another rate into ours: each of our samples is the mean of what it stands for, or lies
    on the line between its neighbours."""

    def __init__(self, rate: int) -> None:
        self._step = rate / RATE
        self._held: array.array[int] = array.array("h")
        self._at = 0.0

    def feed(self, sound: bytes) -> bytes:
        held, step, at = self._held, self._step, self._at
        held.extend(samples(sound))
        made = array.array("h")
        while at + max(step, 1.0) < len(held) - 1:
            made.append(_mean(held, at, at + step) if step > 1 else _between(held, at))
            at += step
        whole = int(at)
        self._held, self._at = held[whole:], at - whole
        return as_bytes(made)


def _mean(numbers: array.array[int], start: float, end: float) -> int:
    """The mean over a stretch whose ends may lie inside samples."""
    first, last = int(start), int(end)
    whole = sum(numbers[first:last]) - (start - first) * numbers[first] + (end - last) * numbers[last]
    return round(whole / (end - start))


def _between(numbers: array.array[int], at: float) -> int:
    whole = int(at)
    return round(numbers[whole] + (numbers[whole + 1] - numbers[whole]) * (at - whole))


# --- files ----------------------------------------------------------------------------------


def as_wav(sound: bytes) -> bytes:
    """The sound as a WAV file."""
    target = io.BytesIO()
    with wave.open(target, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(sound)
    return target.getvalue()


def read_wav(data: bytes) -> tuple[bytes, int]:
    """(16-bit mono sound, its rate) of a WAV file. Raises ``VoiceError`` on other contents."""
    try:
        with wave.open(io.BytesIO(data)) as file:
            channels, width, rate = file.getnchannels(), file.getsampwidth(), file.getframerate()
            sound = file.readframes(file.getnframes())
    except (wave.Error, EOFError) as error:
        raise VoiceError(f"This is no WAV file that can be read ({error}).") from error
    if width != 2:
        raise VoiceError(f"This WAV file has {8 * width} bits a sample; 16 can be read.")
    numbers = samples(sound)
    if channels > 1:
        numbers = array.array(
            "h", (sum(numbers[at : at + channels]) // channels for at in range(0, len(numbers), channels))
        )
    return as_bytes(numbers), rate


def at_our_rate(sound: bytes, rate: int) -> bytes:
    return sound if rate == RATE else Resampler(rate).feed(sound + bytes(8))


def read_file(path: Path) -> bytes:
    """The sound of an audio file: 16-bit WAV by itself, anything else through PyAV or ffmpeg where one is there.

    Raises ``VoiceError`` that says what is missing.
    """
    if path.is_dir():
        raise VoiceError(f"{path} is a folder: name an audio file in it.")
    if not path.is_file():
        raise VoiceError(f"There is no file {path}.")
    if path.stat().st_size == 0:
        raise VoiceError(f"{path.name} is empty.")
    if _plain_wav(path, RATE):
        return read_wav(path.read_bytes())[0]
    decoded = _through_av(path)
    if decoded is None and _plain_wav(path):
        return at_our_rate(*read_wav(path.read_bytes()))
    return decoded if decoded is not None else _through_ffmpeg(path)


def _plain_wav(path: Path, rate: int = 0) -> bool:
    """Whether it is a WAV file of 16 bits (and of that rate)."""
    try:
        with wave.open(str(path)) as file:
            return file.getsampwidth() == 2 and rate in (0, file.getframerate())
    except (wave.Error, EOFError):
        return False


def _through_av(path: Path) -> bytes | None:
    try:
        import av
    except ImportError:
        return None
    try:
        with av.open(str(path)) as container:
            resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
            parts = [
                bytes(made.planes[0])[: 2 * made.samples]
                for frame in container.decode(audio=0)
                for made in resampler.resample(frame)
            ]
    except (av.FFmpegError, IndexError, ValueError) as error:
        raise VoiceError(f"{path.name} holds no sound that can be read.") from error
    return b"".join(parts)


def _through_ffmpeg(path: Path) -> bytes:
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        raise VoiceError(
            f"{path.name} is no 16-bit WAV file. To read other kinds, install ffmpeg or the extra voice-offline."
        )
    command = [ffmpeg, "-v", "error", "-i", str(path), "-f", "s16le", "-ac", "1", "-ar", str(RATE), "-"]
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=LONGEST)
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().split("\n")[-1]
        raise VoiceError(f"{path.name} holds no sound that can be read ({reason}).")
    return done.stdout
