"""`ankita when`: what a schedule text means, and its next times."""

from __future__ import annotations

import sys
from argparse import RawDescriptionHelpFormatter
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from ankita_desktop.automation.schedule import Schedule, WhenError
from ankita_desktop.automation.when import read
from ankita_desktop.automation.zones import local_zone, resolve, zone
from ankita_desktop.errors import UsageError
from ankita_desktop.terminal.options import Parser
from ankita_desktop.terminal.screen import show_json

COUNT, MOST = 5, 1000
YEARS = range(1970, 2200)

RULES = """\
sentences   in 20 minutes · tomorrow at 9 · next Friday at noon · on 3 March at 14:00 · every 90 minutes
            weekdays at 9:30 · every other Tuesday at 19 · first Monday of the month at 10 · last day of the month
            hourly between 9 and 17 · every day at 9 starting Monday until 1 March · at 9 Europe/London
            end of the month at 18 · a week from Monday · 2 days before Christmas · every hour on the half hour
            twice a day · every weekday except Friday · every morning and evening at 8 · every Easter Monday
intervals   "every N minutes, hours, days, weeks" counts from its creation; with a time of day it starts at the
            next such time and keeps the wall clock; "hourly", "on the hour" and cron follow the clock
cron        minute hour day month weekday, with names, ranges, steps, lists; L (last day), L5 (last Friday),
            15W (weekday nearest to the 15th), 1#1 (first Monday); @hourly, @daily, @weekly, @monthly, @yearly.
            When both day fields are set, a day that matches either one is enough; with #, L5 or W both must
others      ISO 8601 (2026-12-01T09:00, PT20M) and iCalendar (RRULE:FREQ=WEEKLY;BYDAY=TU;BYHOUR=19;BYMINUTE=0)
clocks      A fixed time that spring skips comes at the next valid minute, one that autumn repeats comes once,
            at the first. With a wildcard or step in the hour (*/30 * * * *) every real interval counts
"""


def main(words: list[str]) -> int:
    """Say how the text is understood. Returns 0, or 2 with what to write instead."""
    args = _parser().parse_args(words)
    tz = zone(args.tz) if args.tz else local_zone()
    now = _start(args.start, tz) if args.start else datetime.now(UTC)
    if not 1 <= args.count <= MOST:
        raise UsageError(f"--count goes from 1 to {MOST}.")
    text = " ".join(args.text)
    try:
        found = read(text, now=now, tz=tz)
    except WhenError as error:
        if args.json:
            show_json({"error": str(error), "examples": list(error.examples)})
        print(f"ankita: {error}", file=sys.stderr)
        return 2
    times = [found.local(at) for at in found.upcoming(now, args.count)]
    if args.json:
        show_json(_document(text, found, times))
    else:
        print("\n".join(_drawn(found, times)))
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="ankita when",
        description="What a schedule text means, and its next times.",
        epilog=RULES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "text", nargs="+", metavar="TEXT", help='as in "every weekday at 8", "in 20 minutes", "0 8 * * 1-5"'
    )
    parser.add_argument("--tz", metavar="ZONE", default="", help="as in Europe/Berlin (default: this machine's)")
    parser.add_argument(
        "--from", dest="start", metavar="LOCAL", default="", help="instead of now: 2026-11-30T09:00"
    )
    parser.add_argument("--count", type=int, default=COUNT, metavar="N", help=f"how many times (default: {COUNT})")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")
    return parser


def _start(text: str, tz: ZoneInfo) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--from {text!r} is no date and time. Write it as 2026-11-30T09:00.") from error
    if at.year not in YEARS:
        raise UsageError(f"--from goes from {YEARS[0]} to {YEARS[-1]}.")
    return at.astimezone(UTC) if at.tzinfo else resolve(at, tz)


def _document(text: str, found: Schedule, times: list[datetime]) -> dict[str, object]:
    return {
        "text": text,
        "kind": found.kind,
        "cron": found.cron,
        "next": [at.isoformat() for at in times],
        "tz": found.tz,
        "words": found.words,
        "note": found.note,
    }


def _drawn(found: Schedule, times: list[datetime]) -> list[str]:
    lines = [f"{found.words[:1].upper()}{found.words[1:]} ({found.tz})"]
    lines += [found.note] if found.note else []
    return lines + [f"  {at:%a %Y-%m-%d %H:%M}{f':{at.second:02}' if at.second else ''} {at:%z}" for at in times]
