"""The command line: finds the command, runs it, and turns what went wrong into a text and an exit code.

Exit codes: 0 success, 1 failure, 2 usage, 3 something was denied because nobody could answer, 130 interrupted.
Commands are imported when they are called, so a quick one starts quickly; none of them imports Qt.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence

from ankita_desktop.errors import AnkitaError, Cancelled, UsageError
from ankita_desktop.paths import NoFolder
from ankita_desktop.terminal import COMMANDS

INTERRUPTED = 130


def main(argv: Sequence[str]) -> int:
    """The whole process: as ``run``, with UTF-8 output. Its end by SIGTERM, or with its terminal, takes our
    children along."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # nohup means it
            signal.signal(number, lambda got, _frame: sys.exit(128 + got))
    return run(argv)


def run(argv: Sequence[str]) -> int:
    """Run a command line (``argv[0]`` is the program). Returns the exit code; prints every error itself."""
    try:
        return _dispatch(list(argv))
    except UsageError as error:
        return _failed(argv, str(error), 2)
    except (KeyboardInterrupt, Cancelled):
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough: nothing more can be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (AnkitaError, NoFolder) as error:
        return _failed(argv, str(error), 1)


def _dispatch(argv: list[str]) -> int:
    words = argv[1:]
    if words and words[0] in COMMANDS:
        command: Callable[[list[str]], int] = importlib.import_module(f"ankita_desktop.terminal.{words[0]}").main
        return command(words[1:])
    if words and not words[0].startswith("-"):
        raise UsageError(_unknown(words[0]))
    if any(word in ("-h", "--help", "--version") for word in words) or _asks(words):
        from ankita_desktop.terminal.run import main as ask

        return ask(words)
    return _window(argv)


def _asks(words: list[str]) -> bool:
    return any(word == "-p" or word.startswith(("-p=", "--prompt")) for word in words)


def _unknown(word: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, COMMANDS, n=2, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"There are: {', '.join(COMMANDS)}."
    return f'There is no command {word!r}. {hint} To ask something: ankita -p "…"'


def _window(argv: list[str]) -> int:
    try:
        app = importlib.import_module("ankita_desktop.app")
    except ImportError as error:
        raise AnkitaError(
            f"The window can't be opened: {error}. `ankita doctor` says what is missing; "
            "`ankita chat` works without a window."
        ) from error
    code: int = app.main(argv)
    return code


def _failed(argv: Sequence[str], text: str, code: int) -> int:
    if "--json" in argv:
        print(json.dumps({"ok": False, "error": text}))
    print(f"ankita: {text}", file=sys.stderr)
    return code
