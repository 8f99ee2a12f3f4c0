"""Options that several commands share, and what they mean for the assembly."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ankita_desktop.errors import UsageError
from ankita_desktop.protocol import Mode
from ankita_desktop.terminal.screen import is_person

if TYPE_CHECKING:
    from ankita_desktop.assembly import Assembly

DEFERRAL = ("auto", "attach", "dispatch", "native", "off")
PROVIDERS = ("auto", "offline", "openai")


class Parser(argparse.ArgumentParser):
    """A parser whose errors are ours: a text that says what to do, exit code 2."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("allow_abbrev", False)
        super().__init__(**kwargs)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}. See: {self.prog} --help")


def model_options(parser: argparse.ArgumentParser) -> None:
    """Which model, in which folder."""
    group = parser.add_argument_group("model and folder")
    group.add_argument("--cwd", metavar="DIR", default="", help="the working folder (default: the current one)")
    group.add_argument("--model", metavar="ID", default="", help="the model's name at the service")
    group.add_argument("--provider", metavar="NAME", default="", help="auto, offline or openai")
    group.add_argument(
        "--base-url", metavar="URL", default="", help="a service that speaks OpenAI's chat protocol"
    )
    group.add_argument("--api-key", metavar="KEY", default="", help="the service's key (better: OPENAI_API_KEY)")
    group.add_argument("--deferral", choices=DEFERRAL, default="", help="how seldom used tools reach the model")


def approval_options(parser: argparse.ArgumentParser) -> None:
    """What may happen without a question."""
    group = parser.add_argument_group("approvals").add_mutually_exclusive_group()
    group.add_argument("--yes", action="store_true", help="the same as --approve all")
    group.add_argument(
        "--approve",
        choices=("never", "reads", "edits", "all"),
        help="what passes without a question (default: ask; where nobody can answer: never)",
    )


def somebody_is_there() -> bool:
    """Whether a question would find a person: both the way to them and back are a terminal."""
    return is_person(sys.stdin) and is_person(sys.stderr)


def mode_of(args: argparse.Namespace) -> Mode | None:
    """The mode the command line asks for, None when it says nothing."""
    mode: Mode | None = "all" if args.yes else args.approve
    return mode


def mode_here(args: argparse.Namespace) -> Mode | None:
    """The mode of a turn that the command line starts: what it says, never where nobody can answer, else (None)
    the session's own."""
    return mode_of(args) or (None if somebody_is_there() else "never")


def model_choice(args: argparse.Namespace) -> dict[str, Any]:
    """What ``model_options`` were given, as fields of ``assembly.Options``. Raises ``UsageError`` for a folder
    or a provider that isn't there."""
    if args.cwd and not Path(args.cwd).expanduser().is_dir():
        raise UsageError(f"There is no folder {args.cwd}.")
    if args.provider not in ("", *PROVIDERS):
        raise UsageError(f"There is no provider {args.provider!r}. There are: {', '.join(PROVIDERS)}.")
    chosen = {name: getattr(args, name) for name in ("cwd", "model", "base_url", "api_key", "deferral")}
    return {**chosen, "provider": args.provider or ("openai" if args.base_url else "")}


def assembled(args: argparse.Namespace, *, max_rounds: int = 0, only: Mode | None = None) -> Assembly:
    """The product as the command line wants it, ``only`` being the mode of every turn. Close it when done."""
    from ankita_desktop.assembly import Options, assemble
    from ankita_desktop.terminal.desktop import ProgramDesktop

    return assemble(
        Options(
            **model_choice(args),
            mode=mode_of(args) if "yes" in args else None,
            only=only,
            max_rounds=max_rounds,
            attended=somebody_is_there(),
            front="terminal",
        ),
        ProgramDesktop(),
    )
