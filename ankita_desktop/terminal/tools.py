"""`ankita tools`: what the assistant can do, what a sentence would find, and one call by hand.

`list`, `find` and `show` read headers only: no database, no model, nothing heavy is imported.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ankita_desktop.catalog import open_catalogue
from ankita_desktop.errors import UsageError
from ankita_desktop.terminal import tools_care
from ankita_desktop.terminal.options import Parser
from ankita_desktop.terminal.screen import as_json, one_line, safe, say, show_json

if TYPE_CHECKING:
    from ankita_desktop.catalog import ToolCatalogue
    from ankita_desktop.protocol import ToolSpec
    from ankita_desktop.toolkit.services import Match


def main(argv: list[str]) -> int:
    """Run `ankita tools …`. Returns the exit code."""
    args = parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = args.run
    return command(args)


def parser() -> argparse.ArgumentParser:
    """The options of `ankita tools`."""
    parser = Parser(prog="ankita tools", description="The assistant's tools.")
    commands = parser.add_subparsers(
        required=True, metavar="list | find | show | run | audit | review", parser_class=Parser
    )
    listing = commands.add_parser("list", help="all tools")
    finding = commands.add_parser("find", help="the groups a sentence asks for; - reads JSON strings, one a line")
    finding.add_argument("query", nargs="+")
    finding.add_argument("--planned", action="store_true", help="also groups whose tools aren't built yet")
    finding.add_argument("--why", action="store_true", help="what spoke for each group")
    showing = commands.add_parser("show", help="one tool as the model sees it")
    showing.add_argument("name")
    running = commands.add_parser("run", help="one call, with approval as usual")
    _run_options(running)
    auditing = commands.add_parser("audit", help="what tools cost in every request, and which were used")
    auditing.add_argument("--clear-misses", action="store_true", help="forget the searches that found nothing")
    reviewing = commands.add_parser("review", help="whether words find every tool; words to add, as a diff")
    reviewing.add_argument("--folder", metavar="DIR", default="", help="a folder of tools (default: the bundled)")
    for command, run in (
        (listing, _list),
        (finding, _find),
        (showing, _show),
        (running, _run),
        (auditing, tools_care.audit),
        (reviewing, tools_care.review),
    ):
        command.add_argument("--json", action="store_true", help="JSON on standard output")
        command.set_defaults(run=run)
    return parser


def _run_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    parser.add_argument("--args", default="{}", metavar="JSON", help="the call's arguments, one JSON object")
    parser.add_argument("--cwd", metavar="DIR", default="", help="the working folder (default: the current one)")
    parser.add_argument("--yes", action="store_true", help="agree beforehand (not to what must always be asked)")


def _catalogue() -> ToolCatalogue:
    catalogue = open_catalogue()
    for problem in catalogue.problems:
        say(problem)
    return catalogue


# --- list, show -----------------------------------------------------------------------------


def _list(args: argparse.Namespace) -> int:
    specs = sorted(_catalogue().specs(), key=lambda spec: (not spec.always_on, spec.group, spec.name))
    if args.json:
        show_json([_facts(spec) for spec in specs])
        return 0
    for spec in specs:
        sent = "always sent" if spec.always_on else "on demand"
        print(f"{spec.name:<16} {spec.group:<12} {sent:<12} {one_line(spec.description, 70)}")
    return 0


def _facts(spec: ToolSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "group": spec.group,
        "always_on": spec.always_on,
        "approval": spec.approval,
        "schema_bytes": spec.schema_bytes(),
        "description": spec.description,
    }


def _show(args: argparse.Namespace) -> int:
    catalogue = _catalogue()
    spec = _known(catalogue, args.name)
    if args.json:
        more = {"parameters": _sent(spec), "read_only": spec.read_only, "source": spec.source}
        show_json({**_facts(spec), **more, "keywords": list(spec.keywords)})
        return 0
    print(f"{spec.name} ({spec.group}, {spec.source}; approval: {spec.approval})\n\n{safe(spec.description)}\n")
    print(as_json(_sent(spec), indent=2))
    return 0


def _sent(spec: ToolSpec) -> Any:
    """The parameters as they go over the wire."""
    return spec.entry()["function"]["parameters"]


def _known(catalogue: ToolCatalogue, name: str) -> ToolSpec:
    spec = catalogue.spec(name)
    if spec is None:
        near = " or ".join(catalogue.near(name)[:3])
        raise UsageError(f"There is no tool {name!r}." + (f" Did you mean {near}?" if near else ""))
    return spec


# --- find -----------------------------------------------------------------------------------


def _find(args: argparse.Namespace) -> int:
    catalogue = _catalogue()
    if args.query == ["-"]:
        return _find_each(catalogue, args)
    match = catalogue.match(" ".join(args.query), planned=args.planned)
    if args.json:
        show_json(_found(match, args))
        return 0
    if not match.groups:
        print("Nothing matches. `ankita tools list` shows all tools.")
    for group in match.groups:
        reasons = (
            f"  because of {', '.join(match.why.get(group, ()))}" if args.why and match.why.get(group) else ""
        )
        print(f"{group:<12} {match.scores.get(group, 0):5.1f}  {_tools_of(catalogue, match, group)}{reasons}")
    return 0


def _tools_of(catalogue: ToolCatalogue, match: Match, group: str) -> str:
    return " ".join(spec.name for spec in catalogue.in_group(group)) or "(planned)"


def _found(match: Match, args: argparse.Namespace) -> dict[str, Any]:
    found: dict[str, Any] = {
        "query": match.query,
        "groups": list(match.groups),
        "tools": list(match.tools),
        "scores": {group: round(score, 3) for group, score in match.scores.items()},
    }
    if args.why:
        found["why"] = {group: list(reasons) for group, reasons in match.why.items()}
    return found


def _find_each(catalogue: ToolCatalogue, args: argparse.Namespace) -> int:
    """One JSON string a line in, one JSON object a line out, at once; a line that is none is answered so."""
    code = 0
    answer: dict[str, Any]
    for line in sys.stdin:
        if not line.strip():
            continue
        query = _json_string(line)
        if query is None:
            code, answer = 1, {"query": None, "error": 'not a JSON string; write "…"', "groups": [], "tools": []}
        else:
            answer = _found(catalogue.match(query, planned=args.planned), args)
        print(as_json(answer), flush=True)
    return code


def _json_string(line: str) -> str | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


# --- run ------------------------------------------------------------------------------------


def _run(args: argparse.Namespace) -> int:
    from ankita_desktop.terminal.by_hand import call_by_hand

    _known(_catalogue(), args.name)
    try:
        arguments = json.loads(args.args)
    except ValueError as error:
        raise UsageError(f'--args is not JSON ({error}). Example: --args \'{{"path": "notes.txt"}}\'') from None
    if not isinstance(arguments, dict):
        raise UsageError('--args must be one JSON object, such as \'{"path": "notes.txt"}\'.')
    return call_by_hand(args, arguments)
