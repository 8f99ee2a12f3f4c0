"""`ankita routines`: prompts that run by themselves."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ankita_desktop.errors import AnkitaError, UsageError
from ankita_desktop.protocol import dump
from ankita_desktop.terminal.options import (
    Parser,
    approval_options,
    assembled,
    mode_of,
    model_options,
    somebody_is_there,
)
from ankita_desktop.terminal.screen import one_line, safe, say, show_json

if TYPE_CHECKING:
    from ankita_desktop.assembly import Assembly
    from ankita_desktop.toolkit.automation import Routine, Run

MINUTE = 60


def main(argv: list[str]) -> int:
    """Run `ankita routines …`. Returns the exit code."""
    args = parser().parse_args(argv)
    app = assembled(args, only=mode_of(args) if "yes" in args else None)
    try:
        command: Callable[[Assembly, argparse.Namespace], int] = args.run
        return command(app, args)
    finally:
        app.close()


def parser() -> argparse.ArgumentParser:
    """The options of `ankita routines`. A routine is named by its name, its id or the beginning of it."""
    parser = Parser(prog="ankita routines", description="Prompts that run by themselves.")
    commands = parser.add_subparsers(
        required=True, metavar="list | add | remove | pause | resume | run | history", parser_class=Parser
    )
    made: dict[str, tuple[Callable[[Assembly, argparse.Namespace], int], str]] = {
        "list": (_list, "all routines"),
        "add": (_add, "make one; it may do unasked only what needs no yes"),
        "remove": (_remove, "remove one and its history"),
        "pause": (_pause, "no time of it counts until it is resumed"),
        "resume": (_resume, "go on with its next time"),
        "run": (_run, "run one here and now"),
        "history": (_history, "its runs, the latest first"),
    }
    for name, (run, about) in made.items():
        command = commands.add_parser(name, help=about)
        command.add_argument("--json", action="store_true", help="JSON on standard output")
        command.set_defaults(run=run)
        _options(name, command)
    return parser


def _options(name: str, command: argparse.ArgumentParser) -> None:
    if name == "add":
        command.add_argument("prompt", help="what it does each time")
        command.add_argument("--when", required=True, metavar="TEXT", help='such as "every weekday at 8"')
        command.add_argument("--name", default="", help="default: the beginning of the prompt")
        command.add_argument("--project", default="", help="whose notes every run knows")
        command.add_argument("--late", choices=("once", "skip", "all"), help="times missed while nothing ran")
        command.add_argument("--limit-minutes", type=float, metavar="N", help="the longest a run may take")
        command.add_argument("--runs-per-day", type=int, metavar="N")
        command.add_argument("--tokens-per-day", type=int, metavar="N")
    elif name != "list":
        command.add_argument("id")
    if name == "remove":
        command.add_argument("--yes", dest="anyway", action="store_true", help="also while it runs")
    if name == "history":
        command.add_argument("--limit", type=int, default=20)
    if name == "run":
        command.add_argument("--plain", action="store_true", help="the answer without markdown decoration")
        approval_options(command)
    model_options(command)


def facts(app: Assembly, routine: Routine) -> dict[str, Any]:
    """A routine as scripts see it; times in the person's zone."""
    last = app.automation.routines.last(routine.id)
    return {
        "id": routine.id,
        "name": routine.name,
        "next": None if routine.paused else app.automation.iso(routine.due),
        "paused": routine.paused,
        "last": run_facts(app, last) if last else None,
        "when": routine.when,
        "prompt": routine.prompt,
        "cwd": routine.cwd,
        "project": app.automation.routines.project_of(routine) or None,
    }


def run_facts(app: Assembly, run: Run) -> dict[str, Any]:
    """A run as scripts see it."""
    kept = dump(run)
    times = {name: app.automation.iso(kept[name]) for name in ("slot", "started", "ended")}
    names = ("id", "status", "text", "reason", "undone", "tokens", "cost", "session")
    return {**{name: kept[name] for name in names}, **times}


def _list(app: Assembly, args: argparse.Namespace) -> int:
    routines = app.automation.routines.list()
    if args.json:
        show_json([facts(app, one) for one in routines])
        return 0
    for one in routines:
        print(safe(app.automation.routines.receipt(one)))
    if not routines:
        say('There are no routines. Make one: ankita routines add --when "every weekday at 8" "brief me"')
    return 0


def _add(app: Assembly, args: argparse.Namespace) -> int:
    fields = {"late": args.late, "runs": args.runs_per_day, "tokens": args.tokens_per_day}
    fields |= {"model": args.model, "project": args.project}
    if args.limit_minutes is not None:
        fields["limit"] = args.limit_minutes * MINUTE
    routine, made = app.automation.routines.add(args.name, args.prompt, args.when, cwd=app.folder(), **fields)
    return _told(app, args, routine, "" if made else "It was there already. ")


def _remove(app: Assembly, args: argparse.Namespace) -> int:
    routine = app.automation.routines.find(args.id)
    if app.automation.routines.running(routine.id) and not args.anyway:
        raise UsageError(f"{routine.name} runs right now. Remove it all the same with --yes; its result is lost.")
    app.automation.routines.remove(routine.id)
    if args.json:
        show_json({"removed": routine.id})
    else:
        print(f"Removed {safe(routine.name)}.")
    return 0


def _pause(app: Assembly, args: argparse.Namespace) -> int:
    return _told(app, args, app.automation.routines.pause(args.id))


def _resume(app: Assembly, args: argparse.Namespace) -> int:
    return _told(app, args, app.automation.routines.pause(args.id, False))


def _told(app: Assembly, args: argparse.Namespace, routine: Routine, first: str = "") -> int:
    if args.json:
        show_json(facts(app, routine))
    else:
        print(safe(first + app.automation.routines.receipt(routine)))
    return 0


def _history(app: Assembly, args: argparse.Namespace) -> int:
    runs = app.automation.routines.history(args.id, args.limit)
    if args.json:
        show_json([run_facts(app, run) for run in runs])
        return 0
    for run in runs:
        print(one_line(app.automation.routines.told(run), 300))
    if not runs:
        say("It has not run yet.")
    return 0


def _run(app: Assembly, args: argparse.Namespace) -> int:
    """One run here, followed like `ankita -p`; what needs a yes is asked here."""
    from ankita_desktop.terminal.run import one_turn

    routine = app.automation.routines.find(args.id)
    if app.automation.routines.running(routine.id):
        raise AnkitaError(f"{routine.name} runs already.")
    runner = app.automation.runner_for(app.engine, f"{os.getpid()} terminal")
    info = app.store.session(runner.session_for(routine))

    def start() -> None:
        routine_now = app.automation.routines.find(routine.id)
        if runner.start(routine_now, None) is None:
            last = app.automation.routines.last(routine.id)
            raise AnkitaError(last.reason if last else "It could not be started.")

    if not somebody_is_there():
        say("Nobody can answer here: what needs a yes and was not allowed beforehand is denied.")
    return one_turn(app, info, args, start)
