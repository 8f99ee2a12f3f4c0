"""`ankita approvals rules`: what is always allowed, asked or denied."""

from __future__ import annotations

import argparse

from ankita_desktop.errors import UsageError
from ankita_desktop.store.settings import Settings
from ankita_desktop.terminal.screen import one_line, say, show_json
from ankita_desktop.toolkit.rule_text import parse_rule

KEY = "approvals.rules"


def rules_options(parser: argparse.ArgumentParser) -> None:
    """The options of `ankita approvals rules`."""
    parser.add_argument("action", nargs="?", choices=("list", "add", "remove"), default="list")
    parser.add_argument(
        "rule", nargs="?", help="such as: 'allow run_command(git status *)'; to remove also its number"
    )
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def rules(args: argparse.Namespace) -> int:
    """List, add or remove. Raises ``UsageError`` for what isn't a rule, or isn't there."""
    settings = Settings()
    for notice in settings.notices:
        say(notice)
    known = list(settings.values.approvals.rules)
    if args.action != "list":
        if not args.rule:
            raise UsageError(f"Say which rule: ankita approvals rules {args.action} RULE")
        known = _added(known, args.rule) if args.action == "add" else _removed(known, args.rule)
        settings.set(KEY, "\n".join(known))
    _show(known, as_json=args.json)
    return 0


def _added(known: list[str], text: str) -> list[str]:
    try:
        rule = parse_rule(text).text
    except ValueError as error:
        raise UsageError(f"That is no rule: {error}.") from None
    return known if rule in known else [*known, rule]


def _removed(known: list[str], text: str) -> list[str]:
    number = int(text) if text.isdecimal() else 0
    if 1 <= number <= len(known):
        return known[: number - 1] + known[number:]
    left = [rule for rule in known if rule != text.strip()]
    if left == known:
        raise UsageError(f"There is no rule {text!r}. `ankita approvals rules list` shows them with numbers.")
    return left


def _show(known: list[str], *, as_json: bool) -> None:
    if as_json:
        show_json(known)
        return
    for number, rule in enumerate(known, 1):
        print(f"{number}  {one_line(rule)}")
    if not known:
        say("There are no rules. Add one: ankita approvals rules add 'allow run_command(git status *)'")
