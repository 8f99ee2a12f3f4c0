"""Speaking: sentences go to a child process one after the other; stopping kills it, so it is silent at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any, Protocol

from ankita_desktop.errors import VoiceError
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.voice.sentences import Sentences
from ankita_desktop.voice.synth import Manner

SLOWER, SLOWEST, FASTEST = 0.8, 80, 400
AHEAD = 3  # sentences the mouth is given before they sound


class Mouth(Protocol):
    """What sounds: a child process, or anything else that takes texts and can be silenced at once.

    ``say`` returns at once; what happens is told to ``on_event`` of its maker as the child tells it."""

    def say(self, number: int, text: str, manner: Manner) -> None: ...
    def kill(self) -> None: ...
    def is_alive(self) -> bool: ...


OnEvent = Callable[["Mouth", dict[str, Any]], None]


class Child:
    """The real mouth: ``python -m ankita_desktop.voice.child``."""

    def __init__(self, on_event: OnEvent) -> None:
        self._on_event = on_event
        own_group: dict[str, Any] = {"start_new_session": True} if sys.platform != "win32" else {}
        self._process = subprocess.Popen(
            _command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            **own_group,
        )
        threading.Thread(target=self._read, name="speech", daemon=True).start()

    def say(self, number: int, text: str, manner: Manner) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"id": number, "text": text, "manner": asdict(manner)}) + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):  # it is gone; its reader says so
            pass

    def kill(self) -> None:
        """Silence it and what it started, and free its process."""
        if self._process.poll() is None:
            _kill_tree(self._process)
        self._process.wait(timeout=5)

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def _read(self) -> None:
        assert self._process.stdout is not None and self._process.stdin is not None
        for line in self._process.stdout:
            self._on_event(self, json.loads(line))
        self._process.stdout.close()
        self._process.wait()
        try:
            self._process.stdin.close()
        except OSError:  # what was not read by it is lost anyway
            pass
        self._on_event(self, {"event": "ended"})


def _command() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, "--speak"]
    return [sys.executable, "-m", "ankita_desktop.voice.child"]


def _kill_tree(process: subprocess.Popen[str]) -> None:
    """The child and the programs it runs."""
    if sys.platform == "win32":
        import psutil

        try:
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
        except psutil.NoSuchProcess:
            pass
        process.kill()
    else:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


class Listener(Protocol):
    """Whoever wants to know what sounds. Called on the thread where it happens; must return at once."""

    def sounding(self, text: str, levels: Sequence[float], seconds: float) -> None:
        """A sentence begins to sound; ``levels`` is its loudness each 32 ms."""
        ...

    def silent(self, finished: bool) -> None:
        """Nothing sounds any more: everything was said, or (not ``finished``) it was stopped."""
        ...

    def failed(self, problem: VoiceError) -> None:
        """It can't be heard; nothing more will sound."""
        ...


class Speaker:
    """Says what it is fed, sentence by sentence. Thread-safe; nothing here waits but ``wait``.

    ``manner`` is asked before each sentence, so a change of the settings counts from the next one on.
    """

    def __init__(
        self, manner: Callable[[], Manner] = Manner, *, make_mouth: Callable[[OnEvent], Mouth] = Child
    ) -> None:
        self._manner, self._make_mouth = manner, make_mouth
        self._lock = threading.RLock()
        self._mouth: Mouth | None = None
        self._sentences = Sentences()
        self._waiting: dict[int, str] = {}  # said to the mouth, not heard to the end
        self._unsaid: list[str] = []  # what a stop cut off
        self._said: list[str] = []  # the sentences of the last answer
        self._count = self._sent = 0
        self._pace = 1.0
        self._done = threading.Condition(self._lock)
        self._listeners: list[Listener] = []
        self._problem: VoiceError | None = None

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell ``listener`` what sounds. Returns what undoes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    @property
    def is_speaking(self) -> bool:
        return bool(self._waiting)

    def warm(self) -> None:
        """Start the child now, so that the first sentence doesn't wait for it."""
        with self._lock:
            self._ready()

    # --- saying ---

    def feed(self, delta: str) -> None:
        """A piece of an answer as it streams."""
        with self._lock:
            self._say_all(self._sentences.feed(delta))

    def flush(self) -> None:
        """The answer is over: what is left is said."""
        with self._lock:
            rest = self._sentences.flush()
            self._sentences = Sentences(self._manner().language)
            self._say_all(rest)

    def say(self, text: str) -> None:
        """Say a whole text after what is being said."""
        with self._lock:
            self.flush()
            self._said.clear()
            self.feed(text)
            self.flush()

    def begin(self) -> None:
        """A new answer: what ``repeat`` repeats begins here."""
        with self._lock:
            self._sentences = Sentences(self._manner().language)
            self._said.clear()
            self._unsaid.clear()

    def stop(self) -> None:
        """Be silent now: the child is killed. What was not said is kept for ``resume``."""
        with self._lock:
            mouth, self._mouth = self._mouth, None
            self._unsaid = list(self._waiting.values()) or self._unsaid
            was_speaking = bool(self._waiting)
            self._waiting.clear()
            self._sentences = Sentences(self._manner().language)
        if mouth is not None:
            mouth.kill()
        with self._done:
            self._done.notify_all()
        if was_speaking:
            for listener in tuple(self._listeners):
                listener.silent(False)

    def resume(self) -> None:
        """Go on from the sentence that a stop cut off."""
        with self._lock:
            rest, self._unsaid = self._unsaid, []
            self._say_all(rest, again=True)

    def repeat(self) -> bool:
        """Say the last answer once more. False: there was none."""
        with self._lock:
            rest = list(self._said)
        self.stop()
        with self._lock:
            self._unsaid.clear()
            self._say_all(rest, again=True)
        return bool(rest)

    def slower(self, factor: float = SLOWER) -> None:
        """Speak slower from now on (faster: a factor above 1)."""
        self._pace *= factor

    def close(self) -> None:
        self.stop()

    def wait(self, cancel: Cancel | None = None) -> None:
        """Until everything was said. Raises ``VoiceError`` when it can't be heard; ``cancel`` silences it."""
        forget = (cancel or Cancel()).on_set(self.stop)
        try:
            with self._done:
                self._done.wait_for(lambda: not self._waiting)
                problem, self._problem = self._problem, None
        finally:
            forget()
        if cancel is not None:
            cancel.check()
        if problem is not None:
            raise problem

    # --- the mouth ---

    def _say_all(self, sentences: Sequence[str], again: bool = False) -> None:
        for sentence in sentences:
            self._count += 1
            self._waiting[self._count] = sentence
            if not again:
                self._said.append(sentence)
        self._send()

    def _send(self) -> None:
        """Keep the mouth a few sentences ahead; more would fill its pipe and block whoever feeds us."""
        coming = [number for number in self._waiting if number > self._sent]
        for number in coming[: max(0, AHEAD - (len(self._waiting) - len(coming)))]:
            self._sent = number
            self._ready().say(number, self._waiting[number], self._paced())

    def _paced(self) -> Manner:
        manner = self._manner()
        rate = round(min(FASTEST, max(SLOWEST, manner.rate * self._pace)))
        return replace(manner, rate=rate)

    def _ready(self) -> Mouth:
        if self._mouth is None or not self._mouth.is_alive():
            self._mouth = self._make_mouth(self._happened)
        return self._mouth

    def _happened(self, mouth: Mouth, event: dict[str, Any]) -> None:
        with self._lock:
            if mouth is not self._mouth:  # words of one that was silenced
                return
            text = self._waiting.get(event.get("id", 0), "")
            tell = self._take(event, text)
        for listener in tuple(self._listeners):
            tell(listener)

    def _take(self, event: dict[str, Any], text: str) -> Callable[[Listener], None]:
        kind = event["event"]
        if kind == "sound":
            return lambda one: one.sounding(text, event["levels"], event["seconds"])
        if kind in ("ended", "error") and self._waiting:
            words = (
                event.get("text") or "The voice ended unexpectedly. Try again, or choose another in the settings."
            )
            problem = self._problem = VoiceError(words, event.get("kind", "voice"))
            self._waiting.clear()
            self._done.notify_all()
            return lambda one: one.failed(problem)
        if kind == "done":
            self._waiting.pop(event["id"], None)
            if not self._waiting:
                self._done.notify_all()
                return lambda one: one.silent(True)
            self._send()
        return _nothing


def _nothing(_listener: Listener) -> None: ...
