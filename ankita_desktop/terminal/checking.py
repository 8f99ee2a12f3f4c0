"""`ankita approvals check`: what would happen to a command, without running it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ankita_desktop.errors import UsageError
from ankita_desktop.safety.shell_risk import verdict
from ankita_desktop.terminal.screen import one_line, painted, show_json

COLOURS = {"safe": "green", "ask": "yellow", "dangerous": "red", "blocked": "red"}
MEANING = {
    "safe": "runs without a question",
    "ask": "is asked",
    "dangerous": "is always asked, in red",
    "blocked": "is never run",
}


def check_options(parser: argparse.ArgumentParser) -> None:
    """The options of `ankita approvals check`."""
    parser.add_argument("--command", metavar="TEXT", required=True, help="the command; - reads JSON strings, one a line")
    parser.add_argument("--cwd", metavar="DIR", default="", help="the folder it would run in (default: the current one)")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def check(args: argparse.Namespace) -> int:
    """Say what would happen. Returns 0; a line that isn't a JSON string is answered with an error, and makes 2."""
    folder = Path(args.cwd).expanduser() if args.cwd else Path.cwd()
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.")
    if args.command == "-":
        return _lines(folder)
    found = judged(args.command, folder)
    if args.json:
        show_json(found)
    else:
        print("\n".join(_drawn(found)))
    return 0


def judged(command: str, folder: Path) -> dict[str, Any]:
    """The verdict as others read it."""
    found = verdict(command, folder)
    return {
        "command": command,
        "verdict": found.verdict,
        "parts": [{"text": part.text, "verdict": part.level, "reason": part.reason} for part in found.parts],
        "reason": found.reason,
    }


def _lines(folder: Path) -> int:
    code = 0
    for line in sys.stdin:
        if not line.strip():
            continue
        answer = _answer(line, folder)
        code = 2 if "error" in answer else code
        print(json.dumps(answer, ensure_ascii=False), flush=True)
    return code


def _answer(line: str, folder: Path) -> dict[str, Any]:
    try:
        command = json.loads(line)
    except ValueError:
        command = None
    if isinstance(command, dict):
        command = command.get("command")
    if not isinstance(command, str):
        return {"error": "Each line is a JSON string with one command."}
    return judged(command, folder)


def _drawn(found: dict[str, Any]) -> list[str]:
    verdict = found["verdict"]
    lines = [f"{painted(verdict, COLOURS[verdict])}: {MEANING[verdict]}. {found['reason']}"]
    for part in found["parts"]:
        lines.append(f"  {painted(part['verdict'], COLOURS[part['verdict']]):<10} {one_line(part['text'])}")
    return lines
