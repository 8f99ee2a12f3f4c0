"""`ankita approvals check`: what would happen to a command, without running it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ankita_desktop.errors import UsageError
from ankita_desktop.protocol import Grant
from ankita_desktop.safety.foresight import judged
from ankita_desktop.safety.rules import Rules
from ankita_desktop.store.database import Store
from ankita_desktop.store.settings import Settings
from ankita_desktop.terminal.screen import one_line, painted, show_json

COLOURS = {"safe": "green", "ask": "yellow", "dangerous": "red", "blocked": "red"}


def check_options(parser: argparse.ArgumentParser) -> None:
    """The options of `ankita approvals check`."""
    parser.add_argument(
        "--command", metavar="TEXT", required=True, help="the command; - reads JSON strings, one a line"
    )
    parser.add_argument(
        "--cwd", metavar="DIR", default="", help="the folder it would run in (default: the current one)"
    )
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def check(args: argparse.Namespace) -> int:
    """Say what would happen. Returns 0; a line that isn't a JSON string is answered with an error, and makes 2."""
    folder = Path(args.cwd).expanduser() if args.cwd else Path.cwd()
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.")
    if args.command == "-":
        return _lines(folder)
    found = judged(args.command, folder, _rules(), _grants())
    if args.json:
        show_json(found)
    else:
        print("\n".join(_drawn(found)))
    return 0


def _rules() -> Rules:
    rules = Settings().values.approvals.rules
    return Rules(lambda: rules)


def _grants() -> Sequence[Grant]:
    """What was allowed for always: an answer that counts in one session says nothing here."""
    store = Store()
    try:
        return store.grants()
    finally:
        store.close()


def _lines(folder: Path) -> int:
    code, rules, grants = 0, _rules(), _grants()
    for line in sys.stdin:
        if not line.strip():
            continue
        answer = _answer(line, partial(judged, folder=folder, rules=rules, grants=grants))
        code = 2 if "error" in answer else code
        print(json.dumps(answer, ensure_ascii=False), flush=True)
    return code


def _answer(line: str, judge: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    try:
        command = json.loads(line)
    except ValueError:
        command = None
    if isinstance(command, dict):
        command = command.get("command")
    if not isinstance(command, str):
        return {"error": "Each line is a JSON string with one command."}
    return judge(command)


def _drawn(found: dict[str, Any]) -> list[str]:
    verdict = found["verdict"]
    lines = [f"{painted(verdict, COLOURS[verdict])}: {found['reason']}"]
    by = [f"by the rule: {one_line(found['rule'])}"] if found["rule"] else []
    by += [f"as you allowed ({each['id'][:6]}): {one_line(each['label'])}" for each in found["grants"]]
    lines.append(", ".join([found["outcome"], *by]))
    for part in found["parts"]:
        lines.append(f"  {painted(part['verdict'], COLOURS[part['verdict']]):<10} {one_line(part['text'])}")
    return lines
