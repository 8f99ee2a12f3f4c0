"""Text → sound: the engines a voice can come from. They run in the speaking child process only."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ankita_desktop.errors import VoiceError
from ankita_desktop.voice.sound import read_wav

PATIENCE = 60.0  # seconds for one sentence


@dataclass(frozen=True, slots=True)
class Manner:
    """How to speak. ``rate`` in words a minute, ``volume`` from 0 to 1; empty texts mean the engine's own choice.

    ``engine``: auto, espeak, system (pyttsx3: SAPI on Windows, NSSpeech on macOS), command or service. ``command``
    reads the text on its standard input and writes a WAV file to its standard output (such as
    ``piper -m voice.onnx -f -``). ``service`` holds url, key, model of an OpenAI-compatible service.
    """

    engine: str = "auto"
    language: str = "en"
    voice: str = ""
    rate: int = 175
    volume: float = 1.0
    output: str = ""
    command: str = ""
    service: dict[str, str] = field(default_factory=dict)


class Synth(Protocol):
    """One engine. ``make`` blocks; it returns 16-bit mono sound and its rate, or raises ``VoiceError``."""

    def make(self, text: str, manner: Manner) -> tuple[bytes, int]: ...


def choose(manner: Manner) -> Synth:
    """The engine a manner asks for. Raises ``VoiceError`` that says how to get one."""
    if manner.engine == "command" or (manner.engine == "auto" and manner.command):
        return Command()
    if manner.engine == "service":
        if not manner.service.get("url"):
            raise VoiceError("No address is set for the voice. Set voice.service_url, or voice.engine to auto.")
        return Service()
    espeak = _espeak()
    if espeak and manner.engine in ("auto", "espeak"):
        return Espeak(espeak)
    if manner.engine in ("auto", "system") and importlib.util.find_spec("pyttsx3"):
        return System()
    raise VoiceError(f"There is no voice. {_fix()}")


def about(manner: Manner) -> str:
    """The engine in words. Raises ``VoiceError`` when there is none."""
    made = choose(manner)
    if isinstance(made, Espeak):
        return "espeak-ng"
    if isinstance(made, System):
        return "the system's voice"
    return f"the command {manner.command}" if isinstance(made, Command) else f"{manner.service.get('url', '')}"


def _espeak() -> str:
    return shutil.which("espeak-ng") or shutil.which("espeak") or ""


def _fix() -> str:
    if shutil.which("apt-get"):
        return "Install one: sudo apt-get install espeak-ng"
    return 'Install the extra "voice": pip install "ankita-desktop[voice]"'


@dataclass(frozen=True, slots=True)
class Espeak:
    """The program espeak-ng."""

    program: str

    def make(self, text: str, manner: Manner) -> tuple[bytes, int]:
        voice = manner.voice or manner.language or "en"
        command = [self.program, "-s", str(manner.rate), "-v", voice, "--stdin", "--stdout", "-b", "1"]
        return read_wav(_output(command, text, "espeak-ng"))


class Command:
    """Any program that turns text into WAV."""

    def make(self, text: str, manner: Manner) -> tuple[bytes, int]:
        if not manner.command:
            raise VoiceError("No command is set for the voice. Set voice.command, or voice.engine to auto.")
        words = shlex.split(manner.command, posix=os.name == "posix")
        return read_wav(_output(words, text, words[0]))


def _output(command: list[str], text: str, name: str) -> bytes:
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise VoiceError(f"The voice {name} can't be run ({error}).") from error
    if done.returncode or not done.stdout:
        reason = done.stderr.decode(errors="replace").strip().split("\n")[-1]
        raise VoiceError(f"The voice {name} failed ({reason or 'no sound came'}).")
    return done.stdout


class System:
    """The system's own voice through pyttsx3, into a file: its playback can't be stopped and hides failures."""

    def __init__(self) -> None:
        self._engine: Any = None

    def make(self, text: str, manner: Manner) -> tuple[bytes, int]:
        import pyttsx3

        if self._engine is None:
            try:
                self._engine = pyttsx3.init()
            except (OSError, RuntimeError, ImportError) as error:
                raise VoiceError(f"The system's voice can't be used ({error}). {_fix()}") from error
        self._engine.setProperty("rate", manner.rate)
        if manner.voice:
            self._engine.setProperty("voice", manner.voice)
        return self._spoken(text)

    def _spoken(self, text: str) -> tuple[bytes, int]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "speech.wav"
            self._engine.save_to_file(text, str(path))
            self._engine.runAndWait()
            if not path.is_file() or not path.stat().st_size:
                raise VoiceError("The system's voice made no sound.")
            return read_wav(path.read_bytes())


class Service:
    """A voice at an OpenAI-compatible service."""

    def make(self, text: str, manner: Manner) -> tuple[bytes, int]:
        import httpx

        place = manner.service
        url = place["url"].rstrip("/")
        body = {
            "model": place.get("model") or "tts-1",
            "voice": manner.voice or "alloy",
            "input": text,
            "response_format": "wav",
            "speed": round(min(4.0, max(0.25, manner.rate / 175)), 2),
        }
        headers = {"Authorization": f"Bearer {place['key']}"} if place.get("key") else {}
        try:
            answer = httpx.post(f"{url}/audio/speech", json=body, headers=headers, timeout=PATIENCE)
        except httpx.HTTPError as error:
            raise VoiceError(
                f"The voice at {url} can't be reached ({error}). Correct voice.service_url, or set voice.engine "
                "to auto."
            ) from error
        if answer.status_code in (401, 403):
            raise VoiceError(f"{url} refused the key. Set VOICE_API_KEY, or choose another voice.")
        if answer.status_code >= 400:
            raise VoiceError(f"The voice at {url} answered {answer.status_code}.")
        return read_wav(answer.content)
