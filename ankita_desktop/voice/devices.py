"""Microphones and loudspeakers: which there are, and what is wrong when one can't be opened."""

from __future__ import annotations

import platform
import threading
from dataclasses import dataclass
from typing import Any, Literal

from ankita_desktop.errors import VoiceError
from ankita_desktop.voice import pulse

Direction = Literal["input", "output"]
WORDS = {"input": "microphone", "output": "loudspeaker"}
# PortAudio's numbers for what can go wrong on opening.
_BUSY = (-9985,)
_GONE = (-9996, -9999, -9988)
_RATE = (-9997,)


@dataclass(frozen=True, slots=True)
class Device:
    """``id`` is what settings hold ("" = the system's default), ``name`` what a person reads."""

    id: str
    name: str
    default: bool = False


def portaudio() -> Any:
    """The sounddevice module. Raises ``VoiceError`` where it or the library under it is missing."""
    try:
        import sounddevice
    except ImportError:
        raise VoiceError(
            'Sound needs the extra "voice": run make setup, or pip install "ankita-desktop[voice]".', "library"
        ) from None
    except OSError:  # PortAudio itself isn't there
        raise VoiceError(f"Sound needs the library PortAudio. {_portaudio_fix()}", "library") from None
    return sounddevice


def _portaudio_fix() -> str:
    if platform.system() == "Linux":
        return "Install it: sudo apt-get install libportaudio2 (other systems: the package portaudio)."
    return "Install sounddevice anew: pip install --force-reinstall sounddevice."


def devices(direction: Direction) -> list[Device]:
    """All devices of a direction; the default is first and has the id "". Empty when there is none.

    Raises ``VoiceError`` when sound doesn't work at all.
    """
    found = _listed(direction)
    if not found:
        return []
    servers = pulse.named("sources" if direction == "input" else "sinks")
    named = [Device(f"{pulse.PREFIX}{name}", words) for name, words in servers]
    if named:  # the same devices once more, under names nobody knows
        found = []
    return [Device("", "the system's default", True), *named, *found]


def _listed(direction: Direction) -> list[Device]:
    count = f"max_{direction}_channels"
    rows = portaudio().query_devices()
    names = dict.fromkeys(str(row["name"]) for row in rows if row[count] > 0)
    return [Device(name, name) for name in names]


class _Open:
    """How many streams are open. PortAudio can be started anew only while there is none; opening, closing and
    starting anew exclude each other."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.count = 0


streams = _Open()


def refresh() -> None:
    """Look for devices anew: PortAudio lists them once, at its start. Does nothing while a stream is open."""
    library = portaudio()
    with streams.lock:
        if streams.count:
            return
        try:
            library._terminate()
            library._initialize()
        except library.PortAudioError as error:
            raise VoiceError(f"Sound can't be started ({error}).", "library") from error


def explain(error: Exception, direction: Direction, device: str) -> VoiceError:
    """What opening a device failed with, in words that help."""
    what = WORDS[direction]
    named = f'The {what} "{device}"' if device else f"The {what}"
    number = error.args[1] if len(error.args) > 1 else 0
    text = str(error)
    if not any_device(direction):
        return VoiceError(none(direction), "no_device")
    if number in _BUSY or "busy" in text.lower():
        return VoiceError(f"{named} is in use by another program. Close that one, or choose another.", "busy")
    if "permission" in text.lower() or "denied" in text.lower():
        return VoiceError(f"{named} may not be used. {_permission_fix(direction)}", "permission")
    if isinstance(error, ValueError) or number in _GONE:
        return VoiceError(f"{named} is not there. Plug it in, or choose another in the settings.", "gone")
    return VoiceError(f"{named} can't be opened ({text}). Choose another in the settings.", "gone")


def any_device(direction: Direction) -> bool:
    try:
        return bool(_listed(direction))
    except VoiceError:
        return False


def is_rate_problem(error: Exception) -> bool:
    return len(error.args) > 1 and error.args[1] in _RATE


def none(direction: Direction) -> str:
    if direction == "input":
        return "There is no microphone. Plug one in, or go on typing; nothing else is affected."
    return "There is no loudspeaker. Plug one in; answers stay on the screen."


def _permission_fix(direction: Direction) -> str:
    system = platform.system()
    if system == "Darwin":
        return "Allow it in System Settings, Privacy & Security, Microphone."
    if system == "Windows":
        return "Allow it in Settings, Privacy, Microphone."
    return "Add yourself to the group audio (sudo usermod -aG audio $USER) and log in again."
