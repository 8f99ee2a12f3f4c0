"""The command line: finds the command, runs it, and turns what went wrong into a text and an exit code.

Exit codes: 0 success, 1 failure, 2 usage, 3 something was denied because nobody could answer, 130 interrupted.
Commands are imported when they are called, so a quick one starts quickly; none of them imports Qt.
"""

from __future__ import annotations

import contextlib
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
from ankita_desktop.terminal.screen import say

INTERRUPTED = 130
LATER = {
    "mcp": "servers of tools",
    "login": "signing in to a service",
    "logout": "signing out of a service",
    "models": "models to download and choose from",
    "--demo": "a show of what Ankita does",
}
"""What a later version brings: a name that isn't wrong, only early."""


def main(argv: Sequence[str]) -> int:
    """The whole process: as ``run``, with UTF-8 output. Its end by SIGTERM, or with its terminal, takes our
    children along."""
    _fill_streams()
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
    except OSError as error:  # a full disk, a folder that is locked away: the machine's, not ours
        return _failed(argv, _of_the_machine(error), 1)


def _fill_streams() -> None:
    """Whoever started us may have closed some of the three streams, and may write bytes that are no text."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # The lowest free number is the one that is missing: no file of ours must ever get it.
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _of_the_machine(error: OSError) -> str:
    """What the system refused. Output that can't be written must not be tried again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    reason = error.strerror or str(error)
    if isinstance(error.filename, str | bytes):
        return f"{os.fsdecode(error.filename)} can't be used ({reason}). See to that and try again."
    return f"Something could not be read or written ({reason}). See to that and try again."


def _dispatch(argv: list[str]) -> int:
    words = argv[1:]
    if words and words[0] in COMMANDS:
        command: Callable[[list[str]], int] = importlib.import_module(f"ankita_desktop.terminal.{words[0]}").main
        return command(words[1:])
    if later := next((word for word in words[:1] if word in LATER), ""):
        raise UsageError(f"`ankita {later}` ({LATER[later]}) comes with a later version.")
    if words and not words[0].startswith("-"):
        raise UsageError(_unknown(words[0]))
    if any(word in ("-h", "--help", "--version") for word in words) or _asks(words):
        from ankita_desktop.terminal.run import main as ask

        return ask(words)
    return _window(argv)


def _asks(words: list[str]) -> bool:
    return any(word.startswith(("-p", "--prompt")) for word in words)


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
        with contextlib.suppress(OSError):
            print(json.dumps({"ok": False, "error": text}), flush=True)
    say(f"ankita: {text}")
    return code
