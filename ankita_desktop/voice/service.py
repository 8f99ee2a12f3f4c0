"""Hearing and speaking as the composition root hands them out: one microphone, one voice, made on first use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ankita_desktop.errors import VoiceError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.voice import devices, listen, pulse, synth
from ankita_desktop.voice.hands_free import Conversation, HandsFree, Watcher
from ankita_desktop.voice.listen import Choice, Recogniser, Wanted
from ankita_desktop.voice.push_to_talk import Ear, PushToTalk, State
from ankita_desktop.voice.recorder import Recorder
from ankita_desktop.voice.speaker import Speaker
from ankita_desktop.voice.synth import Manner


class VoiceSettings(Protocol):
    """What the settings say, as ``store.schema.VoicePart`` has it."""

    @property
    def input(self) -> str: ...
    @property
    def output(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def recogniser(self) -> listen.Engine: ...
    @property
    def vosk_model(self) -> str: ...
    @property
    def service_url(self) -> str: ...
    @property
    def service_model(self) -> str: ...
    @property
    def engine(self) -> str: ...
    @property
    def voice(self) -> str: ...
    @property
    def command(self) -> str: ...
    @property
    def rate(self) -> int: ...
    @property
    def volume(self) -> int: ...
    @property
    def wake(self) -> str: ...
    @property
    def echo_cancel(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Check:
    """What works here, in words; empty where something doesn't, and ``problems`` says why and what to do."""

    input: str
    output: str
    recogniser: str
    voice: str
    problems: tuple[str, ...]


class VoiceService:
    """Thread-safe. ``settings`` is asked at each use; ``key`` gives the key for a service's address ("" = none);
    ``hints`` are names that are likely to be said, the likeliest first. ``models`` holds vosk models."""

    def __init__(
        self,
        settings: Callable[[], VoiceSettings],
        *,
        models: Path,
        key: Callable[[str], str] = lambda _url: "",
        hints: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._settings, self.models, self._key, self._hints = settings, models, key, hints
        self._lock = threading.Lock()
        self._chosen: tuple[Wanted, Choice] | None = None
        self._speaker: Speaker | None = None
        self._talk: Talk | None = None
        self._output = ""  # the echo canceller's loudspeaker, while it runs

    # --- the parts ---

    def choice(self) -> Choice:
        """Which recogniser is used and why, in words; looked for anew until one is there."""
        wanted = self._wanted()
        with self._lock:
            if self._chosen is None or not _same(self._chosen[0], wanted) or not self._chosen[1].recogniser:
                self._chosen = (wanted, listen.choose(wanted))
            return self._chosen[1]

    def recogniser(self) -> Recogniser:
        """Raises ``VoiceError`` that says how to get one."""
        found = self.choice()
        if found.recogniser is None:
            raise VoiceError(found.why, "recogniser")
        return found.recogniser

    @property
    def speaker(self) -> Speaker:
        """The one voice of this process."""
        with self._lock:
            if self._speaker is None:
                self._speaker = Speaker(self.manner)
            return self._speaker

    def push_to_talk(self, ear: Ear) -> PushToTalk:
        """A microphone button. Recording silences our voice and ends hands-free talk."""

        def on_state(state: State) -> None:
            if state == "recording":
                self.speaker.stop()
                self.end_talk()
            ear.on_state(state)

        quiet = Ear(on_state, ear.on_partial, ear.on_level, ear.on_text, ear.on_notice, ear.on_problem)
        return PushToTalk(self.recogniser, quiet, device=lambda: self._settings().input, hints=self._hints)

    def hands_free(self, conversation: Conversation, watcher: Watcher) -> Talk:
        """Begin to talk hands-free; a talk that runs ends. Raises ``VoiceError`` when it can't be.

        The caller subscribes ``talk.sink`` to the engine's events."""
        self.end_talk()
        settings = self._settings()
        cancelling = settings.echo_cancel and not (settings.input or settings.output)
        talk = Talk(self, conversation, watcher, wake_word=settings.wake, hints=self._hints())
        self._output = talk.start(settings.input, cancel_echo=cancelling)
        self._talk = talk
        return talk

    def end_talk(self) -> None:
        """End hands-free talk, if it runs."""
        talk, self._talk = self._talk, None
        self._output = ""
        if talk is not None:
            talk.stop()

    def tidy(self) -> None:
        """Take away what a killed process left at the sound server; takes a moment."""
        if self._settings().echo_cancel:
            pulse.unload_left_over()

    def close(self) -> None:
        """Silence, and let go of the devices."""
        self.end_talk()
        if self._speaker is not None:
            self._speaker.close()

    # --- for tools and the terminal ---

    def say(self, text: str, cancel: Cancel) -> None:
        """Say a text to its end. Raises ``VoiceError`` when it can't be heard, ``Cancelled``."""
        self.speaker.say(text)
        self.speaker.wait(cancel)

    def recogniser_host(self) -> str:
        found = self.choice().recogniser
        return found.sends_to if found else ""

    def transcribe(self, path: Path, cancel: Cancel) -> Sequence[tuple[float, float, str]]:
        """Raises ``VoiceError`` for files that hold no sound, ``Cancelled``."""
        from ankita_desktop.voice.sound import read_file

        recogniser = self.recogniser()
        sound = read_file(path)
        cancel.check()
        heard = recogniser.transcribe(sound, self._hints())
        cancel.check()
        if heard.text and not heard.parts:
            return [(0.0, len(sound) / 32_000, heard.text)]
        return [(part.start, part.end, part.text) for part in heard.parts]

    def listen(self, seconds: float, cancel: Cancel, progress: Callable[[str], None]) -> str:
        from ankita_desktop.voice.once import hear_once

        return hear_once(
            self.recogniser(),
            device=self._settings().input,
            seconds=seconds,
            cancel=cancel,
            on_partial=progress,
            hints=self._hints(),
        )

    def check(self) -> Check:
        """Look at everything without making a sound."""
        problems: list[str] = []
        found = self.choice()
        if found.recogniser is None:
            problems.append(found.why)
        return Check(
            self._device("input", problems),
            self._device("output", problems),
            found.why if found.recogniser else "",
            self._voice(problems),
            tuple(dict.fromkeys(problems)),
        )

    def microphones(self) -> list[devices.Device]:
        """Those there are now, the default first; none where sound doesn't work, which ``check`` explains."""
        try:
            devices.refresh()
            return devices.devices("input")
        except VoiceError:
            return []

    def _device(self, direction: devices.Direction, problems: list[str]) -> str:
        chosen = self._settings().input if direction == "input" else self._settings().output
        try:
            there = devices.devices(direction)
        except VoiceError as problem:
            problems.append(str(problem))
            return ""
        if not there:
            problems.append(devices.none(direction))
        elif chosen not in [one.id for one in there]:
            names = ", ".join(one.id for one in there if one.id)
            problems.append(f'There is no {devices.WORDS[direction]} "{chosen}". There are: {names}.')
        return next((one.name for one in there if one.id == chosen), "")

    def _voice(self, problems: list[str]) -> str:
        try:
            return synth.about(self.manner())
        except VoiceError as problem:
            problems.append(str(problem))
            return ""

    # --- settings as the parts take them ---

    def manner(self) -> Manner:
        now = self._settings()
        url = now.service_url
        service = {"url": url, "key": self._key(url)} if now.engine == "service" else {}
        return Manner(
            now.engine,
            now.language,
            now.voice,
            now.rate,
            now.volume / 100,
            now.output or self._output,
            now.command,
            service,
        )

    def _wanted(self) -> Wanted:
        now = self._settings()
        return Wanted(
            now.recogniser,
            now.language,
            self.models,
            now.vosk_model,
            now.service_url,
            lambda: self._key(now.service_url),
            now.service_model,
        )


def _same(one: Wanted, other: Wanted) -> bool:
    def values(wanted: Wanted) -> tuple[object, ...]:
        return (
            wanted.engine, wanted.language, wanted.vosk_model, wanted.service_url, wanted.service_model
        )  # fmt: skip

    return values(one) == values(other)


class Talk:
    """Hands-free talk with its microphone. ``sink`` reads the engine's events."""

    def __init__(
        self,
        service: VoiceService,
        conversation: Conversation,
        watcher: Watcher,
        *,
        wake_word: str,
        hints: Sequence[str],
    ) -> None:
        recogniser = service.recogniser()
        self.sink = HandsFree(
            conversation, service.speaker, recogniser, watcher=watcher, wake_word=wake_word, hints=hints
        )
        self._watcher = watcher
        self._recorder = Recorder(self.sink.hear, on_problem=self._lost, on_notice=watcher.on_notice)
        self._echo: pulse.EchoCancel | None = None
        listen.warm_up(recogniser)

    @property
    def state(self) -> str:
        return self.sink.state

    def start(self, device: str, *, cancel_echo: bool) -> str:
        """Begin. Returns the loudspeaker to use ("" = as usual). Raises ``VoiceError`` without a microphone."""
        if cancel_echo:
            self._echo = pulse.cancel_echo()
        try:
            self._recorder.open(self._echo.source if self._echo else device)
        except VoiceError:
            self._end_echo()
            raise
        self.sink.start()
        return self._echo.sink if self._echo else ""

    def stop(self) -> None:
        """End it; returns at once."""
        self._recorder.close()
        self.sink.stop()
        self._end_echo()

    def _lost(self, problem: VoiceError) -> None:
        self._watcher.on_problem(problem)
        self.stop()

    def _end_echo(self) -> None:
        if self._echo is not None:
            self._echo.close()
            self._echo = None
