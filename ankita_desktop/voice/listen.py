"""Sound → text: the one protocol, and which engine is taken."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from ankita_desktop.errors import VoiceError

Engine = Literal["auto", "whisper", "vosk", "service"]
NOTHING = "I heard no words. Nothing was sent."


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of speech; times in seconds from the beginning of the sound."""

    start: float
    end: float
    text: str


@dataclass(frozen=True, slots=True)
class Heard:
    """What was understood. No text: silence, noise, or nothing that can be trusted."""

    text: str = ""
    parts: tuple[Part, ...] = ()


class Listening(Protocol):
    """One utterance on its way. All calls come from one thread."""

    def feed(self, sound: bytes) -> str:
        """Take more sound (whole frames), without waiting; returns the text so far."""
        ...

    def finish(self) -> Heard:
        """The whole text; may take as long as the engine needs. Raises ``VoiceError``."""
        ...

    def drop(self) -> None:
        """Forget it, without waiting."""
        ...


class Recogniser(Protocol):
    """An engine. Thread-safe; several utterances may be on their way at once.

    ``about`` says in words what it is; ``sends_to`` is the host that gets the sound ("": it stays here)."""

    @property
    def about(self) -> str: ...
    @property
    def sends_to(self) -> str: ...
    def begin(self, hints: Sequence[str] = ()) -> Listening: ...
    def transcribe(self, sound: bytes, hints: Sequence[str] = ()) -> Heard: ...
    def warm(self) -> None:
        """Load what is needed, so that the first utterance doesn't wait. Blocks; raises ``VoiceError``."""
        ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """What settings say about recognition. ``vosk_models`` is where ``ankita voice setup`` puts models."""

    engine: Engine = "auto"
    language: str = "en"
    vosk_models: Path = Path()
    vosk_model: str = ""
    service_url: str = ""
    service_key: Callable[[], str] = str
    service_model: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """The engine that is taken, and why, in words. None: none is there, and ``why`` says what to do."""

    recogniser: Recogniser | None
    why: str


def choose(wanted: Wanted) -> Choice:
    """What is there decides: a model the person fetched, else the one that came along, else a service."""
    if wanted.engine != "auto":
        return _named(wanted, wanted.engine)
    for engine in ("vosk", "whisper", "service"):
        found = _named(wanted, engine)
        if found.recogniser is not None:
            return found
    return Choice(
        None,
        "No speech recognition is installed. Run: ankita voice setup (40 MB, works offline from then on); or "
        'install the extra "voice-offline"; or name a service in the settings (voice.service_url).',
    )


def need(wanted: Wanted) -> Recogniser:
    """The engine, or a ``VoiceError`` that says how to get one."""
    found = choose(wanted)
    if found.recogniser is None:
        raise VoiceError(found.why, "recogniser")
    return found.recogniser


def warm_up(recogniser: Recogniser) -> None:
    """Load what it needs on a thread of its own; what goes wrong is said when it is used."""

    def load() -> None:
        try:
            recogniser.warm()
        except VoiceError:
            pass

    threading.Thread(target=load, name="warm", daemon=True).start()


def _named(wanted: Wanted, engine: str) -> Choice:
    if engine == "vosk":
        return _vosk(wanted)
    return _whisper(wanted) if engine == "whisper" else _service(wanted)


def _vosk(wanted: Wanted) -> Choice:
    from ankita_desktop.voice import listen_vosk

    if importlib.util.find_spec("vosk") is None:
        return Choice(None, "vosk is not installed: pip install vosk.")
    folder = listen_vosk.find_model(wanted)
    if folder is None:
        return Choice(None, "vosk has no model yet. Run: ankita voice setup")
    return Choice(listen_vosk.VoskRecogniser(folder), f"vosk with the model {folder.name}, which was set up here")


def _whisper(wanted: Wanted) -> Choice:
    from ankita_desktop.voice import listen_whisper

    weights = listen_whisper.packaged_weights()
    if importlib.util.find_spec("faster_whisper") is None or weights is None:
        return Choice(None, 'faster-whisper needs the extra "voice-offline": run make setup.')
    if not wanted.language.startswith("en"):
        return Choice(None, f"The packaged weights know English only, not {wanted.language!r}.")
    return Choice(listen_whisper.WhisperRecogniser(weights), "faster-whisper tiny (English), which came along")


def _service(wanted: Wanted) -> Choice:
    if not wanted.service_url:
        return Choice(None, "No service is named. Set voice.service_url to one that speaks OpenAI's protocol.")
    from ankita_desktop.voice.listen_service import ServiceRecogniser

    made = ServiceRecogniser(
        wanted.service_url, key=wanted.service_key, model=wanted.service_model, language=wanted.language
    )
    return Choice(made, f"the service at {made.sends_to}; what you say is sent there")
