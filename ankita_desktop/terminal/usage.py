"""`ankita usage`: what the rounds of a conversation, or of all, sent and cost."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

from ankita_desktop.protocol import Round
from ankita_desktop.store.database import Store
from ankita_desktop.terminal.options import Parser
from ankita_desktop.terminal.report import round_facts, usage_facts
from ankita_desktop.terminal.screen import show_json

Stored = tuple[str, str, Round, float]  # session, turn, round, epoch seconds
SHOWN = 40


def main(argv: list[str]) -> int:
    """Run `ankita usage …`. Returns the exit code."""
    args = parser().parse_args(argv)
    store = Store()
    try:
        session = store.find_session(args.session).id if args.session else ""
        rounds = store.rounds(session)
    finally:
        store.close()
    if args.json:
        show_json(facts(rounds))
    else:
        print(table(rounds))
    return 0


def parser() -> argparse.ArgumentParser:
    """The options of `ankita usage`."""
    parser = Parser(prog="ankita usage", description="What each request to a model carried and cost.")
    parser.add_argument("--session", metavar="ID", default="", help="one conversation (the beginning of its id)")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")
    return parser


def facts(rounds: Sequence[Stored]) -> dict[str, Any]:
    """The JSON document: every round, oldest first, and their sum."""
    return {
        "rounds": [
            {
                "session": session,
                "turn": turn,
                "time": moment,
                **round_facts(one),
                "cost": one.usage.cost,
                "groups": one.group_bytes,
            }
            for session, turn, one, moment in rounds
        ],
        "total": {"rounds": len(rounds), **usage_facts([one for _, _, one, _ in rounds])},
    }


def table(rounds: Sequence[Stored]) -> str:
    """The newest rounds and the sum, for a person."""
    if not rounds:
        return "No round has been counted yet."
    lines = [f"{'time':<17}{'tools':>6}{'schemas':>9}{'input':>9}{'cached':>9}{'output':>8}{'cost':>10}"]
    if len(rounds) > SHOWN:
        lines.append(f"… {len(rounds) - SHOWN} earlier rounds (--json gives all)")
    for _, _, one, moment in rounds[-SHOWN:]:
        lines.append(_row(time.strftime("%Y-%m-%d %H:%M", time.localtime(moment)), one))
    total = usage_facts([one for _, _, one, _ in rounds])
    share = f", {total['cached'] / total['input']:.0%} of the input from the cache" if total["input"] else ""
    counted = f"{len(rounds)} rounds" if len(rounds) > 1 else "1 round"
    lines.append(f"{counted}: {total['input']:,} in, {total['output']:,} out{share}; cost {money(total['cost'])}")
    return "\n".join(lines)


def _row(moment: str, one: Round) -> str:
    used = one.usage
    numbers = f"{one.tools:>6}{one.schema_bytes:>9}{used.input:>9}{used.cached:>9}{used.output:>8}"
    return f"{moment:<17}{numbers}{money(used.cost):>10}"


def money(usd: float | None) -> str:
    """USD with four places: rounds cost fractions of a cent."""
    return "not known" if usd is None else f"${usd:.4f}"
