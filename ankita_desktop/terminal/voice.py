"""`ankita voice`: what hears and speaks here, and trying it without a window."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ankita_desktop.assembly import open_voice
from ankita_desktop.errors import UsageError, VoiceError
from ankita_desktop.store.secrets import Secrets
from ankita_desktop.store.settings import Settings
from ankita_desktop.terminal.options import Parser
from ankita_desktop.terminal.screen import is_person, painted, safe, say, show_json
from ankita_desktop.toolkit.cancel import Cancel
from ankita_desktop.voice import setup, sound
from ankita_desktop.voice.service import Check, VoiceService


def main(argv: list[str]) -> int:
    """Run `ankita voice …`. Returns the exit code."""
    args = parser().parse_args(argv)
    command: Callable[[VoiceService, argparse.Namespace], int] = args.run
    voice = open_voice(Settings(), Secrets())
    try:
        return command(voice, args)
    finally:
        voice.close()


def parser() -> argparse.ArgumentParser:
    """The options of `ankita voice`."""
    parser = Parser(prog="ankita voice", description="Hearing and speaking.")
    commands = parser.add_subparsers(
        required=True, metavar="check | setup | transcribe | say", parser_class=Parser
    )
    check = commands.add_parser("check", help="what this machine has and lacks, each with the fix")
    fetch = commands.add_parser("setup", help="fetch a speech model that works offline and shows words at once")
    fetch.add_argument("--folder", metavar="DIR", help="use a vosk model that is here already")
    file = commands.add_parser("transcribe", help="an audio file as text")
    file.add_argument("file", metavar="FILE")
    speak = commands.add_parser("say", help="say a text aloud; - reads it from standard input")
    speak.add_argument("text", metavar="TEXT", nargs="+")
    for command, run in ((check, _check), (fetch, _setup), (file, _transcribe), (speak, _say)):
        command.add_argument("--json", action="store_true", help="JSON on standard output")
        command.set_defaults(run=run)
    return parser


def _check(voice: VoiceService, args: argparse.Namespace) -> int:
    found = voice.check()
    others = [device.id for device in voice.microphones() if device.id]
    if args.json:
        show_json({**asdict(found), "problems": list(found.problems), "microphones": others})
    else:
        print("\n".join([*_drawn(found), *(f"   voice.input may be: {safe(each)}" for each in others)]))
    return 0 if found.recogniser and found.voice else 1


def _drawn(found: Check) -> list[str]:
    rows = (
        ("microphone", found.input),
        ("loudspeaker", found.output),
        ("recogniser", found.recogniser),
        ("voice", found.voice),
    )
    lines = [
        f"{painted('ok ', 'green') if what else painted('-- ', 'yellow')} {name:<12} {safe(what) or 'none'}"
        for name, what in rows
    ]
    return [*lines, *(f"   {safe(problem)}" for problem in found.problems)]


def _setup(voice: VoiceService, args: argparse.Namespace) -> int:
    if args.folder:
        folder = setup.use_folder(Path(args.folder))
        Settings().set("voice.vosk_model", str(folder))
    else:
        download = setup.ENGLISH
        say(f"Fetching {download.name} ({download.megabytes} MB) from {download.url}")
        with _stoppable() as cancel:
            folder = setup.fetch(download, voice.models, progress=_Bar(), cancel=cancel)
    why = voice.choice().why
    if args.json:
        show_json({"folder": str(folder), "recogniser": why})
    else:
        print(f"The model is in {folder}. Speech is recognised by: {why}.")
    return 0


class _Bar:
    """Progress for a person in place; for a log, a line each quarter."""

    def __init__(self) -> None:
        self._told = -1

    def __call__(self, done: int, total: int) -> None:
        percent = done * 100 // total
        step = 1 if is_person(sys.stderr) else 25
        if percent // step == self._told:
            return
        self._told = percent // step
        end = "\r" if step == 1 and percent < 100 else "\n"
        print(f"{percent:3d} % of {total / 1_000_000:.0f} MB", end=end, file=sys.stderr, flush=True)


def _transcribe(voice: VoiceService, args: argparse.Namespace) -> int:
    path = Path(args.file).expanduser()
    with _stoppable() as cancel:
        parts = voice.transcribe(path, cancel)
    text = " ".join(part for _, _, part in parts)
    if args.json:
        seconds = round(sound.seconds(sound.read_file(path)), 2)
        show_json({"text": text, "seconds": seconds})
    elif text:
        print(safe(text))
    else:
        raise VoiceError(f"There are no words in {path.name}.")
    return 0


def _say(voice: VoiceService, args: argparse.Namespace) -> int:
    text = " ".join(args.text)
    if text == "-":
        text = sys.stdin.read()
    if not text.strip():
        raise UsageError("There is nothing to say.")
    with _stoppable() as cancel:
        voice.say(text, cancel)
    if args.json:
        show_json({"ok": True, "text": text})
    return 0


@contextmanager
def _stoppable() -> Iterator[Cancel]:
    """A flag that Ctrl+C sets: what runs ends at once and in order."""
    cancel = Cancel()
    before: Any = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, lambda *_: cancel.set())
    except ValueError:  # not on the main thread: nobody presses keys there
        yield cancel
        return
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)
