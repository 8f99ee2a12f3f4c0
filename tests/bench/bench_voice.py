"""Talking to the machine and being answered, through a virtual microphone and loudspeaker.

Forty commands are spoken by two voices, recognised, carried out by the offline model in a folder of its own, and
the spoken answer is recorded and recognised back. No test has a limit in seconds; here they are printed.
"""

from __future__ import annotations

import getpass
import os
import re
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ankita_desktop.assembly import Assembly, Options, assemble
from ankita_desktop.events import Event, TurnEnded
from ankita_desktop.voice.answers import AnswerReader
from ankita_desktop.voice.hands_free import Conversation, Watcher
from ankita_desktop.voice.push_to_talk import Ear
from ankita_desktop.voice.sentences import sentences
from ankita_desktop.voice.sound import FRAME_SECONDS, levels, silence
from tests.voice import rig


@dataclass(frozen=True)
class Spoken:
    """What is said, what the answer must say (a pattern), and what must be true of the folder afterwards."""

    words: str
    answer: str
    left: Callable[[Path], bool] = lambda _: True


def has(name: str) -> Callable[[Path], bool]:
    return lambda place: (place / name).is_dir()


def has_no(name: str) -> Callable[[Path], bool]:
    return lambda place: not (place / name).exists()


FOLDER = r"source/.*notes\.txt \(24 bytes\)"
MILK = r"notes\.txt:1: milk"
ME = r"^I'm Ankita"
ABLE = r"I understand plain requests.*I can:"
COMMANDS = (
    Spoken("what's in this folder", FOLDER),
    Spoken("list the files", FOLDER),
    Spoken("show me all files here", FOLDER),
    Spoken("read notes dot text", r"milk.*bread.*apples.*water"),
    Spoken("what is seventeen times twenty three", r"= 391\b"),
    Spoken("what is two plus two", r"= 4\b"),
    Spoken("how much is one hundred divided by four", r"= 25\b"),
    Spoken("who are you", ME),
    Spoken("what can you do", ABLE),
    Spoken("how are you", r"^I'm fine"),
    Spoken("help", ABLE),
    Spoken("hello", r"^Hello"),
    Spoken("show hidden files", r"\.hidden \(2 bytes\)"),
    Spoken("find all python files", r"source/main\.py"),
    Spoken("how many files are here", r"There is 1 file here, beside 1 folder"),
    Spoken("what folder am I in", r"^We are working in .*/project\."),
    Spoken("search for milk", MILK),
    Spoken("which files contain the word milk", r"notes\.txt"),
    Spoken("create a folder called reports", r"reports", has("reports")),
    Spoken("make a new folder called pictures", r"pictures", has("pictures")),
    Spoken("what is the biggest file", r"biggest files:\W+notes\.txt"),
    Spoken("show the directory tree", r"pictures/.*reports/.*source/main\.py"),
    Spoken("list everything in the source folder", r"main\.py \(9 bytes\)"),
    Spoken("show my to do list", r"the list is empty"),
    Spoken("what day is it today", r"^Today is \w+day"),
    Spoken("what time is it", r"^It is \d\d:\d\d"),
    Spoken("how much disk space is left", r"free of"),
    Spoken("what is my user name", rf"^You are {getpass.getuser()}\b"),
    Spoken("what processes are running", r"busiest processes:.*python"),
    Spoken("how long has the computer been running", r"on since: .*\(.*(min|h|days?)"),
    Spoken("which model are you", r"built-in offline model: it needs no account"),
    Spoken("count the lines in notes dot text", r"\b4 lines"),
    Spoken("what is fifty percent of eighty", r"= 40\b"),
    Spoken("what is nine squared", r"= 81\b"),
    Spoken("thank you", r"welcome"),
    Spoken("show me the newest file", r"newest first:\W+\S*(main\.py|notes\.txt|\.hidden)"),
    Spoken("delete the folder reports", r"reports is in the trash", has_no("reports")),
    Spoken("are you a robot", ME),
    Spoken("what is three hundred minus twelve", r"= 288\b"),
    Spoken("goodbye", r"^Goodbye"),
)
STORY = (
    "The weather today is mostly sunny with a light wind from the west. Later in the afternoon some clouds will "
    "come in from the sea. Tomorrow it will rain in the morning and clear up towards the evening. "
)
ENOUGH = 8.0  # seconds of an answer that are listened to


@dataclass
class Figures:
    errors: int = 0
    words: int = 0
    understood: int = 0
    asked: int = 0
    back_errors: int = 0
    back_words: int = 0
    to_text: list[float] = field(default_factory=list)
    to_sound: list[float] = field(default_factory=list)


def main() -> None:
    server = rig.SoundServer()
    with rig.in_environment(server), tempfile.TemporaryDirectory() as home:
        os.environ["ANKITA_HOME"] = home
        for name, voice in (("espeak-ng", rig.said), ("piper", rig.said_by_piper)):
            try:
                figures = conversation(server, home, voice)
            except ImportError as error:
                print(f"{name}: skipped, {error}")
                continue
            show(name, figures)
        hands_free(server)
    server.close()


def hands_free(server: rig.SoundServer) -> None:
    """Interrupting, and a minute of our own voice coming back into the microphone, in real time."""
    app = assemble(Options(cwd=str(Path.home()), provider="offline"))
    app.settings.set("voice.echo_cancel", "false")
    turns: list[str] = []
    talk = app.voice.hands_free(Conversation("s", turns.append, lambda: None, lambda *_: None), Watcher())
    rig.wait_until(lambda: talk.state == "listening", 10, "it listens")
    print("\nhands-free")
    row(
        "speech to silence of the voice, three interruptions", spread([interrupted(server, app) for _ in range(3)])
    )
    heard = len(turns)
    module = server.pactl("load-module", "module-loopback", "source=spk.monitor", "sink=mic_sink").stdout.strip()
    app.voice.speaker.say(STORY * 5)
    began = time.monotonic()
    threading.Event().wait(60)
    app.voice.speaker.stop()
    server.pactl("unload-module", module)
    row(
        f"turns in {time.monotonic() - began:.0f} s of its own voice in the microphone",
        f"{len(turns) - heard} {turns[heard:] or ''}",
    )
    app.close()


def interrupted(server: rig.SoundServer, app: Assembly) -> float:
    """Seconds from the first sound of a person to the silence of our voice."""
    app.voice.speaker.say(STORY)
    rig.wait_until(lambda: app.voice.speaker.is_speaking, 10, "it speaks")
    threading.Event().wait(2)
    sound = rig.said("excuse me what about tomorrow")
    first = next(at for at, loud in enumerate(levels(sound)) if loud > 0.02) * FRAME_SECONDS
    speaking = threading.Thread(target=server.speak, args=(silence(0.5) + sound,))
    began = time.monotonic() + 0.5 + first
    speaking.start()
    rig.wait_until(lambda: not app.voice.speaker.is_speaking, 10, "the voice stops")
    took = time.monotonic() - began
    speaking.join()
    threading.Event().wait(3)
    return took


def show(name: str, figures: Figures) -> None:
    print(f"\n{len(COMMANDS)} commands spoken by {name}")
    row("word error rate of what was heard", f"{figures.errors / figures.words:.2f}")
    row("commands that were carried out", f"{figures.understood} of {figures.asked}")
    row("word error rate of the answers, heard back", f"{figures.back_errors / max(1, figures.back_words):.2f}")
    row("end of speech to text, median / slowest", spread(figures.to_text))
    row("text to first sound of the answer", spread(figures.to_sound))


def row(what: str, value: str) -> None:
    print(f"  {what:<52} {value:>20}")


def spread(times: list[float]) -> str:
    return f"{statistics.median(times):.2f} s / {max(times):.2f} s" if times else "-"


def folder(home: str) -> Path:
    place = Path(home) / "project"
    shutil.rmtree(place, ignore_errors=True)
    (place / "source").mkdir(parents=True)
    (place / "notes.txt").write_text("milk\nbread\napples\nwater\n")
    (place / ".hidden").write_text("x\n")
    (place / "source" / "main.py").write_text("print(1)\n")
    return place


class Person:
    """Holds the key, speaks, and hears the answer."""

    def __init__(self, server: rig.SoundServer, app: Assembly, session: str) -> None:
        self._server, self._app, self._session = server, app, session
        self.text: list[tuple[float, str]] = []
        self.sounded: list[float] = []
        self.ended: list[TurnEnded] = []
        self.notices: list[str] = []
        self._over, self.enough = threading.Event(), threading.Event()
        ear = Ear(on_text=self._heard, on_notice=self._nothing, on_problem=lambda problem: print(problem))
        self.talk = app.voice.push_to_talk(ear)
        app.voice.speaker.listen(self)
        app.engine.subscribe(AnswerReader(app.voice.speaker, session))
        app.engine.subscribe(self._event)

    def _heard(self, text: str) -> None:
        self.text.append((time.monotonic(), text))
        self._over.set()

    def _nothing(self, notice: str) -> None:
        self.notices.append(notice)
        self._over.set()

    def _event(self, event: Event) -> None:
        if isinstance(event, TurnEnded):
            self.ended.append(event)

    def sounding(self, _text: str, _levels: object, _seconds: float) -> None:
        self.sounded.append(time.monotonic())

    def silent(self, finished: bool) -> None:
        if finished:
            self.enough.set()

    def failed(self, problem: Exception) -> None:
        print(problem)

    def command(self, sound: bytes) -> tuple[str, float]:
        """(what was heard, seconds from the end of speech)."""
        self._over.clear()
        self.talk.press()
        rig.wait_until(lambda: self.talk.state == "recording", 10, "it records")
        self._server.speak(sound)
        end = time.monotonic()
        self.talk.release()
        self._over.wait(30)
        at, text = self.text[-1] if self.text else (end, "")
        return (text, at - end) if at >= end else ("", 0.0)

    def answer(self, text: str) -> tuple[str, float, bytes]:
        """(the answer, seconds to its first sound, its sound)."""
        self.ended.clear()
        self.sounded.clear()
        self.enough.clear()
        began = time.monotonic()
        with self._server.recording() as heard:
            self._app.engine.submit(self._session, text, source="voice")
            rig.wait_until(lambda: self.ended, 30, f"{text!r} is answered")
            self.enough.wait(ENOUGH)
            self._app.voice.speaker.stop()
        sounded = self.sounded[0] - began if self.sounded else 0.0
        return self.ended[0].text, sounded, bytes(heard)


def conversation(server: rig.SoundServer, home: str, voice: Callable[[str], bytes]) -> Figures:
    place = folder(home)
    app = assemble(Options(cwd=str(place), provider="offline", mode="all"))
    app.settings.set("voice.rate", "170")
    session = app.new_session().id
    person, figures = Person(server, app, session), Figures()
    recogniser = app.voice.recogniser()
    recogniser.warm()
    person.talk.arm()
    try:
        for command in COMMANDS:
            text, to_text = person.command(voice(command.words) + silence(0.1))
            errors, count = rig.word_errors(command.words, text)
            figures.errors, figures.words = figures.errors + errors, figures.words + count
            figures.to_text.append(to_text)
            answer, to_sound, sound = person.answer(text) if text else ("", 0.0, b"")
            fine = bool(re.search(command.answer, answer, re.I | re.S)) and command.left(place)
            figures.asked, figures.understood = figures.asked + 1, figures.understood + fine
            if person.enough.is_set() and sound:  # heard to its end
                errors, count = rig.word_errors(" ".join(sentences(answer)), recogniser.transcribe(sound).text)
                figures.back_errors, figures.back_words = figures.back_errors + errors, figures.back_words + count
            if to_sound:
                figures.to_sound.append(to_sound)
            if os.environ.get("BENCH_VERBOSE"):
                print(
                    "ok " if fine else "-- ",
                    command.words,
                    "|",
                    text,
                    f"| {to_text:.2f} |",
                    answer[:60],
                    f"| {to_sound:.2f}",
                )
    finally:
        person.talk.close()
        app.close()
    return figures


if __name__ == "__main__":
    main()
